#include "snapshot/durable_objects.hpp"

#include <cerrno>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

#include "host/fd.hpp"
#include "host/host.hpp"

namespace tunekeeper {

namespace {

constexpr std::size_t few = 256;

}  // namespace

void DurableObjects::store_blob(git_repository* repository, std::string_view bytes) {
  git_oid id;
  check_git(git().blob_create_from_buffer(&id, repository, bytes.data(), bytes.size()),
            "blob_create_from_buffer");
  ids_.insert(to_hex(id));
}

void DurableObjects::add_trees(git_repository* repository, const git_oid& root,
                               const WorkTreeChanges& changes) {
  ids_.insert(to_hex(root));
  const auto tree = make_git<TreeHandle>("tree_lookup", git().tree_lookup, repository, &root);
  for (const WorkFile& file : changes.stored) add_tree(tree.get(), file.path);
  for (const std::string& path : changes.missing) add_tree(tree.get(), path);
}

void DurableObjects::add_tree(git_tree* root, const std::string& path) {
  for (std::size_t slash = path.find('/'); slash != std::string::npos && ids_.size() <= few;
       slash = path.find('/', slash + 1)) {
    git_tree_entry* found = nullptr;
    const int result = git().tree_entry_bypath(&found, root, path.substr(0, slash).c_str());
    const TreeEntryHandle entry(found);
    if (result == GIT_ENOTFOUND) return;
    check_git(result, "tree_entry_bypath");
    ids_.insert(to_hex(*git().tree_entry_id(found)));
  }
}

void DurableObjects::sync() {
  if (ids_.size() > few) {
    const Fd folder(open(objects_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!folder || syncfs(folder.get()) != 0) throw HostError("sync", objects_, errno);
    return;
  }
  std::vector<Fd> files;
  for (const std::string& id : ids_) {
    const std::string path = objects_ + id.substr(0, 2) + "/" + id.substr(2);
    Fd file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file && errno == ENOENT) continue;  // in a pack, and durable for long
    if (!file) throw HostError("sync", path, errno);
    // Where the file system cannot start writing early, fsync below does all of it.
    sync_file_range(file.get(), 0, 0, SYNC_FILE_RANGE_WRITE);
    files.push_back(std::move(file));
  }
  for (const Fd& file : files) {
    if (fsync(file.get()) != 0) throw HostError("sync", objects_, errno);
  }
}

}  // namespace tunekeeper
