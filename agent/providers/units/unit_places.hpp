#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "host/host.hpp"

namespace tunekeeper {

/// The folders in which the system manager looks for units, the strongest first (systemd.unit(5)).
const std::vector<std::string>& unit_folders();

/// A name with its unit type: "mariadb" is "mariadb.service".
std::string unit_name(std::string_view written);

/// Where a unit's own file is; of an instance (`x@1.service`) without one, its template's. Empty when there
/// is none.
std::string find_unit_file(const HostView& host, const std::string& unit);

/// Whether the unit is masked: its file is a link to /dev/null.
bool is_masked_unit(const HostView& host, const std::string& unit_file);

/// The folders whose drop-ins a unit takes, the strongest first: of the unit, its aliases in /etc and /run,
/// its template, the prefixes of a name with dashes, and the unit type (`service.d`).
std::vector<std::string> dropin_folders(const HostView& host, const std::string& unit);

/// Our drop-in for a unit.
std::string own_dropin(const std::string& unit);

}  // namespace tunekeeper
