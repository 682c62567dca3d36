// Runs two commands in turn and compares their wall times and memory:
//   pairs COUNT COMMAND… -- FLOOR-COMMAND…
// Pairs and not two series, so that whatever else the machine does meets both sides alike.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr int warm_up_runs = 10;

struct Run {
  double milliseconds = 0;
  long peak_kib = 0;
};

/// One run of a program with its output thrown away; throws when it cannot start, or exits with another
/// status than 0.
Run run_once(std::vector<char*> argv, posix_spawn_file_actions_t& quiet) {
  argv.push_back(nullptr);
  pid_t child = 0;
  int status = 0;
  struct rusage usage = {};
  const auto begun = std::chrono::steady_clock::now();
  const int error = posix_spawn(&child, argv[0], &quiet, nullptr, argv.data(), environ);
  if (error != 0)
    throw std::runtime_error(std::string("cannot start ") + argv[0] + ": " + std::strerror(error));
  if (wait4(child, &status, 0, &usage) != child) throw std::runtime_error("wait4 failed");
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begun;
  if (status != 0) throw std::runtime_error(std::string(argv[0]) + " did not exit 0");
  return {took.count(), usage.ru_maxrss};
}

double quantile(std::vector<Run> runs, double share) {
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(runs.size() - 1));
  std::nth_element(runs.begin(), runs.begin() + at, runs.end(),
                   [](const Run& left, const Run& right) { return left.milliseconds < right.milliseconds; });
  return runs[static_cast<std::size_t>(at)].milliseconds;
}

long peak_kib(const std::vector<Run>& runs) {
  long peak = 0;
  for (const Run& run : runs) peak = std::max(peak, run.peak_kib);
  return peak;
}

void report(const char* name, const std::vector<Run>& runs) {
  std::printf("%-8s median %6.2f ms   10 %% %6.2f   90 %% %6.2f   peak %5.1f MiB\n", name,
              quantile(runs, 0.5), quantile(runs, 0.1), quantile(runs, 0.9),
              static_cast<double>(peak_kib(runs)) / 1024);
}

void measure(int count, const std::vector<char*>& command, const std::vector<char*>& floor) {
  posix_spawn_file_actions_t quiet;
  posix_spawn_file_actions_init(&quiet);
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", 1, 0);
  std::vector<Run> commands;
  std::vector<Run> floors;
  for (int i = -warm_up_runs; i < count; ++i) {
    const Run one = run_once(command, quiet);
    const Run other = run_once(floor, quiet);
    if (i < 0) continue;
    commands.push_back(one);
    floors.push_back(other);
  }
  posix_spawn_file_actions_destroy(&quiet);
  report("command", commands);
  report("floor", floors);
  std::printf("ratio of medians %.2f over %d pairs\n", quantile(commands, 0.5) / quantile(floors, 0.5),
              count);
}

}  // namespace

int main(int argc, char** argv) {
  char** const end = argv + argc;
  char** const separator =
      std::find_if(argv, end, [](const char* word) { return std::strcmp(word, "--") == 0; });
  const int count = argc > 1 ? std::atoi(argv[1]) : 0;
  if (count < 1 || separator <= argv + 2 || end - separator < 2) {
    std::fputs("usage: pairs COUNT COMMAND... -- FLOOR-COMMAND...\n", stderr);
    return 64;
  }
  try {
    measure(count, {argv + 2, separator}, {separator + 1, end});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "pairs: %s\n", error.what());
    return 1;
  }
  return 0;
}
