#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "cli/console.hpp"
#include "cli/json_document.hpp"
#include "cli/verbs.hpp"
#include "cli/workbench.hpp"
#include "engine/generations.hpp"
#include "engine/time_text.hpp"

namespace tunekeeper {
namespace {

std::string trailer(const Commit& commit, const std::string& name) {
  const auto found = commit.trailers.find(name);
  return found == commit.trailers.end() ? std::string() : found->second;
}

/// "a, b" as a list.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(", ", start), text.size());
    words.push_back(text.substr(start, end - start));
    start = end + 2;
  }
  return words;
}

/// Nothing for a rollback, which counts no settings.
Document number_of(const std::string& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? Document(number) : Document(nullptr);
}

std::string history_json(const std::vector<HistoryEvent>& events, int current) {
  Document json;
  json["schema"] = "tunekeeper.history/1";
  json["current"] = current;
  json["events"] = Document::array();
  for (const HistoryEvent& event : events) {
    json["events"].push_back({{"kind", event.rollback ? "rollback" : "generation"},
                              {"generation", event.number},
                              {"time", rfc3339(event.commit.time)},
                              {"author", event.commit.author},
                              {"commit", event.commit.id},
                              {"profiles", words_of(trailer(event.commit, "Tunekeeper-Profiles"))},
                              {"settings_changed", number_of(trailer(event.commit, "Tunekeeper-Settings"))}});
  }
  return print(json);
}

std::string history_text(const std::vector<HistoryEvent>& events, int current) {
  if (events.empty()) return "No generation yet: tunekeeper has changed nothing here.\n";
  std::string text;
  for (const HistoryEvent& event : events) {
    const std::string when = rfc3339(event.commit.time);
    if (event.rollback) {
      text += fmt::format("         {}  rolled back to generation {}\n", when, event.number);
      continue;
    }
    const std::string count = trailer(event.commit, "Tunekeeper-Settings");
    text += fmt::format("{} {:>5}  {}  {} ({} {})  {}\n", event.number == current ? '*' : ' ', event.number,
                        when, trailer(event.commit, "Tunekeeper-Profiles"), count,
                        count == "1" ? "setting" : "settings", event.commit.id.substr(0, 12));
  }
  return text + fmt::format("{} {:>5}  the host as it was found\n", current == 0 ? '*' : ' ', 0);
}

ExitStatus history(const Globals& globals) {
  Workbench bench(globals, Workbench::HostFile::optional);
  const Generations generations(bench.snapshot());
  const std::vector<HistoryEvent>& events = generations.history();
  const int current = generations.current();
  print_out(globals.json ? history_json(events, current) : history_text(events, current));
  return ExitStatus::ok;
}

}  // namespace

std::function<ExitStatus()> prepare_history(CLI::App&, const Globals& globals) {
  return [&globals] { return history(globals); };
}

}  // namespace tunekeeper
