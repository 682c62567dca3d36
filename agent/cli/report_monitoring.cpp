#include <fmt/format.h>

#include "cli/report.hpp"

namespace tunekeeper {

std::string nagios_line(const ReportHead& head, const std::vector<Row>& rows, bool held) {
  const Summary summary = summarize(rows);
  std::string_view level = "OK";
  if (summary.failed > 0) {
    level = "UNKNOWN";
  } else if (summary.differs > 0) {
    level = "CRITICAL";
  } else if (summary.pending > 0 || held) {
    level = "WARNING";
  }
  return fmt::format("TUNEKEEPER {}: {}, {}{} | in_sync={} differs={} pending={} unsupported={} failed={}\n",
                     level, fmt::join(head.profiles, ", "), in_words(summary), held ? ", held" : "",
                     summary.in_sync, summary.differs, summary.pending, summary.unsupported, summary.failed);
}

std::string metrics_text(const std::vector<Row>& rows, int generation, bool held) {
  const Summary summary = summarize(rows);
  std::string text =
      "# HELP tunekeeper_settings Settings of this host's profiles by state.\n"
      "# TYPE tunekeeper_settings gauge\n";
  const std::pair<std::string_view, int> states[] = {{"in_sync", summary.in_sync},
                                                     {"differs", summary.differs},
                                                     {"pending", summary.pending},
                                                     {"unsupported", summary.unsupported},
                                                     {"failed", summary.failed}};
  for (const auto& [state, count] : states)
    text += fmt::format("tunekeeper_settings{{state=\"{}\"}} {}\n", state, count);
  text += fmt::format(
      "# HELP tunekeeper_generation The generation in force.\n"
      "# TYPE tunekeeper_generation gauge\n"
      "tunekeeper_generation {}\n"
      "# HELP tunekeeper_held Whether a hold stops every apply.\n"
      "# TYPE tunekeeper_held gauge\n"
      "tunekeeper_held {}\n",
      generation, held ? 1 : 0);
  return text;
}

}  // namespace tunekeeper
