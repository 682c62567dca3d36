#include "core/version.hpp"

#include <algorithm>

namespace tunekeeper {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Takes the next run of digits or of letters off the text; empty at its end.
std::string_view take_part(std::string_view& text) {
  while (!text.empty() && !is_digit(text.front()) && !is_letter(text.front())) text.remove_prefix(1);
  if (text.empty()) return {};
  auto* kind = is_digit(text.front()) ? is_digit : is_letter;
  const auto end = std::find_if_not(text.begin(), text.end(), kind);
  const auto part = text.substr(0, static_cast<std::size_t>(end - text.begin()));
  text.remove_prefix(part.size());
  return part;
}

int sign(int value) {
  return value < 0 ? -1 : value > 0 ? 1 : 0;
}

int compare_numbers(std::string_view left, std::string_view right) {
  const auto strip = [](std::string_view digits) {
    return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
  };
  left = strip(left), right = strip(right);
  if (left.size() != right.size()) return left.size() < right.size() ? -1 : 1;
  return sign(left.compare(right));
}

int compare_parts(std::string_view left, std::string_view right) {
  if (left.empty()) left = "0";
  if (right.empty()) right = "0";
  const bool left_number = is_digit(left.front()), right_number = is_digit(right.front());
  if (left_number != right_number) return left_number ? 1 : -1;
  return left_number ? compare_numbers(left, right) : sign(left.compare(right));
}

}  // namespace

int compare_versions(std::string_view left, std::string_view right) {
  while (true) {
    const auto left_part = take_part(left), right_part = take_part(right);
    if (left_part.empty() && right_part.empty()) return 0;
    if (const int order = compare_parts(left_part, right_part)) return order;
  }
}

bool is_version(std::string_view text) {
  return !text.empty() && is_digit(text.front());
}

}  // namespace tunekeeper
