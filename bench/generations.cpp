// What ten thousand generations of small edits leave behind:
//   generations FOLDER FILES GENERATIONS
// FOLDER must be absent; it is filled with FILES small files, 100 to a folder. Each generation changes three
// of them and a record of 20 KB. Prints the repository's size, its packs, and what a commit cost at the
// beginning and at the end.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "snapshot/git_snapshot.hpp"

namespace {

namespace fs = std::filesystem;
using tunekeeper::GitSnapshot;

std::string path_of(const std::string& folder, int file) {
  return folder + "/d" + std::to_string(file / 100) + "/f" + std::to_string(file);
}

void put(const std::string& path, const std::string& text) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path) << text;
}

std::string record(int generation) {
  std::string text = "{\"generation\": " + std::to_string(generation) + "}\n";
  for (int i = 0; text.size() < 20'000; ++i) {
    text += "{\"id\": \"sysctl:key" + std::to_string(i) + "\", \"original\": \"" + std::to_string(i * 7919) +
            "\", \"value\": \"" + std::to_string(i % 16 == generation % 16 ? generation : i) + "\"}\n";
  }
  return text;
}

double commit_one(GitSnapshot& snapshot, const std::string& folder, int files, int generation) {
  for (const int file : {generation % files, files / 2, files - 1})
    put(path_of(folder, file), "generation " + std::to_string(generation) + "\n");
  put(folder + "/tunekeeper/generation.json", record(generation));
  const auto begun = std::chrono::steady_clock::now();
  snapshot.commit({"Generation " + std::to_string(generation), "", {}});
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// Allocated bytes of all files below a folder, and how many are packs.
std::pair<std::uintmax_t, int> usage(const std::string& folder) {
  std::uintmax_t bytes = 0;
  int packs = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    bytes += (entry.file_size() + 4095) / 4096 * 4096;
    packs += entry.path().extension() == ".pack" ? 1 : 0;
  }
  return {bytes, packs};
}

void run(const std::string& folder, int files, int generations) {
  for (int i = 0; i < files; ++i) put(path_of(folder, i), "content " + std::to_string(i) + "\n");
  GitSnapshot snapshot(folder);
  snapshot.init();
  snapshot.commit({"all", "", {}});
  std::vector<double> times;
  for (int i = 1; i <= generations; ++i) times.push_back(commit_one(snapshot, folder, files, i));
  const auto [bytes, packs] = usage(folder + "/.git");
  const auto part = static_cast<std::ptrdiff_t>(std::min<std::size_t>(100, times.size()));
  std::printf(
      "%d generations among %d files: .git %.1f MB, %d packs; a commit takes %.1f ms at the beginning, %.1f "
      "ms at "
      "the end, %.0f ms at most\n",
      generations, files, double(bytes) / 1e6, packs, median({times.begin(), times.begin() + part}),
      median({times.end() - part, times.end()}), *std::max_element(times.begin(), times.end()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4 || fs::exists(argv[1])) {
    std::fputs("usage: generations FOLDER FILES GENERATIONS (FOLDER must be absent)\n", stderr);
    return 64;
  }
  try {
    run(argv[1], std::atoi(argv[2]), std::atoi(argv[3]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "generations: %s\n", error.what());
    return 1;
  }
  return 0;
}
