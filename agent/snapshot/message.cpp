#include "snapshot/message.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace tunekeeper {

namespace {

std::string one_line(std::string_view text) {
  std::string line(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\0'; }, ' ');
  return line;
}

std::string_view trim_breaks(std::string_view text) {
  while (!text.empty() && (text.front() == '\n' || text.front() == '\r')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) {
    text.remove_suffix(1);
  }
  return text;
}

bool is_token_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
}

std::optional<std::pair<std::string, std::string>> parse_trailer(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == 0 || colon == std::string_view::npos) return std::nullopt;
  if (!std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(colon), is_token_character)) {
    return std::nullopt;
  }
  std::string_view value = line.substr(colon + 1);
  while (!value.empty() && value.front() == ' ') value.remove_prefix(1);
  return std::pair(std::string(line.substr(0, colon)), std::string(value));
}

std::optional<std::map<std::string, std::string>> parse_trailers(std::string_view paragraph) {
  std::map<std::string, std::string> trailers;
  std::string last;
  while (!paragraph.empty()) {
    const std::size_t end = std::min(paragraph.find('\n'), paragraph.size());
    const std::string_view line = paragraph.substr(0, end);
    paragraph.remove_prefix(std::min(end + 1, paragraph.size()));
    if (!last.empty() && !line.empty() && line.front() == ' ') {
      trailers[last] += line;
      continue;
    }
    auto trailer = parse_trailer(line);
    if (!trailer) return std::nullopt;
    last = trailer->first;
    trailers[last] = std::move(trailer->second);
  }
  return trailers;
}

}  // namespace

std::string compose_message(const CommitMessage& message) {
  std::string text = one_line(message.subject) + "\n";
  std::string body(trim_breaks(message.body));
  body.erase(std::remove(body.begin(), body.end(), '\0'), body.end());
  if (!body.empty()) text += "\n" + body + "\n";
  if (!message.trailers.empty()) text += "\n";
  for (const auto& [token, value] : message.trailers) text += token + ": " + one_line(value) + "\n";
  return text;
}

void parse_message(std::string_view text, Commit& commit) {
  text = trim_breaks(text);
  const std::size_t subject_end = std::min(text.find('\n'), text.size());
  commit.subject = text.substr(0, subject_end);
  std::string_view rest = trim_breaks(text.substr(subject_end));
  const std::size_t gap = rest.rfind("\n\n");
  const std::size_t last = gap == std::string_view::npos ? 0 : gap + 2;
  // Without a blank line after the subject the lines below still belong to its paragraph.
  const bool separate = text.substr(subject_end).substr(0, 2) == "\n\n" || last != 0;
  if (auto trailers = separate ? parse_trailers(rest.substr(last)) : std::nullopt;
      trailers && !rest.empty()) {
    commit.trailers = std::move(*trailers);
    rest = trim_breaks(rest.substr(0, last));
  }
  commit.body = rest;
}

}  // namespace tunekeeper
