#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tunekeeper {

/// One replacement in a file: `length` bytes from `offset` of the ORIGINAL bytes give way to `text`. An
/// insertion has length 0, a removal an empty text. Editors return splices, so that edits of several
/// providers to one file merge, and so that what is not named stays byte for byte.
struct Splice {
  std::size_t offset = 0;
  std::size_t length = 0;
  std::string text;

  bool operator==(const Splice&) const = default;
};

/// The original with all splices made. They may come in any order; insertions at the same offset keep the
/// order given, and stand before a replacement there. Throws std::invalid_argument when two of them overlap
/// or one lies outside the original.
std::string splice(std::string_view original, std::vector<Splice> splices);

/// The one splice that turns the first text into the second: what both begin and end with stays.
Splice difference(std::string_view before, std::string_view after);

}  // namespace tunekeeper
