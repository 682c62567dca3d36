#include "engine/bytes_json.hpp"

#include <charconv>
#include <stdexcept>

namespace tunekeeper {
namespace {

bool is_utf8(const std::string& bytes) {
  try {
    (void)nlohmann::json(bytes).dump();
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

std::string to_hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  hex.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    hex += kDigits[byte >> 4];
    hex += kDigits[byte & 15];
  }
  return hex;
}

std::string from_hex(const std::string& hex) {
  if (hex.size() % 2 != 0) throw std::invalid_argument("an odd number of hexadecimal digits");
  std::string bytes;
  bytes.reserve(hex.size() / 2);
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    unsigned value = 0;
    const auto [end, error] = std::from_chars(hex.data() + i, hex.data() + i + 2, value, 16);
    if (error != std::errc() || end != hex.data() + i + 2)
      throw std::invalid_argument("no hexadecimal digits");
    bytes += static_cast<char>(value);
  }
  return bytes;
}

}  // namespace

Json bytes_to_json(std::string_view bytes) {
  std::string text(bytes);
  if (is_utf8(text)) return text;
  return Json{{"hex", to_hex(bytes)}};
}

std::string bytes_from_json(const Json& json) {
  if (json.is_string()) return json.get<std::string>();
  return from_hex(json.at("hex").get<std::string>());
}

}  // namespace tunekeeper
