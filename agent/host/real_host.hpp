#pragma once

#include <sys/stat.h>

#include "host/fd.hpp"
#include "host/host.hpp"
#include "host/path_walk.hpp"

namespace tunekeeper {

/// The real host below a root folder. One process uses it from one thread.
class RealHost : public Host {
 public:
  /// How paths are kept inside another root.
  enum class Resolver {
    kernel,  ///< openat2 with RESOLVE_IN_ROOT, and the own walk where the kernel has none (before Linux 5.6)
    walk,    ///< the own walk
  };

  /// Throws HostError when the root cannot be opened. "/" (also spelt "//" or "/.") is the machine's own
  /// root.
  explicit RealHost(const std::string& root = "/", Resolver resolver = Resolver::kernel);

  ReadResult read(std::string_view path, std::size_t limit = SIZE_MAX) const override;
  int read_pieces(std::string_view path, const std::function<bool(std::string_view)>& take) const override;
  std::optional<FileInfo> info(std::string_view path, bool follow = true) const override;
  std::optional<std::string> read_link(std::string_view path) const override;
  std::vector<std::string> list(std::string_view directory) const override;
  std::string resolve(std::string_view path) const override;
  /// Other kernel file systems than procfs and sysfs (debugfs, cgroup, …) are no staged files either.
  bool is_staged(std::string_view path) const override;
  bool is_other_root() const override { return other_root_; }
  std::optional<std::uint64_t> free_space(std::string_view path) const override;
  CommandResult probe(const std::vector<std::string>& argv,
                      const CommandOptions& options = {}) const override;

  LiveWriteResult write_live(std::string_view path, std::string_view value) override;
  /// Without the two attributes that the kernel makes of the bytes itself (security.ima, security.evm).
  FileImage image(std::string_view path, bool follow = true) const override;
  void put(std::string_view path, const FileImage& image, bool follow = true) override;
  void remove_leftover(std::string_view path, bool follow = true) override;
  void make_directory(std::string_view path, std::uint32_t mode = 0755) override;
  void remove_directory(std::string_view path) override;
  void append_durably(std::string_view path, std::string_view bytes) override;
  std::unique_ptr<HostLock> lock(std::string_view path, std::string_view content) override;
  std::optional<CommandResult> run_on_candidate(const std::vector<std::string>& argv,
                                                const std::vector<std::pair<std::string, FileImage>>& files,
                                                const CommandOptions& options = {}) override;
  CommandResult run(const std::vector<std::string>& argv, const CommandOptions& options = {}) override;

 private:
  /// A place to write at: the folder, opened, and a name in it that is no symbolic link.
  struct Place {
    Fd folder;
    std::string name;
    std::string path;
  };

  /// Opens a path inside the root; an invalid Fd with errno set when it cannot.
  Fd open(std::string_view path, int flags) const;
  Fd open_by_kernel(const std::string& path, int flags) const;
  Fd open_by_walk(std::string_view path, int flags) const;
  WalkedPath walk(std::string_view path, bool follow_last) const;
  static bool is_ordinary_file_system(unsigned long magic);
  std::optional<struct stat> stat(std::string_view path, bool follow) const;
  /// Where a write of this path lands; throws HostError ("cannot DOING PATH") when its folder cannot be
  /// opened.
  Place place_of(const std::string& doing, std::string_view path, bool follow = true) const;
  void remove_file(std::string_view path, bool follow);
  CommandResult start(const std::vector<std::string>& argv, const CommandOptions& options) const;

  Fd root_;
  bool other_root_;
  mutable bool kernel_resolves_;
};

}  // namespace tunekeeper
