#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

#include "host/memory_host.hpp"
#include "host/real_host.hpp"
#include "support/temp_dir.hpp"

namespace tunekeeper::test {

/// A host to test by its contract, with means to stage files on it that are not part of that contract.
class Twin {
 public:
  virtual ~Twin() = default;
  virtual Host& host() = 0;
  virtual void add_file(std::string_view path, const std::string& bytes, std::uint32_t mode = 0644) = 0;
  virtual void add_symlink(std::string_view path, const std::string& target) = 0;
  virtual void add_directory(std::string_view path) = 0;
  virtual void set_xattr(std::string_view path, const std::string& name, const std::string& value) = 0;
};

class MemoryTwin : public Twin {
 public:
  MemoryTwin() { host_.set_other_root(true); }
  Host& host() override { return host_; }
  void add_file(std::string_view path, const std::string& bytes, std::uint32_t mode) override {
    host_.add_file(path, bytes, mode);
    host_.set_owner(path, ::geteuid(), ::getegid());
  }
  void add_symlink(std::string_view path, const std::string& target) override {
    host_.add_symlink(path, target);
  }
  void add_directory(std::string_view path) override { host_.add_directory(path); }
  void set_xattr(std::string_view path, const std::string& name, const std::string& value) override {
    host_.set_xattr(path, name, value);
  }

 private:
  MemoryHost host_;
};

class RealTwin : public Twin {
 public:
  explicit RealTwin(RealHost::Resolver resolver) : host_(dir_.path(), resolver) {}
  Host& host() override { return host_; }
  void add_file(std::string_view path, const std::string& bytes, std::uint32_t mode) override {
    dir_.write(path, bytes);
    if (::chmod(dir_.inside(path).c_str(), mode) != 0) throw std::runtime_error("chmod");
  }
  void add_symlink(std::string_view path, const std::string& target) override {
    add_directory(parent_path(path));
    std::filesystem::create_symlink(target, dir_.inside(path));
  }
  void add_directory(std::string_view path) override {
    std::filesystem::create_directories(dir_.inside(path));
  }
  void set_xattr(std::string_view path, const std::string& name, const std::string& value) override;

 private:
  TempDir dir_;
  RealHost host_;
};

/// "memory", "real: openat2" or "real: own walk".
std::unique_ptr<Twin> make_twin(const std::string& kind);

}  // namespace tunekeeper::test
