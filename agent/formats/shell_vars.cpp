#include "formats/shell_vars.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "formats/shell_lexer.hpp"
#include "formats/shell_parser.hpp"

namespace tunekeeper {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// Bytes that no shell and no word splitting treats in a special way.
bool plain(std::string_view text) {
  return !text.empty() && text.find_first_not_of(
                              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_-+=:,./@%^") == std::string_view::npos;
}

std::string escaped(std::string_view text, std::string_view special) {
  std::string made;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) made += '\\';
    made += c;
  }
  return made;
}

/// The quotes in which a value stands, when all of it stands in one pair.
ShellQuote quote_of(std::string_view raw) {
  if (raw.size() >= 2 && raw.front() == '\'' && raw.back() == '\'') return ShellQuote::single;
  if (plain(raw)) return ShellQuote::bare;
  return ShellQuote::twofold;
}

std::string enclosed(std::string_view value, ShellQuote quote) {
  if (quote == ShellQuote::bare && plain(value)) return std::string(value);
  if (quote == ShellQuote::single) return fmt::format("'{}'", shell_quoted(value, quote));
  return fmt::format("\"{}\"", shell_quoted(value, ShellQuote::twofold));
}

/// Whether the value ends inside a pair of quotes of this kind, so that text can go before the closing one.
bool ends_quoted(const ShellStatement& assignment, std::string_view raw) {
  if (raw.size() < 2 || (raw.back() != '"' && raw.back() != '\'')) return false;
  const char quote = raw.back();
  if (raw.substr(raw.size() - 2) == std::string(2, quote)) return true;
  if (assignment.value.empty()) return false;
  const ShellPiece& last = assignment.value.back();
  const ShellQuote expected = quote == '"' ? ShellQuote::twofold : ShellQuote::single;
  return last.quote == expected && last.offset + last.length + 1 == assignment.value_end;
}

/// Whether a line end put behind the text would be taken for a line that goes on: the text's meaning would
/// change.
bool ends_in_backslash(std::string_view bytes) {
  const std::size_t others = bytes.find_last_not_of('\\') + 1;
  if ((bytes.size() - others) % 2 == 0) return false;
  const std::string_view line = bytes.substr(bytes.rfind('\n') + 1);
  return line[std::min(line.find_first_not_of(" \t"), line.size() - 1)] != '#';
}

}  // namespace

ShellSyntaxError::ShellSyntaxError(const std::string& problem, int line, int column)
    : Error(fmt::format("line {}, column {}: {}", line, column, problem)), line_(line), column_(column) {}

std::string shell_quoted(std::string_view text, ShellQuote quote) {
  if (quote == ShellQuote::twofold) return escaped(text, "\\\"$`");
  if (quote == ShellQuote::bare)
    return plain(text) ? std::string(text) : fmt::format("\"{}\"", escaped(text, "\\\"$`"));
  std::string made;
  for (const char c : text) made += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return made;
}

ShellFile ShellFile::parse(std::string_view bytes) {
  ShellFile file;
  file.bytes_ = bytes;
  file.statements_ = parse_shell(file.bytes_);
  return file;
}

const ShellStatement* ShellFile::last_assignment(std::string_view name) const {
  const auto found =
      std::find_if(statements_.rbegin(), statements_.rend(), [&](const ShellStatement& statement) {
        return statement.kind == ShellStatement::Kind::assign && statement.name == name;
      });
  return found == statements_.rend() ? nullptr : &*found;
}

std::vector<Splice> ShellFile::set(std::string_view name, std::string_view value) const {
  const ShellStatement* last = last_assignment(name);
  if (last == nullptr) return {add_line(name, enclosed(value, ShellQuote::twofold))};
  const std::size_t length = last->value_end - last->value_begin;
  std::string raw = enclosed(value, quote_of(std::string_view(bytes_).substr(last->value_begin, length)));
  if (bytes_.compare(last->value_begin, length, raw) == 0) return {};
  return {{last->value_begin, length, std::move(raw)}};
}

std::vector<Splice> ShellFile::unset(std::string_view name) const {
  std::vector<Splice> splices;
  for (const ShellStatement& statement : statements_) {
    if (statement.kind != ShellStatement::Kind::assign || statement.name != name) continue;
    std::size_t begin = statement.begin == 0 ? 0 : bytes_.rfind('\n', statement.begin - 1) + 1;
    std::size_t end = std::min(bytes_.find('\n', statement.value_end), bytes_.size());
    const std::string_view before = std::string_view(bytes_).substr(begin, statement.begin - begin);
    const std::string_view after =
        std::string_view(bytes_).substr(statement.value_end, end - statement.value_end);
    const bool alone = (before.find_first_not_of(" \t") == std::string_view::npos || before == "export ") &&
                       after.find_first_not_of(" \t\r") == std::string_view::npos;
    if (alone) {
      const bool goes_on = !splices.empty() && splices.back().offset + splices.back().length == begin;
      if (!goes_on) splices.push_back({begin, 0, ""});
      splices.back().length = std::min(end + 1, bytes_.size()) - splices.back().offset;
      // The line before becomes the last one, and takes over that it has no line end.
      if (end == bytes_.size() && splices.back().offset > 0) --splices.back().offset, ++splices.back().length;
    } else if (statement.value_end > statement.value_begin) {
      splices.push_back({statement.value_begin, statement.value_end - statement.value_begin, ""});
    }
  }
  return splices;
}

Splice ShellFile::append(const ShellStatement& assignment, std::string_view raw) const {
  const std::string_view bytes = bytes_;
  const std::string_view present =
      bytes.substr(assignment.value_begin, assignment.value_end - assignment.value_begin);
  const bool empty = assignment.value.empty();
  const bool blank_before = empty || (assignment.value.back().kind == ShellPiece::Kind::literal &&
                                      is_blank(assignment.value.back().byte));
  const std::string text = (blank_before ? "" : " ") + std::string(raw);
  if (ends_quoted(assignment, present)) return {assignment.value_end - 1, 0, text};
  if (present.empty() || plain(present)) {
    return {assignment.value_begin, present.size(), fmt::format("\"{}{}\"", present, text)};
  }
  // A lone dollar or backslash at the end stands for itself; before a quote it would not.
  const ShellPiece last = assignment.value.empty() ? ShellPiece{} : assignment.value.back();
  const bool lone = last.kind == ShellPiece::Kind::literal && last.quote == ShellQuote::bare &&
                    last.length == 1 && (last.byte == '$' || last.byte == '\\');
  if (lone) return {last.offset, 1, fmt::format("\\{}\"{}\"", last.byte, text)};
  return {assignment.value_end, 0, fmt::format("\"{}\"", text)};
}

Splice ShellFile::add_line(std::string_view name, std::string_view raw) const {
  if (ends_in_backslash(bytes_)) {
    throw Error(
        fmt::format("cannot add {} to a file whose last line ends in a backslash and no line end", name));
  }
  // A carriage return would become part of the value, so a new line never has one.
  const bool ended = bytes_.empty() || bytes_.back() == '\n';
  const bool continues = bytes_.size() >= 2 && bytes_.compare(bytes_.size() - 2, 2, "\\\n") == 0;
  // Behind an open line the new one is open as well, so that unset() can take away just what was added.
  if (ended && !continues) return {bytes_.size(), 0, fmt::format("{}={}\n", name, raw)};
  return {bytes_.size(), 0, fmt::format("\n{}={}", name, raw)};
}

std::string ShellValue::text() const {
  std::string made;
  for (const ShellByte& byte : bytes) made += byte.byte;
  return made;
}

void ShellEnvironment::run(const ShellFile& file, std::uint16_t number) {
  for (std::size_t i = 0; i < file.statements().size(); ++i) {
    const ShellStatement& statement = file.statements()[i];
    ShellValue value;
    if (statement.kind == ShellStatement::Kind::assign) {
      value = evaluate(file, i, number);
    } else {
      value.computed = true;
      value.reason = statement.reason;
    }
    value.file = number;
    value.line = statement.line;
    if (statement.kind == ShellStatement::Kind::spoil_all) {
      spoiled_ = value;
      for (auto& [name, held] : values_) held = value;
    } else {
      values_[statement.name] = std::move(value);
    }
  }
}

std::optional<ShellValue> ShellEnvironment::get(std::string_view name) const {
  const auto found = values_.find(name);
  if (found != values_.end()) return found->second;
  return spoiled_;
}

ShellValue ShellEnvironment::evaluate(const ShellFile& file, std::size_t statement,
                                      std::uint16_t number) const {
  ShellValue made;
  const ShellStatement& assignment = file.statements()[statement];
  const auto compute = [&](std::string reason) {
    made.computed = true;
    made.bytes.clear();
    made.reason = std::move(reason);
  };
  for (const ShellPiece& piece : assignment.value) {
    if (piece.kind == ShellPiece::Kind::literal) {
      made.bytes.push_back({piece.byte, piece.quote, number, static_cast<std::uint32_t>(statement),
                            piece.offset, piece.length});
      continue;
    }
    if (piece.kind == ShellPiece::Kind::computed) {
      compute(fmt::format("{} in line {}", piece.name, assignment.line));
      return made;
    }
    const std::optional<ShellValue> held = get(piece.name);
    if (held && held->computed) return compute(held->reason), made;
    if (held) made.bytes.insert(made.bytes.end(), held->bytes.begin(), held->bytes.end());
    if (!held && piece.name.compare(0, empty_prefix_.size(), empty_prefix_) != 0) {
      compute(fmt::format("${} in line {}", piece.name, assignment.line));
      return made;
    }
  }
  return made;
}

}  // namespace tunekeeper
