#include "core/compare.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

namespace tunekeeper {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

std::string_view trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool same_nocase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

template <typename Number>
std::optional<Number> parse_whole(std::string_view text, int base) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return number;
}

/// A number in one normal form: sign, digits without leading zeros, fraction without trailing ones.
/// Hexadecimal is read as such; it never equals the decimal number with the same digits.
std::optional<std::string> normal_number(std::string_view text) {
  text = trim(text);
  std::string sign;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    if (text.front() == '-') sign = "-";
    text.remove_prefix(1);
  }
  if (text.size() > 2 && text[0] == '0' && lower(text[1]) == 'x') {
    const auto number = parse_whole<std::uint64_t>(text.substr(2), 16);
    if (!number) return std::nullopt;
    return *number == 0 ? "0" : sign + std::to_string(*number);
  }
  const std::size_t dot = text.find('.');
  std::string_view whole = text.substr(0, dot);
  std::string_view fraction = dot == std::string_view::npos ? std::string_view() : text.substr(dot + 1);
  const auto is_digits = [](std::string_view s) {
    return std::all_of(s.begin(), s.end(), [](char c) { return c >= '0' && c <= '9'; });
  };
  if (whole.empty() || !is_digits(whole) || !is_digits(fraction)) return std::nullopt;
  if (dot != std::string_view::npos && fraction.empty()) return std::nullopt;
  while (whole.size() > 1 && whole.front() == '0') whole.remove_prefix(1);
  while (!fraction.empty() && fraction.back() == '0') fraction.remove_suffix(1);
  if (whole == "0" && fraction.empty()) return "0";
  std::string normal = sign + std::string(whole);
  if (!fraction.empty()) normal += "." + std::string(fraction);
  return normal;
}

bool same_number(std::string_view a, std::string_view b) {
  const auto left = normal_number(a);
  const auto right = normal_number(b);
  return left && right ? *left == *right : trim(a) == trim(b);
}

std::optional<bool> parse_boolean(std::string_view text) {
  text = trim(text);
  for (const std::string_view word : {"on", "true", "yes", "y", "1"}) {
    if (same_nocase(text, word)) return true;
  }
  for (const std::string_view word : {"off", "false", "no", "n", "0"}) {
    if (same_nocase(text, word)) return false;
  }
  return std::nullopt;
}

bool same_size(std::string_view a, std::string_view b) {
  const auto left = parse_size(a);
  const auto right = parse_size(b);
  return left && right ? *left == *right : same_number(a, b);
}

bool same_boolean(std::string_view a, std::string_view b) {
  const auto left = parse_boolean(a);
  const auto right = parse_boolean(b);
  return left && right ? *left == *right : same_nocase(trim(a), trim(b));
}

/// A server takes no YES or NO: it warns and keeps its default.
bool is_server_boolean(std::string_view text) {
  text = trim(text);
  const auto is = [&](std::string_view word) { return same_nocase(text, word); };
  return is("on") || is("true") || is("1") || is("off") || is("false") || is("0");
}

bool same_option(std::string_view a, std::string_view b) {
  if (parse_size(a) && parse_size(b)) return same_size(a, b);
  if (is_server_boolean(a) && is_server_boolean(b)) return same_boolean(a, b);
  return same_number(a, b) || same_nocase(trim(a), trim(b));
}

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  std::size_t start = text.find_first_not_of(separators);
  while (start != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(separators, start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = text.find_first_not_of(separators, end);
  }
  return parts;
}

bool same_words(std::string_view a, std::string_view b) {
  const auto left = split(a, kBlanks);
  const auto right = split(b, kBlanks);
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), same_number);
}

using Range = std::pair<std::uint64_t, std::uint64_t>;

/// Sorted, joined ranges of a list such as `1,2-5,10-20`; nothing when the text is none.
std::optional<std::vector<Range>> parse_ranges(std::string_view text) {
  std::vector<Range> ranges;
  for (const std::string_view part : split(text, ", \t\r\n")) {
    const std::size_t dash = part.find('-');
    const auto first = parse_whole<std::uint64_t>(part.substr(0, dash), 10);
    const auto last =
        dash == std::string_view::npos ? first : parse_whole<std::uint64_t>(part.substr(dash + 1), 10);
    if (!first || !last || *last < *first) return std::nullopt;
    ranges.emplace_back(*first, *last);
  }
  std::sort(ranges.begin(), ranges.end());
  std::vector<Range> joined;
  for (const Range& range : ranges) {
    if (!joined.empty() && (range.first <= joined.back().second || range.first - 1 == joined.back().second)) {
      joined.back().second = std::max(joined.back().second, range.second);
    } else {
      joined.push_back(range);
    }
  }
  return joined;
}

bool same_ranges(std::string_view a, std::string_view b) {
  const auto left = parse_ranges(a);
  const auto right = parse_ranges(b);
  return left && right ? *left == *right : trim(a) == trim(b);
}

/// The digits of a mask without commas and leading zeros; nothing when the text is no mask. Every 32-bit
/// group but the first is padded to eight digits, as the kernel reads it.
std::optional<std::string> normal_mask(std::string_view text) {
  std::string digits;
  for (const std::string_view group : split(trim(text), ",")) {
    if (group.size() > 8 && digits.empty()) {
      digits = group;  // written without commas
      continue;
    }
    if (group.size() > 8) return std::nullopt;
    if (!digits.empty()) digits.append(8 - group.size(), '0');
    digits += group;
  }
  if (digits.empty()) return std::nullopt;
  for (char& c : digits) {
    c = lower(c);
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'))) return std::nullopt;
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  return digits;
}

bool same_mask(std::string_view a, std::string_view b) {
  const auto left = normal_mask(a);
  const auto right = normal_mask(b);
  return left && right ? *left == *right : trim(a) == trim(b);
}

/// Milliseconds of an nginx time: `75`, `75s`, `1m15s`, `1h 30m`; units from large to small, each once. `M`
/// is a month of 30 days, `m` a minute. http://nginx.org/en/docs/syntax.html
std::optional<std::uint64_t> parse_duration(std::string_view text) {
  struct Unit {
    std::string_view name;
    std::uint64_t milliseconds;
  };
  static constexpr Unit kUnits[] = {{"y", 31536000000}, {"M", 2592000000}, {"w", 604800000}, {"d", 86400000},
                                    {"h", 3600000},     {"m", 60000},      {"s", 1000},      {"ms", 1}};
  text = trim(text);
  if (text.empty()) return std::nullopt;
  std::uint64_t total = 0;
  std::size_t next_unit = 0;
  while (!text.empty()) {
    std::uint64_t amount = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), amount);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const std::size_t letters = std::min(text.find_first_of("0123456789 \t"), text.size());
    const std::string_view name = letters == 0 ? "s" : text.substr(0, letters);
    std::size_t unit = next_unit;
    while (unit < std::size(kUnits) && kUnits[unit].name != name) ++unit;
    if (unit == std::size(kUnits)) return std::nullopt;
    std::uint64_t part = 0;
    if (__builtin_mul_overflow(amount, kUnits[unit].milliseconds, &part) ||
        __builtin_add_overflow(total, part, &total)) {
      return std::nullopt;
    }
    next_unit = unit + 1;
    text = trim(text.substr(letters));
  }
  return total;
}

bool same_duration(std::string_view a, std::string_view b) {
  const auto left = parse_duration(a);
  const auto right = parse_duration(b);
  if (left && right) return *left == *right;
  const auto same_time = [](std::string_view x, std::string_view y) {
    const auto first = parse_duration(x);
    const auto second = parse_duration(y);
    return first && second ? *first == *second : same_number(x, y);
  };
  const auto words = split(a, kBlanks);
  const auto other_words = split(b, kBlanks);
  return std::equal(words.begin(), words.end(), other_words.begin(), other_words.end(), same_time);
}

/// The amount that a text says, as a number in its normal form.
std::optional<std::string> normal_amount(ValueType type, std::string_view text) {
  const bool is_time = type == ValueType::duration;
  const auto amount = is_time ? parse_duration(text) : parse_size(text);
  if (amount) return std::to_string(*amount);
  return is_time ? std::nullopt : normal_number(text);
}

int sign(int value) {
  return value < 0 ? -1 : value > 0 ? 1 : 0;
}

/// left - right as a sign, of numbers in their normal form without a minus: exact, however long they are.
int compare_normal(std::string_view left, std::string_view right) {
  const std::string_view whole = left.substr(0, left.find('.'));
  const std::string_view other = right.substr(0, right.find('.'));
  if (whole.size() != other.size()) return whole.size() < other.size() ? -1 : 1;
  return sign(left.compare(right));
}

}  // namespace

std::optional<std::uint64_t> parse_size(std::string_view text) {
  text = trim(text);
  if (text.empty()) return std::nullopt;
  unsigned shift = 0;
  constexpr std::string_view kSuffixes = "kmgtpe";
  const std::size_t suffix = kSuffixes.find(lower(text.back()));
  if (suffix != std::string_view::npos) {
    shift = static_cast<unsigned>(10 * (suffix + 1));
    text.remove_suffix(1);
  }
  const auto number = parse_whole<std::uint64_t>(text, 10);
  if (!number || (shift != 0 && *number >> (64 - shift) != 0)) return std::nullopt;
  return *number << shift;
}

std::string_view selected(std::string_view text) {
  text = trim(text);
  const std::size_t open = text.find('[');
  if (open == std::string_view::npos) return text;
  const std::size_t close = text.find(']', open);
  return close == std::string_view::npos ? text : text.substr(open + 1, close - open - 1);
}

bool offers(std::string_view selection, std::string_view word) {
  if (selection.find('[') == std::string_view::npos) return true;
  for (std::string_view choice : split(selection, kBlanks)) {
    if (selected(choice) == word) return true;
  }
  return false;
}

bool same(ValueType type, std::string_view left, std::string_view right) {
  switch (type) {
    case ValueType::text:
      return trim(left) == trim(right);
    case ValueType::text_nocase:
      return same_nocase(trim(left), trim(right));
    case ValueType::number:
      return same_number(left, right);
    case ValueType::size:
      return same_size(left, right);
    case ValueType::boolean:
      return same_boolean(left, right);
    case ValueType::words:
      return same_words(left, right);
    case ValueType::selection:
      return selected(left) == selected(right);
    case ValueType::cpu_list:
    case ValueType::number_ranges:
      return same_ranges(left, right);
    case ValueType::cpu_mask:
      return same_mask(left, right);
    case ValueType::duration:
      return same_duration(left, right);
    case ValueType::option:
      return same_option(left, right);
  }
  return false;
}

bool same(ValueType type, const Value& left, const Value& right) {
  return std::equal(left.items.begin(), left.items.end(), right.items.begin(), right.items.end(),
                    [type](const std::string& a, const std::string& b) { return same(type, a, b); });
}

std::optional<int> order(ValueType type, std::string_view left, std::string_view right) {
  const auto a = normal_amount(type, left);
  const auto b = normal_amount(type, right);
  if (!a || !b) return std::nullopt;
  const bool a_minus = a->front() == '-', b_minus = b->front() == '-';
  if (a_minus != b_minus) return a_minus ? -1 : 1;
  if (!a_minus) return compare_normal(*a, *b);
  return compare_normal(std::string_view(*b).substr(1), std::string_view(*a).substr(1));
}

}  // namespace tunekeeper
