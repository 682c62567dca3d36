#include "core/splice.hpp"

#include <algorithm>
#include <stdexcept>

namespace tunekeeper {

std::string splice(std::string_view original, std::vector<Splice> splices) {
  // An insertion at the first byte of a replaced span goes before it, whichever was named first.
  std::stable_sort(splices.begin(), splices.end(), [](const Splice& a, const Splice& b) {
    return a.offset != b.offset ? a.offset < b.offset : a.length == 0 && b.length != 0;
  });
  std::string result;
  result.reserve(original.size() + 256);
  std::size_t done = 0;
  for (const Splice& s : splices) {
    if (s.offset < done) throw std::invalid_argument("two edits of a file overlap");
    if (s.offset > original.size() || s.length > original.size() - s.offset) {
      throw std::invalid_argument("an edit lies outside its file");
    }
    result.append(original.substr(done, s.offset - done));
    result += s.text;
    done = s.offset + s.length;
  }
  result.append(original.substr(done));
  return result;
}

Splice difference(std::string_view before, std::string_view after) {
  const auto shorter = std::min(before.size(), after.size());
  std::size_t head = 0, tail = 0;
  while (head < shorter && before[head] == after[head]) ++head;
  while (tail < shorter - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  return {head, before.size() - head - tail, std::string(after.substr(head, after.size() - head - tail))};
}

}  // namespace tunekeeper
