#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/planner.hpp"
#include "engine/session.hpp"
#include "engine/wishes.hpp"

namespace tunekeeper {

/// What a caller asks of diff and apply beside the wishes.
struct RunOptions {
  PlaneSet planes = {};
  RestartPolicy restart = RestartPolicy::reload;
  /// What may be done to single services instead ("mysql" -> never).
  std::map<std::string, RestartPolicy> services = {};
  bool force = false;  ///< guard rails and conflicts are overridden
  bool end_hold = false;
  bool unattended = false;  ///< for timers: never asks, sets a hold when it fails
  bool detect_foreign_boot = true;
  std::vector<std::string> drop = {};  ///< profiles to let go
  std::vector<std::string> only = {};  ///< globs on setting ids
};

/// The person in front of a run, or who stands in for one.
class Dialogue {
 public:
  virtual ~Dialogue() = default;

  /// Shows the plan and asks whether to go on.
  virtual bool confirm_plan(const Plan& plan) = 0;
  /// Asks about one thing that must not be done in silence ("grub.cfg was edited by hand"); false refuses.
  virtual bool confirm(const std::string& question) = 0;
  /// Asks a person whether a hold should end; a flag that answers prompts does not answer this one.
  virtual bool confirm_end_of_hold(const std::string& hold) = 0;
  /// Says something while the run goes on.
  virtual void tell(const std::string& note) = 0;
};

/// What diff shows and apply performs: one path, cut at the leaf. Reads only. Fails for nothing that a file
/// holds.
Plan make_plan(const Session& session, const Wishes& wishes, const RunOptions& options);

/// The rows alone, without the actions that would right them: what verify needs.
Plan make_check(const Session& session, const Wishes& wishes, const RunOptions& options);

struct ApplyResult {
  Plan plan;               ///< as it was before
  std::vector<Row> after;  ///< the rows read back; the same as before when there was nothing to do
  bool changed = false;
  bool refused = false;  ///< the person said no
  int generation = 0;    ///< the one in force now
};

/// Makes it so, all or nothing: lock, recover, plan, commit foreign edits, journal, perform, read back,
/// commit. Throws Error with the exit status of the contract.
ApplyResult apply(Session& session, const Wishes& wishes, const RunOptions& options, Dialogue& dialogue);

/// What changes when the wishes change: for a hold on a plan that failed.
std::string digest_of(const Wishes& wishes);

}  // namespace tunekeeper
