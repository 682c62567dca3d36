#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/globals.hpp"
#include "core/expression.hpp"
#include "engine/session.hpp"
#include "engine/wishes.hpp"
#include "facts/host_facts.hpp"
#include "host/bus/system_bus.hpp"
#include "host/real_host.hpp"
#include "profile/evaluate.hpp"
#include "profile/loader.hpp"
#include "snapshot/git_snapshot.hpp"

namespace tunekeeper {

/// Everything a verb works with, built from the global flags; each part at its first use.
class Workbench {
 public:
  /// What becomes of a host.yaml that cannot be used. Who must undo something at night is not kept from it by
  /// a file that the undo does not need.
  enum class HostFile { required, optional };

  explicit Workbench(const Globals& globals, HostFile host_file = HostFile::required);

  Host& host() { return *host_; }
  const HostConfig& config();
  /// Why host.yaml was left aside; empty when it was read or is not there.
  const std::string& host_file_problem() const { return host_file_problem_; }
  HostFacts& facts();
  Loader& loader();
  Snapshot& snapshot();
  Context context();
  Session session(std::string verb);

  /// What these profiles (host.yaml's when there are none) ask for on this host. Throws Error (usage) when
  /// neither is there, InvalidProfile for what does not load and for a variable of host.yaml that none of its
  /// profiles declares.
  Wishes wishes(const std::vector<std::string>& profiles);
  /// The same for a run that also lets profiles go. One that names only those lets them go and wants nothing
  /// else.
  Wishes wishes(const std::vector<std::string>& profiles, const std::vector<std::string>& drop);
  /// Throws Error (usage) unless each of the profiles has a setting that tunekeeper manages here.
  void require_managed(const std::vector<std::string>& profiles);
  /// A file of the caller's on this machine, not of the host that is worked on. Throws HostError.
  std::string read_own_file(const std::string& path) const;
  void write_own_file(const std::string& path, const std::string& bytes);
  bool own_file_is(const std::string& path, const std::string& bytes) const;
  /// One profile with host.yaml's vars.
  Profile load(const std::string& word);
  /// Names in host.yaml.
  std::vector<std::string> host_profiles();
  /// The host's name for reports: of the machine, or of the tree.
  std::string host_name() const;

  const Globals& globals() const { return globals_; }

 private:
  Host& machine() const { return machine_ ? *machine_ : *host_; }
  const ServerConnector* server();
  /// Null on another root, whose services are not this machine's.
  const Bus* bus() const;
  /// Throws Error (usage) when `--only` matches no setting: a check of nothing must not look green.
  void require_selected(const Wishes& wishes);
  Evaluation evaluate_profile(const Profile& profile);

  const Globals& globals_;
  HostFile host_file_;
  std::string host_file_problem_;
  std::unique_ptr<RealHost> host_;
  std::unique_ptr<RealHost> machine_;  ///< null where it is the same
  LazyBus bus_;
  std::optional<HostConfig> config_;
  std::unique_ptr<ServerConnector> server_;
  bool server_asked_ = false;
  std::unique_ptr<HostFacts> facts_;
  Evaluator evaluator_;
  std::unique_ptr<Loader> loader_;
  std::unique_ptr<GitSnapshot> snapshot_;
};

}  // namespace tunekeeper
