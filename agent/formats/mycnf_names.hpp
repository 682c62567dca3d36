#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/mycnf.hpp"

namespace tunekeeper {

/// What the key of an option means: the option's own name, and what its prefix does to the value. Rules of
/// my_getopt.c; checked with mariadbd 10.11.
struct OptionName {
  std::string name;       ///< underscores; lower case where the dialect ignores case
  bool negated = false;   ///< skip- or disable-: off, but on where the value is 0
  bool affirmed = false;  ///< enable-: on, but off where the value is 0
  bool loose = false;     ///< an unknown option is only warned about
  bool maximum = false;   ///< limits what a session may set: another setting than the option itself

  /// The value as the option takes it: "ON" for a bare flag, "OFF" for a skipped one.
  std::string value(const MyCnfOption& written) const;
  /// Whether value() is what was written, not what a prefix or a bare flag makes of it.
  bool plain(const MyCnfOption& written) const { return written.has_value && !negated && !affirmed; }
};

/// The option that a key names. `known` holds names with underscores in byte order and may be empty; MariaDB
/// takes an unambiguous beginning of a known name for it.
OptionName option_name(std::string_view key, const MyCnfDialect& dialect,
                       std::span<const std::string> known = {});

/// Underscores for dashes, and lower case: the spelling that profiles and SHOW VARIABLES share.
std::string fold_option(std::string_view key);

/// Whether every statement of the option adds to those before it, instead of replacing them.
bool is_repeatable_option(std::string_view name);

/// The groups that a server reads; `version` as "10.11.19". In no order: position in the files alone decides.
std::vector<std::string> server_groups(std::string_view flavor, std::string_view version);

/// Whether any server of either flavour reads options for itself from this group.
bool is_server_group(std::string_view group);

/// Group names are compared without case.
bool same_group(std::string_view left, std::string_view right);

}  // namespace tunekeeper
