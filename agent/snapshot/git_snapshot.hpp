#pragma once

#include <memory>
#include <string>

#include "snapshot/repository.hpp"
#include "snapshot/snapshot.hpp"

namespace tunekeeper {

/// /etc in git by libgit2, which is opened at the first call that needs it. The repository is ROOT/etc/.git:
/// one that init() made, or the one that was there (etckeeper's), whose ignore rules and branch are
/// respected; or, where another version control keeps /etc, one of ours elsewhere. History is walked along
/// first parents. A folder that is under no git is an Error for all but exists(), init() and remove().
class GitSnapshot : public Snapshot {
 public:
  /// `folder` is the folder to keep, a path on this machine: "/etc", or DIR/etc.
  explicit GitSnapshot(std::string folder, Identity identity = caller_identity())
      : folder_(std::move(folder)), identity_(std::move(identity)) {}
  /// With the repository elsewhere: its path on this machine, and as the host knows it.
  GitSnapshot(std::string folder, std::string git_directory, std::string place)
      : folder_(std::move(folder), std::move(git_directory)),
        identity_(caller_identity()),
        place_(std::move(place)) {}

  std::string place() const override { return place_; }

  bool exists() const override { return folder_.has_repository(); }
  bool init() override;
  void remove() override { folder_.remove_if_ours(); }
  void clear_leftovers() override;

  std::optional<std::string> commit(const CommitMessage& message,
                                    const std::vector<std::string>& paths = {}) override;
  std::vector<std::string> changed() const override;

  void walk(const std::function<bool(const Commit&)>& visit) const override;
  std::optional<std::string> commit_id(const std::string& name) const override;
  std::optional<CommittedFile> entry(const std::string& commit, const std::string& path) const override;
  std::vector<std::string> changed_between(const std::string& older, const std::string& newer) const override;

 private:
  RepositoryHandle open() const { return folder_.open_repository(identity_); }

  RepositoryFolder folder_;
  Identity identity_;
  std::string place_ = "/etc/.git";
};

}  // namespace tunekeeper
