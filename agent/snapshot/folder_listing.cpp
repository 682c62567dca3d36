#include "snapshot/folder_listing.hpp"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "host/fd.hpp"
#include "host/host.hpp"

namespace tunekeeper {

namespace {

struct DirectoryCloser {
  void operator()(DIR* directory) const { closedir(directory); }
};

bool is_gone(int error) {
  return error == ENOENT || error == ENOTDIR;
}

constexpr std::size_t few_folders = 16;

/// Reads a tree's folders into one map; several threads may do so together.
class TreeReader {
 public:
  TreeReader(int top, std::map<std::string, std::vector<FolderEntry>>& listings)
      : top_(top), listings_(listings) {
    waiting_.emplace_back();
  }

  std::size_t waiting() {
    const std::lock_guard guard(mutex_);
    return waiting_.size();
  }

  void read_all() {
    while (read_one()) {
    }
  }

  /// Lists one folder that waits; false when none does and none is being listed.
  bool read_one() {
    std::unique_lock guard(mutex_);
    changed_.wait(guard, [this] { return !waiting_.empty() || busy_ == 0; });
    if (waiting_.empty()) return false;
    const std::string path = std::move(waiting_.back());
    waiting_.pop_back();
    ++busy_;
    guard.unlock();
    auto entries = list(path);
    guard.lock();
    --busy_;
    if (entries) keep(path, std::move(*entries));
    changed_.notify_all();
    return true;
  }

 private:
  std::optional<std::vector<FolderEntry>> list(const std::string& path) const {
    const Fd fd(
        openat(top_, path.empty() ? "." : path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!fd) return std::nullopt;
    try {
      return list_folder(fd.get(), path);
    } catch (const HostError&) {
      return std::nullopt;
    }
  }

  void keep(const std::string& path, std::vector<FolderEntry> entries) {
    for (const FolderEntry& entry : entries) {
      if (S_ISDIR(entry.status.st_mode) && !(path.empty() && entry.name == ".git/"))
        waiting_.push_back(path + entry.name);
    }
    listings_.emplace(path, std::move(entries));
  }

  int top_;
  std::map<std::string, std::vector<FolderEntry>>& listings_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> waiting_;  ///< paths, with their final slash
  int busy_ = 0;
};

}  // namespace

std::vector<FolderEntry> list_folder(int folder, const std::string& path) {
  const int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  std::unique_ptr<DIR, DirectoryCloser> directory(fd < 0 ? nullptr : fdopendir(fd));
  if (!directory) throw HostError("read folder", path, errno);
  std::vector<FolderEntry> entries;
  errno = 0;
  while (const dirent* found = readdir(directory.get())) {
    FolderEntry entry{found->d_name, {}};
    if (entry.name == "." || entry.name == "..") continue;
    if (fstatat(folder, found->d_name, &entry.status, AT_SYMLINK_NOFOLLOW) != 0) {
      if (!is_gone(errno)) throw HostError("look at", path + entry.name, errno);
      errno = 0;
      continue;
    }
    if (S_ISDIR(entry.status.st_mode)) entry.name += '/';
    entries.push_back(std::move(entry));
    errno = 0;
  }
  if (errno != 0) throw HostError("read folder", path, errno);
  std::sort(entries.begin(), entries.end(),
            [](const FolderEntry& a, const FolderEntry& b) { return a.name < b.name; });
  return entries;
}

void FolderListings::look_ahead(int folder) {
  TreeReader reader(folder, listings_);
  reader.read_one();
  // Asking for the state of each file is most of the work, and the kernel does it side by side.
  const std::size_t processors = std::min(std::thread::hardware_concurrency(), 4U);
  std::vector<std::jthread> helpers;
  for (std::size_t i = 1; i < processors && reader.waiting() >= few_folders; ++i)
    helpers.emplace_back([&reader] { reader.read_all(); });
  reader.read_all();
}

const std::vector<FolderEntry>& FolderListings::look(int folder, const std::string& path) {
  const auto known = listings_.find(path);
  return known != listings_.end() ? known->second
                                  : listings_.emplace(path, list_folder(folder, path)).first->second;
}

std::vector<FolderEntry> FolderListings::take(int folder, const std::string& path) {
  const auto known = listings_.extract(path);
  return known.empty() ? list_folder(folder, path) : std::move(known.mapped());
}

}  // namespace tunekeeper
