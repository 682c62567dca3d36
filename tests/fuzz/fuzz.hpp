#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "core/splice.hpp"

// What the fuzzers share: how an input is cut into a file and an edit, and how a broken promise is told.

namespace tunekeeper::fuzz {

/// Ends the fuzzer with the promise that was broken; libFuzzer then writes the input.
inline void require(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "\nBROKEN: %s\n", promise);
  std::abort();
}

inline void require_same(std::string_view got, std::string_view wanted, const char* promise) {
  if (got == wanted) return;
  std::fprintf(stderr, "\nBROKEN: %s\n--- got\n%.*s\n--- wanted\n%.*s\n---\n", promise,
               static_cast<int>(got.size()), got.data(), static_cast<int>(wanted.size()), wanted.data());
  std::abort();
}

/// The parts of an input, which bytes of value 1 divide: a file, then what the edit says. Missing parts are
/// empty.
class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) {
    const std::string_view all(reinterpret_cast<const char*>(data), size);
    for (std::size_t at = 0; at <= all.size();) {
      const std::size_t end = std::min(all.find('\1', at), all.size());
      parts_.push_back(all.substr(at, end - at));
      at = end + 1;
    }
  }

  std::string_view part(std::size_t index) const {
    return index < parts_.size() ? parts_[index] : std::string_view();
  }
  /// The part, or a word to use where there is none.
  std::string_view part(std::size_t index, std::string_view otherwise) const {
    const std::string_view found = part(index);
    return found.empty() ? otherwise : found;
  }
  std::size_t size() const { return parts_.size(); }

 private:
  std::vector<std::string_view> parts_;
};

/// Whether the text has this line (from 1), and that line this column or the place behind its last byte.
inline bool is_place(std::string_view text, int line, int column) {
  if (line < 1 || column < 1) return false;
  std::size_t begin = 0;
  for (int i = 1; i < line; ++i) {
    begin = text.find('\n', begin);
    if (begin++ == std::string_view::npos) return false;
  }
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  return static_cast<std::size_t>(column) <= end - begin + 1;
}

}  // namespace tunekeeper::fuzz
