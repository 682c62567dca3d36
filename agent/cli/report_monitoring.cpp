#include <map>

#include <fmt/format.h>

#include "cli/json_document.hpp"
#include "cli/report.hpp"
#include "core/secret.hpp"

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

std::string live_values_text(const std::vector<Row>& rows) {
  const auto quoted = [](const std::string& text) {
    return Document(text).dump(-1, ' ', false, Document::error_handler_t::replace);
  };
  std::map<std::string, std::string> values;
  for (const Row& row : rows) {
    if (row.seen.live.has_value()) values[row.desired.id] = shown(row.desired.id, row.seen.live.value);
  }
  std::string text =
      "# What was in force when this commit was made, of the settings that tunekeeper manages.\n";
  for (const auto& [id, value] : values) text += quoted(id) + ": " + quoted(value) + "\n";
  return text;
}

}  // namespace tunekeeper
