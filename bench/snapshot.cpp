// A generation's commit against git's own, in one tree and in turn:
//   snapshot FOLDER FILES ROUNDS [ETCKEEPER]
// FOLDER must be absent; it is filled with FILES small files, 100 to a folder, and three of them change each
// round. With the folder of an unpacked etckeeper, it looks after FOLDER, and its own commit is what ours is
// compared with.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "snapshot/git_snapshot.hpp"

namespace {

using tunekeeper::GitSnapshot;

double milliseconds(const auto& work) {
  const auto begun = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begun).count();
}

std::string path_of(const std::string& folder, int file) {
  return folder + "/d" + std::to_string(file / 100) + "/f" + std::to_string(file);
}

void put(const std::string& path, const std::string& text) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path) << text;
}

void fill(const std::string& folder, int files) {
  for (int i = 0; i < files; ++i) put(path_of(folder, i), "content " + std::to_string(i) + "\n");
}

void change_three(const std::string& folder, int files, int round) {
  for (const int file : {files / 100, files / 2, files - 1})
    put(path_of(folder, file), "round " + std::to_string(round) + "\n");
}

// No collection of garbage beside the measurement: it would run on in the background.
void git(const std::string& folder, const std::vector<std::string>& commands) {
  for (const std::string& command : commands) {
    const std::string line =
        "git -c gc.auto=0 -c user.name=bench -c user.email=bench@localhost -C '" + folder + "' " + command;
    if (std::system(line.c_str()) != 0) throw std::runtime_error("failed: git " + command);
  }
}

void etckeeper(const std::string& folder, const std::string& files, const std::string& verb) {
  const std::string line = "PATH=" + files + "/usr/bin:$PATH ETCKEEPER_CONF_DIR=" + files +
                           "/etc/etckeeper GIT_AUTHOR_NAME=k GIT_AUTHOR_EMAIL=k@x GIT_COMMITTER_NAME=k "
                           "GIT_COMMITTER_EMAIL=k@x etckeeper " +
                           verb + " -d '" + folder + "' three >/dev/null 2>&1";
  if (std::system(line.c_str()) != 0) throw std::runtime_error("etckeeper " + verb + " failed");
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

struct Rival {
  const char* name;
  std::function<void()> commit;
};

void measure(const std::string& folder, int files, int rounds, const Rival& rival) {
  std::vector<double> ours;
  std::vector<double> theirs;
  for (int round = -2; round < rounds; ++round) {
    change_three(folder, files, 2 * round);
    const double one = milliseconds([&] { GitSnapshot(folder).commit({"three", "", {}}); });
    change_three(folder, files, 2 * round + 1);
    const double other = milliseconds(rival.commit);
    if (round < 0) continue;
    ours.push_back(one);
    theirs.push_back(other);
  }
  std::printf("three of %d files: ours median %.1f ms, %s %.1f ms, ratio of medians %.2f\n", files,
              median(ours), rival.name, median(theirs), median(ours) / median(theirs));
}

void run(const std::string& folder, int files, int rounds, const std::string& etckeeper_files) {
  fill(folder, files);
  GitSnapshot snapshot(folder);
  snapshot.init();
  snapshot.commit({"all", "", {}});
  git(folder, {"gc -q", "config gc.auto 0"});
  if (etckeeper_files.empty()) {
    measure(folder, files, rounds, {"git add and commit", [&] {
                                      git(folder, {"add -A", "commit -q --no-verify -m three"});
                                    }});
    return;
  }
  etckeeper(folder, etckeeper_files, "init");
  etckeeper(folder, etckeeper_files, "commit");
  measure(folder, files, rounds, {"etckeeper commit", [&] { etckeeper(folder, etckeeper_files, "commit"); }});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4 || argc > 5 || std::filesystem::exists(argv[1])) {
    std::fputs("usage: snapshot FOLDER FILES ROUNDS [ETCKEEPER] (FOLDER must be absent)\n", stderr);
    return 64;
  }
  try {
    run(argv[1], std::atoi(argv[2]), std::atoi(argv[3]), argc == 5 ? argv[4] : "");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "snapshot: %s\n", error.what());
    return 1;
  }
  return 0;
}
