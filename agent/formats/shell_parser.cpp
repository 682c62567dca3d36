#include "formats/shell_parser.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "formats/shell_lexer.hpp"

namespace tunekeeper {
namespace {

using Kind = ShellStatement::Kind;
using Token = ShellLexer::Token;

/// Commands that change no variable and let the shell go on.
constexpr std::array<std::string_view, 8> harmless = {":",    "true", "echo",  "printf",
                                                      "test", "[",    "umask", "cd"};

/// What each reserved word that opens a compound command is closed by.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> compounds = {
    {{"if", "fi"}, {"for", "done"}, {"while", "done"}, {"until", "done"}, {"case", "esac"}, {"{", "}"}}};

constexpr std::array<std::string_view, 4> closers = {"fi", "done", "esac", "}"};

/// Reserved words after which a command begins anew.
constexpr std::array<std::string_view, 5> separators = {"then", "else", "elif", "do", "!"};

bool contains(const auto& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

/// Length of `NAME` in a word `NAME=...`, whose name and `=` are not quoted; 0 when it is no assignment.
std::size_t assigned_name(const ShellWord& word) {
  std::size_t length = 0;
  for (const ShellPiece& piece : word.pieces) {
    const bool plain = piece.kind == ShellPiece::Kind::literal && piece.quote == ShellQuote::bare &&
                       piece.length == 1 && piece.offset == word.begin + length;
    if (!plain) return 0;
    if (piece.byte == '=') return length;
    if (!is_name_char(piece.byte) || (length == 0 && !is_name_start(piece.byte))) return 0;
    ++length;
  }
  return 0;
}

/// The shell replaces an unquoted `~` at the start of a value and after a colon by a home directory.
bool has_tilde(const std::vector<ShellPiece>& value) {
  char before = ':';
  for (const ShellPiece& piece : value) {
    if (piece.kind == ShellPiece::Kind::literal && piece.quote == ShellQuote::bare && piece.length == 1 &&
        piece.byte == '~' && before == ':') {
      return true;
    }
    before = piece.quote == ShellQuote::bare ? piece.byte : '\0';
  }
  return false;
}

/// Turns tokens into statements. It follows the nesting of compound commands only as far as it must to tell
/// what always happens from what may.
class Parser {
 public:
  explicit Parser(std::string_view bytes) : lexer_(bytes) {}

  std::vector<ShellStatement> run() {
    for (;;) {
      const Token token = lexer_.next();
      if (negated_ && !begins_command(token)) lexer_.fail("\"!\" without a command", *negated_);
      negated_.reset();
      if (token.kind == Token::Kind::end) break;
      if (in_pattern()) {
        pattern(token);
      } else if (token.kind == Token::Kind::word) {
        word(token.word);
      } else if (token.kind == Token::Kind::newline) {
        if (!idle() || closed_) end_command(";");
      } else if (!oper(token)) {
        return std::move(statements_);
      }
    }
    if (!idle() || closed_) end_command(";");
    if (!open_.empty())
      lexer_.fail(fmt::format("\"{}\" is never closed", open_.back().word), open_.back().at);
    if (unfinished_) lexer_.fail("a command is missing at the end", *unfinished_);
    return std::move(statements_);
  }

 private:
  struct Open {
    std::string word;
    std::string close;
    std::size_t at;
    bool pattern = false;  ///< of a case: its next pattern comes
  };

  bool in_pattern() const { return !open_.empty() && open_.back().pattern; }
  bool idle() const { return command_.empty() && !redirected_; }

  /// Whether a `!` may stand before it.
  static bool begins_command(const Token& token) {
    if (token.kind == Token::Kind::op) return token.op == "(" || token.op[0] == '<' || token.op[0] == '>';
    if (token.kind != Token::Kind::word) return false;
    const std::string text = token.word.quoted() ? "" : token.word.literal().value_or("");
    return !contains(separators, text) && !contains(closers, text);
  }

  /// What stands between `in` or `;;` and the `)` of a case.
  void pattern(const Token& token) {
    if (token.kind == Token::Kind::op && token.op == ")") open_.back().pattern = false;
    if (token.kind == Token::Kind::word && !token.word.quoted() && token.word.literal() == "esac")
      close("esac", token.begin);
  }

  void word(const ShellWord& word) {
    if (std::exchange(redirection_target_, false)) return;
    const std::optional<std::string> text = word.literal();
    if (idle() && text && !word.quoted() && reserved(*text, word)) return;
    command_.push_back(word);
  }

  bool reserved(const std::string& text, const ShellWord& word) {
    for (const auto& [opens, closes] : compounds) {
      if (text != opens) continue;
      if (text == "case") case_header(word.begin);
      open_.push_back({text, std::string(closes), word.begin, text == "case"});
      closed_ = false;
      if (text == "for") command_.push_back(word);
      return true;
    }
    if (text == "!") negated_ = word.begin;
    if (contains(separators, text)) return certain_ = certain_ && !negated_, true;
    if (!contains(closers, text)) return false;
    close(text, word.begin);
    return true;
  }

  void case_header(std::size_t at) {
    if (lexer_.next().kind != Token::Kind::word) lexer_.fail("\"case\" without a word", at);
    Token token = lexer_.next();
    while (token.kind == Token::Kind::newline) token = lexer_.next();
    if (token.kind != Token::Kind::word || token.word.literal() != "in")
      lexer_.fail("\"case\" without \"in\"", at);
  }

  void close(const std::string& text, std::size_t at) {
    if (open_.empty() || open_.back().close != text) lexer_.fail(fmt::format("\"{}\" unexpected", text), at);
    open_.pop_back();
    closed_ = true;
  }

  /// False when the rest of the file cannot be followed.
  bool oper(const Token& token) {
    const std::string& op = token.op;
    if (op == "<<") {
      spoil_all("a here-document", token.begin);
      return false;
    }
    if (op[0] == '<' || op[0] == '>') {
      redirect(token);
    } else if (op == "(") {
      parenthesis(token);
    } else if (op == ")") {
      if (!idle()) end_command(";");
      close(")", token.begin);
    } else if (op == ";;") {
      if (!idle()) end_command(";");
      if (open_.empty() || open_.back().word != "case") lexer_.fail("\";;\" unexpected", token.begin);
      open_.back().pattern = true;
    } else if (idle() && !closed_) {
      lexer_.fail(fmt::format("\"{}\" unexpected", op), token.begin);
    } else {
      end_command(op);
      if (op != ";" && op != "&") unfinished_ = token.begin;
    }
    return true;
  }

  void redirect(const Token& token) {
    redirected_ = redirection_target_ = true;
    if (command_.empty() || command_.back().end != token.begin) return;
    const std::string number = command_.back().literal().value_or("x");
    if (number.find_first_not_of("0123456789") == std::string::npos) command_.pop_back();
  }

  void parenthesis(const Token& token) {
    const bool function = command_.size() == 1 && command_[0].literal() && assigned_name(command_[0]) == 0;
    if (!command_.empty() && !function) lexer_.fail("\"(\" unexpected", token.begin);
    command_.clear();
    closed_ = false;
    open_.push_back({"(", ")", token.begin});
  }

  void end_command(const std::string& op) {
    const bool always = open_.empty() && certain_ && !redirected_ && op != "|" && op != "&";
    subshell_ = op == "|" || after_pipe_;
    if (!command_.empty()) command(always && !subshell_);
    after_pipe_ = op == "|";
    certain_ = (op == ";" || op == "&") && open_.empty();
    redirected_ = redirection_target_ = closed_ = false;
    unfinished_.reset();
    command_.clear();
  }

  void command(bool always) {
    for (const ShellWord& word : command_) {
      for (const std::string& name : word.assigns) spoil(name, "${...=...}", word.begin);
      for (const ShellPiece& piece : word.pieces) {
        if (piece.name == "$((...))") spoil_all("$((...))", word.begin);
      }
    }
    std::size_t words = 0;
    while (words < command_.size() && assigned_name(command_[words]) > 0) ++words;
    const bool only_assigns = words == command_.size();
    for (std::size_t i = 0; i < words; ++i) assign(command_[i], always && only_assigns, "a command");
    if (!only_assigns) builtin(words, always);
  }

  void builtin(std::size_t at, bool always) {
    const std::string name = command_[at].literal().value_or("an expansion");
    if (contains(harmless, name) || subshell_) return;
    if (name == "for" && at + 1 < command_.size())
      return spoil(command_[at + 1].literal().value_or(""), name, command_[at].begin);
    if (name != "export" && name != "readonly" && name != "unset") return spoil_all(name, command_[at].begin);
    for (std::size_t i = at + 1; i < command_.size(); ++i) declare(name, command_[i], always && at == 0);
  }

  void declare(const std::string& builtin, const ShellWord& word, bool always) {
    const std::optional<std::string> text = word.literal();
    if (assigned_name(word) > 0)
      return assign(word, always && builtin == "export" && safe_argument(word), builtin);
    if (!text || text->find('=') != std::string::npos) return spoil_all(builtin, word.begin);
    if (builtin != "export" && text->substr(0, 1) != "-") spoil(*text, builtin, word.begin);
  }

  /// Shells differ in whether they split an unquoted expansion in an argument of `export`.
  static bool safe_argument(const ShellWord& word) {
    return std::none_of(word.pieces.begin(), word.pieces.end(), [](const ShellPiece& piece) {
      return piece.kind == ShellPiece::Kind::variable && piece.quote == ShellQuote::bare;
    });
  }

  void assign(const ShellWord& word, bool always, std::string_view by) {
    const std::size_t length = assigned_name(word);
    ShellStatement made;
    for (std::size_t i = 0; i < length; ++i) made.name += word.pieces[i].byte;
    made.begin = word.begin;
    made.value_begin = word.begin + length + 1;
    made.value_end = word.end;
    made.line = lexer_.line_at(word.begin);
    made.value.assign(word.pieces.begin() + static_cast<long>(length) + 1, word.pieces.end());
    if (!always) return spoil(made.name, open_.empty() ? std::string(by) : open_.front().word, word.begin);
    if (has_tilde(made.value)) return spoil(made.name, "~", word.begin);
    statements_.push_back(std::move(made));
  }

  void spoil(const std::string& name, std::string_view by, std::size_t at) {
    ShellStatement made;
    made.kind = Kind::spoil;
    made.name = name;
    made.begin = made.value_begin = made.value_end = at;
    made.line = lexer_.line_at(at);
    made.reason = fmt::format("{} in line {}", by, made.line);
    statements_.push_back(std::move(made));
  }

  void spoil_all(std::string_view by, std::size_t at) {
    spoil("", by, at);
    statements_.back().kind = Kind::spoil_all;
  }

  ShellLexer lexer_;
  std::vector<ShellStatement> statements_;
  std::vector<ShellWord> command_;
  std::vector<Open> open_;
  bool certain_ = true;  ///< no `&&`, `||`, `|` or `!` of its list stands before this command
  bool after_pipe_ = false;
  bool subshell_ = false;                  ///< the command is part of a pipeline: what it sets is lost
  bool redirected_ = false;                ///< this command has a redirection
  bool redirection_target_ = false;        ///< the next word is one
  bool closed_ = false;                    ///< a compound command has just been closed
  std::optional<std::size_t> unfinished_;  ///< an operator that needs another command after it
  std::optional<std::size_t> negated_;     ///< a `!` that needs a command right after it
};

}  // namespace

std::vector<ShellStatement> parse_shell(std::string_view bytes) {
  return Parser(bytes).run();
}

}  // namespace tunekeeper
