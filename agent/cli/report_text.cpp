#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "cli/report.hpp"
#include "core/judge.hpp"
#include "core/secret.hpp"

namespace tunekeeper {
namespace {

constexpr std::string_view kIndent = "            ";

struct Mark {
  std::string_view sign;
  std::string_view color;
};

const Plane& deciding_plane(const Row& row) {
  if (row.state == State::in_sync) return row.seen.live.has_value() ? row.seen.live : row.seen.persisted;
  if (!live_right(row)) return row.seen.live;
  if (!persisted_right(row)) return row.seen.persisted;
  return row.seen.boot;
}

Mark mark_of(const Row& row) {
  switch (row.state) {
    case State::in_sync:
      return {"=", "\033[2m"};
    case State::unsupported:
      return {"?", "\033[2m"};
    case State::failed:
      return {"!", "\033[31m"};
    case State::pending:
      return {">", "\033[36m"};
    case State::differs:
      break;
  }
  if (row.desired.want == Want::absent) return {"-", "\033[33m"};
  return deciding_plane(row).has_value() ? Mark{"~", "\033[33m"} : Mark{"+", "\033[32m"};
}

/// A value on one line: tabs as blanks, an empty one as "".
std::string printable(std::string text) {
  for (char& c : text) {
    if (c == '\t' || c == '\n') c = ' ';
  }
  return text.empty() ? "\"\"" : text;
}

std::string words_of(const Row& row, const Plane& plane) {
  switch (plane.kind) {
    case Plane::Kind::value:
      return printable(shown(row.desired.id, plane.value));
    case Plane::Kind::absent:
      return "-";
    case Plane::Kind::not_applicable:
      return "n/a";
    case Plane::Kind::unknown:
      return "unknown";
  }
  return "-";
}

std::string key_of(const Row& row) {
  return std::string(row.desired.key());
}

/// What the row says beside its name: the change, or why there is none.
std::string change_of(const Row& row) {
  if (row.state == State::unsupported || row.state == State::failed) return without_secrets(row).reason;
  if (row.state == State::in_sync) return words_of(row, deciding_plane(row));
  return words_of(row, deciding_plane(row)) + " -> " + describe(row.desired);
}

/// The planes one by one, where a single change does not tell the whole.
std::string planes_of(const Row& row) {
  std::string text;
  const auto add = [&](std::string_view name, const Plane& plane) {
    if (plane.kind == Plane::Kind::not_applicable) return;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, words_of(row, plane));
  };
  add("live", row.seen.live);
  add("on disk", row.seen.persisted);
  add("next boot", row.seen.boot);
  return text;
}

bool planes_disagree(const Row& row) {
  std::vector<std::string> words;
  for (const Plane* plane : {&row.seen.live, &row.seen.persisted, &row.seen.boot}) {
    if (plane->kind != Plane::Kind::not_applicable) words.push_back(words_of(row, *plane));
  }
  return std::adjacent_find(words.begin(), words.end(), std::not_equal_to<>()) != words.end();
}

std::string place_of(const Row& row) {
  const Position& at = row.desired.at;
  if (at.file.empty()) return {};
  const std::string name = at.file.substr(at.file.rfind('/') + 1);
  return at.line == 0 ? name : fmt::format("{}:{}", name, at.line);
}

/// The line below the row, broken between words so that it fits the width; a word longer than that stays
/// whole.
std::string wrapped(const std::string& line, std::size_t width) {
  const std::size_t room = width > kIndent.size() + 20 ? width - kIndent.size() : 20;
  std::string text;
  for (std::size_t start = 0; start < line.size();) {
    std::size_t end = line.size();
    if (end - start > room) {
      end = line.rfind(' ', start + room);
      if (end == std::string::npos || end <= start) end = std::min(line.find(' ', start), line.size());
    }
    text +=
        fmt::format("{}{}\n", kIndent, line.substr(start, line.find_last_not_of(' ', end - 1) + 1 - start));
    start = std::min(line.find_first_not_of(' ', end), line.size());
  }
  return text;
}

std::string details_of(const Row& row, const TextStyle& style) {
  std::string text;
  const auto add = [&](const std::string& line) {
    if (!line.empty()) text += wrapped(line, style.width);
  };
  const bool changes = row.state == State::differs || row.state == State::pending;
  if (changes && planes_disagree(row)) add(planes_of(row));
  if (changes && !persisted_right(row) && !row.seen.decided_by.empty())
    add("/" + row.seen.decided_by + " decides");
  const Row told = without_secrets(row);
  if (changes) add(told.reason);
  for (const std::string& entry : told.seen.boot_entries) add("boot entry " + entry);
  if (row.state != State::in_sync || style.verbose) add(told.seen.note);
  const std::string place = place_of(row);
  if (!row.desired.why.empty() && (changes || style.verbose)) {
    add(row.desired.why + (place.empty() ? "" : "  (" + place + ")"));
  } else if (row.state != State::in_sync) {
    add(place);
  }
  return text;
}

std::string effect_of(const Row& row) {
  return row.release ? "release" : to_string(row.seen.takes_effect);
}

std::string row_text(const Row& row, std::size_t width, const TextStyle& style) {
  const Mark mark = mark_of(row);
  const bool changes = row.state == State::differs || row.state == State::pending;
  std::string line = fmt::format("  {} {:<7} {:<{}}  {}", mark.sign, row.desired.section(), key_of(row),
                                 width, change_of(row));
  if (changes) line += "   " + effect_of(row);
  if (style.color) line = std::string(mark.color) + line + "\033[0m";
  return line + "\n" + (style.quiet ? std::string() : details_of(row, style));
}

bool is_shown(const Row& row, const TextStyle& style) {
  if (style.verbose) return true;
  if (style.quiet)
    return row.state == State::differs || row.state == State::pending || row.state == State::failed;
  return row.state != State::in_sync;
}

/// "3 to change: 1 now, 1 restart mariadb, 2 releases."
std::string closing_counts(const std::vector<Row>& rows) {
  std::map<std::string, int> effects;
  int changes = 0;
  for (const Row& row : rows) {
    if (row.state != State::differs) continue;
    ++changes;
    ++effects[effect_of(row)];
  }
  if (changes == 0) return {};
  std::string text = fmt::format("{} to change: ", changes);
  bool first = true;
  for (const auto& [effect, count] : effects) {
    const bool several = effect == "release" && count > 1;
    text += fmt::format("{}{} {}{}", first ? "" : ", ", count, effect, several ? "s" : "");
    first = false;
  }
  return text + ".";
}

std::string closing_pending(const std::vector<Row>& rows) {
  std::map<std::string, int> effects;
  for (const Row& row : rows) {
    if (row.state == State::pending)
      ++effects[row.seen.boot_command.empty() ? to_string(row.seen.takes_effect) : row.reason];
  }
  std::string text;
  for (const auto& [effect, count] : effects)
    text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", effect, count);
  return text.empty() ? text : "Right on disk, awaiting: " + text + ".";
}

/// Whether an apply changes something of what differs.
bool can_apply(const std::vector<Row>& rows) {
  return std::any_of(rows.begin(), rows.end(), [](const Row& row) {
    return row.state == State::differs && row.seen.takes_effect.kind != Effect::Kind::by_hand;
  });
}

/// What to do about failed rows, since apply refuses while there are any.
std::string closing_failed(const ReportHead& head, const std::vector<Row>& rows) {
  const int failed = summarize(rows).failed;
  if (failed == 0) return {};
  std::string text = fmt::format("{} failed, so apply refuses.   Next: mend what {} says", failed,
                                 failed == 1 ? "its row" : "each row");
  const std::vector<std::string> without = globs_without_failed(rows);
  if (without.empty()) return text + "\n";
  text += failed == 1 ? ", or leave it out: " : ", or leave them out: ";
  text += head.next;
  for (const std::string& glob : without) text += fmt::format(" --only '{}'", glob);
  return text + "\n";
}

/// The lines below the rows: what changes and how, what waits, and what was not looked at.
std::string closing_text(const ReportHead& head, const std::vector<Row>& rows, const TextStyle& style) {
  std::string text;
  const std::string counts = style.closing ? closing_counts(rows) : std::string();
  const std::string failed = style.closing ? closing_failed(head, rows) : std::string();
  if (!counts.empty()) {
    const std::string next = can_apply(rows) ? head.next : "change that where its row says";
    text += failed.empty() ? fmt::format("{}   Next: {}\n", counts, next) : counts + "\n";
  }
  text += failed;
  const std::string pending = closing_pending(rows);
  if (!pending.empty()) text += pending + "\n";
  if (style.strict && summarize(rows).unsupported > 0)
    text += "Unsupported settings count as differences (--strict).\n";
  if (!head.extra.empty()) {
    text += fmt::format("extra: {}, applied by name and not in host.yaml, so not looked at here\n",
                        fmt::join(head.extra, ", "));
  }
  return text;
}

}  // namespace

std::string diff_text(const ReportHead& head, const Plan& plan, const TextStyle& style) {
  const Summary summary = summarize(plan.rows);
  std::string text =
      fmt::format("{} on {}: {}\n", fmt::join(head.profiles, ", "), head.host, in_words(summary));
  std::size_t width = 0;
  for (const Row& row : plan.rows) {
    if (is_shown(row, style)) width = std::max(width, std::min<std::size_t>(key_of(row).size(), 44));
  }
  std::string rows;
  for (const Row& row : plan.rows) {
    if (is_shown(row, style)) rows += row_text(row, width, style);
  }
  if (!rows.empty()) text += "\n" + rows;
  const std::string closing = closing_text(head, plan.rows, style);
  if (!closing.empty()) text += "\n" + closing;
  return text;
}

}  // namespace tunekeeper
