#include <set>

#include <fmt/format.h>

#include "cli/console.hpp"
#include "cli/json_document.hpp"
#include "cli/last_run.hpp"
#include "cli/verbs.hpp"
#include "cli/workbench.hpp"
#include "engine/generations.hpp"
#include "engine/hold.hpp"
#include "engine/time_text.hpp"
#include "engine/transaction.hpp"

namespace tunekeeper {
namespace {

struct Standing {
  int generation = 0;
  std::vector<std::string> profiles;
  std::vector<std::string> extra;
  std::optional<Hold> hold;
  std::string unfinished;       ///< in words
  std::set<std::string> waits;  ///< "reboot", "restart mariadb"
  std::optional<Document> last;
  std::string host_file_problem;
};

std::string unfinished_in_words(const HostView& host, const Snapshot& snapshot) {
  try {
    const auto run = unfinished_run(host, snapshot);
    return run ? fmt::format("an {} of {} did not end; the next apply or rollback undoes it", run->verb,
                             rfc3339(run->since))
               : std::string();
  } catch (const Error& error) {
    return error.what();
  }
}

/// What waits now, where host.yaml says which profiles to look at; else what the last run left waiting.
std::set<std::string> waiting(Workbench& bench, const std::optional<Document>& last) {
  std::set<std::string> waits;
  if (!bench.host_profiles().empty()) {
    const Plan plan = make_check(bench.session("status"), bench.wishes({}), RunOptions{});
    for (const Row& row : plan.rows) {
      if (row.state == State::pending) waits.insert(to_string(row.seen.takes_effect));
    }
  } else if (last && last->contains("pending")) {
    for (const Document& effect : last->at("pending")) waits.insert(effect.get<std::string>());
  }
  return waits;
}

Standing look(Workbench& bench) {
  Standing standing;
  if (const auto record = current_record(bench.host(), bench.snapshot())) {
    standing.generation = record->generation;
    standing.profiles = record->profiles;
    standing.extra = record->extra_profiles;
  }
  standing.hold = read_hold(bench.host());
  standing.unfinished = unfinished_in_words(bench.host(), bench.snapshot());
  standing.last = read_last_run(bench.host());
  standing.waits = waiting(bench, standing.last);
  standing.host_file_problem = bench.host_file_problem();
  return standing;
}

std::string status_json(const Standing& standing, const std::string& host) {
  Document json;
  json["schema"] = "tunekeeper.status/1";
  json["host"] = host;
  json["generation"] = standing.generation;
  json["profiles"] = standing.profiles;
  json["extra"] = standing.extra;
  json["hold"] = nullptr;
  if (standing.hold) {
    json["hold"] = {{"by", to_string(standing.hold->by)},
                    {"message", standing.hold->message},
                    {"since", rfc3339(standing.hold->since)}};
  }
  json["pending"] = standing.waits;
  json["unfinished"] = standing.unfinished.empty() ? Document(nullptr) : Document(standing.unfinished);
  json["host_file_problem"] =
      standing.host_file_problem.empty() ? Document(nullptr) : Document(standing.host_file_problem);
  json["last_run"] = standing.last ? *standing.last : Document(nullptr);
  return print(json);
}

std::string last_in_words(const Document& last) {
  return fmt::format("{} at {}, exit status {}", last.value("verb", "?"), last.value("time", "?"),
                     last.value("exit", -1));
}

std::string status_text(const Standing& standing, const std::string& host) {
  std::string text = fmt::format("{}: generation {}", host, standing.generation);
  if (!standing.profiles.empty()) text += fmt::format(" ({})", fmt::join(standing.profiles, ", "));
  text += "\n";
  if (!standing.extra.empty()) {
    text += fmt::format("extra        {} (applied by name; a bare verify does not watch it)\n",
                        fmt::join(standing.extra, ", "));
  }
  if (standing.hold) {
    text += fmt::format("hold         by {} since {}: {}\n", to_string(standing.hold->by),
                        rfc3339(standing.hold->since), standing.hold->message);
  }
  if (!standing.unfinished.empty()) text += "unfinished   " + standing.unfinished + "\n";
  if (!standing.waits.empty()) text += fmt::format("waits for    {}\n", fmt::join(standing.waits, ", "));
  if (!standing.host_file_problem.empty()) text += "host.yaml    " + standing.host_file_problem + "\n";
  text += "last run     " +
          (standing.last ? last_in_words(*standing.last) : std::string("none since the boot")) + "\n";
  return text;
}

ExitStatus status(const Globals& globals) {
  Workbench bench(globals, Workbench::HostFile::optional);
  const Standing standing = look(bench);
  print_out(globals.json ? status_json(standing, bench.host_name())
                         : status_text(standing, bench.host_name()));
  return ExitStatus::ok;
}

}  // namespace

std::function<ExitStatus()> prepare_status(CLI::App&, const Globals& globals) {
  return [&globals] { return status(globals); };
}

}  // namespace tunekeeper
