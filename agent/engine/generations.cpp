#include "engine/generations.hpp"

#include <algorithm>
#include <charconv>

#include "core/places.hpp"

namespace tunekeeper {
namespace {

constexpr std::string_view kEtc = "/etc/";

std::optional<int> trailer_number(const Commit& commit, std::string_view name) {
  const auto found = commit.trailers.find(std::string(name));
  if (found == commit.trailers.end()) return std::nullopt;
  int number = 0;
  const std::string& text = found->second;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

const std::vector<HistoryEvent>& Generations::history() const {
  if (history_) return *history_;
  std::vector<HistoryEvent>& events = history_.emplace();
  if (!snapshot_.exists()) return events;
  snapshot_.walk([&events](const Commit& commit) {
    if (const auto number = trailer_number(commit, kGenerationTrailer))
      events.push_back({false, *number, commit});
    if (const auto number = trailer_number(commit, kRollbackTrailer))
      events.push_back({true, *number, commit});
    return true;
  });
  return events;
}

int Generations::highest() const {
  int highest = 0;
  for (const HistoryEvent& event : history()) {
    if (!event.rollback) highest = std::max(highest, event.number);
  }
  return highest;
}

int Generations::current() const {
  const std::vector<HistoryEvent>& events = history();
  return events.empty() ? 0 : events.front().number;
}

std::optional<Generation> Generations::find(int number) const {
  const int made_by = number == 0 ? 1 : number;
  for (const HistoryEvent& event : history()) {
    if (event.rollback || event.number != made_by) continue;
    Generation generation{.number = number, .commit = event.commit, .record = {}};
    if (number == 0) {
      generation.commit = Commit{};
      generation.commit.id = event.commit.parent;
      return generation;
    }
    const auto text = bytes_at(event.commit.id, std::string(places::kRecord));
    if (!text) throw Error("the commit of generation " + std::to_string(number) + " has no record");
    generation.record = parse_record(*text);
    return generation;
  }
  return std::nullopt;
}

std::optional<std::string> Generations::bytes_at(const std::string& commit, const std::string& path) const {
  if (commit.empty() || !path.starts_with(kEtc)) return std::nullopt;
  return snapshot_.file(commit, path.substr(kEtc.size()));
}

std::optional<GenerationRecord> current_record(const HostView& host) {
  const ReadResult file = host.read(places::kRecord);
  if (file.absent()) return std::nullopt;
  if (!file.ok()) throw HostError("read", places::kRecord, file.error);
  try {
    return parse_record(file.bytes);
  } catch (Error& error) {
    throw error.with_frame("reading " + std::string(places::kRecord))
        .with_next("put it back from /etc's git: git -C /etc checkout -- tunekeeper/generation.json");
  }
}

std::optional<GenerationRecord> current_record(const HostView& host, const Snapshot& snapshot) {
  try {
    return current_record(host);
  } catch (const HostError&) {
    throw;
  } catch (const Error&) {
    const Generations generations(snapshot);
    if (generations.history().empty()) throw;
    std::optional<Generation> current = generations.find(generations.current());
    if (!current || current->number == 0) return std::nullopt;
    return std::move(current->record);
  }
}

}  // namespace tunekeeper
