#pragma once

#include <string>
#include <vector>

#include "core/row.hpp"
#include "engine/planner.hpp"

namespace tunekeeper {

/// How many rows are in each state.
struct Summary {
  int in_sync = 0;
  int differs = 0;
  int pending = 0;
  int unsupported = 0;
  int failed = 0;

  int total() const { return in_sync + differs + pending + unsupported + failed; }
};

Summary summarize(const std::vector<Row>& rows);

/// The exit status of diff and verify: failed over differs over pending; unsupported counts as a difference
/// when strict.
ExitStatus status_of(const Summary& summary, bool strict);

/// What a report is about.
struct ReportHead {
  std::string host;
  std::vector<std::string> profiles;
  std::string next = {};                ///< the command that makes the differences go
  std::vector<std::string> extra = {};  ///< profiles applied by name, which a bare diff does not look at
};

/// How text looks: colours or none, rows in sync or not.
struct TextStyle {
  bool color = false;
  bool verbose = false;
  bool quiet = false;
  std::size_t width = 100;  ///< columns; longer explanations are wrapped
  bool strict = false;      ///< unsupported settings count as differences
  bool closing = true;      ///< the counts and the next step below the rows
};

/// The diff as people read it.
std::string diff_text(const ReportHead& head, const Plan& plan, const TextStyle& style);
/// "tunekeeper.diff/1", with a final newline.
std::string diff_json(const ReportHead& head, const std::vector<Row>& rows, std::string_view schema);
/// The same with the profiles that were not looked at: what diff and verify print.
std::string check_json(const ReportHead& head, const std::vector<Row>& rows, std::string_view schema);
/// One line for monitoring plugins (https://www.monitoring-plugins.org/doc/guidelines.html).
std::string nagios_line(const ReportHead& head, const std::vector<Row>& rows, bool held);
/// The Prometheus text format (https://prometheus.io/docs/instrumenting/exposition_formats/).
std::string metrics_text(const std::vector<Row>& rows, int generation, bool held);

/// Live values by setting, as YAML: what changes only when a value does. Planes without a value are left out.
std::string live_values_text(const std::vector<Row>& rows);

/// What the actions will do, a line each.
std::string actions_text(const std::vector<Action>& actions);

/// "31 in sync, 3 differ, 1 unsupported".
std::string in_words(const Summary& summary);

}  // namespace tunekeeper
