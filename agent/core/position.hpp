#pragma once

#include <compare>
#include <string>

namespace tunekeeper {

/// A place in a file a person wrote. Lines and columns count from 1; 0 means unknown.
struct Position {
  std::string file;
  int line = 0;
  int column = 0;

  auto operator<=>(const Position&) const = default;
};

/// "file:line:column", without the parts that are unknown.
std::string to_string(const Position& position);

}  // namespace tunekeeper
