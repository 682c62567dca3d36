#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <git2.h>

namespace tunekeeper {

// clang-format off
/// Every libgit2 function that is used, without its prefix. Functions that take an options struct are called
/// with its default (null): those structs grow between versions of the library.
#define TUNEKEEPER_GIT_FUNCTIONS(F) \
  F(libgit2_init) F(libgit2_opts) F(error_last) F(repository_init) F(repository_open_ext) \
  F(repository_free) F(repository_workdir) F(repository_set_workdir) F(repository_set_head) F(repository_set_ident) \
  F(repository_head) F(repository_config) F(repository_head_unborn) F(reference_free) \
  F(reference_peel) F(config_free) F(config_get_bool) F(config_set_bool) F(index_open) F(index_new) \
  F(index_free) F(index_write) F(index_write_tree_to) F(index_read_tree) F(index_entrycount) \
  F(index_get_byindex) F(index_get_bypath) F(index_find_prefix) F(index_add) F(index_remove) F(index_has_conflicts) F(odb_hash) \
  F(blob_create_from_buffer) F(blob_free) F(blob_rawcontent) F(blob_rawsize) \
  F(ignore_path_is_ignored) F(signature_now) F(signature_free) F(commit_create) F(commit_free) \
  F(commit_id) F(commit_tree) F(commit_tree_id) F(commit_parent) F(commit_parentcount) \
  F(commit_parent_id) F(commit_author) F(commit_time) F(commit_message) F(tree_free) F(tree_id) \
  F(tree_lookup) F(tree_entry_bypath) F(tree_entry_free) F(tree_entry_id) F(tree_entry_type) \
  F(tree_entry_filemode) F(blob_lookup) F(revparse_single) F(object_free) F(object_peel) \
  F(diff_tree_to_tree) F(diff_tree_to_index) F(diff_free) F(diff_num_deltas) F(diff_get_delta) \
  F(oid_tostr) F(oid_fromstr) F(config_get_int32) F(packbuilder_new) F(packbuilder_insert) \
  F(packbuilder_write) F(packbuilder_free) F(odb_new) F(odb_free) F(odb_add_backend) F(odb_backend_one_pack) \
  F(odb_foreach)
// clang-format on

/// libgit2 as a table of typed pointers.
struct GitLibrary {
#define TUNEKEEPER_GIT_MEMBER(name) decltype(&::git_##name) name = nullptr;
  TUNEKEEPER_GIT_FUNCTIONS(TUNEKEEPER_GIT_MEMBER)
#undef TUNEKEEPER_GIT_MEMBER
};

/// The table, opened and initialised at the first call: no configuration of a user or of the system is read,
/// repositories of other owners are refused. Throws Error when no libgit2 is there or a function is missing.
const GitLibrary& git();

/// Throws Error with the call's name and the library's message when `result` is negative.
void check_git(int result, std::string_view call);

/// Frees a handle through the table.
template <auto Free>
struct GitDeleter {
  template <typename T>
  void operator()(T* handle) const {
    (git().*Free)(handle);
  }
};

using RepositoryHandle = std::unique_ptr<git_repository, GitDeleter<&GitLibrary::repository_free>>;
using ReferenceHandle = std::unique_ptr<git_reference, GitDeleter<&GitLibrary::reference_free>>;
using ConfigHandle = std::unique_ptr<git_config, GitDeleter<&GitLibrary::config_free>>;
using IndexHandle = std::unique_ptr<git_index, GitDeleter<&GitLibrary::index_free>>;
using SignatureHandle = std::unique_ptr<git_signature, GitDeleter<&GitLibrary::signature_free>>;
using CommitHandle = std::unique_ptr<git_commit, GitDeleter<&GitLibrary::commit_free>>;
using TreeHandle = std::unique_ptr<git_tree, GitDeleter<&GitLibrary::tree_free>>;
using TreeEntryHandle = std::unique_ptr<git_tree_entry, GitDeleter<&GitLibrary::tree_entry_free>>;
using BlobHandle = std::unique_ptr<git_blob, GitDeleter<&GitLibrary::blob_free>>;
using ObjectHandle = std::unique_ptr<git_object, GitDeleter<&GitLibrary::object_free>>;
using DiffHandle = std::unique_ptr<git_diff, GitDeleter<&GitLibrary::diff_free>>;

/// Calls a libgit2 function whose first argument is the place for a new handle.
template <typename Handle, typename Function, typename... Arguments>
Handle make_git(std::string_view call, Function function, Arguments... arguments) {
  typename Handle::pointer made = nullptr;
  check_git(function(&made, arguments...), call);
  return Handle(made);
}

/// 40 hexadecimal digits.
std::string to_hex(const git_oid& id);

inline bool same_id(const git_oid& one, const git_oid& other) {
  return std::string_view(reinterpret_cast<const char*>(one.id), sizeof one.id) ==
         std::string_view(reinterpret_cast<const char*>(other.id), sizeof other.id);
}

}  // namespace tunekeeper
