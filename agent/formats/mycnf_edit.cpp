#include "formats/mycnf_edit.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/error.hpp"
#include "formats/mycnf_names.hpp"

namespace tunekeeper {
namespace {

using Kind = MyCnf::Kind;

bool is_include(Kind kind) {
  return kind == Kind::include || kind == Kind::include_dir;
}

std::string_view without_line_end(std::string_view line) {
  if (!line.empty() && line.back() == '\n') line.remove_suffix(1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

/// The bytes between a key and its value, for a key of another length: aligned by blanks where the sample is.
std::string separator_like(const MyCnf& file, const MyCnfOption& sample, std::size_t key_size) {
  const std::size_t key_end = sample.key_offset + sample.key.size();
  std::string text(file.bytes().substr(key_end, sample.value_offset - key_end));
  const std::size_t blanks = text.find('=');
  if (blanks < 2 || text.find_first_not_of(' ') != blanks) return text;
  const std::size_t column = sample.key.size() + blanks;
  text.replace(0, blanks, std::string(column > key_size ? column - key_size : 1, ' '));
  return text;
}

/// Whether a key can name the option: prefixes stand before the name, so it ends as the name does.
bool may_name(std::string_view key, std::string_view name) {
  if (key.size() < name.size()) return false;
  const std::string_view tail = key.substr(key.size() - name.size());
  return std::equal(tail.rbegin(), tail.rend(), name.rbegin(), [](char written, char folded) {
    const bool upper = written >= 'A' && written <= 'Z';
    return folded == (written == '-' ? '_'
                      : upper        ? static_cast<char>(written - 'A' + 'a')
                                     : written) ||
           folded == written;
  });
}

std::vector<std::size_t> statements_of(const MyCnf& file, std::string_view group, std::string_view key) {
  const std::string name = option_name(key, file.dialect()).name;
  std::vector<std::size_t> found;
  bool in_group = false;
  for (std::size_t i = 0; i < file.size(); ++i) {
    if (file.kind(i) == Kind::group) in_group = same_group(file.group_name(i), group);
    if (file.kind(i) != Kind::option || !in_group) continue;
    const std::string_view written = file.key(i);
    if (!may_name(written, name)) continue;
    const OptionName named = option_name(written, file.dialect());
    if (named.name == name && !named.maximum) found.push_back(i);
  }
  return found;
}

/// Whether the last line is none to the reader, and would become an include directive without a path by a
/// line end.
bool ends_in_bare_include(const MyCnf& file) {
  const std::string text = std::string(file.bytes().substr(file.bytes().rfind('\n') + 1)) + "\n";
  const std::size_t first = text.find_first_not_of(" \t\r\v\f\xA0");
  return text[first] == '!' && MyCnf(text, file.dialect()).problem().has_value();
}

}  // namespace

MyCnfEditor::MyCnfEditor(const MyCnf& file) : file_(file) {
  if (!file.problem()) return;
  throw Error(fmt::format("cannot edit an option file with {} at line {}", file.problem()->what,
                          file.problem()->line));
}

void MyCnfEditor::assign(std::size_t statement, std::string_view key, const MyCnfWish& wish) {
  const MyCnfOption old = file_.option(statement);
  if (old.end != line_end(old.begin)) {
    throw Error(fmt::format("cannot edit line {}: it is longer than the server reads at once", old.line));
  }
  const OptionName named = option_name(old.key, file_.dialect());
  const bool keeps_key = !named.negated && !named.affirmed;
  Splice change{old.value_offset, old.raw_value.size(), {}};
  if (!wish || !keeps_key || !old.has_value) {
    change = {old.key_offset, old.value_offset + old.raw_value.size() - old.key_offset, {}};
    change.text = keeps_key ? old.key : key;
    const auto sample = style_sample(old.group);
    if (wish) change.text += sample ? separator_like(file_, *sample, change.text.size()) : " = ";
  }
  if (wish) {
    const char first = old.raw_value.empty() ? '\0' : old.raw_value.front();
    const bool quoted =
        old.raw_value.size() > 1 && (first == '"' || first == '\'') && old.raw_value.back() == first;
    change.text += encode_mycnf_value(*wish, quoted ? first : '\0');
  }
  std::string line(file_.bytes().substr(old.begin, old.end - old.begin));
  line.replace(change.offset - old.begin, change.length, change.text);
  check_line(without_line_end(line), wish);
  changed_.push_back(std::move(change));
}

void MyCnfEditor::remove(std::size_t statement) {
  removed_.push_back(statement);
}

void MyCnfEditor::replace_line(std::size_t statement, std::string_view line) {
  const std::size_t begin = file_.begin(statement);
  const std::string_view old = without_line_end(file_.bytes().substr(begin, file_.end(statement) - begin));
  changed_.push_back({begin, old.size(), std::string(line)});
}

void MyCnfEditor::add(std::string_view group, std::string_view key, const MyCnfWish& wish) {
  std::string line = format_line(group, key, wish);
  check_line(line, wish);
  const std::size_t longest = file_.dialect().longest_piece;
  if (longest != 0 && group.size() + 4 > longest) {
    throw Error(fmt::format("the server reads no group header longer than {} bytes", longest),
                ExitStatus::invalid);
  }
  added_.emplace_back(group, std::move(line));
}

void MyCnfEditor::add_line(std::string_view group, std::string_view line) {
  added_.emplace_back(group, line);
}

/// Reads the line as the server will, so that no value is written that it would take for another.
void MyCnfEditor::check_line(std::string_view line, const MyCnfWish& wish) const {
  const std::string text = fmt::format("[x]\n{}\n", line);
  const MyCnf read(text, file_.dialect());
  const std::size_t longest = file_.dialect().longest_piece;
  // A line end of two bytes must fit, too.
  if (longest != 0 && line.size() + 2 > longest) {
    throw Error(fmt::format("the server reads no line longer than {} bytes", longest), ExitStatus::invalid);
  }
  if (read.size() == 2 && !read.problem() && read.kind(1) == Kind::option) {
    const MyCnfOption option = read.option(1);
    if (option.has_value == wish.has_value() && option.value() == wish.value_or("")) return;
  }
  throw Error(fmt::format("no option file can hold this as one line: {}", line), ExitStatus::invalid);
}

/// The statement after which a new line of the section goes: its last option before an include, or its
/// header.
std::size_t MyCnfEditor::last_option_before_include(std::size_t header) const {
  std::size_t last = header;
  for (std::size_t i = header + 1; i < file_.size() && file_.kind(i) == Kind::option; ++i) last = i;
  return last;
}

std::optional<std::size_t> MyCnfEditor::section_for(std::string_view group) const {
  std::optional<std::size_t> before, after;
  bool included = false;
  for (std::size_t i = 0; i < file_.size(); ++i) {
    included = included || is_include(file_.kind(i));
    if (file_.kind(i) == Kind::group && same_group(file_.group_name(i), group))
      (included ? after : before) = i;
  }
  return before ? before : after;
}

/// Where a new section goes so that the first include still comes after it: before that include and the
/// comment that belongs to it, or before the header above it where options follow the include. Nothing: at
/// the end.
std::optional<std::size_t> MyCnfEditor::new_section_offset() const {
  std::size_t first = 0;
  while (first < file_.size() && !is_include(file_.kind(first))) ++first;
  if (first == file_.size()) return std::nullopt;
  const auto header = file_.header(first);
  bool options_follow = false;
  for (std::size_t i = first; i < file_.size() && file_.kind(i) != Kind::group; ++i) {
    options_follow = options_follow || file_.kind(i) == Kind::option;
  }
  std::size_t offset = file_.begin(options_follow && header ? *header : first);
  while (offset > 0) {
    const std::size_t newline = offset == 1 ? std::string_view::npos : file_.bytes().rfind('\n', offset - 2);
    const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
    if (file_.bytes()[begin] != '#') break;
    offset = begin;
  }
  return offset;
}

std::size_t MyCnfEditor::line_end(std::size_t offset) const {
  const std::size_t newline = file_.bytes().find('\n', offset);
  return newline == std::string_view::npos ? file_.bytes().size() : newline + 1;
}

bool MyCnfEditor::blank_line_before(std::size_t offset) const {
  const std::string_view before = file_.bytes().substr(0, offset);
  const auto ends = [&](std::string_view tail) {
    return before.size() >= tail.size() && before.substr(before.size() - tail.size()) == tail;
  };
  return ends("\n\n") || ends("\n\r\n") || before == "\n" || before == "\r\n";
}

/// Whether a section that holds nothing but options up to `options_end` stands as insert_section would put
/// it.
bool MyCnfEditor::looks_added(std::size_t header, std::size_t options_end) const {
  const std::size_t begin = file_.begin(header);
  const auto offset = new_section_offset();
  if (!offset) return options_end == file_.bytes().size() && (begin == 0 || blank_line_before(begin));
  return blank_line_before(*offset) && line_end(options_end) == *offset;
}

std::string MyCnfEditor::newline_near(std::size_t offset) const {
  const std::string_view bytes = file_.bytes();
  const std::string_view before = bytes.substr(0, offset);
  if (!before.empty() && before.back() == '\r') return "\r\n";
  std::size_t newline = before.rfind('\n');
  if (newline == std::string_view::npos) newline = bytes.find('\n');
  return newline != std::string_view::npos && newline > 0 && bytes[newline - 1] == '\r' ? "\r\n" : "\n";
}

/// The option whose style a new line takes: the last one with a value in the group's section, else in the
/// file.
std::optional<MyCnfOption> MyCnfEditor::style_sample(std::string_view group) const {
  std::optional<MyCnfOption> sample;
  for (std::size_t i = file_.size(); i-- > 0;) {
    if (file_.kind(i) != Kind::option) continue;
    const MyCnfOption option = file_.option(i);
    if (option.raw_value.empty()) continue;
    if (same_group(option.group, group)) return option;
    if (!sample) sample = option;
  }
  return sample;
}

std::string MyCnfEditor::format_line(std::string_view group, std::string_view key,
                                     const MyCnfWish& wish) const {
  const auto sample = style_sample(group);
  std::string line;
  if (sample) line = file_.bytes().substr(sample->begin, sample->key_offset - sample->begin);
  line += key;
  if (!wish) return line;
  line += sample ? separator_like(file_, *sample, key.size()) : " = ";
  return line += encode_mycnf_value(*wish);
}

void MyCnfEditor::insert_section(std::string_view group, const std::vector<std::string>& lines,
                                 std::vector<Splice>& out) const {
  const auto before_include = new_section_offset();
  const std::size_t offset = before_include.value_or(file_.bytes().size());
  const std::string newline = newline_near(offset);
  const bool unterminated = !before_include && offset > 0 && file_.bytes().back() != '\n';
  if (unterminated && ends_in_bare_include(file_)) {
    throw Error(
        "cannot add a section to an option file that ends in an include directive without a path or a line "
        "end");
  }
  std::string text = fmt::format("[{}]", group);
  for (const std::string& line : lines) text += newline + line;
  if (before_include) {
    text += newline + newline;
  } else if (unterminated) {
    text = newline + newline + text;
  } else {
    text = (offset > 0 ? newline : std::string()) + text + newline;
  }
  out.push_back({offset, 0, std::move(text)});
}

void MyCnfEditor::insert_lines(std::string_view group, std::vector<std::string> lines,
                               std::vector<Splice>& out) const {
  const auto header = section_for(group);
  if (!header) return insert_section(group, lines, out);
  const std::size_t anchor = last_option_before_include(*header);
  const std::size_t offset = line_end(file_.begin(anchor));
  // A line that the server reads in pieces, of which a later one begins another group.
  if (anchor + 1 < file_.size() && file_.begin(anchor + 1) < offset) {
    throw Error(
        "cannot add a line behind one that is longer than the server reads at once and ends in another group",
        ExitStatus::invalid);
  }
  const std::string newline = newline_near(offset);
  // A section that was empty before must not look like one that was made: a blank line tells them apart.
  if (anchor == *header && looks_added(*header, offset)) lines.insert(lines.begin(), "");
  const bool unterminated = file_.bytes()[offset - 1] != '\n';
  std::string text;
  for (const std::string& line : lines) text += unterminated ? newline + line : line + newline;
  out.push_back({offset, 0, std::move(text)});
}

/// The removed lines, joined where they touch.
std::vector<MyCnfEditor::Range> MyCnfEditor::removed_lines() const {
  std::vector<std::size_t> gone = removed_;
  std::sort(gone.begin(), gone.end());
  std::vector<Range> ranges;
  for (std::size_t statement : gone) {
    const std::size_t begin = file_.begin(statement);
    if (!ranges.empty() && begin < ranges.back().end) continue;
    if (!ranges.empty() && ranges.back().end == begin) {
      ranges.back().end = line_end(begin);
    } else {
      ranges.push_back({statement, begin, line_end(begin)});
    }
  }
  return ranges;
}

/// A section goes with its last options when it looks like one that insert_section made, and the blank line
/// of insert_lines goes with the options below it.
void MyCnfEditor::widen(Range& range) const {
  const std::size_t header = *file_.header(range.first);
  const std::size_t header_end = line_end(file_.begin(header));
  const bool adds_to_it = std::any_of(added_.begin(), added_.end(), [&](const auto& line) {
    return same_group(line.first, file_.group_name(header));
  });
  if (range.first != header + 1 || adds_to_it || !looks_added(header, range.end)) return;
  if (range.begin == header_end) {
    const bool at_end = !new_section_offset();
    const std::string_view above = file_.bytes().substr(0, file_.begin(header));
    const std::size_t blank = above.size() > 1 && above[above.size() - 2] == '\r' ? 2 : 1;
    range.begin = above.size() - (at_end && !above.empty() ? blank : 0);
    if (!at_end) range.end = line_end(range.end);
  } else if (line_end(header_end) == range.begin && blank_line_before(range.begin)) {
    range.begin = header_end;
  }
}

std::vector<MyCnfEditor::Range> MyCnfEditor::removals() const {
  std::vector<Range> ranges;
  for (Range range : removed_lines()) {
    widen(range);
    if (!ranges.empty() && ranges.back().end == range.begin) {
      ranges.back().end = range.end;
    } else {
      ranges.push_back(range);
    }
  }
  const std::string_view bytes = file_.bytes();
  if (ranges.empty() || ranges.back().end != bytes.size() || bytes.back() == '\n') return ranges;
  // The line before becomes the last one, and takes over that it has no line end.
  std::size_t& begin = ranges.back().begin;
  if (begin > 0) --begin;
  if (begin > 0 && bytes[begin - 1] == '\r') --begin;
  return ranges;
}

std::vector<Splice> MyCnfEditor::splices() const {
  std::vector<Splice> out = changed_;
  for (const Range& range : removals()) out.push_back({range.begin, range.end - range.begin, {}});
  std::vector<std::string_view> groups;
  for (const auto& [group, line] : added_) {
    const auto known = [&, &group = group](std::string_view other) { return same_group(group, other); };
    if (std::none_of(groups.begin(), groups.end(), known)) groups.push_back(group);
  }
  for (std::string_view group : groups) {
    std::vector<std::string> lines;
    for (const auto& [other, line] : added_) {
      if (same_group(other, group)) lines.push_back(line);
    }
    insert_lines(group, std::move(lines), out);
  }
  return out;
}

std::vector<Splice> set_option(const MyCnf& file, std::string_view group, std::string_view key,
                               const MyCnfWish& wish) {
  MyCnfEditor editor(file);
  const auto present = statements_of(file, group, key);
  if (present.empty()) {
    editor.add(group, key, wish);
  } else {
    editor.assign(present.back(), key, wish);
  }
  return editor.splices();
}

std::vector<Splice> remove_option(const MyCnf& file, std::string_view group, std::string_view key) {
  MyCnfEditor editor(file);
  for (std::size_t statement : statements_of(file, group, key)) editor.remove(statement);
  return editor.splices();
}

}  // namespace tunekeeper
