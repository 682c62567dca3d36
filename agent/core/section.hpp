#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tunekeeper {

/// The shape of a profile's section, stated by the provider that owns it, so that the loader knows no
/// provider.
struct SectionSpec {
  std::string_view name;       ///< as in YAML: "units"
  std::string_view id_prefix;  ///< as in ids: "unit"
  /// Whether the map below these keys holds further keys rather than the long form of one setting.
  bool (*is_group)(std::span<const std::string> path) = [](std::span<const std::string>) { return false; };
  /// The id's key of a whole key path: {"events","worker_connections"} -> "events.worker_connections".
  std::string (*join)(std::span<const std::string> path) = nullptr;  ///< null: joined by "."
  bool lists = false;      ///< a list is one repeated value (grub, mysql); otherwise it is an error
  bool flags = false;      ///< `{ flag: true }` is understood
  bool fractions = false;  ///< an expression may give 0.5; otherwise that is an error
  bool templates = false;  ///< `{ template: NAME }` is understood: its rendering is the value (files)
  /// What is wrong with this key, or nothing: "cannot leave /sys", "no directive of nginx's main context".
  std::optional<std::string> (*key_problem)(std::span<const std::string> path) = nullptr;
  /// Keys known to this section, for "did you mean"; may be empty.
  std::span<const std::string_view> known_keys = {};
};

}  // namespace tunekeeper
