#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/splice.hpp"

namespace tunekeeper {

/// A file that the shell would refuse to read. Line and column count from 1.
class ShellSyntaxError : public Error {
 public:
  ShellSyntaxError(const std::string& problem, int line, int column);

  int line() const { return line_; }
  int column() const { return column_; }

 private:
  int line_;
  int column_;
};

/// How the shell quotes a byte of a word.
enum class ShellQuote : std::uint8_t { bare, single, twofold };

/// One byte that a word stands for, or one expansion in it, with the bytes of the file that say so.
struct ShellPiece {
  enum class Kind : std::uint8_t { literal, variable, computed };

  Kind kind = Kind::literal;
  char byte = 0;  ///< of a literal
  ShellQuote quote = ShellQuote::bare;
  std::uint32_t offset = 0;  ///< of the first raw byte, counted in the file
  std::uint32_t length = 0;  ///< raw bytes: `\"` is two for one
  std::string name;          ///< of a variable; of a computed piece what it is: "$(...)"
};

/// What one command of the file does to variables.
struct ShellStatement {
  enum class Kind {
    assign,     ///< `name` gets `value`, always
    spoil,      ///< `name` may get a value that only the shell can compute; `reason` says by what
    spoil_all,  ///< any variable may
  };

  Kind kind = Kind::assign;
  std::string name;
  std::vector<ShellPiece> value;
  std::size_t begin = 0;        ///< of the word `NAME=value`
  std::size_t value_begin = 0;  ///< of the raw value, quotes included
  std::size_t value_end = 0;
  int line = 0;
  std::string reason;
};

/// One shell file that sets variables (/etc/default/grub, grub.d/*.cfg), read as POSIX sh reads it, without
/// loss: all offsets count in the original bytes. What only a shell can work out is told as such, never
/// guessed.
class ShellFile {
 public:
  /// Throws ShellSyntaxError where sh would.
  static ShellFile parse(std::string_view bytes);

  const std::vector<ShellStatement>& statements() const& { return statements_; }
  const std::vector<ShellStatement>& statements() && = delete;
  /// The last assignment that always happens; null when there is none.
  const ShellStatement* last_assignment(std::string_view name) const;

  /// Gives the last assignment of `name` this value, in the quotes that it has; without one, a line is added.
  /// Throws Error where a line cannot be added without changing what stands before it.
  std::vector<Splice> set(std::string_view name, std::string_view value) const;
  /// Removes the line of every assignment; where something else stands on that line, the value becomes empty.
  std::vector<Splice> unset(std::string_view name) const;
  /// Adds raw text (already quoted for double quotes; see shell_quoted) to the end of a value, after a blank.
  Splice append(const ShellStatement& assignment, std::string_view raw) const;
  /// Adds a line at the end; `raw` is the value with its quotes.
  Splice add_line(std::string_view name, std::string_view raw) const;

 private:
  std::string bytes_;
  std::vector<ShellStatement> statements_;
};

/// `text` written so that it stands for itself between these quotes (`bare`: outside of any). A single quote
/// cannot stand between single quotes: it closes and opens them.
std::string shell_quoted(std::string_view text, ShellQuote quote);

/// One byte of an evaluated value, and where it was written.
struct ShellByte {
  char byte = 0;
  ShellQuote quote = ShellQuote::bare;
  std::uint16_t file = 0;       ///< the number given to ShellEnvironment::run
  std::uint32_t statement = 0;  ///< in that file
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
};

/// What a variable holds after the files were read.
struct ShellValue {
  bool computed = false;
  std::string reason;  ///< of a computed one: "`...` in line 7"
  std::vector<ShellByte> bytes;
  std::uint16_t file = 0;  ///< of the assignment that decides
  int line = 0;

  std::string text() const;
};

/// Variables after one file or several were read in order by the same shell.
class ShellEnvironment {
 public:
  /// A variable that no file sets is empty when its name begins so, else it may come from outside: computed.
  explicit ShellEnvironment(std::string empty_prefix = "GRUB_") : empty_prefix_(std::move(empty_prefix)) {}

  void run(const ShellFile& file, std::uint16_t number);
  /// Nothing when no file sets it.
  std::optional<ShellValue> get(std::string_view name) const;

 private:
  ShellValue evaluate(const ShellFile& file, std::size_t statement, std::uint16_t number) const;

  std::string empty_prefix_;
  std::map<std::string, ShellValue, std::less<>> values_;
  std::optional<ShellValue> spoiled_;
};

}  // namespace tunekeeper
