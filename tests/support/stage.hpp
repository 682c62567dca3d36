#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include <stdlib.h>

namespace tunekeeper {

/// A throwaway folder that stands for a root file system, for tests that ask a real program.
class Stage {
 public:
  Stage() {
    std::string name = (std::filesystem::temp_directory_path() / "tunekeeper-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    root_ = name;
  }
  ~Stage() {
    std::error_code ignored;
    std::filesystem::remove_all(root_, ignored);
  }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  std::string at(const std::string& path) const { return root_ + path; }

  void write(const std::string& path, const std::string& bytes) const {
    std::filesystem::create_directories(std::filesystem::path(at(path)).parent_path());
    std::ofstream(at(path), std::ios::binary | std::ios::trunc) << bytes;
  }

  std::string read(const std::string& path) const {
    std::ifstream file(at(path), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  /// Runs a shell line with $ROOT set to the folder; its exit status. Output goes to $ROOT/out and $ROOT/err.
  int shell(const std::string& line) const {
    const auto whole = "ROOT='" + root_ + "'; export ROOT LC_ALL=C; { " + line +
                       "\n} >\"$ROOT/out\" 2>\"$ROOT/err\" </dev/null";
    const int status = std::system(whole.c_str());
    return status < 0 || (status & 0x7f) != 0 ? -1 : (status >> 8) & 0xff;
  }

 private:
  std::string root_;
};

}  // namespace tunekeeper
