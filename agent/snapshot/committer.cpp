#include "snapshot/committer.hpp"

#include <algorithm>
#include <array>
#include <ctime>

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <pwd.h>
#include <unistd.h>

#include "core/error.hpp"
#include "host/host.hpp"
#include "snapshot/git_objects.hpp"
#include "snapshot/message.hpp"
#include "snapshot/work_tree.hpp"

namespace tunekeeper {

namespace {

// A file that changed within the clock's tick could change again unseen: a size of 0 makes git (and us) look
// at its bytes the next time.
bool may_change_unseen(const struct stat& status) {
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  const auto age_ns =
      (now.tv_sec - status.st_mtim.tv_sec) * 1'000'000'000 + now.tv_nsec - status.st_mtim.tv_nsec;
  return age_ns < 10'000'000;
}

void add_to_index(git_index* index, const WorkFile& file) {
  git_index_entry entry{};
  entry.ctime = {static_cast<std::int32_t>(file.status.st_ctim.tv_sec),
                 static_cast<std::uint32_t>(file.status.st_ctim.tv_nsec)};
  entry.mtime = {static_cast<std::int32_t>(file.status.st_mtim.tv_sec),
                 static_cast<std::uint32_t>(file.status.st_mtim.tv_nsec)};
  entry.dev = static_cast<std::uint32_t>(file.status.st_dev);
  entry.ino = static_cast<std::uint32_t>(file.status.st_ino);
  entry.uid = file.status.st_uid;
  entry.gid = file.status.st_gid;
  entry.mode = file.mode;
  entry.file_size = may_change_unseen(file.status) ? 0 : static_cast<std::uint32_t>(file.status.st_size);
  entry.id = file.id;
  entry.path = file.path.c_str();
  check_git(git().index_add(index, &entry), "index_add");
}

void stage(git_index* index, const WorkTreeChanges& changes) {
  for (const std::string& path : changes.missing)
    check_git(git().index_remove(index, path.c_str(), 0), "index_remove");
  for (const WorkFile& file : changes.stored) add_to_index(index, file);
  for (const WorkFile& file : changes.refreshed) add_to_index(index, file);
}

git_oid write_tree(git_repository* repository, git_index* index) {
  git_oid id;
  check_git(git().index_write_tree_to(&id, index, repository), "index_write_tree_to");
  return id;
}

/// The last commit's tree with only the meant paths as the index has them: what others staged stays out of
/// it.
git_oid write_partial_tree(git_repository* repository, git_tree* head, git_index* index,
                           const PathFilter& filter) {
  const auto partial = make_git<IndexHandle>("index_new", git().index_new);
  if (head != nullptr) check_git(git().index_read_tree(partial.get(), head), "index_read_tree");
  for (const std::string& path : staged_paths(repository, head, index)) {
    if (filter.covers(path)) git().index_remove(partial.get(), path.c_str(), 0);
  }
  const std::size_t count = git().index_entrycount(index);
  for (std::size_t i = 0; i < count; ++i) {
    const git_index_entry* entry = git().index_get_byindex(index, i);
    if (filter.covers(entry->path)) check_git(git().index_add(partial.get(), entry), "index_add");
  }
  return write_tree(repository, partial.get());
}

git_oid create_commit(git_repository* repository, git_commit* parent, const git_oid& tree_id,
                      const Identity& identity, const CommitMessage& message) {
  const auto tree = make_git<TreeHandle>("tree_lookup", git().tree_lookup, repository, &tree_id);
  const auto by = make_git<SignatureHandle>("signature_now", git().signature_now, identity.name.c_str(),
                                            identity.email.c_str());
  std::array<decltype(parent), 1> parents{parent};
  git_oid id;
  check_git(git().commit_create(&id, repository, "HEAD", by.get(), by.get(), nullptr,
                                compose_message(message).c_str(), tree.get(), parent == nullptr ? 0 : 1,
                                const_cast<const git_commit**>(parents.data())),
            "commit_create");
  return id;
}

/// The name of a numeric id: the folder's own, which is the machine's for /etc; else, for /etc, what the name
/// service says.
std::string user_name(int folder, bool is_machines, uid_t id) {
  std::string name = name_in(folder, "passwd", id);
  if (!name.empty() || !is_machines) return name;
  const passwd* known = getpwuid(id);
  return known == nullptr ? "" : known->pw_name;
}

std::string group_name(int folder, bool is_machines, gid_t id) {
  std::string name = name_in(folder, "group", id);
  if (!name.empty() || !is_machines) return name;
  const ::group* known = getgrgid(id);
  return known == nullptr ? "" : known->gr_name;
}

bool is_tracked(git_index* index, const std::string& path) {
  if (path.back() != '/') return git().index_get_bypath(index, path.c_str(), 0) != nullptr;
  return git().index_find_prefix(nullptr, index, path.c_str()) == 0;
}

/// For the commit's message: etckeeper's next own commit will differ on these lines.
std::string words_on(const std::vector<std::string>& names) {
  std::string words =
      "\n\netckeeper's metadata cannot hold a name with a line break as etckeeper writes it;\nhere it is "
      "whole:";
  for (std::string name : names) {
    std::replace(name.begin(), name.end(), '\n', '?');
    words += " " + name;
  }
  return words;
}

void forget_metadata(WorkTreeChanges& changes) {
  const auto is_it = [](const WorkFile& file) { return file.path == kMetadataName; };
  std::erase_if(changes.stored, is_it);
  std::erase_if(changes.refreshed, is_it);
  std::erase(changes.missing, kMetadataName);
}

PathFilter filter_for(std::vector<std::string> paths, bool keeps_metadata) {
  if (!paths.empty() && keeps_metadata) paths.emplace_back(kMetadataName);
  return PathFilter(std::move(paths));
}

}  // namespace

Committer::Committer(git_repository* repository, const RepositoryFolder& folder,
                     std::vector<std::string> paths)
    : repository_(repository),
      folder_(folder),
      folder_fd_(folder.open_folder()),
      keeps_metadata_(is_kept_by_etckeeper(folder_fd_.get()) || RepositoryFolder::is_ours(repository)),
      filter_(filter_for(std::move(paths), keeps_metadata_)),
      objects_(folder.git_directory()) {}

std::optional<std::string> Committer::commit(CommitMessage message, const Identity& identity) {
  // Read under the lock: a look before it would have to be taken again when another git came between.
  const IndexLock lock(folder_.git_directory());
  const IndexFile copy = lock.open_copy();
  git_index* index = copy.index.get();
  const Metadata metadata = keeps_metadata_ ? make_metadata(index) : Metadata();
  WorkTreeChanges changes = scan(copy);
  if (keeps_metadata_) state_metadata(index, metadata, changes);
  const CommitHandle parent = head_commit(repository_);
  const TreeHandle head = tree_of(parent.get());
  if (changes.empty() && !is_staged(head.get(), index)) return std::nullopt;

  const git_oid tree = stage_tree(head.get(), index, changes);
  objects_.add_trees(repository_, tree, changes);
  objects_.sync();
  const SyncEachFile durably;
  std::optional<std::string> made;
  if (parent ? !same_id(tree, *git().commit_tree_id(parent.get())) : git().index_entrycount(index) > 0) {
    if (!metadata.broken_lines.empty()) message.body += words_on(metadata.broken_lines);
    made = to_hex(create_commit(repository_, parent.get(), tree, identity, message));
  }
  // After the commit: a run that fails before it leaves no trace in the folder.
  try {
    if (!metadata.bytes.empty() && folder_.is_inside()) put_metadata_in_place(index, metadata);
    lock.publish(index);
  } catch (const Error&) {
    // The commit stands, so its run must not be undone. The next commit finds what is missing here and makes
    // it.
    if (!made) throw;
  }
  return made;
}

WorkTreeChanges Committer::scan(const IndexFile& index) {
  return scan_work_tree(folder_fd_.get(), listings_, index.index.get(), index.time, filter_,
                        {[&](const std::string& path) { return is_ignored(repository_, path); }, hash_blob,
                         [&](std::string_view bytes) { objects_.store_blob(repository_, bytes); }});
}

Metadata Committer::make_metadata(git_index* index) {
  const int folder = folder_fd_.get();
  const bool is_machines = folder_.path() == "/etc";
  listings_.look_ahead(folder);
  const bool has_rules = faccessat(folder, ".gitignore", F_OK, AT_SYMLINK_NOFOLLOW) == 0;
  return etckeeper_metadata(
      folder, listings_,
      {.is_tracked = [&](const std::string& path) { return is_tracked(index, path); },
       .is_ignored = [&](const std::string& path) { return has_rules && is_ignored(repository_, path); },
       .user_name = [=](uid_t id) { return user_name(folder, is_machines, id); },
       .group_name = [=](gid_t id) { return group_name(folder, is_machines, id); },
       .user = geteuid(),
       .group = getegid()});
}

/// Puts the metadata to be written in the place of the file that is there.
void Committer::state_metadata(git_index* index, const Metadata& metadata, WorkTreeChanges& changes) {
  forget_metadata(changes);
  if (metadata.bytes.empty()) return;
  const git_oid id = hash_blob(metadata.bytes);
  const git_index_entry* entry = git().index_get_bypath(index, kMetadataName, 0);
  if (entry != nullptr && same_id(entry->id, id) && entry->mode == GIT_FILEMODE_BLOB_EXECUTABLE) return;
  objects_.store_blob(repository_, metadata.bytes);
  changes.stored.push_back({kMetadataName, GIT_FILEMODE_BLOB_EXECUTABLE, id, {}});
}

void Committer::put_metadata_in_place(git_index* index, const Metadata& metadata) const {
  WorkFile file{kMetadataName, GIT_FILEMODE_BLOB_EXECUTABLE, hash_blob(metadata.bytes), {}};
  file.status = put_metadata(folder_fd_.get(), folder_.git_directory(), metadata.bytes);
  add_to_index(index, file);
  write_tree(repository_,
             index);  // so that the index remembers its tree, and the next commit need not write it
}

/// Whether the index already holds a change of a meant path.
bool Committer::is_staged(git_tree* head, git_index* index) const {
  if (is_tree_of(head, index)) return false;
  const auto paths = staged_paths(repository_, head, index);
  return std::any_of(paths.begin(), paths.end(),
                     [&](const std::string& path) { return filter_.covers(path); });
}

// The index remembers the tree it was made from, so that writing it unchanged costs nothing.
bool Committer::is_tree_of(git_tree* head, git_index* index) const {
  return head != nullptr && same_id(write_tree(repository_, index), *git().tree_id(head));
}

/// Puts the changes into the index and writes the tree to commit.
git_oid Committer::stage_tree(git_tree* head, git_index* index, const WorkTreeChanges& changes) const {
  const bool only_ours = filter_.all() || is_tree_of(head, index);
  stage(index, changes);
  return only_ours ? write_tree(repository_, index) : write_partial_tree(repository_, head, index, filter_);
}

}  // namespace tunekeeper
