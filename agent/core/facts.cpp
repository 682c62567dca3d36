#include "core/facts.hpp"

#include <cmath>
#include <type_traits>

#include <fmt/format.h>

namespace tunekeeper {
namespace {

std::string number_text(double number) {
  if (!std::isfinite(number)) return std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";
  if (number == std::trunc(number)) return fmt::format("{:.0f}", number + 0.0);
  std::string text = fmt::format("{:.6f}", number);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace

std::string to_string(const Scalar& scalar) {
  return std::visit(
      [](const auto& value) -> std::string {
        using Type = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Type, bool>) return value ? "true" : "false";
        if constexpr (std::is_same_v<Type, std::int64_t>) return std::to_string(value);
        if constexpr (std::is_same_v<Type, double>) return number_text(value);
        if constexpr (std::is_same_v<Type, std::string>) return value;
        if constexpr (std::is_same_v<Type, std::vector<std::string>>)
          return fmt::format("{}", fmt::join(value, " "));
      },
      scalar);
}

}  // namespace tunekeeper
