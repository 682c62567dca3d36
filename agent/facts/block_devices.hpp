#pragma once

#include <optional>
#include <string>
#include <vector>

#include "facts/mounts.hpp"
#include "host/host.hpp"

namespace tunekeeper {

/// The kernel's name of the device that is mounted ("dm-0", "vda1"); empty where it is no block device of
/// this host.
std::string mounted_device(const HostView& host, const Mount& mount);

/// The disks at the bottom of a block device, through partitions, LVM, md, dm-crypt and multipath: kernel
/// names in byte order; empty where /sys does not know the device.
std::vector<std::string> leaf_disks(const HostView& host, const std::string& device);

/// "hdd", "ssd", "nvme", or "virtual" for what a hypervisor or cloud shows; nothing where /sys does not tell.
std::optional<std::string> storage_class(const HostView& host, const std::string& disk);

/// The slowest class of several disks; nothing where one of them is unknown or there are none.
std::optional<std::string> storage_class(const HostView& host, const std::vector<std::string>& disks);

}  // namespace tunekeeper
