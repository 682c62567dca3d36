#pragma once

#include <string>

#include "host/fd.hpp"
#include "snapshot/git_library.hpp"
#include "snapshot/identity.hpp"

namespace tunekeeper {

/// The folder that is kept in git, and the repository in its .git.
class RepositoryFolder {
 public:
  /// `folder` is a path on this machine ("/etc", or below another root). Nothing is opened yet.
  explicit RepositoryFolder(std::string folder)
      : folder_(std::move(folder)), git_directory_(folder_ + "/.git") {}

  const std::string& path() const { return folder_; }
  const std::string& git_directory() const { return git_directory_; }

  /// Whether a .git is there. Does not load the library.
  bool has_repository() const;
  /// Makes an empty repository on branch main, mode 0700, whole or not at all, marked as made by us.
  void create() const;
  /// Removes the repository when it bears our mark, with the metadata beside it; does nothing otherwise.
  void remove_if_ours() const;
  /// Whether the repository bears our mark: made by create(), not etckeeper's.
  static bool is_ours(git_repository* repository);

  /// Removes a repository that is half made, or half removed.
  void remove_unfinished() const;

  /// Opens the repository; commits and reference logs are by `identity`. Throws Error when there is none, it
  /// is damaged, or someone else owns it.
  RepositoryHandle open_repository(const Identity& identity) const;
  /// The folder itself, a symlink not followed.
  Fd open_folder() const;

 private:
  /// Throws Error unless .git is a folder of the caller's own.
  void check_git_directory() const;

  std::string folder_;
  std::string git_directory_;
};

}  // namespace tunekeeper
