#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/apply.hpp"
#include "engine/session.hpp"

namespace tunekeeper {

struct RollbackOptions {
  std::optional<int> generation;  ///< nothing: undo an unfinished run, else the current one's parent
  bool force = false;             ///< take back also what somebody else changed since
  RestartPolicy restart = RestartPolicy::reload;
};

struct RollbackResult {
  bool changed = false;
  bool refused = false;  ///< the person said no
  int from = 0;
  int to = 0;
  std::vector<Action> actions;
  std::vector<CheckFiles> skipped_checks;  ///< as in Plan
  std::string nothing_to_do;               ///< why, where nothing was done
};

/// Back (or forth) to a generation: files and live values. A file whose bytes are still what the generation
/// left is restored byte for byte, an edited one key by key. Sets a hold. Throws Error: a key that was edited
/// since is named and refused without force, a generation that does not exist, what the contract says of
/// failures.
RollbackResult rollback(Session& session, const RollbackOptions& options, Dialogue& dialogue);

/// Restores files of /etc as a commit has them (all that differ, or these files and folders below /etc),
/// under the journal: bytes and links as git has them, modes and owners as the metadata in that commit has.
/// Sets a hold. Throws Error where the commit is not there, or neither it nor the host has such a path.
RollbackResult rollback_files(Session& session, const std::string& commit,
                              const std::vector<std::string>& paths, Dialogue& dialogue);

}  // namespace tunekeeper
