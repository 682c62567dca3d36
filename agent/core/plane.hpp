#pragma once

#include <string>
#include <vector>

namespace tunekeeper {

/// What a setting is given, or found to have: the text after decoding quotes and escapes, never reformatted
/// (`8G` stays `8G`). A repeated token (console=) has several items, in order. A bare flag (`quiet`) has no
/// item.
struct Value {
  std::vector<std::string> items;
  bool repeated = false;

  bool is_flag() const { return items.empty(); }
  bool operator==(const Value&) const = default;

  static Value of(std::string text) { return {{std::move(text)}, false}; }
  static Value list(std::vector<std::string> items) { return {std::move(items), true}; }
  static Value flag() { return {}; }
};

/// For people: items joined by ", "; a flag is "set".
std::string to_string(const Value& value);

/// One plane of one setting: a value, or null with the reason.
struct Plane {
  enum class Kind {
    value,
    absent,          ///< not there; counts as a difference
    not_applicable,  ///< no such plane here, or its owner is not running; does not count
    unknown,         ///< could not be read; makes the row failed
  };

  Kind kind = Kind::not_applicable;
  Value value;
  std::string reason;  ///< bare text, without the "n/a: " or "unknown: " that reports put before it

  bool has_value() const { return kind == Kind::value; }
  bool operator==(const Plane&) const = default;

  static Plane of(std::string text) { return {Kind::value, Value::of(std::move(text)), {}}; }
  static Plane of(Value value) { return {Kind::value, std::move(value), {}}; }
  static Plane absent() { return {Kind::absent, {}, {}}; }
  static Plane not_applicable(std::string reason) { return {Kind::not_applicable, {}, std::move(reason)}; }
  static Plane unknown(std::string reason) { return {Kind::unknown, {}, std::move(reason)}; }
};

}  // namespace tunekeeper
