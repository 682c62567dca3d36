#include "snapshot/git_snapshot.hpp"

#include "core/error.hpp"
#include "snapshot/committer.hpp"
#include "snapshot/git_objects.hpp"
#include "snapshot/index_file.hpp"
#include "snapshot/packer.hpp"
#include "snapshot/work_tree.hpp"

namespace tunekeeper {

namespace {

/// A scan that only looks.
WorkTreeChanges look(git_repository* repository, int folder_fd, const IndexFile& index) {
  FolderListings listings;
  return scan_work_tree(folder_fd, listings, index.index.get(), index.time, PathFilter(),
                        {[&](const std::string& path) { return is_ignored(repository, path); }, hash_blob,
                         [](std::string_view) {}});
}

std::vector<std::string> without_metadata(std::set<std::string> paths) {
  paths.erase(kMetadataName);
  return {paths.begin(), paths.end()};
}

/// The commit stands, whatever becomes of this; it is tried again after the next one.
void keep_small(git_repository* repository, const std::string& git_directory) {
  try {
    Packer(repository, git_directory).pack_if_due();
  } catch (const Error&) {
  }
}

template <typename Work>
auto framed(const std::string& doing, Work work) {
  try {
    return work();
  } catch (Error& error) {
    error.with_frame(doing);
    throw;
  }
}

}  // namespace

bool GitSnapshot::init() {
  if (exists()) return false;
  framed("making a git repository of " + folder_.path(), [&] { folder_.create(); });
  return true;
}

void GitSnapshot::clear_leftovers() {
  folder_.remove_unfinished();
  if (!exists()) return;
  remove_unfinished_metadata(folder_.git_directory());
  clear_stale_locks(folder_.git_directory());
  Packer::remove_leftovers(folder_.git_directory());
}

std::optional<std::string> GitSnapshot::commit(const CommitMessage& message,
                                               const std::vector<std::string>& paths) {
  return framed("committing " + folder_.path(), [&] {
    const RepositoryHandle repository = open();
    auto made = Committer(repository.get(), folder_, paths).commit(message, identity_);
    if (made) keep_small(repository.get(), folder_.git_directory());
    return made;
  });
}

std::vector<std::string> GitSnapshot::changed() const {
  return framed("comparing " + folder_.path() + " with its last commit", [&] {
    const RepositoryHandle repository = open();
    const IndexFile index = read_index(folder_.git_directory());
    const TreeHandle head = tree_of(head_commit(repository.get()).get());
    const Fd folder_fd = folder_.open_folder();
    const WorkTreeChanges changes = look(repository.get(), folder_fd.get(), index);
    std::set<std::string> paths = staged_paths(repository.get(), head.get(), index.index.get());
    for (const std::string& path : changes.missing) paths.insert(path);
    for (const WorkFile& file : changes.stored) {
      // What was staged may have been put back since.
      if (holds(head.get(), file.path, file.id, file.mode)) {
        paths.erase(file.path);
      } else {
        paths.insert(file.path);
      }
    }
    return without_metadata(std::move(paths));
  });
}

void GitSnapshot::walk(const std::function<bool(const Commit&)>& visit) const {
  const RepositoryHandle repository = open();
  for (CommitHandle commit = head_commit(repository.get()); commit; commit = first_parent(commit.get())) {
    if (!visit(describe(commit.get()))) return;
  }
}

std::optional<std::string> GitSnapshot::commit_id(const std::string& name) const {
  const RepositoryHandle repository = open();
  git_object* found = nullptr;
  const int result = git().revparse_single(&found, repository.get(), name.c_str());
  const ObjectHandle object(found);
  if (result != 0) return std::nullopt;
  git_object* peeled = nullptr;
  const int peeling = git().object_peel(&peeled, object.get(), GIT_OBJECT_COMMIT);
  const CommitHandle commit(reinterpret_cast<git_commit*>(peeled));
  if (peeling != 0) return std::nullopt;
  return to_hex(*git().commit_id(commit.get()));
}

std::optional<CommittedFile> GitSnapshot::entry(const std::string& commit, const std::string& path) const {
  return framed("reading " + path + " of commit " + commit, [&]() -> std::optional<CommittedFile> {
    const RepositoryHandle repository = open();
    const TreeHandle tree = tree_of(find_commit(repository.get(), commit).get());
    git_tree_entry* found = nullptr;
    const int result = git().tree_entry_bypath(&found, tree.get(), path.c_str());
    const TreeEntryHandle entry(found);
    if (result == GIT_ENOTFOUND) return std::nullopt;
    check_git(result, "tree_entry_bypath");
    if (git().tree_entry_type(found) != GIT_OBJECT_BLOB) return std::nullopt;
    const auto blob =
        make_git<BlobHandle>("blob_lookup", git().blob_lookup, repository.get(), git().tree_entry_id(found));
    const git_filemode_t mode = git().tree_entry_filemode(found);
    return CommittedFile{.bytes = std::string(static_cast<const char*>(git().blob_rawcontent(blob.get())),
                                              static_cast<std::size_t>(git().blob_rawsize(blob.get()))),
                         .is_link = mode == GIT_FILEMODE_LINK,
                         .is_executable = mode == GIT_FILEMODE_BLOB_EXECUTABLE};
  });
}

std::vector<std::string> GitSnapshot::changed_between(const std::string& older,
                                                      const std::string& newer) const {
  return framed("comparing commits " + older + " and " + newer, [&] {
    const RepositoryHandle repository = open();
    const TreeHandle before = older.empty() ? nullptr : tree_of(find_commit(repository.get(), older).get());
    const TreeHandle after = tree_of(find_commit(repository.get(), newer).get());
    return without_metadata(
        paths_of(make_git<DiffHandle>("diff_tree_to_tree", git().diff_tree_to_tree, repository.get(),
                                      before.get(), after.get(), nullptr)
                     .get()));
  });
}

}  // namespace tunekeeper
