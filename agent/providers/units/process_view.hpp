#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/plane.hpp"
#include "host/host.hpp"

namespace tunekeeper {

/// What a process shows of a unit's [Service] key, in the words of a unit file: LimitNOFILE and its like,
/// NUMAPolicy and NUMAMask, CPUAffinity, Nice, OOMScoreAdjust. Nothing for a key that no process shows;
/// unknown where it may not be read.
std::optional<Plane> shown_by_process(const HostView& host, int pid, std::string_view key);

/// What the unit's control group has in force of AllowedCPUs and AllowedMemoryNodes (cgroup v2); nothing for
/// other keys, and without that controller.
std::optional<std::string> shown_by_cgroup(const HostView& host, const std::string& unit,
                                           std::string_view key);

/// The folder of a unit's control group, where it is at systemd's usual place; empty when it is not there.
std::string cgroup_folder(const HostView& host, const std::string& unit);

}  // namespace tunekeeper
