// The writing half of the real host.
#include <algorithm>
#include <cerrno>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/statfs.h>
#include <sys/xattr.h>

#include "host/real_host.hpp"

namespace tunekeeper {

namespace {

constexpr std::string_view acl = "system.posix_acl_access";

/// The errno of a call that says failure by -1, else 0.
int error_of(int result) {
  return result < 0 ? errno : 0;
}

/// Writes all bytes; the errno, or 0.
int write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return 0;
}

/// Made by the kernel of the file's bytes: an old one on new bytes would lock the file up.
bool is_made_by_kernel(std::string_view xattr) {
  return xattr == "security.ima" || xattr == "security.evm";
}

std::string read_xattr(int file, const char* name) {
  std::string value(256, '\0');
  ssize_t length = ::fgetxattr(file, name, value.data(), value.size());
  if (length < 0 && errno == ERANGE) {
    value.resize(65536);  // the kernel's own limit, XATTR_SIZE_MAX
    length = ::fgetxattr(file, name, value.data(), value.size());
  }
  value.resize(static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
  return value;
}

std::map<std::string, std::string> read_xattrs(int file) {
  std::string names(65536, '\0');  // XATTR_LIST_MAX
  const ssize_t length = ::flistxattr(file, names.data(), names.size());
  std::map<std::string, std::string> xattrs;
  for (const char* name = names.data(); name < names.data() + length;
       name += std::string_view(name).size() + 1) {
    if (!is_made_by_kernel(name)) xattrs[name] = read_xattr(file, name);
  }
  return xattrs;
}

/// Makes the file's extended attributes these; an ACL inherited from the folder goes, a label that the system
/// gives stays where none is asked for.
int give_xattrs(int file, const std::map<std::string, std::string>& wanted) {
  const auto present = read_xattrs(file);
  for (const auto& [name, value] : wanted) {
    const auto same = present.find(name);
    if (same != present.end() && same->second == value) continue;
    if (::fsetxattr(file, name.c_str(), value.data(), value.size(), 0) != 0) return errno;
  }
  if (present.contains(std::string(acl)) && !wanted.contains(std::string(acl))) {
    return error_of(::fremovexattr(file, acl.data()));
  }
  return 0;
}

/// Owner first (it clears setuid), then attributes (an ACL changes the mode), then the mode.
int give_attributes(int file, const FileImage& image) {
  struct stat now;
  if (::fstat(file, &now) != 0) return errno;
  if ((now.st_uid != image.uid || now.st_gid != image.gid) && ::fchown(file, image.uid, image.gid) != 0)
    return errno;
  if (const int error = give_xattrs(file, image.xattrs)) return error;
  return error_of(::fchmod(file, image.mode));
}

/// A name that no reader's glob takes: nginx's `*` skips dotfiles, and the ending is no *.conf, *.cnf or
/// *.cfg.
std::string temp_name(std::string_view name) {
  constexpr std::size_t room = 200;  // of 255 bytes
  return fmt::format(".{}.tunekeeper-tmp", name.substr(0, room));
}

int fill_temp(int folder, const std::string& temp, const FileImage& image) {
  Fd file(::openat(folder, temp.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file && errno == EEXIST) {  // of a process that died
    ::unlinkat(folder, temp.c_str(), 0);
    file = Fd(::openat(folder, temp.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  }
  if (!file) return errno;
  int error = write_all(file.get(), image.bytes);
  if (error == 0) error = give_attributes(file.get(), image);
  if (error == 0) error = error_of(::fsync(file.get()));
  return error;
}

/// A link under the temp name. The owner of one matters to no reader, and is kept all the same.
int link_temp(int folder, const std::string& temp, const FileImage& image) {
  ::unlinkat(folder, temp.c_str(), 0);  // of a process that died
  if (::symlinkat(image.bytes.c_str(), folder, temp.c_str()) != 0) return errno;
  return error_of(::fchownat(folder, temp.c_str(), image.uid, image.gid, AT_SYMLINK_NOFOLLOW));
}

int replace_file(int folder, const std::string& name, const FileImage& image) {
  const std::string temp = temp_name(name);
  int error = image.is_link ? link_temp(folder, temp, image) : fill_temp(folder, temp, image);
  if (error == 0) error = error_of(::renameat(folder, temp.c_str(), folder, name.c_str()));
  if (error != 0) {
    ::unlinkat(folder, temp.c_str(), 0);
    return error;
  }
  return error_of(::fsync(folder));
}

/// For a file that cannot be renamed over (a bind mount). Bytes come before the cut, so that it is never
/// empty.
int rewrite_in_place(int folder, const std::string& name, const FileImage& image) {
  const Fd file(::openat(folder, name.c_str(), O_WRONLY | O_NOFOLLOW | O_CLOEXEC));
  if (!file) return errno;
  int error = give_attributes(file.get(), image);
  if (error == 0) error = write_all(file.get(), image.bytes);
  if (error == 0) error = error_of(::ftruncate(file.get(), static_cast<off_t>(image.bytes.size())));
  if (error == 0) error = error_of(::fsync(file.get()));
  return error;
}

class FileLock : public HostLock {
 public:
  explicit FileLock(Fd file) : file_(std::move(file)) {}

 private:
  Fd file_;  // its flock ends with it
};

}  // namespace

RealHost::Place RealHost::place_of(const std::string& doing, std::string_view path, bool follow) const {
  const auto at = walk(path, follow);
  if (at.error != 0) throw HostError(doing, path, at.error);
  Place place;
  place.path = at.path;
  place.name = at.path.substr(at.path.rfind('/') + 1);
  if (place.name.empty()) throw HostError(doing, path, EISDIR);
  place.folder = open(parent_path(at.path), O_RDONLY | O_DIRECTORY);
  if (!place.folder) throw HostError(doing, path, errno);
  return place;
}

LiveWriteResult RealHost::write_live(std::string_view path, std::string_view value) {
  const Fd file = open(path, O_WRONLY);
  if (!file) return {errno, false};
  struct statfs system;
  if (::fstatfs(file.get(), &system) != 0) return {errno, false};
  if (is_ordinary_file_system(static_cast<unsigned long>(system.f_type))) {
    if (::ftruncate(file.get(), 0) != 0) return {errno, false};
    return {write_all(file.get(), std::string(value) + "\n"), false};
  }
  const ssize_t count = ::write(file.get(), value.data(), value.size());
  if (count < 0) return {errno, false};
  return {0, static_cast<std::size_t>(count) < value.size()};
}

FileImage RealHost::image(std::string_view path, bool follow) const {
  if (!follow) {
    const auto found = info(path, false);
    if (!found) return {};
    if (found->kind == FileKind::symlink)
      return link_image(read_link(path).value_or(""), found->uid, found->gid);
    if (found->kind == FileKind::other) throw HostError("read", path, EINVAL);
  }
  const Fd file = open(path, O_RDONLY);
  if (!file && (errno == ENOENT || errno == ENOTDIR)) return {};
  struct stat found;
  if (!file || ::fstat(file.get(), &found) != 0) throw HostError("read", path, errno);
  if (!S_ISREG(found.st_mode)) throw HostError("read", path, S_ISDIR(found.st_mode) ? EISDIR : EINVAL);
  FileImage image{false, {}, found.st_mode & 07777U, found.st_uid, found.st_gid, read_xattrs(file.get()),
                  false};
  image.bytes.resize(static_cast<std::size_t>(found.st_size));
  std::size_t have = 0;
  for (;;) {
    if (have == image.bytes.size()) image.bytes.resize(have + 4096);
    const ssize_t count = ::read(file.get(), image.bytes.data() + have, image.bytes.size() - have);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw HostError("read", path, errno);
    if (count == 0) break;
    have += static_cast<std::size_t>(count);
  }
  image.bytes.resize(have);
  return image;
}

void RealHost::put(std::string_view path, const FileImage& image, bool follow) {
  if (image.absent) return remove_file(path, follow);
  const Place place = place_of("write", path, follow);
  struct stat present;
  const bool exists = ::fstatat(place.folder.get(), place.name.c_str(), &present, AT_SYMLINK_NOFOLLOW) == 0;
  const bool is_file = exists && S_ISREG(present.st_mode);
  if (exists && !is_file && (follow || !S_ISLNK(present.st_mode)))
    throw HostError("write", path, S_ISDIR(present.st_mode) ? EISDIR : EINVAL);
  int error = replace_file(place.folder.get(), place.name, image);
  // EBUSY: the file is a mount point. EROFS: its folder is read-only, and the file may be a writable mount in
  // it.
  if (is_file && !image.is_link && (error == EBUSY || error == EROFS)) {
    error = rewrite_in_place(place.folder.get(), place.name, image);
    // Once more, for it may have failed before.
    if (error == 0) ::unlinkat(place.folder.get(), temp_name(place.name).c_str(), 0);
  }
  if (error != 0) throw HostError("write", path, error);
}

void RealHost::remove_leftover(std::string_view path, bool follow) {
  const auto at = walk(path, follow);
  if (at.error == ENOENT || at.error == ENOTDIR) return;
  const Place place = place_of("remove the temp file of", path, follow);
  if (::unlinkat(place.folder.get(), temp_name(place.name).c_str(), 0) != 0 && errno != ENOENT)
    throw HostError("remove the temp file of", path, errno);
}

void RealHost::remove_file(std::string_view path, bool follow) {
  const auto at = walk(path, follow);
  if (at.error == ENOENT || at.error == ENOTDIR || (at.error == 0 && at.kind == PathStep::Kind::absent))
    return;
  const Place place = place_of("remove", path, follow);
  if (::unlinkat(place.folder.get(), place.name.c_str(), 0) != 0 && errno != ENOENT) {
    throw HostError("remove", path, errno);
  }
  if (::fsync(place.folder.get()) != 0) throw HostError("remove", path, errno);
}

void RealHost::make_directory(std::string_view path, std::uint32_t mode) {
  const auto at = walk(path, true);
  if (at.error == 0 && at.kind == PathStep::Kind::directory) return;
  if (at.error == 0 && at.kind == PathStep::Kind::other) throw HostError("create", path, EEXIST);
  if (at.error != 0 && at.error != ENOENT) throw HostError("create", path, at.error);
  make_directory(parent_path(path), mode);
  const Place place = place_of("create", path);
  if (::mkdirat(place.folder.get(), place.name.c_str(), mode) != 0) {
    if (errno == EEXIST) return;
    throw HostError("create", path, errno);
  }
  // The caller's umask must not take bits away.
  if (::fchmodat(place.folder.get(), place.name.c_str(), mode, 0) != 0 || ::fsync(place.folder.get()) != 0) {
    throw HostError("create", path, errno);
  }
}

void RealHost::remove_directory(std::string_view path) {
  const auto at = walk(path, false);
  if (at.error != 0 || at.kind == PathStep::Kind::absent) return;
  const Place place = place_of("remove", path, false);
  if (::unlinkat(place.folder.get(), place.name.c_str(), AT_REMOVEDIR) == 0) {
    ::fsync(place.folder.get());
  } else if (errno != ENOENT && errno != ENOTEMPTY && errno != EEXIST) {
    throw HostError("remove", path, errno);
  }
}

void RealHost::append_durably(std::string_view path, std::string_view bytes) {
  const Place place = place_of("append to", path);
  constexpr int flags = O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC;
  Fd file(::openat(place.folder.get(), place.name.c_str(), flags));
  const bool is_new = !file && errno == ENOENT;
  if (is_new) file = Fd(::openat(place.folder.get(), place.name.c_str(), flags | O_CREAT, 0600));
  if (!file) throw HostError("append to", path, errno);
  int error = write_all(file.get(), bytes);
  if (error == 0) error = error_of(::fdatasync(file.get()));
  if (error == 0 && is_new) error = error_of(::fsync(place.folder.get()));
  if (error != 0) throw HostError("append to", path, error);
}

std::unique_ptr<HostLock> RealHost::lock(std::string_view path, std::string_view content) {
  for (;;) {
    const Place place = place_of("lock", path);
    Fd file(
        ::openat(place.folder.get(), place.name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644));
    if (!file) throw HostError("lock", path, errno);
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) return nullptr;
      throw HostError("lock", path, errno);
    }
    struct stat locked;
    if (::fstat(file.get(), &locked) != 0) throw HostError("lock", path, errno);
    if (locked.st_nlink == 0) continue;  // someone tidied the file away between the two calls
    int error = error_of(::ftruncate(file.get(), 0));
    if (error == 0) error = write_all(file.get(), content);
    if (error != 0) throw HostError("lock", path, error);
    return std::make_unique<FileLock>(std::move(file));
  }
}

}  // namespace tunekeeper
