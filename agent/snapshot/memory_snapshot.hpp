#pragma once

#include "host/host.hpp"
#include "snapshot/snapshot.hpp"

namespace tunekeeper {

/// The in-memory twin of the git snapshot, for tests: keeps the history of one folder of a host. Knows no
/// ignore rules but that for our own temporary files.
class MemorySnapshot : public Snapshot {
 public:
  explicit MemorySnapshot(const HostView& host, std::string folder = "/etc")
      : host_(host), folder_(std::move(folder)) {}

  /// A repository that was there before us, as etckeeper's would be.
  void begin_as_foreign() { state_ = State::foreign; }

  bool exists() const override { return state_ != State::absent; }
  bool init() override;
  void remove() override;
  std::optional<std::string> commit(const CommitMessage& message,
                                    const std::vector<std::string>& paths = {}) override;
  std::vector<std::string> changed() const override;
  void walk(const std::function<bool(const Commit&)>& visit) const override;
  std::optional<std::string> commit_id(const std::string& name) const override;
  std::optional<CommittedFile> entry(const std::string& commit, const std::string& path) const override;
  std::vector<std::string> changed_between(const std::string& older, const std::string& newer) const override;

 private:
  enum class State { absent, ours, foreign };

  struct File {
    std::string bytes;
    std::uint32_t mode = 0;  ///< git's

    bool operator==(const File&) const = default;
  };
  using Tree = std::map<std::string, File>;

  struct Node {
    Commit commit;
    Tree tree;
  };

  void require_repository() const;
  Tree work_tree() const;
  void collect(const std::string& folder, const std::string& prefix, Tree& tree) const;
  Tree head() const { return history_.empty() ? Tree{} : history_.back().tree; }
  const Node& find(const std::string& id) const;
  static std::vector<std::string> differing(const Tree& one, const Tree& other);

  const HostView& host_;
  std::string folder_;
  State state_ = State::absent;
  std::vector<Node> history_;  ///< oldest first
};

}  // namespace tunekeeper
