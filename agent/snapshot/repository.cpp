#include "snapshot/repository.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/host.hpp"
#include "snapshot/etckeeper_metadata.hpp"

namespace tunekeeper {

namespace {

constexpr const char* made_by_us = "tunekeeper.made";

struct DirectoryCloser {
  void operator()(DIR* directory) const { closedir(directory); }
};

/// Removes a folder and all below it; symlinks are removed, never followed. Absence is fine.
void remove_tree(int parent, const std::string& name) {
  Fd folder(openat(parent, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!folder && errno == ENOENT) return;
  if (!folder) throw HostError("remove", name, errno);
  const std::unique_ptr<DIR, DirectoryCloser> directory(fdopendir(folder.get()));
  if (!directory) throw HostError("remove", name, errno);
  const int fd = folder.release();
  while (const dirent* found = readdir(directory.get())) {
    const std::string child = found->d_name;
    if (child == "." || child == ".." || unlinkat(fd, child.c_str(), 0) == 0) continue;
    if (errno != EISDIR && errno != EPERM) throw HostError("remove", name + "/" + child, errno);
    remove_tree(fd, child);
  }
  if (unlinkat(parent, name.c_str(), AT_REMOVEDIR) != 0) throw HostError("remove", name, errno);
}

void write_text(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  if (!file.flush()) throw HostError("write", path, errno);
}

void set_up(const std::string& directory) {
  const auto repository =
      make_git<RepositoryHandle>("repository_init", git().repository_init, directory.c_str(), 1U);
  check_git(git().repository_set_head(repository.get(), "refs/heads/main"), "repository_set_head");
  const auto config = make_git<ConfigHandle>("repository_config", git().repository_config, repository.get());
  check_git(git().config_set_bool(config.get(), "core.bare", 0), "config_set_bool");
  check_git(git().config_set_bool(config.get(), "core.logallrefupdates", 1), "config_set_bool");
  check_git(git().config_set_bool(config.get(), made_by_us, 1), "config_set_bool");
  // Whoever looks with git sees the same raw bytes, whatever .gitattributes in /etc say.
  write_text(directory + "/info/attributes", "* -text -filter -ident -working-tree-encoding\n");
  write_text(directory + "/info/exclude", "*.tunekeeper-tmp\n/.hg/\n/.bzr/\n/_darcs/\n");
}

/// Makes the folder the repository's work tree: its core.worktree could name another one.
void bind_work_tree(git_repository* repository, const std::string& folder) {
  // Told the folder that it has already, libgit2 leaks its copy of the path.
  const std::unique_ptr<char, void (*)(void*)> real(realpath(folder.c_str(), nullptr), std::free);
  if (!real) throw HostError("look at", folder, errno);
  const char* bound = git().repository_workdir(repository);
  if (bound != nullptr && bound == std::string(real.get()) + "/") return;
  check_git(git().repository_set_workdir(repository, folder.c_str(), 0), "repository_set_workdir");
}

}  // namespace

bool RepositoryFolder::has_repository() const {
  struct stat status {};
  if (lstat(git_directory_.c_str(), &status) == 0) return true;
  if (errno != ENOENT && errno != ENOTDIR) throw HostError("look at", git_directory_, errno);
  return false;
}

Fd RepositoryFolder::open_folder() const {
  Fd fd(open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd) throw HostError("open folder", folder_, errno);
  return fd;
}

Fd RepositoryFolder::open_parent() const {
  if (is_inside()) return open_folder();
  const std::string parent = git_directory_.substr(0, git_directory_.rfind('/'));
  std::error_code failure;
  const bool made = std::filesystem::create_directories(parent, failure);
  if (failure) throw HostError("make", parent, failure.value());
  if (made && chmod(parent.c_str(), 0700) != 0) throw HostError("make", parent, errno);
  Fd fd(open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (!fd) throw HostError("open folder", parent, errno);
  return fd;
}

void RepositoryFolder::create() const {
  const Fd folder = open_parent();
  const std::string unfinished = unfinished_name();
  remove_tree(folder.get(), unfinished);
  if (mkdirat(folder.get(), unfinished.c_str(), 0700) != 0) throw HostError("make", git_directory_, errno);
  set_up(git_directory_.substr(0, git_directory_.rfind('/') + 1) + unfinished);
  if (renameat(folder.get(), unfinished.c_str(), folder.get(), name().c_str()) != 0)
    throw HostError("make", git_directory_, errno);
  fsync(folder.get());
}

void RepositoryFolder::remove_unfinished() const {
  remove_tree(open_parent().get(), unfinished_name());
}

bool RepositoryFolder::is_ours(git_repository* repository) {
  const auto config = make_git<ConfigHandle>("repository_config", git().repository_config, repository);
  int ours = 0;
  const int found = git().config_get_bool(&ours, config.get(), made_by_us);
  if (found != GIT_ENOTFOUND) check_git(found, "config_get_bool");
  return ours != 0;
}

void RepositoryFolder::remove_if_ours() const {
  const Fd folder = open_parent();
  remove_tree(folder.get(), unfinished_name());
  if (!has_repository()) return;
  if (!is_ours(open_repository(caller_identity()).get())) return;
  if (is_inside()) unlinkat(folder.get(), kMetadataName, 0);
  if (renameat(folder.get(), name().c_str(), folder.get(), unfinished_name().c_str()) != 0) {
    throw HostError("remove", git_directory_, errno);
  }
  remove_tree(folder.get(), unfinished_name());
}

RepositoryHandle RepositoryFolder::open_repository(const Identity& identity) const {
  check_git_directory();
  git_repository* opened = nullptr;
  const int result = git().repository_open_ext(&opened, (is_inside() ? folder_ : git_directory_).c_str(),
                                               GIT_REPOSITORY_OPEN_NO_SEARCH, nullptr);
  RepositoryHandle repository(opened);
  struct stat status {};
  // Its words for that are about a configuration key that is missing.
  if (result < 0 && stat(folder_.c_str(), &status) == 0 && status.st_uid != geteuid()) {
    throw Error(fmt::format("{} belongs to another user ({})", folder_, status.st_uid))
        .with_next(fmt::format("run tunekeeper as that user, or: chown {} {}", geteuid(), folder_));
  }
  check_git(result, "repository_open_ext");
  bind_work_tree(opened, folder_);
  check_git(git().repository_set_ident(opened, identity.name.c_str(), identity.email.c_str()),
            "repository_set_ident");
  return repository;
}

void RepositoryFolder::check_git_directory() const {
  struct stat status {};
  if (lstat(git_directory_.c_str(), &status) != 0) {
    if (errno != ENOENT) throw HostError("look at", git_directory_, errno);
    throw Error(fmt::format("{} is not under git", folder_)).with_next("tunekeeper init");
  }
  if (!S_ISDIR(status.st_mode)) {
    throw Error(fmt::format("{} is not a folder, and leads elsewhere", git_directory_))
        .with_next("move the repository to " + git_directory_);
  }
  if (status.st_uid != geteuid()) {
    throw Error(fmt::format("{} belongs to user {}, who could make it hide or run anything", git_directory_,
                            status.st_uid))
        .with_next(fmt::format("look into it, then: chown -R {} {}", geteuid(), git_directory_));
  }
}

}  // namespace tunekeeper
