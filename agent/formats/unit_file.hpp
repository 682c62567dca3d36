#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/splice.hpp"

namespace tunekeeper {

/// One `Key=value` of a unit file (systemd.syntax(7)), with all its continuation lines.
struct UnitAssignment {
  std::size_t offset = 0;       ///< of its first line
  std::size_t text_length = 0;  ///< up to the end of its last line, without the line end
  std::size_t length = 0;       ///< with it
  int line = 0;                 ///< of its first line, from 1
  std::string section;
  std::string key;
  std::string value;  ///< continuation lines joined, without blanks around it
};

/// The assignments of a unit file or drop-in, in order.
std::vector<UnitAssignment> read_unit(std::string_view bytes);

/// Whether assignments of this key add up, and an empty one starts anew (systemd.exec(5),
/// systemd.resource-control(5), systemd.unit(5)). Of all other keys the last one counts, and an empty one
/// means the default.
bool is_unit_list(std::string_view section, std::string_view key);

/// What decides a key of a unit.
struct UnitDecision {
  bool stated = false;   ///< and not taken back by an empty assignment
  std::string value;     ///< of a list the items, joined by a blank
  std::size_t file = 0;  ///< of the last assignment that counts, index in the list given
  int line = 0;
  bool mentioned = false;  ///< some file names the key
};

/// Decides a key over the unit file and its drop-ins in the order read.
UnitDecision decide_unit(std::span<const std::string_view> files, std::string_view section,
                         std::string_view key);

/// The assignments of this key, each as the exact bytes of its lines without the last line end.
std::vector<std::string> unit_statements(std::string_view bytes, std::string_view section,
                                         std::string_view key);

/// Makes the file state the key by exactly these: in place of present ones, further ones at the end of the
/// section (made where there is none); with none, present ones are removed, and a section that has nothing
/// else with them.
std::vector<Splice> restate_unit(std::string_view bytes, std::string_view section, std::string_view key,
                                 const std::vector<std::string>& statements);

}  // namespace tunekeeper
