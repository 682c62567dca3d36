#include "core/old_place.hpp"

#include <map>
#include <optional>
#include <string>

namespace tunekeeper {
namespace {

struct Line {
  std::size_t begin = 0;
  std::string_view text;      ///< without its end
  std::string_view line_end;  ///< "\n", "\r\n", or nothing for a last line without one

  std::size_t end() const { return begin + text.size() + line_end.size(); }
};

std::vector<Line> lines_of(std::string_view bytes) {
  std::vector<Line> lines;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t newline = bytes.find('\n', begin);
    const std::size_t end = newline == std::string_view::npos ? bytes.size() : newline + 1;
    std::string_view text = bytes.substr(begin, end - begin);
    std::size_t kept = text.size();
    if (kept > 0 && text[kept - 1] == '\n') --kept;
    if (kept < text.size() && kept > 0 && text[kept - 1] == '\r') --kept;
    lines.push_back({begin, text.substr(0, kept), text.substr(kept)});
    begin = end;
  }
  return lines;
}

std::string_view stripped(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::map<std::string_view, int> counts_of(const std::vector<Line>& lines) {
  std::map<std::string_view, int> counts;
  for (const Line& line : lines) ++counts[line.text];
  return counts;
}

/// Whether a line of the older text is this statement, with or without a comment behind it.
bool states(std::string_view line, std::string_view statement) {
  if (!line.starts_with(statement)) return false;
  return line.size() == statement.size() || line[statement.size()] == ' ' || line[statement.size()] == '\t';
}

/// Knows both texts, and finds the place of a line.
class OldPlaces {
 public:
  OldPlaces(std::string_view now, std::string_view then)
      : now_(lines_of(now)), then_(lines_of(then)), in_now_(counts_of(now_)), in_then_(counts_of(then_)) {}

  /// The insertion of the line at its old place; nothing where that cannot be told.
  std::optional<Splice> place(std::string_view line) const {
    const std::optional<std::size_t> stood = find_in_then(stripped(line));
    if (!stood) return std::nullopt;
    for (std::size_t distance = 1; distance < then_.size(); ++distance) {
      if (*stood >= distance) {
        if (const Line* above = survivor(*stood - distance)) return after(*above, line);
      }
      if (*stood + distance < then_.size()) {
        if (const Line* below = survivor(*stood + distance)) return before(*below, line);
      }
    }
    return std::nullopt;
  }

 private:
  std::optional<std::size_t> find_in_then(std::string_view statement) const {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < then_.size() && !statement.empty(); ++i) {
      if (!states(stripped(then_[i].text), statement)) continue;
      if (found) return std::nullopt;
      found = i;
    }
    return found;
  }

  /// The line of the present text that is this one of the older text.
  const Line* survivor(std::size_t index) const {
    const std::string_view text = then_[index].text;
    const auto count = in_now_.find(text);
    const bool once = count != in_now_.end() && count->second == 1 && in_then_.at(text) == 1;
    if (!once || stripped(text).empty()) return nullptr;
    for (const Line& line : now_) {
      if (line.text == text) return &line;
    }
    return nullptr;
  }

  static Splice after(const Line& above, std::string_view line) {
    if (above.line_end.empty()) return {above.end(), 0, "\n" + std::string(line)};
    return {above.end(), 0, std::string(line).append(above.line_end)};
  }

  static Splice before(const Line& below, std::string_view line) {
    const std::string_view line_end = below.line_end.empty() ? "\n" : below.line_end;
    return {below.begin, 0, std::string(line).append(line_end)};
  }

  std::vector<Line> now_, then_;
  std::map<std::string_view, int> in_now_, in_then_;
};

/// Whether the splice puts in whole lines: at the start of a line with an end each, or at the end of one with
/// the line end before each.
bool inserts_lines(std::string_view now, const Splice& splice) {
  if (splice.length != 0 || splice.text.empty() || splice.offset > now.size()) return false;
  const bool at_start = splice.offset == 0 || now[splice.offset - 1] == '\n';
  const bool at_end = splice.offset == now.size() || now[splice.offset] == '\n' || now[splice.offset] == '\r';
  const bool ends = splice.text.back() == '\n';
  const bool begins = splice.text.front() == '\n' || splice.text.front() == '\r';
  return (at_start && ends && !begins) || (at_end && !at_start && begins);
}

}  // namespace

std::vector<Splice> at_old_places(std::string_view now, const std::vector<Splice>& splices,
                                  std::string_view then) {
  const OldPlaces places(now, then);
  std::vector<Splice> moved;
  for (const Splice& splice : splices) {
    std::vector<Splice> lines;
    bool all = inserts_lines(now, splice);
    for (const Line& line : lines_of(splice.text)) {
      if (!all || line.text.empty()) continue;
      const std::optional<Splice> place = places.place(line.text);
      all = place.has_value();
      if (place) lines.push_back(*place);
    }
    if (all && !lines.empty()) {
      moved.insert(moved.end(), lines.begin(), lines.end());
    } else {
      moved.push_back(splice);
    }
  }
  return moved;
}

}  // namespace tunekeeper
