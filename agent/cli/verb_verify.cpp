#include <memory>

#include "cli/console.hpp"
#include "cli/verbs.hpp"
#include "cli/workbench.hpp"
#include "engine/generations.hpp"
#include "engine/hold.hpp"

namespace tunekeeper {
namespace {

struct VerifyFlags {
  std::vector<std::string> profiles;
  bool strict = false;
  bool nagios = false;
  bool wants_metrics = false;
  std::string metrics_file;
  std::string live_file;
};

/// Monitoring plugins know OK 0, WARNING 1, CRITICAL 2, UNKNOWN 3.
ExitStatus nagios_status(const Summary& summary, bool strict, bool held) {
  switch (status_of(summary, strict)) {
    case ExitStatus::error:
      return static_cast<ExitStatus>(3);
    case ExitStatus::differs:
      return static_cast<ExitStatus>(2);
    case ExitStatus::pending:
      return static_cast<ExitStatus>(1);
    default:
      return held ? static_cast<ExitStatus>(1) : ExitStatus::ok;
  }
}

void print_metrics(Workbench& bench, const VerifyFlags& flags, const Plan& plan, bool held) {
  const auto record = current_record(bench.host(), bench.snapshot());
  const std::string text = metrics_text(plan.rows, record ? record->generation : 0, held);
  if (flags.metrics_file.empty()) {
    print_out(text);
  } else {
    bench.write_own_file(flags.metrics_file, text);
  }
}

/// Writes the file only when it says something else than before: a commit of /etc carries it.
void write_live_values(Workbench& bench, const std::string& file, const std::vector<Row>& rows) {
  const std::string text = live_values_text(rows);
  if (!bench.own_file_is(file, text)) bench.write_own_file(file, text);
}

ExitStatus verify(const VerifyFlags& flags, const Globals& globals) {
  Workbench bench(globals);
  const Wishes wishes = bench.wishes(flags.profiles);
  RunOptions options;
  options.only = globals.only;
  const Plan plan = make_check(bench.session("verify"), wishes, options);
  const ReportHead head{bench.host_name(), wishes.profiles, apply_command(flags.profiles, globals.only),
                        plan.extra};
  const bool held = read_hold(bench.host()).has_value();
  const Summary summary = summarize(plan.rows);
  if (!flags.live_file.empty()) write_live_values(bench, flags.live_file, plan.rows);
  if (flags.wants_metrics) print_metrics(bench, flags, plan, held);
  if (flags.nagios) {
    print_out(nagios_line(head, plan.rows, held));
    return nagios_status(summary, flags.strict, held);
  }
  const ExitStatus status = status_of(summary, flags.strict);
  if (globals.json) {
    print_out(check_json(head, plan.rows, "tunekeeper.verify/1"));
  } else if (!(flags.wants_metrics && flags.metrics_file.empty()) &&
             !(globals.quiet && status == ExitStatus::ok)) {
    TextStyle style = style_for(globals);
    style.strict = flags.strict;
    print_out(diff_text(head, plan, style));
  }
  return status;
}

ExitStatus verify_for_nagios(const VerifyFlags& flags, const Globals& globals) {
  try {
    return verify(flags, globals);
  } catch (const std::exception& error) {
    print_out(std::string("TUNEKEEPER UNKNOWN: ") + error.what() + "\n");
    return static_cast<ExitStatus>(3);
  }
}

}  // namespace

std::function<ExitStatus()> prepare_verify(CLI::App& parser, const Globals& globals) {
  auto flags = std::make_shared<VerifyFlags>();
  parser.add_option("profile", flags->profiles, "Profiles by name or file; host.yaml's when there are none");
  parser.add_flag("--strict", flags->strict, "Unsupported settings count as differences");
  parser.add_flag("--nagios", flags->nagios, "One line and exit status for monitoring plugins");
  parser
      .add_option_function<std::string>(
          "--metrics",
          [flags](const std::string& file) {
            flags->wants_metrics = true;
            flags->metrics_file = file;
          },
          "Prometheus text, to standard output or FILE")
      ->expected(0, 1)
      ->type_name("[=FILE]")
      ->trigger_on_parse();
  parser.add_option("--live", flags->live_file, "Write the live values to FILE, when they changed")
      ->type_name("FILE");
  return [flags, &globals] {
    return flags->nagios ? verify_for_nagios(*flags, globals) : verify(*flags, globals);
  };
}

}  // namespace tunekeeper
