#include <memory>

#include <fmt/format.h>

#include "cli/console.hpp"
#include "cli/json_document.hpp"
#include "cli/last_run.hpp"
#include "cli/verbs.hpp"
#include "cli/workbench.hpp"
#include "engine/rollback.hpp"

namespace tunekeeper {
namespace {

struct RollbackFlags {
  std::vector<std::string> words;  ///< the generation, or with --files a commit's paths
  std::string files_of;
  std::string restart = "reload";
  bool yes = false;
  bool force = false;
};

std::optional<int> generation_of(const RollbackFlags& flags) {
  if (flags.words.empty()) return std::nullopt;
  const std::string& word = flags.words.front();
  if (flags.words.size() > 1 || word.find_first_not_of("0123456789") != std::string::npos ||
      word.size() > 9) {
    throw Error(fmt::format("\"{}\" is no generation's number", fmt::join(flags.words, " ")),
                ExitStatus::usage)
        .with_next("see them: tunekeeper history");
  }
  return std::stoi(word);
}

/// A path as users give it ("/etc/x" or "x") below /etc.
std::string below_etc(const std::string& path) {
  std::string below = path.starts_with("/etc/") ? path.substr(5) : path;
  while (below.size() > 1 && below.ends_with('/')) below.pop_back();
  if (!below.empty() && !below.starts_with('/') && ("/" + below + "/").find("/../") == std::string::npos)
    return below;
  throw Error(fmt::format("\"{}\" is no path below /etc, whose history this is", path), ExitStatus::usage)
      .with_state("host unchanged")
      .with_next("name it as /etc/x or x");
}

std::string result_text(const RollbackResult& result, bool of_files) {
  if (result.refused) return "Nothing was changed.\n";
  if (!result.changed) return "Nothing to do: " + result.nothing_to_do + ".\n";
  std::string text = actions_text(result.actions);
  if (of_files)
    return text +
           "The files are as that commit has them. A hold is in force; end it with: tunekeeper unhold\n";
  return text + fmt::format(
                    "Back from generation {} to {}. A hold is in force, so that no timer applies it again;\n"
                    "end it with: tunekeeper unhold\n",
                    result.from, result.to);
}

std::string result_json(const RollbackResult& result) {
  Document json;
  json["schema"] = "tunekeeper.rollback/1";
  json["changed"] = result.changed;
  json["from"] = result.from;
  json["to"] = result.to;
  json["actions"] = Document::array();
  for (const Action& action : result.actions) json["actions"].push_back(describe(action));
  add_skipped_checks(json, result.skipped_checks);
  json["nothing_to_do"] = result.nothing_to_do;
  return print(json);
}

RollbackResult run(Session& session, const RollbackFlags& flags, Console& console) {
  if (!flags.files_of.empty()) {
    std::vector<std::string> paths;
    for (const std::string& word : flags.words) paths.push_back(below_etc(word));
    return rollback_files(session, flags.files_of, paths, console);
  }
  const RestartPolicy restart = flags.restart == "never"     ? RestartPolicy::never
                                : flags.restart == "restart" ? RestartPolicy::restart
                                                             : RestartPolicy::reload;
  return rollback(session, {.generation = generation_of(flags), .force = flags.force, .restart = restart},
                  console);
}

ExitStatus rollback_verb(const RollbackFlags& flags, const Globals& globals) {
  Workbench bench(globals, Workbench::HostFile::optional);
  Console console(globals, {flags.yes, false, "Rolling back " + bench.host_name() + ":"});
  Session session = bench.session("rollback");
  LastRun last(session, {});
  const RollbackResult result = last.watch([&] { return run(session, flags, console); });
  last.ended(ExitStatus::ok, result.to, {});
  print_out(globals.json ? result_json(result) : result_text(result, !flags.files_of.empty()));
  return ExitStatus::ok;
}

}  // namespace

std::function<ExitStatus()> prepare_rollback(CLI::App& parser, const Globals& globals) {
  auto flags = std::make_shared<RollbackFlags>();
  parser.add_option("generation", flags->words,
                    "The generation; the one before the current when there is none. "
                    "With --files: paths below /etc");
  parser.add_option("--files", flags->files_of, "Restore files as COMMIT has them instead")
      ->type_name("COMMIT")
      ->allow_extra_args(false);
  parser
      .add_option("--restart", flags->restart, "How far services may be disturbed: never, reload or restart")
      ->check(CLI::IsMember({"never", "reload", "restart"}));
  parser.add_flag("-y,--yes", flags->yes, "Answer the prompt");
  parser.add_flag("--force", flags->force, "Take back also what somebody else changed since");
  return [flags, &globals] { return rollback_verb(*flags, globals); };
}

}  // namespace tunekeeper
