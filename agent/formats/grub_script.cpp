#include "formats/grub_script.hpp"

#include <algorithm>

namespace tunekeeper {
namespace {

bool is_name_byte(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

bool ends_command(char c) {
  return std::string_view("\n;{}|&<>").find(c) != std::string_view::npos;
}
bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

/// Reads one word of a GRUB script.
class WordReader {
 public:
  WordReader(std::string_view text, std::size_t from) : text_(text), pos_(from) { word_.begin = from; }

  GrubWord read() {
    while (pos_ < text_.size() && !is_blank(text_[pos_]) && !ends_command(text_[pos_])) {
      const char c = text_[pos_++];
      if (c == '\'') {
        single();
      } else if (c == '"') {
        twofold();
      } else if (c == '\\') {
        if (pos_ < text_.size() && text_[pos_] != '\n') word_.text += text_[pos_];
        pos_ = std::min(pos_ + 1, text_.size());
      } else if (c == '$') {
        variable();
      } else {
        word_.text += c;
      }
    }
    word_.end = pos_;
    return std::move(word_);
  }

 private:
  void single() {
    const std::size_t close = std::min(text_.find('\'', pos_), text_.size());
    word_.text += text_.substr(pos_, close - pos_);
    pos_ = std::min(close + 1, text_.size());
  }

  void twofold() {
    while (pos_ < text_.size() && text_[pos_] != '"') {
      const char c = text_[pos_++];
      const bool escapes =
          c == '\\' && pos_ < text_.size() && std::string_view("$\"\\").find(text_[pos_]) < 3;
      if (escapes) {
        word_.text += text_[pos_++];
      } else if (c == '$') {
        variable();
      } else {
        word_.text += c;
      }
    }
    pos_ = std::min(pos_ + 1, text_.size());
  }

  void variable() {
    const bool braced = pos_ < text_.size() && text_[pos_] == '{';
    std::size_t begin = pos_ + (braced ? 1 : 0);
    std::size_t end = begin;
    while (end < text_.size() && is_name_byte(text_[end])) ++end;
    if (end == begin && !braced && end < text_.size() && std::string_view("?*@#").find(text_[end]) < 4) ++end;
    if (end == begin && !braced) {
      word_.text += '$';
      return;
    }
    if (word_.variable.empty()) word_.variable = text_.substr(begin, end - begin);
    pos_ = std::min(end + (braced ? 1 : 0), text_.size());
  }

  std::string_view text_;
  std::size_t pos_;
  GrubWord word_;
};

}  // namespace

GrubCommand grub_command(std::string_view text, std::size_t from) {
  GrubCommand command;
  std::size_t at = from;
  while (at < text.size()) {
    if (is_blank(text[at])) {
      ++at;
    } else if (text.substr(at, 2) == "\\\n") {
      at += 2;
    } else if (text[at] == '#') {
      at = std::min(text.find('\n', at), text.size());
    } else if (ends_command(text[at])) {
      break;
    } else {
      command.words.push_back(WordReader(text, at).read());
      at = command.words.back().end;
    }
  }
  command.end = at;
  return command;
}

std::string grub_quoted(std::string_view parameter, char inner) {
  const std::string_view special = "{}|&$;<> \t\n'\"\\*?#[";
  if (!parameter.empty() && parameter.find_first_of(special) == std::string_view::npos)
    return std::string(parameter);
  const std::size_t equals = parameter.find('=');
  // The name stays outside of the quotes where it can: `k='a b'` is what people write and search for.
  std::size_t split = equals == std::string_view::npos ? 0 : equals + 1;
  if (parameter.substr(0, split).find_first_of(special) != std::string_view::npos) split = 0;
  std::string made(parameter.substr(0, split));
  made += inner;
  for (const char c : parameter.substr(split)) {
    if (inner == '\'' && c == '\'') {
      made += "'\\''";
      continue;
    }
    if (inner == '"' && std::string_view("$\"\\").find(c) < 3) made += '\\';
    made += c;
  }
  return made + inner;
}

}  // namespace tunekeeper
