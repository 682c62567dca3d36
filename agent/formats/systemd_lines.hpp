#pragma once

#include <cstddef>
#include <string_view>

namespace tunekeeper {

/// One line of a file as systemd reads it.
struct SystemdLine {
  std::size_t offset = 0;
  std::size_t text_length = 0;  ///< without the line end
  std::size_t length = 0;       ///< with it; equal to text_length where the file ends without one
  int number = 0;               ///< from 1
};

/// Splits bytes into lines as systemd does: LF, CR and NUL each end a line, and different ones in a row (CR
/// LF) end it together.
class SystemdLines {
 public:
  explicit SystemdLines(std::string_view bytes) : bytes_(bytes) {}

  /// The next line; false at the end. A file that ends with a line end has no empty last line.
  bool next(SystemdLine& line) {
    if (at_ >= bytes_.size()) return false;
    std::size_t end = at_;
    while (end < bytes_.size() && !ends_line(bytes_[end])) ++end;
    line.offset = at_;
    line.text_length = end - at_;
    line.number = ++number_;
    at_ = after_line_end(end);
    line.length = at_ - line.offset;
    return true;
  }

  std::string_view text(const SystemdLine& line) const {
    return bytes_.substr(line.offset, line.text_length);
  }

 private:
  static bool ends_line(char c) { return c == '\n' || c == '\r' || c == '\0'; }

  std::size_t after_line_end(std::size_t at) const {
    bool lf = false, cr = false, nul = false;
    for (; at < bytes_.size(); ++at) {
      bool& seen = bytes_[at] == '\n' ? lf : bytes_[at] == '\r' ? cr : nul;
      if (!ends_line(bytes_[at]) || seen) break;
      seen = true;
    }
    return at;
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  int number_ = 0;
};

/// Without blanks at both ends, as systemd strips them (space, tab, CR, LF).
inline std::string_view stripped(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n";
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// The line end that a new line of this file gets: the one its first line has, LF where it has none.
inline std::string_view line_end_of(std::string_view bytes) {
  const auto lf = bytes.find('\n');
  return lf != std::string_view::npos && lf > 0 && bytes[lf - 1] == '\r' ? "\r\n" : "\n";
}

/// The line end that a line put at `at`, right behind another one, gets: that of the line before. Any other
/// could become one with a line end that follows.
inline std::string_view line_end_before(std::string_view bytes, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && at - begin < 3) {
    const char c = bytes[begin - 1];
    const bool ends = c == '\n' || c == '\r' || c == '\0';
    if (!ends || bytes.substr(begin, at - begin).find(c) != std::string_view::npos) break;
    --begin;
  }
  return begin == at ? line_end_of(bytes) : bytes.substr(begin, at - begin);
}

/// Whether a line added at the end needs a line end before it.
inline bool lacks_final_line_end(std::string_view bytes) {
  return !bytes.empty() && bytes.back() != '\n' && bytes.back() != '\r' && bytes.back() != '\0';
}

}  // namespace tunekeeper
