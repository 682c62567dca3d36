#include <memory>

#include <fmt/format.h>

#include "cli/console.hpp"
#include "cli/verbs.hpp"
#include "cli/workbench.hpp"
#include "engine/saved_plan.hpp"

namespace tunekeeper {
namespace {

struct DiffFlags {
  std::vector<std::string> profiles;
  std::vector<std::string> drop;
  std::string output;
  bool strict = false;
  bool runtime = false;
  bool next_boot = false;
};

void save(Workbench& bench, const DiffFlags& flags, const SavedPlan& saved, const Plan& plan) {
  const std::string text = to_json_text(saved, plan);
  if (flags.output == "-") {
    print_out(text);
  } else {
    bench.write_own_file(flags.output, text);
  }
}

/// The apply that does what this diff shows, no more and no less.
std::string next_command(const DiffFlags& flags, const Globals& globals) {
  std::string command = apply_command(flags.profiles, globals.only);
  for (const std::string& profile : flags.drop) command += " --drop " + profile;
  if (flags.runtime) command += " --runtime";
  if (flags.next_boot) command += " --next-boot";
  return command;
}

ExitStatus diff(const DiffFlags& flags, const Globals& globals) {
  Workbench bench(globals);
  const Wishes wishes = bench.wishes(flags.profiles, flags.drop);
  const RunOptions options{
      .planes = planes_for(flags.runtime, flags.next_boot), .drop = flags.drop, .only = globals.only};
  bench.require_managed(flags.drop);
  const Plan plan = make_plan(bench.session("diff"), wishes, options);
  const ReportHead head{bench.host_name(), wishes.profiles.empty() ? flags.drop : wishes.profiles,
                        next_command(flags, globals), plan.extra};
  if (!flags.output.empty()) save(bench, flags, save_plan(wishes, options, plan), plan);
  if (globals.json) {
    print_out(check_json(head, plan.rows, "tunekeeper.diff/1"));
  } else if (flags.output != "-") {
    TextStyle style = style_for(globals);
    style.strict = flags.strict;
    print_out(diff_text(head, plan, style));
  }
  return status_of(summarize(plan.rows), flags.strict);
}

}  // namespace

std::function<ExitStatus()> prepare_diff(CLI::App& parser, const Globals& globals) {
  auto flags = std::make_shared<DiffFlags>();
  parser.add_option("profile", flags->profiles, "Profiles by name or file; host.yaml's when there are none");
  parser.add_option("-o,--output", flags->output, "Save the plan for: tunekeeper apply FILE")
      ->type_name("FILE");
  parser.add_flag("--strict", flags->strict, "Unsupported settings count as differences");
  parser.add_option("--drop", flags->drop, "Show what letting profile P go would restore")
      ->type_name("P")
      ->allow_extra_args(false);
  CLI::Option* runtime = parser.add_flag("--runtime", flags->runtime, "Live values only");
  parser.add_flag("--next-boot", flags->next_boot, "Persisted values only")->excludes(runtime);
  return [flags, &globals] { return diff(*flags, globals); };
}

PlaneSet planes_for(bool runtime, bool next_boot) {
  return {.live = !next_boot, .persisted = !runtime, .boot = !runtime};
}

}  // namespace tunekeeper
