#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/action.hpp"
#include "core/row.hpp"
#include "engine/record.hpp"
#include "providers/provider.hpp"

namespace tunekeeper {

/// How one file is to state a setting: `expected` is what tunekeeper left there, anything else was edited
/// since.
struct FileTarget {
  std::string path;
  std::vector<std::string> expected;
  std::vector<std::string> target;
  /// The file's bytes while it stated `target`, where they are known: a line that was removed goes back to
  /// its old neighbours.
  std::optional<std::string> model = {};
};

/// One setting to be taken to what a record says: for releases its originals, for rollbacks another
/// generation.
struct Restoration {
  RecordedSetting setting;
  std::vector<FileTarget> files;
  std::optional<std::string> live_expected;
  std::optional<std::string> live_target;
};

/// A setting that somebody else changed since; it is taken back only by force.
struct Conflict {
  std::string id;
  std::string where;        ///< a path, or "live"
  std::string now;          ///< in words
  bool unreadable = false;  ///< the file does not parse: no key of it can be taken back, not even by force
};

struct RestorationPlan {
  std::vector<Action> actions;  ///< not yet arranged
  std::vector<Conflict> conflicts;
  std::vector<std::string> changes;  ///< ids that something is done for
};

/// What takes the settings there, key by key, so that all else in their files stays. A file of ours that then
/// says nothing is removed. `base` are actions of the same run: the restorations are made on the bytes that
/// its edits leave, and come out merged with them.
RestorationPlan plan_restorations(const Context& context, const std::vector<Restoration>& restorations,
                                  bool force, std::vector<Action> base = {});

/// What did not come back, in words, a line each; empty when every file and live value is at its target.
std::string not_restored(const Context& context, const std::vector<Restoration>& restorations);

/// A setting back to its originals on every plane.
Restoration to_originals(const RecordedSetting& setting);

}  // namespace tunekeeper
