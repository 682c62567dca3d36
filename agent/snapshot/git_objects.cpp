#include "snapshot/git_objects.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "snapshot/message.hpp"

namespace tunekeeper {

CommitHandle head_commit(git_repository* repository) {
  const int unborn = git().repository_head_unborn(repository);
  check_git(unborn, "repository_head_unborn");
  if (unborn == 1) return nullptr;
  const auto head = make_git<ReferenceHandle>("repository_head", git().repository_head, repository);
  auto object = make_git<ObjectHandle>("reference_peel", git().reference_peel, head.get(), GIT_OBJECT_COMMIT);
  return CommitHandle(reinterpret_cast<git_commit*>(object.release()));
}

CommitHandle find_commit(git_repository* repository, const std::string& name) {
  const auto object =
      make_git<ObjectHandle>("revparse_single", git().revparse_single, repository, name.c_str());
  auto commit = make_git<ObjectHandle>("object_peel", git().object_peel, object.get(), GIT_OBJECT_COMMIT);
  return CommitHandle(reinterpret_cast<git_commit*>(commit.release()));
}

CommitHandle first_parent(git_commit* commit) {
  if (git().commit_parentcount(commit) == 0) return nullptr;
  return make_git<CommitHandle>("commit_parent", git().commit_parent, commit, 0U);
}

TreeHandle tree_of(git_commit* commit) {
  return commit == nullptr ? nullptr : make_git<TreeHandle>("commit_tree", git().commit_tree, commit);
}

Commit describe(git_commit* commit) {
  Commit result;
  result.id = to_hex(*git().commit_id(commit));
  if (git().commit_parentcount(commit) > 0) result.parent = to_hex(*git().commit_parent_id(commit, 0));
  const git_signature* author = git().commit_author(commit);
  result.author = fmt::format("{} <{}>", author->name, author->email);
  result.time = git().commit_time(commit);
  parse_message(git().commit_message(commit), result);
  return result;
}

std::set<std::string> paths_of(git_diff* diff) {
  std::set<std::string> paths;
  const std::size_t count = git().diff_num_deltas(diff);
  for (std::size_t i = 0; i < count; ++i) {
    const git_diff_delta* delta = git().diff_get_delta(diff, i);
    paths.insert(delta->new_file.path != nullptr ? delta->new_file.path : delta->old_file.path);
  }
  return paths;
}

bool holds(git_tree* tree, const std::string& path, const git_oid& id, std::uint32_t mode) {
  if (tree == nullptr) return false;
  git_tree_entry* found = nullptr;
  const int result = git().tree_entry_bypath(&found, tree, path.c_str());
  const TreeEntryHandle entry(found);
  if (result == GIT_ENOTFOUND) return false;
  check_git(result, "tree_entry_bypath");
  return same_id(*git().tree_entry_id(found), id) && git().tree_entry_filemode(found) == mode;
}

/// Paths on which the last commit and the index differ.
std::set<std::string> staged_paths(git_repository* repository, git_tree* head, git_index* index) {
  return paths_of(
      make_git<DiffHandle>("diff_tree_to_index", git().diff_tree_to_index, repository, head, index, nullptr)
          .get());
}

bool is_ignored(git_repository* repository, const std::string& path) {
  int ignored = 0;
  check_git(git().ignore_path_is_ignored(&ignored, repository, path.c_str()), "ignore_path_is_ignored");
  return ignored != 0;
}

git_oid hash_blob(std::string_view bytes) {
  git_oid id;
  check_git(git().odb_hash(&id, bytes.data(), bytes.size(), GIT_OBJECT_BLOB), "odb_hash");
  return id;
}

}  // namespace tunekeeper
