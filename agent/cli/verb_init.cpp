#include <memory>

#include "cli/console.hpp"
#include "cli/json_document.hpp"
#include "cli/verbs.hpp"
#include "cli/workbench.hpp"
#include "engine/etckeeper_hooks.hpp"
#include "engine/push.hpp"
#include "engine/transaction.hpp"
#include "snapshot/etckeeper_conf.hpp"

namespace tunekeeper {
namespace {

constexpr std::string_view kEtc = "/etc/";

struct InitFlags {
  bool remove = false;
  bool yes = false;
};

/// The history of generations cannot be had again, so a person must say yes.
bool removal_confirmed(const InitFlags& flags, const Snapshot& snapshot) {
  if (flags.yes) return true;
  if (is_interactive()) return ask("Remove " + snapshot.place() + " with the history of all generations?");
  throw Error("this removes the history of all generations, and there is no terminal to ask at",
              ExitStatus::usage)
      .with_state("host unchanged")
      .with_next("tunekeeper init --remove --yes");
}

/// What came of it, in words, and whether anything did.
struct Outcome {
  std::string told = {};
  bool changed = false;
};

/// Commits what became of the hooks: /etc must not be left dirty, or etckeeper can stop the package manager.
void settle_hooks(Snapshot& snapshot, const HookChanges& changes, const std::string& what, Outcome& outcome) {
  for (const std::string& path : changes.edited)
    outcome.told += path + " was changed by somebody, so it stays as it is.\n";
  if (changes.changed.empty()) return;
  outcome.changed = true;
  outcome.told += what + ".\n";
  if (!snapshot.exists()) return;
  std::vector<std::string> paths;
  for (const std::string& path : changes.changed) paths.push_back(path.substr(kEtc.size()));
  snapshot.commit({.subject = what, .body = {}, .trailers = {}}, paths);
}

/// Whether etckeeper commits into our repository: one that is installed takes it for its own.
bool is_etckeepers_too(const HostView& host, const Snapshot& snapshot) {
  const EtckeeperConf conf = read_etckeeper_conf(host);
  return conf.installed && conf.vcs == "git" && snapshot.place() == "/etc/.git";
}

Outcome remove_repository(const HostView& host, Snapshot& snapshot) {
  if (!snapshot.exists()) return {"/etc is not kept in git.\n"};
  if (is_etckeepers_too(host, snapshot)) return {snapshot.place() + " is etckeeper's too, so it stays.\n"};
  snapshot.remove();
  if (snapshot.exists()) return {snapshot.place() + " was not made by tunekeeper, so it stays.\n"};
  return {snapshot.place() + " is removed, with the history of its generations.\n", true};
}

Outcome make_repository(const HostView& host, Snapshot& snapshot) {
  Outcome outcome;
  outcome.changed = snapshot.init();
  outcome.told = outcome.changed ? told_repository(host, snapshot) + ".\n" : "/etc is kept in git already.\n";
  const auto commit = snapshot.commit({.subject = "/etc as tunekeeper found it", .body = {}, .trailers = {}});
  if (!commit) return outcome;
  outcome.changed = true;
  outcome.told += "Its present state is committed (" + commit->substr(0, 12) + ").\n";
  return outcome;
}

ExitStatus init(const InitFlags& flags, const Globals& globals) {
  Workbench bench(globals, Workbench::HostFile::optional);
  Session session = bench.session("init");
  const auto lock = take_lock(session);
  if (flags.remove && !removal_confirmed(flags, session.snapshot)) return ExitStatus::ok;
  Outcome outcome = flags.remove ? remove_repository(session.host, session.snapshot)
                                 : make_repository(session.host, session.snapshot);
  if (flags.remove) {
    settle_hooks(session.snapshot, remove_hooks(session.host), "tunekeeper's hooks for etckeeper are removed",
                 outcome);
  } else {
    settle_hooks(session.snapshot, install_hooks(session.host), "tunekeeper's hooks are among etckeeper's",
                 outcome);
  }
  if (outcome.changed && session.snapshot.exists())
    push_commits(session, [&](const std::string& note) { outcome.told += note + ".\n"; });
  if (globals.json) {
    print_out(print(Document{{"schema", "tunekeeper.init/1"},
                             {"changed", outcome.changed},
                             {"in_git", session.snapshot.exists()}}));
  } else if (!globals.quiet) {
    print_out(outcome.told);
  }
  return ExitStatus::ok;
}

}  // namespace

std::function<ExitStatus()> prepare_init(CLI::App& parser, const Globals& globals) {
  auto flags = std::make_shared<InitFlags>();
  parser.add_flag("--remove", flags->remove, "Remove the repository that tunekeeper made, with its history");
  parser.add_flag("-y,--yes", flags->yes, "Answer the prompt");
  return [flags, &globals] { return init(*flags, globals); };
}

}  // namespace tunekeeper
