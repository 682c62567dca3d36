#pragma once

#include <string>

#include "host/fd.hpp"
#include "snapshot/git_library.hpp"
#include "snapshot/identity.hpp"

namespace tunekeeper {

/// The folder that is kept in git, and its repository: in its .git, or elsewhere.
class RepositoryFolder {
 public:
  /// Paths on this machine: of the folder ("/etc", or below another root), and of the repository where that
  /// is not in it. Nothing is opened yet.
  explicit RepositoryFolder(std::string folder, std::string git_directory = {})
      : folder_(std::move(folder)),
        git_directory_(git_directory.empty() ? folder_ + "/.git" : std::move(git_directory)) {}

  const std::string& path() const { return folder_; }
  const std::string& git_directory() const { return git_directory_; }
  /// Whether the repository is in the folder: etckeeper's metadata is then put there beside it.
  bool is_inside() const { return git_directory_ == folder_ + "/.git"; }

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
  /// The folder that the repository is in; made where it is not the kept one and absent.
  Fd open_parent() const;
  /// Name of the repository there, and of one that is half made or half removed.
  std::string name() const { return git_directory_.substr(git_directory_.rfind('/') + 1); }
  std::string unfinished_name() const { return name() + ".tunekeeper-tmp"; }
  /// Throws Error unless .git is a folder of the caller's own.
  void check_git_directory() const;

  std::string folder_;
  std::string git_directory_;
};

}  // namespace tunekeeper
