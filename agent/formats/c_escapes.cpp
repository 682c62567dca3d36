#include "formats/c_escapes.hpp"

#include <charconv>
#include <cstdint>

namespace tunekeeper {
namespace {

constexpr std::string_view names = "abfnrtv\\\"'s";
constexpr std::string_view meanings = "\a\b\f\n\r\t\v\\\"' ";

void append_utf8(std::string& text, std::uint32_t code) {
  const auto tail = [&](int shift) { text += static_cast<char>(0x80U | ((code >> shift) & 0x3fU)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xc0U | (code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xe0U | (code >> 12));
    tail(6), tail(0);
  } else {
    text += static_cast<char>(0xf0U | (code >> 18));
    tail(12), tail(6), tail(0);
  }
}

/// Reads `digits` digits of a number; nothing where they are not all there, or the number is 0.
std::optional<std::uint32_t> take_number(std::string_view text, std::size_t& at, std::size_t digits,
                                         int base) {
  const auto part = text.substr(at, digits);
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number, base);
  if (part.size() < digits || error != std::errc{} || end != part.data() + digits || number == 0) return {};
  at += digits;
  return number;
}

/// Takes what follows a backslash; false where it is no escape.
bool take_escape(std::string_view text, std::size_t& at, std::string& plain) {
  const char c = text[at];
  if (const auto known = names.find(c); known != std::string_view::npos) {
    plain += meanings[known];
    ++at;
    return true;
  }
  if (c == 'u' || c == 'U') {
    const auto code = take_number(text, ++at, c == 'u' ? 4 : 8, 16);
    if (!code || *code > 0x10ffff) return false;
    append_utf8(plain, *code);
    return true;
  }
  const bool hexadecimal = c == 'x';
  if (!hexadecimal && (c < '0' || c > '7')) return false;
  at += hexadecimal ? 1 : 0;
  const auto byte = take_number(text, at, hexadecimal ? 2 : 3, hexadecimal ? 16 : 8);
  if (!byte || *byte > 0xff) return false;
  plain += static_cast<char>(*byte);
  return true;
}

}  // namespace

std::optional<std::string> c_unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '\\') {
      plain += text[at++];
    } else if (++at == text.size() || !take_escape(text, at, plain)) {
      return std::nullopt;
    }
  }
  return plain;
}

}  // namespace tunekeeper
