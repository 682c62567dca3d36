#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/facts.hpp"
#include "core/section.hpp"
#include "core/setting.hpp"
#include "profile/text.hpp"

namespace tunekeeper {

/// A variable as declared: a typed scalar, a text with expressions, or neither (`name: ~`: unset).
struct Var {
  std::optional<Scalar> value;
  std::optional<Text> text;
  Position at;

  bool is_set() const { return value || text; }
};

using Vars = std::map<std::string, Var, std::less<>>;

/// A value as stated, expressions not evaluated.
struct StatedValue {
  bool absent = false;    ///< `~`
  bool flag = false;      ///< `{ flag: true }`
  bool repeated = false;  ///< a list
  std::vector<Text> items;
};

/// One of `cases:`.
struct Case {
  std::string name;
  Position at;
  StatedValue value;
};

/// One setting as a profile states it. Exactly one of `value`, `by` and `template_name` counts.
struct Setting {
  const SectionSpec* section = nullptr;
  std::vector<Text> keys;
  Want want = Want::equals;  ///< absent only after evaluation
  StatedValue value;
  std::optional<Text> by;
  std::vector<Case> cases;
  std::optional<StatedValue> default_value;
  std::optional<Text> template_name;
  std::string template_text;  ///< the template's content, read by the loader
  std::optional<Text> when;
  std::string why;
  std::string source;
  bool restore_on_release = true;
  Position at;

  /// The id with its keys as written ("sysfs:block/${ mysql.disks }/queue/scheduler").
  std::string raw_id() const;
};

/// A profile with all that it extends and all drop-ins merged; later statements have won.
struct Profile {
  std::string name;
  std::string path;
  std::string summary;
  std::vector<std::string> files;  ///< all that were read, in the order of merging
  Vars vars;
  std::vector<Setting> settings;  ///< in the order of their first statement
};

/// The id of a setting with these evaluated keys.
std::string setting_id(const SectionSpec& section, const std::vector<std::string>& keys);

}  // namespace tunekeeper
