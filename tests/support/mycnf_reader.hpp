#pragma once

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "formats/mycnf_tree.hpp"

namespace tunekeeper::test {

/// A folder of option files, gone with its test. `@DIR@` in a file's text is the folder's own path.
class OptionFiles {
 public:
  OptionFiles() {
    std::string name = (std::filesystem::temp_directory_path() / "tunekeeper-mycnf-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = name;
  }
  ~OptionFiles() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  OptionFiles(const OptionFiles&) = delete;
  OptionFiles& operator=(const OptionFiles&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  void write(const std::string& name, std::string bytes) const {
    for (std::size_t at = 0; (at = bytes.find("@DIR@", at)) != std::string::npos;) {
      bytes.replace(at, 5, path_.string());
    }
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << bytes;
  }

 private:
  std::filesystem::path path_;
};

/// What a command prints, and how it ends.
struct CommandAnswer {
  std::string out;
  int status = -1;
};

inline CommandAnswer ask_command(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("popen failed");
  CommandAnswer answer;
  std::array<char, 4096> buffer{};
  while (const std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe))
    answer.out.append(buffer.data(), n);
  const int status = pclose(pipe);
  answer.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return answer;
}

inline MyCnfAnswer read_option_file(const std::string& path) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0 || !S_ISREG(found.st_mode)) return {};
  if ((found.st_mode & S_IWOTH) != 0) return {MyCnfAnswer::Status::world_writable, {}, {}};
  std::ostringstream bytes;
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return {MyCnfAnswer::Status::read, bytes.str(), {}};
}

inline std::optional<std::vector<std::string>> list_option_files(const std::string& path) {
  std::error_code failed;
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path, failed))
    names.push_back(entry.path().filename().string());
  if (failed) return std::nullopt;
  std::sort(names.begin(), names.end());
  return names;
}

/// A server's own programs that read option files, and what we hold its rules to be.
struct MyCnfReader {
  std::string flavor;
  std::string version;
  std::string print_defaults;
  std::string server;

  /// Prints one option a line (a decoded newline as it is); "fatal" when the program fails.
  std::string theirs(const std::filesystem::path& file) const {
    std::string command = "LC_ALL=C " + print_defaults + " --defaults-file=" + file.string();
    for (const std::string& group : server_groups(flavor, version)) command += " " + group;
    const CommandAnswer answer = ask_command(command + " 2>/dev/null </dev/null");
    return answer.status == 0 ? answer.out : "fatal";
  }

  std::string ours(const std::filesystem::path& file) const {
    MyCnfQuery query{{file.string()}, server_groups(flavor, version), MyCnfDialect::of(flavor, version), {}};
    const MyCnfTree tree(std::move(query), {read_option_file, list_option_files});
    if (!tree.fatal().empty()) return "fatal";
    std::string out;
    for (const auto& found : tree.occurrences()) {
      out += "--" + std::string(found.option.key);
      if (found.option.has_value) out += "=" + found.option.value();
      out += "\n";
    }
    return out;
  }
};

/// The version that a server tells of itself; empty when it does not run.
inline std::string server_version(const std::string& server) {
  const CommandAnswer answer = ask_command("LC_ALL=C " + server + " --no-defaults --version 2>/dev/null");
  std::smatch found;
  const bool told = std::regex_search(answer.out, found, std::regex("Ver (\\d+\\.\\d+\\.\\d+)"));
  return told ? found[1].str() : "";
}

/// MariaDB's programs from this machine, and MySQL 9's where scripts/mysql9 has or gets them. The first is
/// required.
inline const std::vector<MyCnfReader>& mycnf_readers() {
  static const std::vector<MyCnfReader> readers = [] {
    const std::string mariadb = server_version("mariadbd");
    if (mariadb.empty()) throw std::runtime_error("mariadbd does not run: install mariadb-server-core");
    std::vector<MyCnfReader> made{{"mariadb", mariadb, "my_print_defaults", "mariadbd"}};
    CommandAnswer mysql9 = ask_command(std::string(TUNEKEEPER_SOURCE_DIR) + "/scripts/mysql9 2>/dev/null");
    while (!mysql9.out.empty() && mysql9.out.back() == '\n') mysql9.out.pop_back();
    const std::string programs = mysql9.out + "/bin/";
    const std::string mysql = mysql9.status == 0 ? server_version(programs + "mysqld") : "";
    if (!mysql.empty()) made.push_back({"mysql", mysql, programs + "my_print_defaults", programs + "mysqld"});
    return made;
  }();
  return readers;
}

}  // namespace tunekeeper::test
