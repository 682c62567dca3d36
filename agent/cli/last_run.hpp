#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/json_document.hpp"
#include "core/exit_status.hpp"
#include "core/row.hpp"
#include "engine/session.hpp"

namespace tunekeeper {

/// The record of a writing run in /run/tunekeeper, for status: written when the run ends, however it ends.
class LastRun {
 public:
  LastRun(Session& session, const std::vector<std::string>& profiles);
  /// Without a call of ended() before it, the run counts as failed.
  ~LastRun();
  LastRun(const LastRun&) = delete;
  LastRun& operator=(const LastRun&) = delete;

  /// Runs the work; an error that leaves it ends the run with the error's exit status.
  template <typename Work>
  auto watch(Work work) {
    try {
      return work();
    } catch (const Error& error) {
      json_["exit"] = static_cast<int>(error.status());
      throw;
    }
  }

  void ended(ExitStatus status, int generation, const std::vector<Row>& rows);

 private:
  Session& session_;
  Document json_;
};

/// The last run's record; nothing when there is none since the boot.
std::optional<Document> read_last_run(const HostView& host);

}  // namespace tunekeeper
