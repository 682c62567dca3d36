#include "snapshot/work_tree.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <optional>

#include <fcntl.h>
#include <unistd.h>

#include "host/fd.hpp"
#include "host/host.hpp"
#include "snapshot/git_library.hpp"

namespace tunekeeper {

namespace {

bool is_gone(int error) {
  return error == ENOENT || error == ENOTDIR;
}

/// The bytes of a regular file or the target of a link, with the stat data they belong to; nothing when it is
/// gone.
std::optional<std::string> read_bytes(int folder, const std::string& name, const std::string& path,
                                      struct stat& status) {
  std::string bytes;
  if (S_ISLNK(status.st_mode)) {
    bytes.resize(PATH_MAX);
    const ssize_t count = readlinkat(folder, name.c_str(), bytes.data(), bytes.size());
    if (count < 0 && (is_gone(errno) || errno == EINVAL)) return std::nullopt;
    if (count < 0) throw HostError("read link", path, errno);
    bytes.resize(static_cast<std::size_t>(count));
    return bytes;
  }
  const Fd file(openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file && (is_gone(errno) || errno == ELOOP)) return std::nullopt;
  if (!file || fstat(file.get(), &status) != 0) throw HostError("read", path, errno);
  if (!S_ISREG(status.st_mode)) return std::nullopt;
  bytes.resize(static_cast<std::size_t>(status.st_size) + 1);
  std::size_t filled = 0;
  for (;;) {
    if (filled == bytes.size()) bytes.resize(2 * bytes.size());
    const ssize_t count = read(file.get(), bytes.data() + filled, bytes.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw HostError("read", path, errno);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  bytes.resize(filled);
  return bytes;
}

std::uint32_t git_mode(const struct stat& status) {
  if (S_ISLNK(status.st_mode)) return GIT_FILEMODE_LINK;
  return (status.st_mode & S_IXUSR) != 0 ? GIT_FILEMODE_BLOB_EXECUTABLE : GIT_FILEMODE_BLOB;
}

bool same_time(const git_index_time& recorded, const timespec& found) {
  return recorded.seconds == static_cast<std::int32_t>(found.tv_sec) &&
         recorded.nanoseconds == static_cast<std::uint32_t>(found.tv_nsec);
}

bool not_older(const git_index_time& recorded, const timespec& index_time) {
  const auto index_seconds = static_cast<std::int32_t>(index_time.tv_sec);
  return recorded.seconds > index_seconds ||
         (recorded.seconds == index_seconds &&
          recorded.nanoseconds >= static_cast<std::uint32_t>(index_time.tv_nsec));
}

bool same_stat(const git_index_entry& entry, const struct stat& status) {
  return entry.mode == git_mode(status) && same_time(entry.mtime, status.st_mtim) &&
         same_time(entry.ctime, status.st_ctim) &&
         entry.file_size == static_cast<std::uint32_t>(status.st_size) &&
         entry.ino == static_cast<std::uint32_t>(status.st_ino) && entry.uid == status.st_uid &&
         entry.gid == status.st_gid;
}

/// Walks the work tree in the index's own order and the index beside it.
class Scan {
 public:
  Scan(FolderListings& listings, git_index* index, const timespec& index_time, const PathFilter& filter,
       const ScanCallbacks& callbacks)
      : listings_(listings),
        index_(index),
        count_(git().index_entrycount(index)),
        index_time_(index_time),
        filter_(filter),
        callbacks_(callbacks) {}

  void folder(int fd, const std::string& prefix) {
    const std::vector<FolderEntry> entries = listings_.take(fd, prefix);
    if (!prefix.empty() && is_other_repository(entries) && !tracked_below(prefix)) return;
    for (const FolderEntry& entry : entries) {
      if (entry.name == ".git" || entry.name == ".git/" || is_our_temporary(entry.name)) continue;
      const std::string path = prefix + entry.name;
      if (S_ISDIR(entry.status.st_mode)) {
        subfolder(fd, entry.name, path);
      } else if (S_ISREG(entry.status.st_mode) || S_ISLNK(entry.status.st_mode)) {
        file(fd, entry, path);
      }
    }
  }

  WorkTreeChanges finish() {
    while (position_ < count_) missing(*current());
    return std::move(changes_);
  }

 private:
  const git_index_entry* current() const {
    return position_ < count_ ? git().index_get_byindex(index_, position_) : nullptr;
  }

  static bool is_other_repository(const std::vector<FolderEntry>& entries) {
    return std::any_of(entries.begin(), entries.end(), [](const FolderEntry& entry) {
      return entry.name == ".git/" || entry.name == ".git";
    });
  }

  bool tracked_below(const std::string& folder) const {
    const git_index_entry* entry = current();
    return entry != nullptr &&
           folder.compare(0, folder.size(), entry->path, 0,
                          std::min(folder.size(), std::string_view(entry->path).size())) == 0;
  }

  /// Index entries before this path have no file.
  void pass_to(const std::string& path) {
    for (const git_index_entry* entry = current(); entry != nullptr && path.compare(entry->path) > 0;
         entry = current()) {
      missing(*entry);
    }
  }

  // Entries that stand for a submodule, or that someone told git not to look at, are left as they are.
  static bool is_unwatched(const git_index_entry& entry) {
    return entry.mode == GIT_FILEMODE_COMMIT || (entry.flags & GIT_INDEX_ENTRY_VALID) != 0 ||
           (entry.flags_extended & GIT_INDEX_ENTRY_SKIP_WORKTREE) != 0;
  }

  void missing(const git_index_entry& entry) {
    ++position_;
    if (!is_unwatched(entry) && filter_.covers(entry.path)) changes_.missing.emplace_back(entry.path);
  }

  void subfolder(int parent, const std::string& name, const std::string& path) {
    if (!filter_.leads_into(std::string_view(path).substr(0, path.size() - 1))) return;
    pass_to(path);
    if (!tracked_below(path) && callbacks_.is_ignored(path)) return;
    const std::string bare = name.substr(0, name.size() - 1);
    const Fd fd(openat(parent, bare.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!fd && is_gone(errno)) return;
    if (!fd) throw HostError("read folder", path, errno);
    folder(fd.get(), path);
  }

  void file(int parent, const FolderEntry& listed, const std::string& path) {
    if (!filter_.covers(path)) return;
    pass_to(path);
    const git_index_entry* entry = current();
    if (entry != nullptr && path != entry->path) entry = nullptr;
    if (entry == nullptr ? callbacks_.is_ignored(path) : is_settled(*entry, listed.status)) {
      if (entry != nullptr) ++position_;
      return;
    }
    WorkFile found{path, 0, {}, listed.status};
    const auto bytes = read_bytes(parent, listed.name, path, found.status);
    if (!bytes) return;  // gone since it was listed; the next pass_to takes its entry for missing
    if (entry != nullptr) ++position_;
    found.mode = git_mode(found.status);
    found.id = callbacks_.hash(*bytes);
    if (entry != nullptr && entry->mode == found.mode && same_id(entry->id, found.id) &&
        (entry->flags_extended & GIT_INDEX_ENTRY_INTENT_TO_ADD) == 0) {
      changes_.refreshed.push_back(std::move(found));
      return;
    }
    callbacks_.store(*bytes);
    changes_.stored.push_back(std::move(found));
  }

  bool is_settled(const git_index_entry& entry, const struct stat& status) const {
    if (is_unwatched(entry)) return true;
    return (entry.flags_extended & GIT_INDEX_ENTRY_INTENT_TO_ADD) == 0 && same_stat(entry, status) &&
           !not_older(entry.mtime, index_time_);
  }

  FolderListings& listings_;
  git_index* index_;
  std::size_t count_;
  std::size_t position_ = 0;
  timespec index_time_;
  const PathFilter& filter_;
  const ScanCallbacks& callbacks_;
  WorkTreeChanges changes_;
};

}  // namespace

WorkTreeChanges scan_work_tree(int root_fd, FolderListings& listings, git_index* index,
                               const timespec& index_time, const PathFilter& filter,
                               const ScanCallbacks& callbacks) {
  Scan scan(listings, index, index_time, filter, callbacks);
  scan.folder(root_fd, "");
  return scan.finish();
}

}  // namespace tunekeeper
