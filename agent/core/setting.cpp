#include "core/setting.hpp"

#include <algorithm>

#include "core/secret.hpp"

namespace tunekeeper {

std::string describe(const Desired& desired) {
  switch (desired.want) {
    case Want::absent:
      return "(absent)";
    case Want::at_least:
      return "at least " + shown(desired.id, desired.value);
    case Want::at_most:
      return "at most " + shown(desired.id, desired.value);
    case Want::equals:
      break;
  }
  return shown(desired.id, desired.value);
}

namespace {

/// Whether every item is on the right side of the bound, or at it.
bool ordered(const Desired& desired, const Value& value, ValueType type, int wrong_sign) {
  return !value.items.empty() && !desired.value.items.empty() &&
         std::all_of(value.items.begin(), value.items.end(), [&](const std::string& item) {
           const std::string& bound = desired.value.items.front();
           const std::optional<int> sign = order(type, item, bound);
           return sign ? *sign != wrong_sign : same(type, item, bound);
         });
}

}  // namespace

bool satisfies(const Desired& desired, const Plane& plane, ValueType type) {
  switch (plane.kind) {
    case Plane::Kind::not_applicable:
      return true;
    case Plane::Kind::unknown:
      return false;
    case Plane::Kind::absent:
      return desired.want == Want::absent;
    case Plane::Kind::value:
      break;
  }
  switch (desired.want) {
    case Want::absent:
      return false;
    case Want::equals:
      return same(type, desired.value, plane.value);
    case Want::at_least:
      return ordered(desired, plane.value, type, -1);
    case Want::at_most:
      return ordered(desired, plane.value, type, 1);
  }
  return false;
}

}  // namespace tunekeeper
