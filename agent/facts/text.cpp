#include "facts/text.hpp"

#include <algorithm>
#include <charconv>

namespace tunekeeper {

namespace {

constexpr std::string_view blanks = " \t\r\n";

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

bool next_line(std::string_view& rest, std::string_view& line) {
  if (rest.empty()) return false;
  const auto end = rest.find('\n');
  line = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return true;
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (auto at = text.find_first_not_of(blanks); at != std::string_view::npos;) {
    const auto end = std::min(text.find_first_of(blanks, at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = text.find_first_not_of(blanks, end);
  }
  return words;
}

std::optional<std::uint64_t> number_of(std::string_view text) {
  text = trimmed(text);
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string version_number(std::string_view text) {
  if (const auto epoch = text.find(':'); epoch != std::string_view::npos) text.remove_prefix(epoch + 1);
  text = text.substr(0, text.find_first_not_of("0123456789."));
  while (text.ends_with('.')) text.remove_suffix(1);
  return std::string(text);
}

std::optional<std::uint64_t> count_of_list(std::string_view list) {
  list = trimmed(list);
  std::uint64_t count = 0;
  while (!list.empty()) {
    const auto comma = list.find(',');
    const auto range = list.substr(0, comma);
    const auto dash = range.find('-');
    const auto first = number_of(range.substr(0, dash));
    const auto last = dash == std::string_view::npos ? first : number_of(range.substr(dash + 1));
    if (!first || !last || *last < *first) return std::nullopt;
    count += *last - *first + 1;
    list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 1);
  }
  return count == 0 ? std::nullopt : std::optional(count);
}

std::optional<std::string_view> colon_field(std::string_view text, std::string_view key) {
  std::string_view line;
  while (next_line(text, line)) {
    if (!line.starts_with(key)) continue;
    const auto rest = trimmed(line.substr(key.size()));
    if (rest.starts_with(':')) return trimmed(rest.substr(1));
  }
  return std::nullopt;
}

std::optional<std::string> assignment(std::string_view text, std::string_view name) {
  std::optional<std::string> value;
  std::string_view line;
  while (next_line(text, line)) {
    line = trimmed(line);
    if (!line.starts_with(name) || line.size() == name.size() || line[name.size()] != '=') continue;
    line.remove_prefix(name.size() + 1);
    const bool quoted = line.size() >= 2 && (line[0] == '"' || line[0] == '\'') && line.back() == line[0];
    value = quoted ? line.substr(1, line.size() - 2) : line;
  }
  return value;
}

bool contains_nocase(std::string_view text, std::string_view word) {
  return std::search(text.begin(), text.end(), word.begin(), word.end(),
                     [](char left, char right) { return lower(left) == lower(right); }) != text.end();
}

}  // namespace tunekeeper
