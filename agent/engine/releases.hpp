#pragma once

#include <string>
#include <vector>

#include "core/judge.hpp"
#include "engine/record.hpp"
#include "engine/restoration.hpp"
#include "engine/wishes.hpp"

namespace tunekeeper {

/// What decides which settings have left.
struct ReleaseQuestion {
  const Wishes& wishes;
  std::vector<std::string> wanted_ids;  ///< after globs and aliases
  std::vector<std::string> drop;        ///< profiles to let go
  std::vector<std::string> only;
};

/// Settings of the record that nobody wants any more, in its order. A run of host.yaml's set lets go what
/// left it, profiles applied by name apart; a run of named profiles lets go only what they themselves once
/// set. A section that could not be decided lets nothing go.
std::vector<RecordedSetting> released_settings(const GenerationRecord& record,
                                               const ReleaseQuestion& question);

/// What gives them their originals back on these planes; nothing for those that are to be left as they are.
std::vector<Restoration> release_restorations(const std::vector<RecordedSetting>& released, PlaneSet planes);

/// Rows that show the releases in a report: what is now, and the original value it goes back to. A release
/// into a file that does not parse is failed.
std::vector<Row> release_rows(const Context& context, const std::vector<RecordedSetting>& released,
                              PlaneSet planes, bool force);

}  // namespace tunekeeper
