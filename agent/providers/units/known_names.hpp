#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tunekeeper {

/// What is wrong with the name of a unit file's section, with the nearest right one; nothing for those that
/// systemd reads (systemd.unit(5)) and for private ones (`X-…`).
std::optional<std::string> unit_section_problem(std::string_view section);

/// What is wrong with a key: it is not known, and a known one is so near that it is a slip of the pen. Others
/// pass: systemd gains keys with every release.
std::optional<std::string> unit_key_problem(std::string_view key);

}  // namespace tunekeeper
