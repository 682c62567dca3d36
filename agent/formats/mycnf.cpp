#include "formats/mycnf.hpp"

#include <algorithm>
#include <cstring>

#include "core/error.hpp"

namespace tunekeeper {
namespace {

constexpr std::string_view include_dir_word = "includedir";
constexpr std::string_view include_word = "include";

std::string_view trim_front(std::string_view text) {
  while (!text.empty() && mycnf_blank(text.front())) text.remove_prefix(1);
  return text;
}

std::string_view trim_back(std::string_view text) {
  while (!text.empty() && mycnf_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// Cuts a `#` comment. A quote opens anywhere; a backslash protects a quote only inside quotes.
std::string_view without_comment(std::string_view text) {
  char quote = 0;
  bool escaped = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c == '\'' || c == '"') && !escaped) {
      if (quote == 0) {
        quote = c;
      } else if (quote == c) {
        quote = 0;
      }
    }
    if (quote == 0 && c == '#') return text.substr(0, i);
    escaped = quote != 0 && c == '\\' && !escaped;
  }
  return text;
}

bool starts_directive(std::string_view text, std::string_view word) {
  return text.size() > word.size() && text.substr(0, word.size()) == word && mycnf_blank(text[word.size()]);
}

int leading_number(std::string_view version) {
  int number = 0;
  for (char c : version) {
    if (c < '0' || c > '9') break;
    number = number * 10 + (c - '0');
  }
  return number;
}

bool is_quoted(std::string_view raw) {
  return raw.size() > 1 && (raw.front() == '"' || raw.front() == '\'') && raw.front() == raw.back();
}

/// The byte that a letter after a backslash stands for; nothing when the backslash stays.
std::optional<char> unescape(char letter) {
  switch (letter) {
    case 'n':
      return '\n';
    case 't':
      return '\t';
    case 'r':
      return '\r';
    case 'b':
      return '\b';
    case 's':
      return ' ';
    case '"':
    case '\'':
    case '\\':
      return letter;
    default:
      return std::nullopt;
  }
}

bool can_stand_plain(std::string_view value) {
  if (value.empty()) return true;
  if (mycnf_blank(value.front()) || mycnf_blank(value.back())) return false;
  return value.find_first_of("#'\"\\\n\r\t\b") == std::string_view::npos;
}

}  // namespace

MyCnfDialect MyCnfDialect::of(std::string_view flavor, std::string_view version) {
  if (flavor != "mysql") return {};
  return {false, leading_number(version) >= 9 ? 0U : MyCnfDialect{}.longest_piece};
}

MyCnf::MyCnf(std::string_view bytes, MyCnfDialect dialect) : bytes_(bytes), dialect_(dialect) {
  if (bytes.size() >= UINT32_MAX) {
    problem_ = MyCnfProblem{0, 0, "the file is larger than 4 GiB"};
    return;
  }
  has_nul_ = !bytes.empty() && std::memchr(bytes.data(), 0, bytes.size()) != nullptr;
  // At most a mark a line, or a piece of one: the vector never grows, so that memory is not held twice.
  const auto lines = static_cast<std::size_t>(std::count(bytes.begin(), bytes.end(), '\n')) + 1;
  const std::size_t pieces = dialect.whole_lines() ? 0 : bytes.size() / dialect.longest_piece;
  marks_.reserve(std::min(lines + pieces, most_marks()));
  std::uint32_t line = 1;
  for (std::size_t at = 0; at < bytes.size() && !problem_;) {
    const std::size_t end = piece_end(at);
    read_piece(at, end, line);
    if (bytes[end - 1] == '\n') ++line;
    at = end;
  }
}

/// As many as take no more memory than the file, and some.
std::size_t MyCnf::most_marks() const {
  return 500'000 + bytes_.size() / sizeof(Mark);
}

std::size_t MyCnf::piece_end(std::size_t begin) const {
  std::size_t room = bytes_.size() - begin;
  if (!dialect_.whole_lines()) room = std::min(room, dialect_.longest_piece);
  const void* newline = std::memchr(bytes_.data() + begin, '\n', room);
  if (newline == nullptr) return begin + room;
  return static_cast<std::size_t>(static_cast<const char*>(newline) - bytes_.data()) + 1;
}

/// The piece as the reader's string functions see it: up to a NUL, its newline included.
std::string_view MyCnf::content(std::size_t begin, std::size_t end) const {
  const std::string_view piece = bytes_.substr(begin, end - begin);
  return has_nul_ ? piece.substr(0, piece.find('\0')) : piece;
}

void MyCnf::read_piece(std::size_t begin, std::size_t end, std::uint32_t line) {
  const std::string_view text = trim_front(content(begin, end));
  if (has_nul_ && dialect_.whole_lines() && content(begin, end).size() < end - begin) {
    return stop(begin, bytes_.substr(begin + content(begin, end).size()), line,
                "a NUL byte, at which this server joins the next line to this one");
  }
  if (text.empty() || text.front() == '#' || text.front() == ';') return;
  if (marks_.size() == most_marks()) {
    return stop(begin, text, line, "more statements than this program holds of a file of this size");
  }
  if (text.front() == '!') {
    read_directive(begin, text, line);
  } else if (text.front() == '[') {
    if (text.find(']') == std::string_view::npos) {
      stop(begin, text, line, "a group header without `]`");
      return;
    }
    marks_.push_back({static_cast<std::uint32_t>(begin), line, static_cast<std::uint32_t>(Kind::group)});
    group_ = static_cast<std::uint32_t>(marks_.size());
  } else if (group_ == 0) {
    const bool mark = begin == 0 && bytes_.substr(0, 3) == "\xEF\xBB\xBF";
    stop(begin, text, line,
         mark ? "a byte order mark, which no server reads" : "an option before the first [group] header");
  } else {
    marks_.push_back(
        {static_cast<std::uint32_t>(begin), line, group_ << 2U | static_cast<std::uint32_t>(Kind::option)});
  }
}

void MyCnf::read_directive(std::size_t begin, std::string_view text, std::uint32_t line) {
  const std::string_view word = trim_front(text.substr(1));
  Kind kind = Kind::include;
  if (starts_directive(word, include_dir_word)) {
    kind = Kind::include_dir;
  } else if (!starts_directive(word, include_word)) {
    return;  // the reader skips a directive it does not know
  }
  marks_.push_back(
      {static_cast<std::uint32_t>(begin), line, group_ << 2U | static_cast<std::uint32_t>(kind)});
  if (!include_path(marks_.size() - 1).empty()) return;
  marks_.pop_back();
  stop(begin, text, line, "an include directive without a path");
}

void MyCnf::stop(std::size_t begin, std::string_view text, std::uint32_t line, std::string what) {
  std::size_t line_begin = begin == 0 ? std::string_view::npos : bytes_.rfind('\n', begin - 1);
  line_begin = line_begin == std::string_view::npos ? 0 : line_begin + 1;
  const auto column = static_cast<std::size_t>(text.data() - bytes_.data()) - line_begin + 1;
  problem_ = MyCnfProblem{static_cast<int>(line), static_cast<int>(column), std::move(what)};
}

std::optional<std::size_t> MyCnf::header(std::size_t statement) const {
  const std::uint32_t above = marks_[statement].group_and_kind >> 2U;
  if (above == 0) return std::nullopt;
  return above - 1;
}

std::string_view MyCnf::group_name(std::size_t statement) const {
  std::string_view text = trim_front(content(begin(statement), end(statement))).substr(1);
  return trim_back(text.substr(0, text.find(']')));
}

std::string_view MyCnf::include_path(std::size_t statement) const {
  const std::string_view text = content(begin(statement), end(statement));
  std::string_view word = trim_front(trim_front(text).substr(1));
  word = trim_front(
      word.substr(kind(statement) == Kind::include_dir ? include_dir_word.size() : include_word.size()));
  // MySQL of today ends the path at a comment; MariaDB takes the comment for a part of it.
  if (!dialect_.mariadb) {
    const std::string_view bare = without_comment(word);
    if (bare.size() < word.size()) return trim_back(bare);
  }
  // The last byte is taken for the line's end, there or not, by all but the readers of whole lines.
  if (!word.empty() && !dialect_.whole_lines()) word.remove_suffix(1);
  return trim_back(word);
}

MyCnfOption MyCnf::option(std::size_t statement) const {
  MyCnfOption found;
  found.statement = statement;
  found.begin = begin(statement);
  found.end = end(statement);
  found.line = line(statement);
  found.group = group_name(*header(statement));
  const std::string_view text = without_comment(trim_front(content(found.begin, found.end)));
  const std::size_t equals = text.find('=');
  found.key = trim_back(text.substr(0, equals));
  found.key_offset = static_cast<std::size_t>(text.data() - bytes_.data());
  found.value_offset = found.key_offset + found.key.size();
  if (equals == std::string_view::npos) return found;
  found.has_value = true;
  found.raw_value = trim_front(text.substr(equals + 1));
  // An empty value stands right after the `=`, so that one written there keeps the line's comment.
  if (found.raw_value.empty()) found.raw_value = text.substr(equals + 1, 0);
  found.raw_value = trim_back(found.raw_value);
  found.value_offset = static_cast<std::size_t>(found.raw_value.data() - bytes_.data());
  return found;
}

std::string_view MyCnf::key(std::size_t statement) const {
  const std::string_view text = trim_front(content(begin(statement), end(statement)));
  const std::string_view head = text.substr(0, text.find('='));
  if (head.find('#') != std::string_view::npos) return option(statement).key;
  return trim_back(head);
}

std::vector<MyCnfOption> MyCnf::options() const {
  std::vector<MyCnfOption> all;
  for (std::size_t i = 0; i < size(); ++i) {
    if (kind(i) == Kind::option) all.push_back(option(i));
  }
  return all;
}

std::string MyCnfOption::value() const {
  return decode_mycnf_value(raw_value);
}

std::string decode_mycnf_value(std::string_view raw) {
  if (is_quoted(raw)) raw = raw.substr(1, raw.size() - 2);
  std::string value;
  value.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] != '\\' || i + 1 == raw.size()) {
      value += raw[i];
      continue;
    }
    const auto meant = unescape(raw[++i]);
    if (!meant) value += '\\';
    value += meant.value_or(raw[i]);
  }
  return value;
}

std::string encode_mycnf_value(std::string_view value, char quote) {
  if (value.find('\0') != std::string_view::npos) {
    throw Error("an option file cannot hold a value with a NUL byte", ExitStatus::invalid);
  }
  if (quote == 0 && can_stand_plain(value)) return std::string(value);
  if (quote == 0) quote = '"';
  std::string raw(1, quote);
  for (char c : value) {
    switch (c) {
      case '\n':
        raw += "\\n";
        break;
      case '\r':
        raw += "\\r";
        break;
      case '\t':
        raw += "\\t";
        break;
      case '\b':
        raw += "\\b";
        break;
      case '\\':
        raw += "\\\\";
        break;
      default:
        if (c == quote) raw += '\\';
        raw += c;
    }
  }
  return raw += quote;
}

}  // namespace tunekeeper
