#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "host/host.hpp"

namespace tunekeeper {

/// Whether a unit file of this name is on disk, and no alias or mask.
bool has_unit_file(const HostView& host, std::string_view unit);

/// The last value that the unit's file and its drop-ins give a key of [Service], as systemd would read them
/// from disk (systemd.unit(5): directories by precedence, drop-ins by name); nothing when none does, or the
/// last one is empty.
std::optional<std::string> service_value(const HostView& host, std::string_view unit, std::string_view key);

}  // namespace tunekeeper
