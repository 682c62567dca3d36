#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/shell_vars.hpp"

namespace tunekeeper {

/// One word of a shell file, in its pieces.
struct ShellWord {
  std::vector<ShellPiece> pieces;
  std::size_t begin = 0;
  std::size_t end = 0;
  std::vector<std::string> assigns;  ///< variables that an expansion in it sets: `${X:=y}`

  /// The word, when all of it is literal; a reserved word only counts when nothing of it is quoted.
  std::optional<std::string> literal() const;
  bool quoted() const;
};

/// Cuts a shell file into words and operators, as POSIX sh does (XCU 2.3). Throws ShellSyntaxError for quotes
/// and expansions that never close.
class ShellLexer {
 public:
  struct Token {
    enum class Kind { word, op, newline, end };
    Kind kind = Kind::end;
    std::string op;
    ShellWord word;
    std::size_t begin = 0;
  };

  explicit ShellLexer(std::string_view bytes) : bytes_(bytes) {}

  Token next();
  [[noreturn]] void fail(const std::string& problem, std::size_t at) const;
  int line_at(std::size_t offset) const;

 private:
  bool skip_blank();
  ShellWord word();
  void dollar(ShellWord& word, ShellQuote quote);
  void braces(ShellWord& word, ShellQuote quote);
  void twofold(ShellWord& word);
  void single(ShellWord& word);
  void backslash(ShellWord& word, ShellQuote quote);
  void backticks(ShellWord& word, ShellQuote quote);
  void computed(ShellWord& word, ShellQuote quote, std::size_t begin, const char* what);
  void literal(ShellWord& word, ShellQuote quote, std::size_t begin, char byte);
  /// The offset after the `close` that ends what was opened before `from`; quotes and nested openings inside
  /// count, but a single quote is an ordinary byte in a `${` between double quotes.
  std::size_t closing(std::size_t from, char close, std::size_t opened,
                      ShellQuote quote = ShellQuote::bare) const;
  std::size_t closing_quote(std::size_t from, std::size_t opened) const;
  bool continues(std::size_t offset) const { return at(offset) == '\\' && at(offset + 1) == '\n'; }
  char at(std::size_t offset) const { return offset < bytes_.size() ? bytes_[offset] : '\0'; }

  /// Expansions within expansions; more is an error, so that no file can exhaust the stack.
  static constexpr int max_depth = 200;
  /// Pieces of all words; more is an error, so that memory stays bounded. A kernel reads 4096 bytes of
  /// command line.
  static constexpr std::size_t max_pieces = 100'000;

  void count_piece(std::size_t at);

  std::string_view bytes_;
  std::size_t pos_ = 0;
  std::size_t pieces_ = 0;
  mutable int depth_ = 0;
  mutable std::size_t counted_to_ = 0;  ///< newlines before this offset are counted in lines_
  mutable int lines_ = 0;
};

bool is_name_start(char c);
bool is_name_char(char c);

}  // namespace tunekeeper
