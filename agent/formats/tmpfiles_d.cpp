#include "formats/tmpfiles_d.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <unordered_map>

#include <fmt/format.h>
#include <fnmatch.h>

#include "formats/c_escapes.hpp"
#include "formats/statement_lines.hpp"

namespace tunekeeper {
namespace {

constexpr std::string_view blanks = " \t\n\r";

/// The next blank-separated word, quotes and backslashes taken away; nothing where a quote stays open.
std::optional<std::string> take_word(std::string_view text, std::size_t& at) {
  at = std::min(text.find_first_not_of(blanks, at), text.size());
  if (at == text.size()) return std::nullopt;
  std::string word;
  char quote = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\') {
      if (++at == text.size()) return std::nullopt;
      word += text[at];
    } else if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (blanks.find(c) != std::string_view::npos) {
      break;
    } else {
      word += c;
    }
  }
  if (quote != 0) return std::nullopt;
  at = std::min(text.find_first_not_of(blanks, at), text.size());
  return word;
}

/// Replaces `%%`; any other known specifier makes the text computed, a bad one stays as it is.
std::string without_specifiers(std::string_view text, bool& computed) {
  constexpr std::string_view known = "abABCgGhHlLmMoStTuUvVwW";
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 1 < text.size()) {
      if (text[i + 1] == '%')
        ++i;
      else if (known.find(text[i + 1]) != std::string_view::npos)
        computed = true;
    }
    plain += text[i];
  }
  return plain;
}

std::string simplified(std::string_view path) {
  std::string simple;
  for (std::size_t at = 0; at < path.size();) {
    const auto end = std::min(path.find('/', at), path.size());
    const auto component = path.substr(at, end - at);
    at = end + 1;
    if (!component.empty() && component != ".") simple.append("/").append(component);
  }
  return simple;
}

bool known_modifiers(std::string_view modifiers) {
  return modifiers.find_first_not_of("+!-=~^$?") == std::string_view::npos;
}

/// Types of one table in systemd-tmpfiles: globs, one owner a pattern.
bool claims_pattern(char type) {
  return std::string_view("wexXrR").find(type) != std::string_view::npos;
}

/// An octal mode of at most 07777 after `~` and `:`, or `-`.
bool is_mode(std::string_view field) {
  if (field == "-") return true;
  field.remove_prefix(std::min(field.find_first_not_of("~:"), field.size()));
  field.remove_prefix(
      std::min(field.find_first_not_of('0'), field.size() - std::min<std::size_t>(field.size(), 1)));
  return !field.empty() && field.size() <= 4 && field.find_first_not_of("01234567") == std::string_view::npos;
}

/// A time span ("10d", "1h 30min", "0") after `~` and a list of time stamps ("amC:"), or `-`.
bool is_age(std::string_view field) {
  if (field == "-") return true;
  if (field.substr(0, 1) == "~") field.remove_prefix(1);
  const auto colon = field.find(':');
  if (colon != std::string_view::npos) {
    if (field.substr(0, colon).find_first_not_of("abcmABCM") != std::string_view::npos) return false;
    field.remove_prefix(colon + 1);
  }
  constexpr std::string_view digits = "0123456789. ";
  if (field.empty() || std::string_view("0123456789").find(field.front()) == std::string_view::npos)
    return false;
  static constexpr std::array<std::string_view, 33> units = {
      "us",   "usec",  "\xc2\xb5s", "ms",      "msec",      "s",  "sec",   "second", "seconds",
      "m",    "min",   "minute",    "minutes", "h",         "hr", "hour",  "hours",  "d",
      "day",  "days",  "w",         "week",    "weeks",     "M",  "month", "months", "y",
      "year", "years", "nsec",      "ns",      "\xce\xbcs", ""};
  while (!field.empty()) {
    field.remove_prefix(std::min(field.find_first_not_of(digits), field.size()));
    const auto unit = field.substr(0, std::min(field.find_first_of(digits), field.size()));
    if (std::find(units.begin(), units.end(), unit) == units.end()) return false;
    field.remove_prefix(unit.size());
  }
  return true;
}

bool parse(std::string_view text, TmpfilesLine& line) {
  std::size_t at = 0;
  const auto action = take_word(text, at);
  const auto path = action ? take_word(text, at) : std::nullopt;
  if (!path || action->empty() || !known_modifiers(std::string_view(*action).substr(1))) return false;
  line.type = action->front();
  line.modifiers = action->substr(1);
  const auto expanded = without_specifiers(*path, line.path_computed);
  if (expanded.empty() || (expanded.front() != '/' && !line.path_computed)) return false;
  line.path = line.path_computed ? expanded : simplified(expanded);
  for (int field = 0; field < 4; ++field) {
    const auto word = at < text.size() ? take_word(text, at) : std::string("-");
    if (!word || (field == 0 && !is_mode(*word)) || (field == 3 && !is_age(*word))) return false;
    line.fields.append(*word).append(" ");
  }
  const auto end = text.find_last_not_of(blanks);
  const auto raw =
      at < text.size() && end != std::string_view::npos ? text.substr(at, end - at + 1) : std::string_view{};
  line.argument_offset = line.line.offset + at;
  line.argument_length = raw.size();
  const bool none = raw.empty() || raw == "-";
  if (none && line.type == 'w') return false;
  if (none) return true;
  line.argument_computed = line.modifiers.find_first_of("~^") != std::string::npos;
  line.argument = raw;
  if (line.type != 'w') return true;
  line.argument = without_specifiers(c_unescaped(raw).value_or(line.argument), line.argument_computed);
  return true;
}

/// The lines of one pattern that systemd-tmpfiles performs, at the place of the first.
struct Claim {
  std::string pattern;
  std::size_t first_file;
  std::vector<std::pair<std::size_t, TmpfilesLine>> lines;
  bool uniform = true;  ///< all lines say the same
};

/// Whether a later line says the same as all before it, so that it is not rejected for its pattern; its type
/// may be another one.
bool repeats(const Claim& claim, const TmpfilesLine& line) {
  const TmpfilesLine& first = claim.lines.front().second;
  return claim.uniform && first.argument == line.argument && first.fields == line.fields;
}

std::vector<Claim> claims_of(std::span<const std::string_view> files) {
  std::vector<Claim> claims;
  std::unordered_map<std::string, std::size_t> by_pattern;
  for (std::size_t file = 0; file < files.size(); ++file) {
    for (auto& line : read_tmpfiles(files[file])) {
      if (!claims_pattern(line.type) || line.path_computed) continue;
      const auto [known, is_new] = by_pattern.try_emplace(line.path, claims.size());
      if (is_new) {
        auto pattern = line.path;
        claims.push_back({std::move(pattern), file, {{file, std::move(line)}}});
        continue;
      }
      Claim& claim = claims[known->second];
      const bool same = repeats(claim, line);
      if (!same && !line.appends()) continue;
      claim.uniform = same;
      claim.lines.emplace_back(file, std::move(line));
    }
  }
  return claims;
}

bool matches(const std::string& pattern, const std::string& path) {
  return fnmatch(pattern.c_str(), path.c_str(), FNM_PATHNAME | FNM_PERIOD) == 0;
}

/// Whether a pattern without wildcards stands for exactly this path.
bool is_exactly(const std::string& pattern, std::string_view path) {
  std::string plain;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (std::string_view("*?[").find(pattern[i]) != std::string_view::npos) return false;
    if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
    plain += pattern[i];
  }
  return plain == path;
}

void take(const Claim& claim, const std::string& path, TmpfilesDecision& decision) {
  if (!matches(claim.pattern, path)) return;
  if (is_exactly(claim.pattern, path) && !decision.claimed_in) decision.claimed_in = claim.first_file;
  for (const auto& [file, line] : claim.lines) {
    if (line.type != 'w') continue;
    decision.stated = true;
    decision.computed = line.argument_computed;
    decision.value = line.argument;
    decision.file = file;
    decision.line = line.line.number;
    decision.pattern = is_exactly(claim.pattern, path) ? std::string() : claim.pattern;
  }
}

std::vector<TmpfilesLine> lines_of(std::string_view bytes, std::string_view path) {
  auto lines = read_tmpfiles(bytes);
  std::erase_if(lines, [&](const TmpfilesLine& line) {
    return line.type != 'w' || line.path_computed || !is_exactly(line.path, path);
  });
  return lines;
}

}  // namespace

std::vector<TmpfilesLine> read_tmpfiles(std::string_view bytes) {
  std::vector<TmpfilesLine> found;
  SystemdLines lines(bytes);
  for (SystemdLine at; lines.next(at);) {
    const auto text = lines.text(at);
    const auto content = stripped(text);
    if (content.empty() || content.front() == '#') continue;
    TmpfilesLine line;
    line.line = at;
    if (parse(text, line)) found.push_back(std::move(line));
  }
  return found;
}

std::vector<TmpfilesDecision> decide_tmpfiles(std::span<const std::string_view> files,
                                              std::span<const std::string> paths) {
  std::vector<TmpfilesDecision> decisions(paths.size());
  const auto claims = claims_of(files);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    for (const auto& claim : claims) take(claim, paths[i], decisions[i]);
  }
  return decisions;
}

std::vector<std::string> tmpfiles_statements(std::string_view bytes, std::string_view path) {
  std::vector<std::string> statements;
  for (const auto& line : lines_of(bytes, path)) {
    statements.emplace_back(bytes.substr(line.line.offset, line.line.text_length));
  }
  return statements;
}

std::vector<Splice> restate_tmpfiles(std::string_view bytes, std::string_view path,
                                     const std::vector<std::string>& statements) {
  std::vector<SystemdLine> present;
  for (const auto& line : lines_of(bytes, path)) present.push_back(line.line);
  return restate_lines(bytes, present, statements);
}

std::vector<Splice> set_tmpfiles(std::string_view bytes, std::string_view path, std::string_view value) {
  if (value.empty() || value.find('\0') != std::string_view::npos) {
    throw std::invalid_argument("a tmpfiles.d line cannot write this value");
  }
  const auto argument = tmpfiles_argument(value);
  const auto lines = lines_of(bytes, path);
  if (lines.empty()) {
    return {appended_line(bytes, fmt::format("w {} - - - - {}", tmpfiles_path_field(path), argument))};
  }
  const auto& first = lines.front();
  if (first.argument == value && !first.argument_computed) return {};
  return {{first.argument_offset, first.argument_length, argument}};
}

std::vector<Splice> unset_tmpfiles(std::string_view bytes, std::string_view path) {
  return restate_tmpfiles(bytes, path, {});
}

std::string tmpfiles_argument(std::string_view value) {
  if (value == "-") return "\\x2d";
  std::string argument;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const auto c = static_cast<unsigned char>(value[i]);
    const bool at_end = i == 0 || i + 1 == value.size();
    if (c == '\\' || c == '%')
      argument.append(2, value[i]);
    else if (c < 0x20 || c == 0x7f || (c == ' ' && at_end))
      argument += fmt::format("\\x{:02x}", c);
    else
      argument += value[i];
  }
  return argument;
}

std::string tmpfiles_path_field(std::string_view path) {
  std::string field;
  for (const char c : path) {
    if (c == '%')
      field += "%%";
    else if (std::string_view("*?[").find(c) != std::string_view::npos)
      field.append("\\\\").append(1, c);
    else if (c == '\\')
      field += "\\\\\\\\";
    else if (std::string_view(" \t\"'").find(c) != std::string_view::npos)
      field.append("\\").append(1, c);
    else
      field += c;
  }
  return field;
}

}  // namespace tunekeeper
