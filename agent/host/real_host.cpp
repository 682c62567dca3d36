// The looking half of the real host; real_host_write.cpp is the writing half.
#include "host/real_host.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>

#include "host/candidate_sandbox.hpp"
#include "host/command.hpp"

namespace tunekeeper {

namespace {

// statfs(2) and linux/magic.h: file systems whose files are the kernel's own.
constexpr std::array<unsigned long, 8> kernel_file_systems = {
    0x9fa0,      // procfs
    0x62656572,  // sysfs
    0x64626720,  // debugfs
    0x74726163,  // tracefs
    0x73636673,  // securityfs
    0x27e0eb,    // cgroup
    0x63677270,  // cgroup2
    0x62656570,  // configfs
};

// A FIFO must not stop the agent, and a terminal not become its own.
constexpr int always = O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

/// The path for an *at() call on the root's descriptor.
std::string relative(std::string_view path) {
  const auto start = path.find_first_not_of('/');
  return start == std::string_view::npos ? "." : std::string(path.substr(start));
}

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

FileKind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::regular;
  if (S_ISDIR(mode)) return FileKind::directory;
  return S_ISLNK(mode) ? FileKind::symlink : FileKind::other;
}

std::string link_target(int folder, const std::string& path) {
  std::string target(PATH_MAX, '\0');
  const ssize_t length = ::readlinkat(folder, path.c_str(), target.data(), target.size());
  target.resize(static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
  return target;
}

struct DirectoryCloser {
  void operator()(DIR* directory) const { ::closedir(directory); }
};
using Directory = std::unique_ptr<DIR, DirectoryCloser>;

}  // namespace

RealHost::RealHost(const std::string& root, Resolver resolver)
    : root_(::open(root.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)),
      kernel_resolves_(resolver == Resolver::kernel) {
  if (!root_) throw HostError("open the root", root, errno);
  other_root_ = root.find_first_not_of("/.") != std::string::npos || root.find("..") != std::string::npos ||
                !root.starts_with('/');
}

Fd RealHost::open(std::string_view path, int flags) const {
  flags |= (flags & O_PATH) != 0 ? O_CLOEXEC : always;
  const std::string text(path);
  if (!other_root_) return Fd(::open(text.c_str(), flags));
  if (kernel_resolves_) {
    Fd opened = open_by_kernel(text, flags);
    // EPERM is how some container sandboxes refuse system calls that they do not know.
    if (opened || (errno != ENOSYS && errno != EPERM)) return opened;
    if (!open_by_kernel("/", O_PATH | O_CLOEXEC))
      kernel_resolves_ = false;
    else
      return errno = EPERM, Fd();
  }
  return open_by_walk(path, flags);
}

Fd RealHost::open_by_kernel(const std::string& path, int flags) const {
  struct open_how how = {};
  how.flags = static_cast<unsigned>(flags);
  how.resolve = RESOLVE_IN_ROOT;
  // EAGAIN: a rename crossed the resolution of a ".." (openat2(2)).
  for (int tries = 0;; ++tries) {
    const long fd = ::syscall(SYS_openat2, root_.get(), path.c_str(), &how, sizeof how);
    if (fd >= 0 || errno != EAGAIN || tries == 100) return Fd(static_cast<int>(fd));
  }
}

Fd RealHost::open_by_walk(std::string_view path, int flags) const {
  const auto at = walk(path, (flags & O_NOFOLLOW) == 0);
  if (at.error != 0) return errno = at.error, Fd();
  return Fd(::openat(root_.get(), relative(at.path).c_str(), flags | O_NOFOLLOW));
}

WalkedPath RealHost::walk(std::string_view path, bool follow_last) const {
  return walk_path(path, follow_last, [this](const std::string& at) -> PathStep {
    const std::string name = relative(at);
    struct stat found;
    if (::fstatat(root_.get(), name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) return {};
    if (S_ISLNK(found.st_mode)) return {PathStep::Kind::link, link_target(root_.get(), name)};
    return {S_ISDIR(found.st_mode) ? PathStep::Kind::directory : PathStep::Kind::other, {}};
  });
}

std::optional<struct stat> RealHost::stat(std::string_view path, bool follow) const {
  struct stat found;
  if (!other_root_) {
    const std::string text(path);
    if (::fstatat(AT_FDCWD, text.c_str(), &found, follow ? 0 : AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
    return found;
  }
  const Fd file = open(path, O_PATH | (follow ? 0 : O_NOFOLLOW));
  if (!file || ::fstat(file.get(), &found) != 0) return std::nullopt;
  return found;
}

ReadResult RealHost::read(std::string_view path, std::size_t limit) const {
  const Fd file = open(path, O_RDONLY);
  if (!file) return {errno, {}};
  ReadResult result;
  char buffer[16384];
  // The size that fstat tells is no help: kernel files say 0 or a page. An end is what reads 0.
  while (result.bytes.size() < limit) {
    const ssize_t count = ::read(file.get(), buffer, std::min(sizeof buffer, limit - result.bytes.size()));
    if (count == 0) break;
    if (count > 0) {
      result.bytes.append(buffer, static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      return {errno, {}};
    }
  }
  return result;
}

int RealHost::read_pieces(std::string_view path, const std::function<bool(std::string_view)>& take) const {
  const Fd file = open(path, O_RDONLY);
  if (!file) return errno;
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t count = ::read(file.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    if (count == 0 || !take({buffer.data(), static_cast<std::size_t>(count)})) return 0;
  }
}

std::optional<FileInfo> RealHost::info(std::string_view path, bool follow) const {
  const auto found = stat(path, follow);
  if (!found) return std::nullopt;
  return FileInfo{kind_of(found->st_mode),
                  found->st_mode & 07777U,
                  found->st_uid,
                  found->st_gid,
                  static_cast<std::uint64_t>(found->st_size),
                  nanoseconds(found->st_mtim),
                  nanoseconds(found->st_ctim),
                  found->st_dev,
                  found->st_ino};
}

std::optional<std::string> RealHost::read_link(std::string_view path) const {
  if (!other_root_) {
    auto target = link_target(AT_FDCWD, std::string(path));
    return target.empty() ? std::nullopt : std::optional(std::move(target));
  }
  const Fd link = open(path, O_PATH | O_NOFOLLOW);
  if (!link) return std::nullopt;
  auto target = link_target(link.get(), "");
  return target.empty() ? std::nullopt : std::optional(std::move(target));
}

std::vector<std::string> RealHost::list(std::string_view directory) const {
  Fd folder = open(directory, O_RDONLY | O_DIRECTORY);
  if (!folder) return {};
  const Directory stream(::fdopendir(folder.get()));
  if (!stream) return {};
  folder.release();  // closedir closes it
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(stream.get())) {
    std::string name = entry->d_name;
    if (name != "." && name != "..") names.push_back(std::move(name));
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string RealHost::resolve(std::string_view path) const {
  const auto at = walk(path, true);
  return at.error == 0 && at.kind != PathStep::Kind::absent ? at.path : std::string(path);
}

bool RealHost::is_staged(std::string_view path) const {
  struct statfs system;
  if (!other_root_) {
    if (::statfs(std::string(path).c_str(), &system) != 0) return false;
  } else {
    const Fd file = open(path, O_PATH);
    if (!file || ::fstatfs(file.get(), &system) != 0) return false;
  }
  return is_ordinary_file_system(static_cast<unsigned long>(system.f_type));
}

bool RealHost::is_ordinary_file_system(unsigned long magic) {
  return std::find(kernel_file_systems.begin(), kernel_file_systems.end(), magic) ==
         kernel_file_systems.end();
}

std::optional<std::uint64_t> RealHost::free_space(std::string_view path) const {
  const Fd file = open(path, O_PATH);
  struct statvfs system;
  if (!file || ::fstatvfs(file.get(), &system) != 0) return std::nullopt;
  return std::uint64_t{system.f_bavail} * system.f_frsize;
}

CommandResult RealHost::start(const std::vector<std::string>& argv, const CommandOptions& options) const {
  if (!other_root_) return run_command(argv, options);
  if (!options.in_root) return {-1, false, "", "refused: this host is another root"};
  return run_command(argv, options, root_.get());
}

CommandResult RealHost::probe(const std::vector<std::string>& argv, const CommandOptions& options) const {
  return start(argv, options);
}

std::optional<CommandResult> RealHost::run_on_candidate(
    const std::vector<std::string>& argv, const std::vector<std::pair<std::string, FileImage>>& files,
    const CommandOptions& options) {
  if (other_root_) return std::nullopt;
  return run_in_candidate_sandbox(argv, files, options);
}

CommandResult RealHost::run(const std::vector<std::string>& argv, const CommandOptions& options) {
  return start(argv, options);
}

}  // namespace tunekeeper
