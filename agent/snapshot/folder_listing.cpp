#include "snapshot/folder_listing.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "host/host.hpp"

namespace tunekeeper {

namespace {

struct DirectoryCloser {
  void operator()(DIR* directory) const { closedir(directory); }
};

bool is_gone(int error) {
  return error == ENOENT || error == ENOTDIR;
}

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
