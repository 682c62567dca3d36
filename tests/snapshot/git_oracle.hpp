#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <sys/stat.h>

namespace tunekeeper {

struct GitAnswer {
  int status = 0;
  std::string out;
};

/// What a shell line says on both streams, and its wait status.
inline GitAnswer shell(const std::string& line) {
  FILE* pipe = popen((line + " 2>&1 </dev/null").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("popen");
  GitAnswer answer;
  char buffer[4096];
  for (std::size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) answer.out.append(buffer, n);
  answer.status = pclose(pipe);
  return answer;
}

/// The real git as the judge: run in a folder, without anyone's configuration, and without the upkeep that
/// git starts behind a commit, which would still write into the folder while the test removes it.
class GitOracle {
 public:
  explicit GitOracle(std::string folder) : folder_(std::move(folder)) {}

  GitAnswer run(const std::vector<std::string>& arguments) const {
    std::string line =
        "cd '" + folder_ +
        "' && env -i PATH=/usr/bin:/bin LC_ALL=C HOME=/nonexistent GIT_CONFIG_NOSYSTEM=1 "
        "GIT_AUTHOR_NAME=other GIT_AUTHOR_EMAIL=o@x GIT_COMMITTER_NAME=other GIT_COMMITTER_EMAIL=o@x "
        "git -c init.defaultBranch=master -c gc.auto=0 -c maintenance.auto=false";
    for (const std::string& argument : arguments) line += " " + quoted(argument);
    return shell(line);
  }
  /// The output of a command that must succeed.
  std::string out(const std::vector<std::string>& arguments) const {
    GitAnswer answer = run(arguments);
    if (answer.status != 0) throw std::runtime_error("git " + arguments.front() + ": " + answer.out);
    return answer.out;
  }

 private:
  static std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
  }

  std::string folder_;
};

inline void write_file(const std::string& path, const std::string& bytes, mode_t mode = 0644) {
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
  if (chmod(path.c_str(), mode) != 0) throw std::runtime_error("chmod " + path);
}

}  // namespace tunekeeper
