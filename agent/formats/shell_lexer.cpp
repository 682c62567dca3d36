#include "formats/shell_lexer.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tunekeeper {
namespace {

constexpr std::string_view operator_bytes = ";&|()<>";

bool ends_word(char c) {
  return c == ' ' || c == '\t' || c == '\n' || operator_bytes.find(c) != std::string_view::npos;
}

/// Expansions whose value depends on the running shell: `$1`, `$?`, `$$`.
bool is_special_parameter(char c) {
  return (c >= '0' && c <= '9') || std::string_view("?$#@*!-").find(c) != std::string_view::npos;
}

}  // namespace

bool is_name_start(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
}
bool is_name_char(char c) {
  return is_name_start(c) || (c >= '0' && c <= '9');
}

std::optional<std::string> ShellWord::literal() const {
  std::string text;
  for (const ShellPiece& piece : pieces) {
    if (piece.kind != ShellPiece::Kind::literal) return std::nullopt;
    text += piece.byte;
  }
  return text;
}

bool ShellWord::quoted() const {
  return end - begin != pieces.size();
}

int ShellLexer::line_at(std::size_t offset) const {
  if (offset < counted_to_) counted_to_ = 0, lines_ = 0;
  const auto from = bytes_.begin() + static_cast<long>(counted_to_);
  lines_ += static_cast<int>(std::count(from, bytes_.begin() + static_cast<long>(offset), '\n'));
  counted_to_ = offset;
  return 1 + lines_;
}

void ShellLexer::count_piece(std::size_t at) {
  if (++pieces_ > max_pieces) fail("the words of this file are too long to be followed", at);
}

void ShellLexer::fail(const std::string& problem, std::size_t at) const {
  std::size_t start = at == 0 ? 0 : bytes_.rfind('\n', at - 1) + 1;
  throw ShellSyntaxError(problem, line_at(at), static_cast<int>(at - start) + 1);
}

bool ShellLexer::skip_blank() {
  if (at(pos_) == '\\' && at(pos_ + 1) == '\n') return pos_ += 2, true;
  if (pos_ < bytes_.size() && (bytes_[pos_] == ' ' || bytes_[pos_] == '\t')) return ++pos_, true;
  return false;
}

ShellLexer::Token ShellLexer::next() {
  while (skip_blank()) continue;
  if (at(pos_) == '#') pos_ = std::min(bytes_.find('\n', pos_), bytes_.size());
  Token token;
  token.begin = pos_;
  if (pos_ >= bytes_.size()) return token;
  const char c = bytes_[pos_];
  if (c == '\n') {
    token.kind = Token::Kind::newline;
    ++pos_;
  } else if (operator_bytes.find(c) != std::string_view::npos) {
    token.kind = Token::Kind::op;
    const char second = at(pos_ + 1);
    const bool redirects =
        (c == '<' || c == '>') && second != '\0' && std::string_view("<>&|").find(second) < 4;
    const bool twice = second == c && c != '(' && c != ')';
    token.op = bytes_.substr(pos_, redirects || twice ? 2 : 1);
    pos_ += token.op.size();
  } else {
    token.kind = Token::Kind::word;
    token.word = word();
  }
  return token;
}

ShellWord ShellLexer::word() {
  ShellWord word;
  word.begin = pos_;
  while (pos_ < bytes_.size() && !ends_word(bytes_[pos_])) {
    const char c = bytes_[pos_];
    if (c == '\'') {
      single(word);
    } else if (c == '"') {
      twofold(word);
    } else if (c == '\\') {
      backslash(word, ShellQuote::bare);
    } else if (c == '$') {
      dollar(word, ShellQuote::bare);
    } else if (c == '`') {
      backticks(word, ShellQuote::bare);
    } else {
      const std::size_t begin = pos_++;
      literal(word, ShellQuote::bare, begin, c);
    }
  }
  word.end = pos_;
  return word;
}

void ShellLexer::literal(ShellWord& word, ShellQuote quote, std::size_t begin, char byte) {
  count_piece(begin);
  word.pieces.push_back({ShellPiece::Kind::literal,
                         byte,
                         quote,
                         static_cast<std::uint32_t>(begin),
                         static_cast<std::uint32_t>(pos_ - begin),
                         {}});
}

void ShellLexer::computed(ShellWord& word, ShellQuote quote, std::size_t begin, const char* what) {
  count_piece(begin);
  word.pieces.push_back({ShellPiece::Kind::computed, 0, quote, static_cast<std::uint32_t>(begin),
                         static_cast<std::uint32_t>(pos_ - begin), what});
}

void ShellLexer::single(ShellWord& word) {
  const std::size_t opened = pos_++;
  const std::size_t close = bytes_.find('\'', pos_);
  if (close == std::string_view::npos) fail("a single quote is never closed", opened);
  for (; pos_ < close;) {
    const std::size_t begin = pos_++;
    literal(word, ShellQuote::single, begin, bytes_[begin]);
  }
  ++pos_;
}

void ShellLexer::twofold(ShellWord& word) {
  const std::size_t opened = pos_++;
  while (at(pos_) != '"') {
    if (pos_ >= bytes_.size()) fail("a double quote is never closed", opened);
    const char c = bytes_[pos_];
    if (c == '\\') {
      backslash(word, ShellQuote::twofold);
    } else if (c == '$') {
      dollar(word, ShellQuote::twofold);
    } else if (c == '`') {
      backticks(word, ShellQuote::twofold);
    } else {
      const std::size_t begin = pos_++;
      literal(word, ShellQuote::twofold, begin, c);
    }
  }
  ++pos_;
}

void ShellLexer::backslash(ShellWord& word, ShellQuote quote) {
  const std::size_t begin = pos_++;
  const char next = at(pos_);
  if (next == '\n' && pos_ < bytes_.size()) {
    ++pos_;
    return;
  }
  const bool escapes =
      pos_ < bytes_.size() &&
      (quote == ShellQuote::bare || std::string_view("$`\"\\").find(next) != std::string_view::npos);
  if (escapes) ++pos_;
  literal(word, quote, begin, escapes ? next : '\\');
}

void ShellLexer::backticks(ShellWord& word, ShellQuote quote) {
  const std::size_t begin = pos_++;
  while (at(pos_) != '`') {
    if (pos_ >= bytes_.size()) fail("a backtick is never closed", begin);
    pos_ += bytes_[pos_] == '\\' ? 2 : 1;
  }
  ++pos_;
  computed(word, quote, begin, "`...`");
}

void ShellLexer::dollar(ShellWord& word, ShellQuote quote) {
  const std::size_t begin = pos_;
  const char next = at(pos_ + 1);
  if (continues(pos_ + 1)) {
    // The shell drops the line end first, so that `$` and what comes on the next line belong together.
    ++pos_;
    computed(word, quote, begin, "a name over two lines");
  } else if (next == '(') {
    pos_ = closing(pos_ + 2, ')', begin);
    // Arithmetic can assign, and what it assigns is beyond us.
    computed(word, quote, begin, at(begin + 2) == '(' ? "$((...))" : "$(...)");
  } else if (next == '{') {
    braces(word, quote);
  } else if (is_name_start(next)) {
    ++pos_;
    while (is_name_char(at(pos_))) ++pos_;
    if (continues(pos_)) return computed(word, quote, begin, "a name over two lines");
    word.pieces.push_back({ShellPiece::Kind::variable, 0, quote, static_cast<std::uint32_t>(begin),
                           static_cast<std::uint32_t>(pos_ - begin),
                           std::string(bytes_.substr(begin + 1, pos_ - begin - 1))});
  } else if (is_special_parameter(next)) {
    pos_ += 2;
    computed(word, quote, begin, "a parameter of the shell");
  } else if (quote == ShellQuote::bare && (next == '\'' || next == '"')) {
    // dash keeps the dollar, bash decodes escapes: which shell /bin/sh is, is not ours to guess.
    pos_ = next == '"' ? closing_quote(pos_ + 2, begin) : bytes_.find('\'', pos_ + 2);
    if (pos_ >= bytes_.size() && next == '\'') fail("a single quote is never closed", begin + 1);
    if (next == '\'') ++pos_;
    computed(word, quote, begin, "a quotation with a dollar");
  } else {
    ++pos_;
    literal(word, quote, begin, '$');
  }
}

void ShellLexer::braces(ShellWord& word, ShellQuote quote) {
  const std::size_t begin = pos_;
  pos_ = closing(begin + 2, '}', begin, quote);
  std::string_view inner = bytes_.substr(begin + 2, pos_ - begin - 3);
  const std::size_t length =
      static_cast<std::size_t>(std::find_if_not(inner.begin(), inner.end(), is_name_char) - inner.begin());
  const std::string name(inner.substr(0, length));
  const std::string_view rest = inner.substr(length);
  if (!name.empty() && is_name_start(name[0]) && rest.empty()) {
    word.pieces.push_back({ShellPiece::Kind::variable, 0, quote, static_cast<std::uint32_t>(begin),
                           static_cast<std::uint32_t>(pos_ - begin), name});
    return;
  }
  if (inner.empty()) fail("an empty ${}", begin);
  if (rest.substr(0, 1) == "=" || rest.substr(0, 2) == ":=") word.assigns.push_back(name);
  computed(word, quote, begin, "${...}");
}

std::size_t ShellLexer::closing_quote(std::size_t from, std::size_t opened) const {
  for (std::size_t i = from; i < bytes_.size(); ++i) {
    const char c = bytes_[i];
    if (c == '"') return i + 1;
    if (c == '\\') ++i;
    if (c == '$' && at(i + 1) == '(') i = closing(i + 2, ')', i) - 1;
    if (c == '$' && at(i + 1) == '{') i = closing(i + 2, '}', i, ShellQuote::twofold) - 1;
  }
  fail("a double quote is never closed", opened);
}

std::size_t ShellLexer::closing(std::size_t from, char close, std::size_t opened, ShellQuote quote) const {
  if (++depth_ > max_depth) fail(fmt::format("expansions are nested deeper than {}", max_depth), opened);
  for (std::size_t i = from; i < bytes_.size(); ++i) {
    const char c = bytes_[i];
    if (c == close) return --depth_, i + 1;
    if (c == '\\') {
      ++i;
    } else if (c == '\'' && quote != ShellQuote::twofold) {
      i = bytes_.find('\'', i + 1);
      if (i == std::string_view::npos) break;
    } else if (c == '"') {
      i = closing_quote(i + 1, i) - 1;
    } else if (c == '(' && close == ')') {
      i = closing(i + 1, ')', i) - 1;
    } else if (c == '$' && at(i + 1) == '{') {
      i = closing(i + 2, '}', i, quote) - 1;
    } else if (c == '$' && at(i + 1) == '(') {
      i = closing(i + 2, ')', i) - 1;
    }
  }
  fail(close == ')' ? "a $( is never closed" : "a ${ is never closed", opened);
}

}  // namespace tunekeeper
