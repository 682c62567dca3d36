#include "cli/report.hpp"

#include <fmt/format.h>

namespace tunekeeper {

Summary summarize(const std::vector<Row>& rows) {
  Summary summary;
  for (const Row& row : rows) {
    switch (row.state) {
      case State::in_sync:
        ++summary.in_sync;
        break;
      case State::differs:
        ++summary.differs;
        break;
      case State::pending:
        ++summary.pending;
        break;
      case State::unsupported:
        ++summary.unsupported;
        break;
      case State::failed:
        ++summary.failed;
        break;
    }
  }
  return summary;
}

ExitStatus status_of(const Summary& summary, bool strict) {
  if (summary.failed > 0) return ExitStatus::error;
  if (summary.differs > 0 || (strict && summary.unsupported > 0)) return ExitStatus::differs;
  return summary.pending > 0 ? ExitStatus::pending : ExitStatus::ok;
}

std::string in_words(const Summary& summary) {
  std::string words = fmt::format("{} in sync", summary.in_sync);
  if (summary.differs > 0)
    words += fmt::format(", {} {}", summary.differs, summary.differs == 1 ? "differs" : "differ");
  if (summary.pending > 0) words += fmt::format(", {} pending", summary.pending);
  if (summary.unsupported > 0) words += fmt::format(", {} unsupported", summary.unsupported);
  if (summary.failed > 0) words += fmt::format(", {} failed", summary.failed);
  return words;
}

std::string actions_text(const std::vector<Action>& actions) {
  std::string text;
  for (const Action& action : actions) text += "  " + describe(action) + "\n";
  return text;
}

}  // namespace tunekeeper
