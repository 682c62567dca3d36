#include <memory>

#include <fmt/format.h>

#include "cli/console.hpp"
#include "cli/json_document.hpp"
#include "cli/verbs.hpp"
#include "cli/workbench.hpp"
#include "engine/hold.hpp"
#include "engine/transaction.hpp"

namespace tunekeeper {
namespace {

ExitStatus hold(const std::vector<std::string>& words, const Globals& globals) {
  Workbench bench(globals, Workbench::HostFile::optional);
  Session session = bench.session("hold");
  const auto lock = take_lock(session);
  const std::string message = words.empty() ? "no reason given" : fmt::format("{}", fmt::join(words, " "));
  write_hold(session.host,
             {.by = Hold::By::person, .message = message, .since = session.now(), .plan_digest = {}});
  if (globals.json) {
    print_out(print(Document{{"schema", "tunekeeper.hold/1"}, {"held", true}, {"message", message}}));
  } else if (!globals.quiet) {
    print_out("Held: every apply now stops with exit status 75. End it with: tunekeeper unhold\n");
  }
  return ExitStatus::ok;
}

ExitStatus unhold(const Globals& globals) {
  Workbench bench(globals, Workbench::HostFile::optional);
  Session session = bench.session("unhold");
  const auto lock = take_lock(session);
  const bool ended = end_hold(session.host);
  if (globals.json) {
    print_out(print(Document{{"schema", "tunekeeper.unhold/1"}, {"held", false}, {"changed", ended}}));
  } else if (!globals.quiet) {
    print_out(ended ? "The hold is ended.\n" : "No hold is in force.\n");
  }
  return ExitStatus::ok;
}

}  // namespace

std::function<ExitStatus()> prepare_hold(CLI::App& parser, const Globals& globals) {
  auto words = std::make_shared<std::vector<std::string>>();
  parser.add_option("message", *words, "Why, for whoever meets the hold");
  return [words, &globals] { return hold(*words, globals); };
}

std::function<ExitStatus()> prepare_unhold(CLI::App&, const Globals& globals) {
  return [&globals] { return unhold(globals); };
}

}  // namespace tunekeeper
