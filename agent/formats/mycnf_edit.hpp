#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/splice.hpp"
#include "formats/mycnf.hpp"

namespace tunekeeper {

/// What an edit gives an option: a value, or nothing for a bare flag.
using MyCnfWish = std::optional<std::string>;

/// Edits of one option file, collected and then given as splices over its bytes. A file with a problem must
/// not be edited: the constructor throws Error. So does an edit that the reader would not read back exactly.
class MyCnfEditor {
 public:
  /// The file outlives the editor.
  explicit MyCnfEditor(const MyCnf& file);

  /// Makes a present option statement say this. Only its value's bytes change, except where its form must: a
  /// bare flag gets a value, and a skipped option is named `key`.
  void assign(std::size_t statement, std::string_view key, const MyCnfWish& wish);
  /// Takes the statement's whole line away; a section that an editor made goes with its last line.
  void remove(std::size_t statement);
  /// Puts these bytes in place of the statement's line, its line end apart.
  void replace_line(std::size_t statement, std::string_view line);
  /// One more line in the file's own style (indent, blanks round `=`): after the last option of the group's
  /// last section that stands before any include; a new section where the file has none.
  void add(std::string_view group, std::string_view key, const MyCnfWish& wish);
  /// The same with the line's own bytes.
  void add_line(std::string_view group, std::string_view line);

  std::vector<Splice> splices() const;

 private:
  struct Range {
    std::size_t first;  ///< its first statement
    std::size_t begin, end;
  };

  std::size_t last_option_before_include(std::size_t header) const;
  std::optional<std::size_t> section_for(std::string_view group) const;
  std::optional<std::size_t> new_section_offset() const;
  bool looks_added(std::size_t header, std::size_t options_end) const;
  std::size_t line_end(std::size_t offset) const;
  bool blank_line_before(std::size_t offset) const;
  std::string newline_near(std::size_t offset) const;
  std::optional<MyCnfOption> style_sample(std::string_view group) const;
  std::string format_line(std::string_view group, std::string_view key, const MyCnfWish& wish) const;
  void check_line(std::string_view line, const MyCnfWish& wish) const;
  void insert_lines(std::string_view group, std::vector<std::string> lines, std::vector<Splice>& out) const;
  void insert_section(std::string_view group, const std::vector<std::string>& lines,
                      std::vector<Splice>& out) const;
  std::vector<Range> removed_lines() const;
  void widen(Range& range) const;
  std::vector<Range> removals() const;

  const MyCnf& file_;
  std::vector<Splice> changed_;
  std::vector<std::size_t> removed_;
  std::vector<std::pair<std::string, std::string>> added_;  ///< group, line
};

/// Edits the last statement of the option in the group, in whatever spelling it stands, else adds one.
std::vector<Splice> set_option(const MyCnf& file, std::string_view group, std::string_view key,
                               const MyCnfWish& wish);

/// Removes every statement of the option in the group. Undoes what set_option added.
std::vector<Splice> remove_option(const MyCnf& file, std::string_view group, std::string_view key);

}  // namespace tunekeeper
