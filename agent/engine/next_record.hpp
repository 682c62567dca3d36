#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/action.hpp"
#include "engine/executor.hpp"
#include "engine/planner.hpp"
#include "engine/record.hpp"
#include "engine/wishes.hpp"

namespace tunekeeper {

/// What a run did, to make the next record of.
struct NextRecord {
  const Context& context;
  const Wishes& wishes;
  const Plan& plan;
  const std::map<std::string, WrittenFile>& written;
  const std::vector<RecordedSetting>& released;
  PlaneSet planes;  ///< that the run wrote
};

/// The record after a run: originals are taken over from the record before where it has them, else they are
/// what the run found. Number, parent and time are left to the caller.
GenerationRecord next_record(const GenerationRecord& before, const NextRecord& run);

/// The action that writes the record's file.
Action record_action(const HostView& host, const std::string& text);

/// The action that removes it, for generation 0.
Action no_record_action();

}  // namespace tunekeeper
