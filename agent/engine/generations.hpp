#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/record.hpp"
#include "host/host.hpp"
#include "snapshot/snapshot.hpp"

namespace tunekeeper {

inline constexpr std::string_view kGenerationTrailer = "Tunekeeper-Generation";
inline constexpr std::string_view kRollbackTrailer = "Tunekeeper-Rollback-To";
inline constexpr std::string_view kRunTrailer = "Tunekeeper-Run";

/// One generation as /etc's history tells it.
struct Generation {
  int number = 0;
  Commit commit;  ///< that it left; for generation 0 the one that the first apply started from
  GenerationRecord record;
};

/// One step of the story, newest first: a generation was made, or a rollback went to one.
struct HistoryEvent {
  bool rollback = false;
  int number = 0;
  Commit commit;
};

/// Generations in /etc's git: numbered, never changed, one of them current.
class Generations {
 public:
  explicit Generations(const Snapshot& snapshot) : snapshot_(snapshot) {}

  /// Generations and rollbacks, newest first; read once.
  const std::vector<HistoryEvent>& history() const;
  /// The highest number given so far; 0 when there is none.
  int highest() const;
  /// The number that the newest event points at; 0 when there is none.
  int current() const;
  /// A generation with its record; nothing when no commit has it. 0 is there as soon as 1 is.
  std::optional<Generation> find(int number) const;
  /// The bytes that the newest commit of ours has for a path below /etc ("/etc/x"); nothing when it has none.
  std::optional<std::string> bytes_at(const std::string& commit, const std::string& path) const;

 private:
  const Snapshot& snapshot_;
  mutable std::optional<std::vector<HistoryEvent>> history_;
};

/// The record in the work tree: what tunekeeper manages now; nothing at generation 0. Throws Error when it is
/// damaged.
std::optional<GenerationRecord> current_record(const HostView& host);
/// The same; a damaged record is taken from the history instead, where that has it.
std::optional<GenerationRecord> current_record(const HostView& host, const Snapshot& snapshot);

}  // namespace tunekeeper
