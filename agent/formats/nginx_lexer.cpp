#include "formats/nginx_lexer.hpp"

#include <array>
#include <cstring>

namespace tunekeeper::nginx_lexer {

namespace {

// nginx reads through a buffer of this size; a token or comment must leave it before it is full
// (NGX_CONF_BUFFER).
constexpr std::size_t buffer_size = 4096;

constexpr std::array<bool, 256> make_bare_stops() {
  std::array<bool, 256> stops{};
  for (char c : {' ', '\t', '\r', '\n', ';', '{', '\\', '$'}) stops[static_cast<unsigned char>(c)] = true;
  return stops;
}
constexpr auto bare_stops = make_bare_stops();

// Bytes that nginx still reads with the token's beginning in its buffer: a separator makes it read one byte
// more.
bool overflows(std::string_view text, std::size_t start, std::size_t terminator) {
  const std::size_t read = terminator - start + (is_blank(text[terminator]) ? 1 : 0);
  return read >= buffer_size;
}

TokenFault read_bare(std::string_view text, std::size_t at, Token& token) {
  const std::size_t size = text.size();
  const std::size_t begin = at;
  while (true) {
    while (at < size && !bare_stops[static_cast<unsigned char>(text[at])]) ++at;
    if (at >= size) return TokenFault::end_of_file;
    if (text[at] == '\\') {
      at += 2;
    } else if (text[at] == '$') {
      ++at;
      while (at < size && text[at] == '{') ++at;  // "${" is a variable, whatever its braces
    } else {
      break;
    }
  }
  token = {begin, at, begin, at};
  return overflows(text, begin, at) ? TokenFault::too_long : TokenFault::none;
}

TokenFault read_quoted(std::string_view text, std::size_t at, Token& token) {
  const char quote = text[at];
  const std::size_t inner = at + 1;
  std::size_t end = inner;
  while (end < text.size() && text[end] != quote) end += text[end] == '\\' ? 2 : 1;
  if (end >= text.size()) return TokenFault::unterminated_quote;
  token = {at, end + 1, inner, end};
  if (end + 1 >= text.size()) return TokenFault::end_of_file;
  const char next = text[end + 1];
  if (!is_blank(next) && next != ';' && next != '{' && next != ')') return TokenFault::text_after_quote;
  return overflows(text, inner, end + 1) ? TokenFault::too_long : TokenFault::none;
}

// The level of a long bracket "[==[" at `at`, or npos when there is none.
std::size_t long_bracket_level(std::string_view text, std::size_t at) {
  if (at >= text.size() || text[at] != '[') return std::string_view::npos;
  std::size_t level = 0;
  while (at + 1 + level < text.size() && text[at + 1 + level] == '=') ++level;
  const std::size_t second = at + 1 + level;
  return second < text.size() && text[second] == '[' ? level : std::string_view::npos;
}

std::size_t long_bracket_end(std::string_view text, std::size_t at, std::size_t level) {
  const std::string closing = "]" + std::string(level, '=') + "]";
  const std::size_t found = text.find(closing, at + level + 2);
  return found == std::string_view::npos ? found : found + closing.size();
}

std::size_t lua_comment_end(std::string_view text, std::size_t at) {
  const std::size_t level = long_bracket_level(text, at + 2);
  if (level != std::string_view::npos) return long_bracket_end(text, at + 2, level);
  return text.find('\n', at);
}

// A quote that is not closed on its line opens no string, as in the Lua module's own lexer.
std::size_t lua_string_end(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t end = at + 1; end < text.size() && text[end] != '\n'; ++end) {
    if (text[end] == quote) return end + 1;
    if (text[end] == '\\' && end + 1 < text.size() && text[end + 1] != '\n') ++end;
  }
  return at + 1;
}

// Behind the Lua token at `at`, braces apart.
std::size_t lua_step(std::string_view text, std::size_t at) {
  const char c = text[at];
  if (c == '"' || c == '\'') return lua_string_end(text, at);
  if (c == '-' && text.substr(at, 2) == "--") return lua_comment_end(text, at);
  if (c == '[') {
    const std::size_t level = long_bracket_level(text, at);
    if (level != std::string_view::npos) return long_bracket_end(text, at, level);
  }
  return at + 1;
}

}  // namespace

TokenFault read_token(std::string_view text, std::size_t at, Token& token) {
  if (text[at] == '"' || text[at] == '\'') return read_quoted(text, at, token);
  return read_bare(text, at, token);
}

std::size_t skip_blanks(std::string_view text, std::size_t at, std::size_t& too_long) {
  const std::size_t size = text.size();
  while (at < size) {
    if (is_blank(text[at])) {
      ++at;
    } else if (text[at] == '#') {
      const void* found = std::memchr(text.data() + at, '\n', size - at);
      const std::size_t end = found ? std::size_t(static_cast<const char*>(found) - text.data()) : size;
      if (end - at >= buffer_size + (found ? 0 : 1)) {
        too_long = at;
        return size;
      }
      at = end;
    } else {
      break;
    }
  }
  return at;
}

std::string decode(std::string_view inner) {
  if (inner.find('\\') == std::string_view::npos) return std::string(inner);
  std::string out;
  out.reserve(inner.size());
  for (std::size_t i = 0; i < inner.size(); ++i) {
    const char next = i + 1 < inner.size() ? inner[i + 1] : '\0';
    if (inner[i] != '\\' || next == '\0' || std::strchr("\"'\\trn", next) == nullptr) {
      out += inner[i];
      continue;
    }
    out += next == 't' ? '\t' : next == 'r' ? '\r' : next == 'n' ? '\n' : next;
    ++i;
  }
  return out;
}

std::size_t lua_body_end(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  while (at < text.size()) {
    if (text[at] == '{') {
      ++depth, ++at;
    } else if (text[at] == '}') {
      if (depth-- == 0) return at;
      ++at;
    } else {
      at = lua_step(text, at);
    }
  }
  return std::string_view::npos;
}

}  // namespace tunekeeper::nginx_lexer
