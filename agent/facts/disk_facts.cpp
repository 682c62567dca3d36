// What stands below / and below the data directory.
#include <fmt/format.h>

#include "facts/block_devices.hpp"
#include "facts/gather.hpp"
#include "facts/mounts.hpp"

namespace tunekeeper {

namespace {

/// The folder that a group of facts is about: "/" or the data directory, or the nearest one above it that
/// exists.
std::string folder_of(const HostFacts& facts, bool root) {
  if (root) return "/";
  const auto datadir = text_of(facts, "mysql.datadir");
  return nearest_existing(facts.host(), datadir.empty() ? "/var/lib/mysql" : datadir);
}

Found device_below(const HostFacts& facts, bool root) {
  const std::string folder = folder_of(facts, root);
  const Mount mount = mount_of(facts.host(), folder);
  if (mount.point.empty()) return lack(fmt::format("no table of mounts tells what {} is on", folder));
  auto device = mounted_device(facts.host(), mount);
  if (!device.empty())
    return have(std::move(device), fmt::format("{} is mounted at {}", mount.source, mount.point));
  return lack(fmt::format("{} is on {} ({} of {}), and /sys has no block device for it", folder, mount.type,
                          mount.source, mount.table));
}

Found disks_below(const HostFacts& facts, std::string_view device_fact) {
  const auto device = facts.fact(device_fact);
  if (device.kind != FactValue::Kind::value) return lack(device.reason);
  const auto& name = std::get<std::string>(device.value);
  auto disks = leaf_disks(facts.host(), name);
  if (disks.empty()) return lack(fmt::format("/sys/class/block has no disk below {}", name));
  return have(std::move(disks));
}

Found storage_below(const HostFacts& facts, std::string_view disks_fact) {
  const auto disks = facts.fact(disks_fact);
  if (disks.kind != FactValue::Kind::value) return lack(disks.reason);
  if (auto found = storage_class(facts.host(), std::get<std::vector<std::string>>(disks.value))) {
    return have(*std::move(found));
  }
  return lack(fmt::format("/sys does not tell what kind of disk {} is", to_string(disks.value)));
}

}  // namespace

Found root_mounted_device(const HostFacts& facts) {
  return device_below(facts, true);
}
Found root_disks(const HostFacts& facts) {
  return disks_below(facts, "root.mounted_device");
}
Found root_storage(const HostFacts& facts) {
  return storage_below(facts, "root.disks");
}
Found mysql_mounted_device(const HostFacts& facts) {
  return device_below(facts, false);
}
Found mysql_disks(const HostFacts& facts) {
  return disks_below(facts, "mysql.mounted_device");
}
Found mysql_storage(const HostFacts& facts) {
  return storage_below(facts, "mysql.disks");
}

Found mysql_free(const HostFacts& facts) {
  const std::string folder = folder_of(facts, false);
  if (const auto free = facts.host().free_space(folder)) return have_number(*free);
  return lack(fmt::format("the file system of {} does not tell its free space", folder));
}

}  // namespace tunekeeper
