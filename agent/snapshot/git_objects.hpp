#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "snapshot/git_library.hpp"
#include "snapshot/snapshot.hpp"

namespace tunekeeper {

/// The commit that HEAD leads to; null before the first one.
CommitHandle head_commit(git_repository* repository);
/// A commit by id (or any name git knows it by); throws Error when there is none.
CommitHandle find_commit(git_repository* repository, const std::string& name);
/// The commit's first parent; null for a first commit.
CommitHandle first_parent(git_commit* commit);
TreeHandle tree_of(git_commit* commit);
/// What a commit says, as a value.
Commit describe(git_commit* commit);
/// Paths that a diff names, each once, in byte order.
std::set<std::string> paths_of(git_diff* diff);
/// Paths on which the last commit and the index differ.
std::set<std::string> staged_paths(git_repository* repository, git_tree* head, git_index* index);
/// Whether the repository's ignore rules leave the path out; a folder's ends in a slash.
bool is_ignored(git_repository* repository, const std::string& path);
/// The id that the bytes have as a blob.
git_oid hash_blob(std::string_view bytes);
/// Whether a tree holds the path with this blob and mode.
bool holds(git_tree* tree, const std::string& path, const git_oid& id, std::uint32_t mode);

}  // namespace tunekeeper
