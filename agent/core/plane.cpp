#include "core/plane.hpp"

namespace tunekeeper {

std::string to_string(const Value& value) {
  if (value.is_flag()) return "set";
  std::string text = value.items.front();
  for (std::size_t i = 1; i < value.items.size(); ++i) text += ", " + value.items[i];
  return text;
}

}  // namespace tunekeeper
