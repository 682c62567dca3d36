#include "providers/nginx/directives.hpp"

#include <algorithm>
#include <cctype>

#include "core/nearest.hpp"
#include "providers/nginx/known_directives.hpp"

namespace tunekeeper::nginx {

namespace {

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const KnownDirective* known(Level level, std::string_view name) {
  for (const KnownDirective& directive : known_directives()) {
    if (directive.level == level && directive.name == name) return &directive;
  }
  return nullptr;
}

const KnownDirective* known_elsewhere(Level level, std::string_view name) {
  for (const KnownDirective& directive : known_directives()) {
    if (directive.level != level && directive.name == name) return &directive;
  }
  return nullptr;
}

std::string_view level_name(Level level) {
  return level == Level::main ? "main" : level == Level::events ? "events" : "http";
}

bool is_group(std::span<const std::string> path) {
  return path.size() == 1 && (path[0] == "events" || path[0] == "http");
}

// Modules bring http directives that we do not know. A name that is almost one of ours is a slip all the
// same.
bool looks_mistyped(std::string_view name, Level level) {
  std::vector<std::string> names;
  for (const KnownDirective& directive : known_directives()) {
    if (directive.level == level) names.emplace_back(directive.name);
  }
  const auto near = nearest(name, names);
  return near && near->front() == name.front() && near->size() <= name.size() + 1 &&
         name.size() <= near->size() + 1;
}

std::optional<std::string> key_problem(std::span<const std::string> path) {
  if (is_group(path)) return "this is a group of settings, not one";
  if (path.empty() || path.size() > 2 || (path.size() == 2 && path[0] != "events" && path[0] != "http")) {
    return "settings of nginx's main context, events: and http: only";
  }
  const Level level = level_of(path);
  const std::string& name = path.back();
  if (name.empty()) return "a directive has no name";
  if (name.find_first_of(" \t\r\n;{}\"'\\#$") != std::string::npos) return "this is no name of a directive";
  if (contains(block_directives(), name)) return "this directive is a block, not a setting";
  if (contains(additive_directives(), name)) {
    return "this directive may stand several times; only directives that stand once in their block are "
           "managed";
  }
  if (known(level, name) != nullptr) return std::nullopt;
  if (const KnownDirective* other = known_elsewhere(level, name)) {
    return "no directive of nginx's " + std::string(level_name(level)) + " context, but of its " +
           std::string(level_name(other->level)) + " context";
  }
  if (level == Level::http && !looks_mistyped(name, level)) return std::nullopt;
  return "no directive of nginx's " + std::string(level_name(level)) + " context";
}

bool all_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

bool is_size(std::string_view text) {
  if (text.empty()) return false;
  if (std::string_view("kKmMgG").find(text.back()) != std::string_view::npos) text.remove_suffix(1);
  return all_digits(text);
}

}  // namespace

Level level_of(std::span<const std::string> path) {
  if (path.size() < 2) return Level::main;
  return path[0] == "events" ? Level::events : Level::http;
}

ValueType type_of(Level level, std::string_view directive) {
  const KnownDirective* found = known(level, directive);
  if (found == nullptr) return ValueType::words;
  switch (found->kind) {
    case Kind::flag:
      return ValueType::text_nocase;
    case Kind::number:
      return ValueType::number;
    case Kind::size:
      return ValueType::size;
    case Kind::duration:
      return ValueType::duration;
    case Kind::words:
      break;
  }
  return ValueType::words;
}

std::string value_problem(Level level, std::string_view directive, std::string_view value) {
  const KnownDirective* found = known(level, directive);
  if (found == nullptr) return {};
  const std::vector<std::string> words = split_arguments(value);
  if (words.empty()) return "nginx wants a value here";
  const std::string& word = words[0];
  const std::string given = ", not \"" + std::string(value) + "\"";
  const bool one = words.size() == 1;
  switch (found->kind) {
    case Kind::flag:
      if (one && (same(ValueType::text_nocase, word, "on") || same(ValueType::text_nocase, word, "off")))
        return {};
      return "nginx takes on or off here" + given;
    case Kind::number:
      if (one && all_digits(word)) return {};
      if (one && found->name == "worker_processes" && word == "auto") return {};
      return "nginx takes a plain number here" + given;
    case Kind::size:
      if (one && (is_size(word) || word == "off")) return {};
      return "nginx takes a size here, a number with k, m or g" + given;
    case Kind::duration:
      if (order(ValueType::duration, word, "0") || word == "off") return {};
      return "nginx takes a time here, like 75, 75s or 1m15s" + given;
    case Kind::words:
      return {};
  }
  return {};
}

const SectionSpec& section_spec() {
  static const std::vector<std::string_view> keys = [] {
    std::vector<std::string_view> names = {"events", "http"};
    for (const KnownDirective& directive : known_directives()) names.push_back(directive.name);
    return names;
  }();
  static const SectionSpec spec = [] {
    SectionSpec made;
    made.name = "nginx";
    made.id_prefix = "nginx";
    made.is_group = is_group;
    made.key_problem = key_problem;
    made.known_keys = keys;
    return made;
  }();
  return spec;
}

std::vector<std::string> split_arguments(std::string_view value) {
  const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
  std::vector<std::string> words;
  std::size_t at = 0;
  while (true) {
    while (at < value.size() && blank(value[at])) ++at;
    if (at >= value.size()) return words;
    const char quote = value[at];
    const std::size_t closing =
        quote == '"' || quote == '\'' ? value.find(quote, at + 1) : std::string_view::npos;
    if (closing != std::string_view::npos && (closing + 1 == value.size() || blank(value[closing + 1]))) {
      words.emplace_back(value.substr(at + 1, closing - at - 1));
      at = closing + 1;
      continue;
    }
    const std::size_t begin = at;
    while (at < value.size() && !blank(value[at])) ++at;
    words.emplace_back(value.substr(begin, at - begin));
  }
}

std::string join_arguments(std::span<const std::string> arguments) {
  std::string out;
  for (const std::string& argument : arguments) {
    if (&argument != &arguments.front()) out += ' ';
    const bool bare = split_arguments(argument) == std::vector<std::string>{argument};
    const char quote = argument.find('"') == std::string::npos ? '"' : '\'';
    out += bare ? argument : quote + argument + quote;
  }
  return out;
}

}  // namespace tunekeeper::nginx
