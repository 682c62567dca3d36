#pragma once

#include <ctime>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <git2.h>
#include <sys/stat.h>

#include "snapshot/folder_listing.hpp"
#include "snapshot/path_filter.hpp"

namespace tunekeeper {

/// A file of the work tree as the index is to hold it.
struct WorkFile {
  std::string path;
  std::uint32_t mode = 0;  ///< git's: 100644, 100755 or 120000 (octal)
  git_oid id{};
  struct stat status {};
};

/// What distinguishes the work tree from an index.
struct WorkTreeChanges {
  std::vector<WorkFile> stored;     ///< new, or other bytes or mode
  std::vector<WorkFile> refreshed;  ///< same bytes and mode, other stat data
  std::vector<std::string> missing;

  bool empty() const { return stored.empty() && missing.empty(); }
};

/// How a scan asks git about paths and bytes.
struct ScanCallbacks {
  std::function<bool(const std::string& path)> is_ignored;  ///< a folder's path ends in a slash
  std::function<git_oid(std::string_view bytes)> hash;
  std::function<void(std::string_view bytes)> store;  ///< called for each file in `stored`
};

/// Compares the work tree with an index, by stat data where that is proof and by raw bytes elsewhere: no
/// filter sees them. An entry whose file is not older than the index file itself (`index_time`) proves
/// nothing. Git's rules: empty folders, special files, other repositories and ignored untracked files do not
/// count. Throws HostError that names a file or folder that cannot be read.
WorkTreeChanges scan_work_tree(int root_fd, FolderListings& listings, git_index* index,
                               const timespec& index_time, const PathFilter& filter,
                               const ScanCallbacks& callbacks);

}  // namespace tunekeeper
