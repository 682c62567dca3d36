#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace tunekeeper {

/// What a read gave: bytes, or errno. Absence and denial are expected, so they are values.
struct ReadResult {
  int error = 0;  ///< errno, 0 when read
  std::string bytes;

  bool ok() const { return error == 0; }
  bool absent() const;  ///< ENOENT or ENOTDIR
};

enum class FileKind { regular, directory, symlink, other };

struct FileInfo {
  FileKind kind = FileKind::regular;
  std::uint32_t mode = 0;  ///< permission bits, with setuid, setgid and sticky
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::uint64_t size = 0;
  std::int64_t mtime_ns = 0;  ///< since the epoch
  std::int64_t ctime_ns = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
};

/// Everything a file is, so that it can be put back exactly.
struct FileImage {
  bool absent = true;
  std::string bytes;  ///< a link's are its text
  std::uint32_t mode = 0;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::map<std::string, std::string> xattrs;  ///< ACLs and security labels are among them
  bool is_link = false;  ///< a symbolic link itself, of which mode and xattrs say nothing

  bool operator==(const FileImage&) const = default;
};

/// The image of a symbolic link with this text.
FileImage link_image(std::string text, std::uint32_t uid, std::uint32_t gid);

/// How a program ended.
struct CommandResult {
  int status = 0;  ///< exit status; 128 + signal where a signal ended it; -1 where it could not be started
  bool timed_out = false;
  std::string out;
  std::string err;

  bool ok() const { return status == 0 && !timed_out; }
};

/// How a program is started: an argument vector (never a shell string), LC_ALL=C and a fixed PATH, no stdin.
struct CommandOptions {
  std::chrono::milliseconds deadline{60000};
  std::size_t output_limit = 16U << 20;  ///< bytes kept of each stream
  bool in_root = false;                  ///< chroot into the other root first
};

/// The host as something to look at. All paths are absolute and resolve inside the root, symlinks too.
class HostView {
 public:
  virtual ~HostView() = default;

  /// The whole content, at most `limit` bytes of it. Never throws for what the file system answers.
  virtual ReadResult read(std::string_view path, std::size_t limit = SIZE_MAX) const = 0;
  /// Gives the content piece by piece, in order, until `take` returns false: for big files of which little is
  /// kept. The errno, 0 when read.
  virtual int read_pieces(std::string_view path, const std::function<bool(std::string_view)>& take) const;
  /// What is there; nothing when it is absent or unreachable.
  virtual std::optional<FileInfo> info(std::string_view path, bool follow = true) const = 0;
  /// The text of a symbolic link; nothing when it is none.
  virtual std::optional<std::string> read_link(std::string_view path) const = 0;
  /// Names in a directory without . and .., in byte order; empty when it cannot be read.
  virtual std::vector<std::string> list(std::string_view directory) const = 0;
  /// The path with every symbolic link followed, inside the root; the path itself when it does not exist.
  virtual std::string resolve(std::string_view path) const = 0;
  /// Whether the file is an ordinary one that stands for a kernel value (not on procfs or sysfs).
  virtual bool is_staged(std::string_view path) const = 0;
  /// Whether this is another root than the machine's own (`--root`).
  virtual bool is_other_root() const = 0;
  /// Free bytes for an unprivileged writer on the file system of `path`; nothing when unknown.
  virtual std::optional<std::uint64_t> free_space(std::string_view path) const = 0;
  /// Runs a program that only looks. On another root it needs options.in_root, or it is refused (status -1).
  virtual CommandResult probe(const std::vector<std::string>& argv,
                              const CommandOptions& options = {}) const = 0;

  /// Whether something is there.
  bool exists(std::string_view path) const { return info(path).has_value(); }
  /// Paths that match a pattern of * ? [] within components, in byte order. A leading dot must be matched by
  /// a dot.
  std::vector<std::string> glob(std::string_view pattern) const;
};

/// What a write of a kernel value came to.
struct LiveWriteResult {
  int error = 0;             ///< errno, 0 when the kernel took it
  bool short_write = false;  ///< the kernel took only the beginning: an error
};

/// Held while it lives.
class HostLock {
 public:
  virtual ~HostLock() = default;
};

/// The one door to the host: nothing else opens a file for writing, runs a command or signals a process.
/// Failures of file writes throw HostError.
class Host : public HostView {
 public:
  /// One write(2) of the whole value to an existing file, without creating or truncating a kernel file; a
  /// staged file is replaced by the value and one newline.
  virtual LiveWriteResult write_live(std::string_view path, std::string_view value) = 0;

  /// A file with all its attributes; absent is a value. Not following, a link is itself the image.
  virtual FileImage image(std::string_view path, bool follow = true) const = 0;
  /// Makes the path be this image (or absent): temp file beside it, owner, mode and xattrs, fsync, rename,
  /// fsync of the folder. A symlink is followed to its target, or replaced itself. EBUSY on rename (a bind
  /// mount) falls back to rewriting in place.
  virtual void put(std::string_view path, const FileImage& image, bool follow = true) = 0;
  /// Removes the temp file that a put() of this path leaves when its process dies; does nothing when none is
  /// there.
  virtual void remove_leftover(std::string_view path, bool follow = true);
  /// Creates the directory and its parents with this mode; does nothing when it is there.
  virtual void make_directory(std::string_view path, std::uint32_t mode = 0755) = 0;
  /// Removes an empty directory; does nothing when it is absent or not empty.
  virtual void remove_directory(std::string_view path) = 0;
  /// Appends and fsyncs; creates the file with mode 0600.
  virtual void append_durably(std::string_view path, std::string_view bytes) = 0;
  /// Takes an exclusive lock on a file that then holds `content`; nothing when another process has it (its
  /// content is then in the file for `read`).
  virtual std::unique_ptr<HostLock> lock(std::string_view path, std::string_view content) = 0;
  /// Runs an owner's check as if these files were already there, while the real ones stay; nothing where this
  /// host cannot do that, and the check must come after the writes.
  virtual std::optional<CommandResult> run_on_candidate(
      const std::vector<std::string>& argv, const std::vector<std::pair<std::string, FileImage>>& files,
      const CommandOptions& options = {});
  /// Runs a program. On another root it needs options.in_root, or it is refused (status -1).
  virtual CommandResult run(const std::vector<std::string>& argv, const CommandOptions& options = {}) = 0;
};

/// A file operation that the host refused: the call, the path and errno are in the words.
class HostError : public Error {
 public:
  HostError(const std::string& doing, std::string_view path, int error_number);

  int error_number() const { return error_number_; }

 private:
  int error_number_;
};

}  // namespace tunekeeper
