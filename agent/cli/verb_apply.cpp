#include <memory>
#include <set>

#include <fmt/format.h>

#include "cli/console.hpp"
#include "cli/json_document.hpp"
#include "cli/last_run.hpp"
#include "cli/verbs.hpp"
#include "cli/workbench.hpp"
#include "core/places.hpp"
#include "engine/saved_plan.hpp"
#include "engine/transaction.hpp"

namespace tunekeeper {
namespace {

struct ApplyFlags {
  std::vector<std::string> profiles;
  std::vector<std::string> drop;
  std::string restart = "reload";
  bool yes = false;
  bool runtime = false;
  bool next_boot = false;
  bool force = false;
  bool end_hold = false;
  bool unattended = false;
  bool detailed = false;
};

RestartPolicy policy_of(const std::string& word) {
  if (word == "never") return RestartPolicy::never;
  return word == "restart" ? RestartPolicy::restart : RestartPolicy::reload;
}

RunOptions options_of(const ApplyFlags& flags, const Globals& globals) {
  return {.planes = planes_for(flags.runtime, flags.next_boot),
          .restart = policy_of(flags.restart),
          .force = flags.force,
          .end_hold = flags.end_hold,
          .unattended = flags.unattended,
          .drop = flags.drop,
          .only = globals.only};
}

/// What host.yaml lets an unattended run do to the services that plans may touch.
std::map<std::string, RestartPolicy> unattended_policies(const HostConfig& config) {
  std::map<std::string, RestartPolicy> policies;
  std::set<std::string> services = {"nginx", "mariadb", "mysql", "mysqld"};
  for (const auto& [service, policy] : config.services) services.insert(service);
  for (const std::string& service : services) {
    switch (config.policy(service).restart) {
      case ServicePolicy::Restart::never:
        policies[service] = RestartPolicy::never;
        break;
      case ServicePolicy::Restart::reload:
        policies[service] = RestartPolicy::reload;
        break;
      case ServicePolicy::Restart::restart:
        policies[service] = RestartPolicy::restart;
        break;
    }
  }
  return policies;
}

/// A profile is a name or NAME.yaml; any other file is a plan.
bool names_plan(const std::string& word) {
  if (word.ends_with(".yaml")) return false;
  return word.find('/') != std::string::npos || word.ends_with(".json") || word.ends_with(".plan");
}

/// The saved plan that the only argument names; nothing when it names a profile.
std::optional<SavedPlan> saved_plan(Workbench& bench, const ApplyFlags& flags) {
  if (flags.profiles.size() != 1 || !names_plan(flags.profiles.front())) return std::nullopt;
  const std::string& word = flags.profiles.front();
  try {
    return parse_plan(bench.read_own_file(word));
  } catch (Error& error) {
    error.with_frame("reading the saved plan " + word)
        .with_state("host unchanged")
        .with_next("make one: tunekeeper diff -o " + word);
    throw;
  }
}

/// Refuses a saved plan when the host is no longer as it was.
void require_unchanged(Workbench& bench, const SavedPlan& saved, const Wishes& wishes,
                       const RunOptions& options) {
  const Plan plan = make_plan(bench.session("apply"), wishes, options);
  const std::string change = changed_since(saved, save_plan(wishes, options, plan));
  if (change.empty()) return;
  throw Error("the host changed since this plan was made: " + change)
      .with_state("host unchanged by this run")
      .with_next("look again: tunekeeper diff -o FILE");
}

std::string heading(const ReportHead& head) {
  return fmt::format("{} on {}:", fmt::join(head.profiles, ", "), head.host);
}

std::string result_text(const ReportHead& head, const ApplyResult& result, const Globals& globals) {
  Plan now{.rows = result.after, .actions = {}, .incurable = {}, .skipped_checks = {}};
  std::string text;
  if (result.changed) {
    text += actions_text(result.plan.actions);
    text += result.generation > 0 ? fmt::format("Generation {} is in force.\n\n", result.generation) : "\n";
  } else {
    text += "Nothing to do. ";
  }
  for (const std::string& id : result.plan.incurable) {
    text += fmt::format("Left as it is: {}, decided where tunekeeper does not write (see its row).\n", id);
  }
  TextStyle style = style_for(globals);
  style.closing = false;
  return text + diff_text(head, now, style);
}

Document result_json(const ReportHead& head, const ApplyResult& result) {
  Document json = Document::parse(diff_json(head, result.after, "tunekeeper.apply/1"));
  json["changed"] = result.changed;
  json["generation"] = result.generation;
  json["actions"] = Document::array();
  if (result.changed) {
    for (const Action& action : result.plan.actions) json["actions"].push_back(describe(action));
  }
  add_skipped_checks(json, result.changed ? result.plan.skipped_checks : std::vector<CheckFiles>());
  return json;
}

ExitStatus status_of(const ApplyFlags& flags, const ApplyResult& result) {
  // What could not be made so must not look like success to a script.
  if (!result.plan.incurable.empty()) return ExitStatus::error;
  if (!flags.detailed) return ExitStatus::ok;
  if (result.changed) return ExitStatus::differs;
  const Summary summary = summarize(result.after);
  return summary.pending > 0 ? ExitStatus::pending : ExitStatus::ok;
}

void tell_unwatched(const Wishes& wishes, const Workbench&, Console& console) {
  if (wishes.whole) return;
  for (const std::string& profile : wishes.profiles) {
    const auto& listed = wishes.host_profiles;
    if (std::find(listed.begin(), listed.end(), profile) != listed.end()) continue;
    console.tell(fmt::format(
        "a bare verify will not watch {}: it is not in {} (let it go with: tunekeeper apply --drop {})",
        profile, HostConfig::path, profile));
  }
}

/// Undoes an unfinished run before anything is looked at that it left half done: what is wanted, and whether
/// that can be, is decided on the host as it is then.
void recover_first(const ApplyFlags& flags, const Globals& globals) {
  Workbench bench(globals, Workbench::HostFile::optional);
  if (!bench.host().exists(places::kJournal)) return;
  Console console(globals, {flags.yes || flags.unattended, flags.unattended, {}});
  Session session = bench.session("apply");
  const auto lock = take_lock(session);
  if (const auto told = recover(session)) console.tell(*told);
}

ExitStatus apply_verb(ApplyFlags flags, const Globals& given) {
  Globals globals = given;
  recover_first(flags, globals);
  Workbench bench(globals);
  const std::optional<SavedPlan> saved = saved_plan(bench, flags);
  RunOptions options = options_of(flags, globals);
  if (flags.unattended) {
    options.restart = RestartPolicy::reload;
    options.services = unattended_policies(bench.config());
  }
  if (saved) {
    flags.profiles = saved->profiles;
    options.only = saved->only;
    options.drop = saved->drop;
    options.planes = saved->planes;
  }
  const Wishes wishes = bench.wishes(flags.profiles, options.drop);
  bench.require_managed(options.drop);
  if (saved) require_unchanged(bench, *saved, wishes, options);

  const ReportHead head{bench.host_name(), wishes.profiles.empty() ? options.drop : wishes.profiles};
  Console console(globals, {flags.yes || flags.unattended, flags.unattended, heading(head)});
  Session session = bench.session("apply");
  LastRun last(session, wishes.profiles);
  const ApplyResult result = last.watch([&] { return apply(session, wishes, options, console); });
  if (result.refused) {
    print_out("Nothing was changed.\n");
    return ExitStatus::ok;
  }
  if (result.changed) tell_unwatched(wishes, bench, console);
  const ExitStatus status = status_of(flags, result);
  last.ended(status, result.generation, result.after);
  if (globals.json) {
    print_out(print(result_json(head, result)));
  } else if (!globals.quiet || result.changed) {
    print_out(result_text(head, result, globals));
  }
  return status;
}

}  // namespace

std::function<ExitStatus()> prepare_apply(CLI::App& parser, const Globals& globals) {
  auto flags = std::make_shared<ApplyFlags>();
  parser.add_option("profile", flags->profiles,
                    "Profiles by name or file, or one saved plan; host.yaml's when there are none");
  parser.add_flag("-y,--yes", flags->yes, "Answer the prompt");
  parser
      .add_option("--restart", flags->restart, "How far services may be disturbed: never, reload or restart")
      ->check(CLI::IsMember({"never", "reload", "restart"}));
  CLI::Option* runtime = parser.add_flag("--runtime", flags->runtime, "Live values only");
  parser.add_flag("--next-boot", flags->next_boot, "Persisted values only")->excludes(runtime);
  parser.add_option("--drop", flags->drop, "Let profile P go: its settings get their originals back")
      ->type_name("P")
      ->allow_extra_args(false);
  parser.add_flag("--force", flags->force, "Past the guard rails");
  parser.add_flag("--end-hold", flags->end_hold, "End a hold and apply");
  parser.add_flag("--unattended", flags->unattended, "For timers: never asks; a failure sets a hold");
  parser.add_flag("--detailed-exitcode", flags->detailed,
                  "Exit 2 when something was changed, 3 when something waits");
  return [flags, &globals] { return apply_verb(*flags, globals); };
}

}  // namespace tunekeeper
