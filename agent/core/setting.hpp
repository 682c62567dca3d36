#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/compare.hpp"
#include "core/plane.hpp"
#include "core/position.hpp"

namespace tunekeeper {

/// What a profile asks of a value.
enum class Want { equals, at_least, at_most, absent };

/// One setting as a profile wants it, all expressions evaluated.
struct Desired {
  std::string id;  ///< "sysctl:vm.swappiness", "nginx:events.worker_connections"
  std::vector<std::string>
      path;  ///< the keys below the section: {"vm.swappiness"}, {"events", "worker_connections"}
  Want want = Want::equals;
  Value value;          ///< empty when absence is wanted
  std::string profile;  ///< the profile that asked last ("mysql-oltp")
  Position at;          ///< where it asked
  std::string why;
  std::string source;
  bool restore_on_release = true;

  /// The part of the id before the first colon: "sysctl".
  std::string_view section() const { return std::string_view(id).substr(0, id.find(':')); }
  /// The part after it: "vm.swappiness".
  std::string_view key() const { return std::string_view(id).substr(id.find(':') + 1); }
};

/// The desired value for people: "60", "at least 500000", "(absent)", "set", "(redacted)".
std::string describe(const Desired& desired);

/// Whether a plane's value satisfies what is wanted, by the typed comparison of core/compare.hpp.
/// Absent satisfies only Want::absent; not_applicable always does; unknown never.
bool satisfies(const Desired& desired, const Plane& plane, ValueType type);

}  // namespace tunekeeper
