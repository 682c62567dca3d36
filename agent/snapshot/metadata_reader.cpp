#include "snapshot/metadata_reader.hpp"

#include <algorithm>
#include <charconv>

namespace tunekeeper {
namespace {

/// Reads words of a shell script from front to back: quotes are taken off, nothing is expanded.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ >= text_.size(); }
  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size() - 1) + 1; }

  /// The next word on this line; empty at its end. A quoted one may hold line breaks.
  std::string next() {
    while (!at_end() && text_[at_] == ' ') ++at_;
    std::string word;
    while (!at_end() && text_[at_] != ' ' && text_[at_] != '\n') {
      const char c = text_[at_++];
      if (c == '\'' || c == '"') {
        const std::size_t end = std::min(text_.find(c, at_), text_.size());
        word += text_.substr(at_, end - at_);
        at_ = std::min(end + 1, text_.size());
      } else {
        word += c;
      }
    }
    return word;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

std::optional<std::uint32_t> octal(std::string_view text) {
  std::uint32_t mode = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), mode, 8);
  if (error != std::errc() || end != text.data() + text.size() || mode > 07777) return std::nullopt;
  return mode;
}

}  // namespace

std::map<std::string, PathMetadata> parse_metadata(std::string_view script) {
  std::map<std::string, PathMetadata> paths;
  for (Words words(script); !words.at_end(); words.skip_line()) {
    if (words.next() != "maybe") continue;
    const std::string what = words.next();
    const std::string value = words.next();
    std::string path = words.next();
    if (path.starts_with("./")) path.erase(0, 2);
    if (path.empty()) continue;
    if (what == "chmod") paths[path].mode = octal(value);
    if (what == "chown") paths[path].user = value;
    if (what == "chgrp") paths[path].group = value;
  }
  return paths;
}

}  // namespace tunekeeper
