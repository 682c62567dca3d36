#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tunekeeper {

/// A fact about the host, a profile's variable, or what an expression gives.
using Scalar = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>>;

/// A fact, or why this host has none.
struct FactValue {
  enum class Kind {
    value,
    missing,  ///< a fact we know of, that this host does not have; `reason` says why
    unknown,  ///< no fact has this name
  };

  Kind kind = Kind::unknown;
  Scalar value;
  std::string reason;
};

/// Where expressions get facts from. Implementations gather lazily: a fact nobody asks for costs nothing.
class FactSource {
 public:
  virtual ~FactSource() = default;

  /// The fact with this dotted name ("memory.total", "mysql.storage").
  virtual FactValue fact(std::string_view name) const = 0;
  /// Every name there is, in byte order, whether this host has the fact or not.
  virtual const std::vector<std::string>& names() const = 0;
  /// Every value that this fact can have ("hdd", "ssd", …), for profiles to be checked against; empty where
  /// it is open.
  virtual std::vector<std::string> values(std::string_view) const { return {}; }
};

/// Text of a fact for people and for values: integral numbers without a fraction, lists joined by " ".
std::string to_string(const Scalar& scalar);

}  // namespace tunekeeper
