#include "core/expression_syntax.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>

namespace tunekeeper {
namespace {

constexpr std::array<std::string_view, 17> statement_words = {
    "break", "do",    "else",   "elseif", "end",  "for",   "function", "goto", "if",
    "in",    "local", "repeat", "return", "then", "until", "while",    "_ENV"};
constexpr std::array<std::string_view, 6> operator_words = {"and", "or", "not", "nil", "true", "false"};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_name_char(char c) {
  return is_name_start(c) || is_digit(c);
}

/// The end of a quoted text that starts at `at`; npos when it is not closed.
std::size_t find_quote_end(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

struct Token {
  enum class Kind { name, number, text, symbol, end };

  Kind kind = Kind::end;
  std::string_view text;
  std::size_t column = 0;

  bool is(std::string_view symbol) const { return kind == Kind::symbol && text == symbol; }
};

/// Splits an expression into tokens; a dotted name is one.
class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  Token next() {
    while (at_ < source_.size() && std::string_view(" \t\r\n").find(source_[at_]) != std::string_view::npos)
      ++at_;
    if (at_ == source_.size()) return {Token::Kind::end, {}, at_ + 1};
    const char c = source_[at_];
    if (is_name_start(c)) return take(Token::Kind::name, name_end());
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return take(Token::Kind::number, number_end());
    if (c == '"' || c == '\'')
      return take(Token::Kind::text, std::min(find_quote_end(source_, at_), source_.size()));
    return take(Token::Kind::symbol, at_ + symbol_size());
  }

 private:
  char peek(std::size_t ahead) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }

  Token take(Token::Kind kind, std::size_t end) {
    const Token token{kind, source_.substr(at_, end - at_), at_ + 1};
    at_ = end;
    return token;
  }

  std::size_t name_end() const {
    std::size_t end = at_;
    while (true) {
      while (end < source_.size() && is_name_char(source_[end])) ++end;
      if (end + 1 >= source_.size() || source_[end] != '.' || !is_name_start(source_[end + 1])) return end;
      ++end;
    }
  }

  std::size_t number_end() const {
    std::size_t end = at_;
    for (; end < source_.size(); ++end) {
      const char c = source_[end];
      const bool sign =
          (c == '+' || c == '-') && end > at_ &&
          std::string_view("eEpP").find(source_[end - 1]) != std::string_view::npos &&
          (source_.substr(at_, 2) != "0x" || source_[end - 1] == 'p' || source_[end - 1] == 'P');
      if (!is_name_char(c) && c != '.' && !sign) return end;
    }
    return end;
  }

  std::size_t symbol_size() const {
    static constexpr std::array<std::string_view, 13> symbols = {"...", "..", "==", "~=", "<=", ">=", "//",
                                                                 "::",  "<<", ">>", "--", "[[", "[="};
    for (const auto symbol : symbols)
      if (source_.substr(at_, symbol.size()) == symbol) return symbol.size();
    return 1;
  }

  std::string_view source_;
  std::size_t at_ = 0;
};

/// Tokens to names and faults.
class Scanner {
 public:
  explicit Scanner(std::string_view source) {
    Lexer lexer(source);
    do tokens_.push_back(lexer.next());
    while (tokens_.back().kind != Token::Kind::end);
  }

  ExpressionScan run() {
    if (tokens_.size() == 1) fault(tokens_.front(), "the expression is empty");
    for (at_ = 0; at_ + 1 < tokens_.size(); ++at_) look_at(tokens_[at_]);
    if (!open_.empty()) fault(open_.back(), fmt::format("\"{}\" is never closed", open_.back().text));
    return std::move(scan_);
  }

 private:
  void fault(const Token& token, std::string message) {
    scan_.faults.push_back({token.column, std::move(message)});
  }

  void look_at(const Token& token) {
    switch (token.kind) {
      case Token::Kind::name:
        return look_at_name(token);
      case Token::Kind::symbol:
        return look_at_symbol(token);
      case Token::Kind::text:
        if (find_quote_end(token.text, 0) != token.text.size())
          fault(token, "the quoted text is never closed");
        return;
      default:
        return;
    }
  }

  void look_at_name(const Token& token) {
    const auto is_in = [&](const auto& words) {
      return std::find(words.begin(), words.end(), token.text) != words.end();
    };
    if (is_in(statement_words)) {
      fault(token, fmt::format("\"{}\" cannot stand here: only expressions are understood", token.text));
    } else if (!is_in(operator_words)) {
      scan_.names.push_back({std::string(token.text), token.column});
    }
  }

  void look_at_symbol(const Token& token) {
    if (const auto problem = symbol_problem(token)) return fault(token, *problem);
    if (token.is("==") || token.is("~=")) return look_at_equality(token);
    if (token.is("(") || token.is("[") || token.is("{")) open_.push_back(token);
    if (token.is(")") || token.is("]") || token.is("}")) close(token);
    if (token.is(",") && open_.empty())
      fault(token, "one expression gives one value: the \",\" cannot stand here");
  }

  std::optional<std::string> symbol_problem(const Token& token) const {
    if (token.is("=")) return "\"=\" does not compare: write \"==\"";
    if (token.is("!")) return "\"!\" is no operator here: write \"not\", and \"~=\" for unequal";
    if (token.is("--"))
      return "a comment cannot stand in an expression; between two minus signs goes a blank";
    if (token.is("[[") || token.is("[=")) return "a long text cannot stand in an expression";
    if (token.is(":")) return "a method cannot be called: texts have none here";
    if (token.is(";") || token.is("::") || token.is("..."))
      return fmt::format("\"{}\" cannot stand here: only expressions are understood", token.text);
    if (token.is("[") && tokens_[at_ + 1].kind == Token::Kind::text)
      return "a name is not quoted: write group.name, not group[\"name\"]";
    return std::nullopt;
  }

  void close(const Token& token) {
    static constexpr std::string_view opening = "([{", closing = ")]}";
    const char wanted = opening[closing.find(token.text.front())];
    if (open_.empty() || open_.back().text.front() != wanted) {
      fault(token, fmt::format("\"{}\" closes nothing", token.text));
    } else {
      open_.pop_back();
    }
  }

  void look_at_equality(const Token& token) {
    std::size_t left = at_, right = at_ + 1;
    while (left > 0 && tokens_[left - 1].is(")")) --left;
    while (tokens_[right].is("(")) ++right;
    for (const Token* side : {left > 0 ? &tokens_[left - 1] : nullptr, &tokens_[right]}) {
      if (!side || side->kind != Token::Kind::name || !is_version_name(side->text)) continue;
      fault(token, fmt::format("a version cannot be compared by \"{0}\": write {1} >= \"…\" and {1} < \"…\"",
                               token.text, side->text));
      return;
    }
  }

  std::vector<Token> tokens_;
  std::vector<Token> open_;
  std::size_t at_ = 0;
  ExpressionScan scan_;
};

}  // namespace

ExpressionScan scan_expression(std::string_view expression) {
  return Scanner(expression).run();
}

std::size_t find_expression_end(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' || text[i] == '\'') {
      const std::size_t end = find_quote_end(text, i);
      if (end == std::string_view::npos) return end;
      i = end - 1;
    } else if (text[i] == '{') {
      ++depth;
    } else if (text[i] == '}' && depth-- == 0) {
      return i;
    }
  }
  return std::string_view::npos;
}

bool is_version_name(std::string_view name) {
  return !name.starts_with("vars.") && (name.ends_with(".version") || name.ends_with(".release"));
}

}  // namespace tunekeeper
