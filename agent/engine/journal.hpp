#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/undo.hpp"
#include "host/host.hpp"

namespace tunekeeper {

/// A run that began and did not end, as the journal tells it.
struct UnfinishedRun {
  std::string verb;
  std::string run;  ///< its name, which its commit would bear
  std::int64_t since = 0;
  std::vector<UndoStep> steps;
};

/// The write-ahead journal below /var/lib/tunekeeper: every inverse is on disk before its action is
/// performed. One JSON document a line, after its digest; a torn last line is one whose action never began.
class Journal {
 public:
  explicit Journal(Host& host) : host_(host) {}

  /// Starts a run. Requires that no unfinished one is there.
  void begin(const std::string& verb, const std::string& run, std::int64_t now);
  /// Appends the inverses and waits until they are on the disk.
  void intend(const std::vector<UndoStep>& steps);
  /// Ends the run: from here on its result stands.
  void end();

  /// The run to undo; nothing when the last one ended. Throws Error when the journal is damaged.
  static std::optional<UnfinishedRun> unfinished(const HostView& host);
  /// Moves a damaged journal out of the way and returns where it is now.
  static std::string set_aside(Host& host, std::int64_t now);

 private:
  void end_if_possible();

  Host& host_;
};

}  // namespace tunekeeper
