#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/action.hpp"
#include "core/judge.hpp"
#include "providers/provider.hpp"

namespace tunekeeper {

/// How far a run may disturb services; each includes the ones before it.
enum class RestartPolicy { never, reload, restart };

/// What a run would do: pure data.
struct Plan {
  std::vector<Row> rows;        ///< every row, in report order; releases last
  std::vector<Action> actions;  ///< merged per file, ordered by phase
  /// Ids of differing rows that no action cures, because what decides them is not written by tunekeeper.
  std::vector<std::string> incurable;
  /// Owners' checks that this host's files would need and that are not run: on another root no program runs.
  std::vector<CheckFiles> skipped_checks;
  /// Profiles that were applied by name, where the wishes are host.yaml's as a whole: those are not looked
  /// at.
  std::vector<std::string> extra = {};
};

/// "tunekeeper apply WORDS… --only GLOB…", quoted for the shell; no words for host.yaml's profiles as a
/// whole.
std::string apply_command(const std::vector<std::string>& words, const std::vector<std::string>& only);

/// Globs for --only that leave the failed rows out: a section that failed as a whole, else single ids. None
/// where nothing would be left.
std::vector<std::string> globs_without_failed(const std::vector<Row>& rows);

/// The actions that make the rows right, on the planes that the run may write.
std::vector<Action> plan_rows(const Context& context, const std::vector<Row>& rows, PlaneSet planes,
                              RestartPolicy restart,
                              const std::map<std::string, RestartPolicy>& services = {});

/// Merges the edits of each file into its first one, puts all in the order of their phases, and drops what is
/// there twice (two providers that ask for one check). Notes each file's digest in its edit.
std::vector<Action> arrange(const HostView& host, std::vector<Action> actions);

}  // namespace tunekeeper
