#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tunekeeper {

/// The points in which servers read option files differently. The grammar itself is that of my_default.c,
/// checked against my_print_defaults by tests/formats/mycnf_oracle.test.cpp.
struct MyCnfDialect {
  bool mariadb = true;  ///< names and prefixes without case; text after an include's path belongs to it
  std::size_t longest_piece = 4094;  ///< a longer line is read as several; 0: lines may have any length

  bool whole_lines() const { return longest_piece == 0; }

  /// Of a server: flavour "mariadb" or "mysql", version "10.11.19". MySQL reads whole lines since 9.
  static MyCnfDialect of(std::string_view flavor, std::string_view version);
};

/// One option statement, as views into the file's bytes.
struct MyCnfOption {
  std::size_t statement = 0;  ///< its index among the file's statements
  std::string_view group;
  std::string_view key;        ///< as written
  std::string_view raw_value;  ///< as written, with quotes and escapes; empty for a bare flag
  bool has_value = false;      ///< whether there is a `=`
  int line = 0;                ///< counts from 1
  std::size_t begin = 0;       ///< of the line (of the piece, where the reader splits a long one)
  std::size_t end = 0;         ///< after its line end
  std::size_t key_offset = 0;
  std::size_t value_offset = 0;  ///< where the raw value stands; the key's end for a bare flag

  /// The value as the reader takes it: outer quotes and escapes decoded; empty for a bare flag.
  std::string value() const;
};

/// Why reading a file ends early. What stands before it counts in an included file; in a first one it is
/// fatal.
struct MyCnfProblem {
  int line = 0;
  int column = 0;
  std::string what;
};

/// One option file: the places of its statements over the original bytes, which the caller keeps. Reading is
/// O(n) and never fails; 12 bytes are kept a statement, and its parts are found again when they are asked
/// for.
class MyCnf {
 public:
  enum class Kind : std::uint8_t { group, option, include, include_dir };

  explicit MyCnf(std::string_view bytes, MyCnfDialect dialect = {});

  std::string_view bytes() const { return bytes_; }
  const MyCnfDialect& dialect() const { return dialect_; }
  const std::optional<MyCnfProblem>& problem() const { return problem_; }

  /// Number of statements: group headers, options and include directives, in the file's order.
  std::size_t size() const { return marks_.size(); }
  Kind kind(std::size_t statement) const { return static_cast<Kind>(marks_[statement].group_and_kind & 3U); }
  int line(std::size_t statement) const { return static_cast<int>(marks_[statement].line); }
  /// The line of a statement with its line end, as offsets into the bytes.
  std::size_t begin(std::size_t statement) const { return marks_[statement].begin; }
  std::size_t end(std::size_t statement) const { return piece_end(marks_[statement].begin); }

  /// Requires kind == option.
  MyCnfOption option(std::size_t statement) const;
  /// The option's key as written, found without its value; requires kind == option.
  std::string_view key(std::size_t statement) const;
  /// The name in a header, trimmed at its end as the reader does; requires kind == group.
  std::string_view group_name(std::size_t statement) const;
  /// The header above an option; nothing above the first one.
  std::optional<std::size_t> header(std::size_t statement) const;
  /// The path of an include directive exactly as the reader takes it: it cuts the last byte of a line that
  /// does not end in a newline.
  std::string_view include_path(std::size_t statement) const;

  std::vector<MyCnfOption> options() const;

 private:
  struct Mark {
    std::uint32_t begin;
    std::uint32_t line;
    std::uint32_t group_and_kind;  ///< index + 1 of the header, times 4, plus the kind
  };

  std::size_t most_marks() const;
  std::size_t piece_end(std::size_t begin) const;
  std::string_view content(std::size_t begin, std::size_t end) const;
  void read_piece(std::size_t begin, std::size_t end, std::uint32_t line);
  void read_directive(std::size_t begin, std::string_view text, std::uint32_t line);
  void stop(std::size_t begin, std::string_view text, std::uint32_t line, std::string what);

  std::string_view bytes_;
  MyCnfDialect dialect_;
  bool has_nul_ = false;  ///< the reader takes a NUL for the end of its line
  std::uint32_t group_ = 0;
  std::vector<Mark> marks_;
  std::optional<MyCnfProblem> problem_;
};

/// Whether the reader takes this byte for white space: its character set is Latin-1, so 0xA0 is a blank.
inline bool mycnf_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == '\xA0';
}

/// What a raw value means to the reader.
std::string decode_mycnf_value(std::string_view raw);

/// The raw form of a value, so that the reader decodes exactly it: plain where that is possible and `quote`
/// is 0, else in quotes. Throws Error for a value that no option file can hold (a NUL byte).
std::string encode_mycnf_value(std::string_view value, char quote = 0);

}  // namespace tunekeeper
