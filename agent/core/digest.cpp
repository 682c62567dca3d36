#include "core/digest.hpp"

#include <cstdint>

#include <fmt/format.h>

namespace tunekeeper {

std::string digest(std::string_view bytes) {
  constexpr std::uint64_t kOffsetBasis = 14695981039346656037U;
  constexpr std::uint64_t kPrime = 1099511628211U;
  std::uint64_t hash = kOffsetBasis;
  for (const char c : bytes) {
    hash ^= static_cast<unsigned char>(c);
    hash *= kPrime;
  }
  return fmt::format("fnv1a:{:016x}-{}", hash, bytes.size());
}

}  // namespace tunekeeper
