#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/fd.hpp"
#include "snapshot/durable_objects.hpp"
#include "snapshot/etckeeper_metadata.hpp"
#include "snapshot/identity.hpp"
#include "snapshot/index_file.hpp"
#include "snapshot/path_filter.hpp"
#include "snapshot/repository.hpp"
#include "snapshot/snapshot.hpp"

namespace tunekeeper {

/// One commit being made: the work tree's changes, and etckeeper's metadata where etckeeper looks after the
/// folder, go into the index and a commit, under git's own lock.
class Committer {
 public:
  /// With `paths`, only what is at or below them is committed, and the metadata.
  Committer(git_repository* repository, const RepositoryFolder& folder, std::vector<std::string> paths);

  /// The new commit; nothing where nothing changed.
  std::optional<std::string> commit(CommitMessage message, const Identity& identity);

 private:
  WorkTreeChanges scan(const IndexFile& index);
  Metadata make_metadata(git_index* index);
  void state_metadata(git_index* index, const Metadata& metadata, WorkTreeChanges& changes);
  void put_metadata_in_place(git_index* index, const Metadata& metadata) const;
  bool is_tree_of(git_tree* head, git_index* index) const;
  bool is_staged(git_tree* head, git_index* index) const;
  git_oid stage_tree(git_tree* head, git_index* index, const WorkTreeChanges& changes) const;

  git_repository* repository_;
  const RepositoryFolder& folder_;
  Fd folder_fd_;
  bool keeps_metadata_;
  PathFilter filter_;
  FolderListings listings_;
  DurableObjects objects_;
};

}  // namespace tunekeeper
