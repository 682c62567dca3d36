#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <stdlib.h>

namespace tunekeeper::test {

/// A folder of its own below the system's temporary one, gone with the test.
class TempDir {
 public:
  TempDir() {
    std::string name = (std::filesystem::temp_directory_path() / "tunekeeper-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp " + name);
    path_ = name;
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::string& path() const { return path_; }

  /// The real path of an absolute path inside.
  std::string inside(std::string_view path) const { return path_ + std::string(path); }

  /// Writes a file by ordinary means, with its parents.
  void write(std::string_view path, std::string_view bytes) const {
    std::filesystem::create_directories(std::filesystem::path(inside(path)).parent_path());
    std::ofstream(inside(path), std::ios::binary) << bytes;
  }

 private:
  std::string path_;
};

}  // namespace tunekeeper::test
