#pragma once

#include <set>
#include <string>
#include <string_view>

#include "snapshot/git_library.hpp"
#include "snapshot/work_tree.hpp"

namespace tunekeeper {

/// Objects of a commit in the making, on disk before a branch moves to it: else a power cut could leave a
/// branch that leads to an empty file. All are written first and synced together, which costs one journal
/// commit and not one each; very many by one sync of their file system.
class DurableObjects {
 public:
  explicit DurableObjects(const std::string& git_directory) : objects_(git_directory + "/objects/") {}

  void store_blob(git_repository* repository, std::string_view bytes);
  /// Adds the trees that lead to the changed paths.
  void add_trees(git_repository* repository, const git_oid& root, const WorkTreeChanges& changes);
  /// Returns when all is on disk.
  void sync();

 private:
  void add_tree(git_tree* root, const std::string& path);

  std::string objects_;
  std::set<std::string> ids_;  ///< hexadecimal
};

/// While it lives, libgit2 syncs each file that it writes.
class SyncEachFile {
 public:
  SyncEachFile() { git().libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1); }
  ~SyncEachFile() { git().libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 0); }
  SyncEachFile(const SyncEachFile&) = delete;
  SyncEachFile& operator=(const SyncEachFile&) = delete;
};

}  // namespace tunekeeper
