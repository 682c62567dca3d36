#include "core/position.hpp"

#include <fmt/format.h>

namespace tunekeeper {

std::string to_string(const Position& position) {
  if (position.line == 0) return position.file;
  if (position.column == 0) return fmt::format("{}:{}", position.file, position.line);
  return fmt::format("{}:{}:{}", position.file, position.line, position.column);
}

}  // namespace tunekeeper
