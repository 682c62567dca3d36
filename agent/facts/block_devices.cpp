#include "facts/block_devices.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "facts/text.hpp"
#include "host/path_walk.hpp"

namespace tunekeeper {

namespace {

const std::string class_block = "/sys/class/block/";

constexpr int deepest = 16;  // of a stack of devices; more is a loop in staged files

std::string last_component(std::string_view path) {
  const auto slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

/// A mapper name has no file in /dev of an image that does not run: /sys knows it as well.
std::string mapper_device(const HostView& host, const std::string& name) {
  for (const auto& device : host.list(class_block)) {
    if (!device.starts_with("dm-")) continue;
    if (trimmed(host.read(class_block + device + "/dm/name").bytes) == name) return device;
  }
  return {};
}

/// fstab(5) names a file system by a tag as well as by a device.
std::string device_file(const std::string& source) {
  struct Tag {
    std::string_view prefix, folder;
  };
  constexpr std::array tags = {Tag{"UUID=", "/dev/disk/by-uuid/"}, Tag{"LABEL=", "/dev/disk/by-label/"},
                               Tag{"PARTUUID=", "/dev/disk/by-partuuid/"},
                               Tag{"PARTLABEL=", "/dev/disk/by-partlabel/"}};
  for (const auto& tag : tags) {
    if (source.starts_with(tag.prefix)) return std::string(tag.folder) + source.substr(tag.prefix.size());
  }
  return source;
}

/// The disk of a partition. Its folder in /sys stands inside the disk's; where that is a plain folder of a
/// staged /sys, the name tells: sda1 -> sda, nvme0n1p2 -> nvme0n1.
std::string disk_of_partition(const HostView& host, const std::string& partition) {
  std::string disk = last_component(parent_path(host.resolve(class_block + partition)));
  if (disk != "block" && !disk.empty()) return disk;
  std::string name = partition.substr(0, partition.find_last_not_of("0123456789") + 1);
  const bool has_p =
      name.size() >= 2 && name.back() == 'p' && name[name.size() - 2] >= '0' && name[name.size() - 2] <= '9';
  if (has_p) name.pop_back();
  return name;
}

void collect(const HostView& host, const std::string& device, int depth, std::set<std::string>& leaves) {
  const auto slaves = host.list(class_block + device + "/slaves");
  if (depth == deepest) return;
  for (const auto& slave : slaves) collect(host, slave, depth + 1, leaves);
  if (!slaves.empty()) return;
  if (host.exists(class_block + device + "/partition")) {
    const auto disk = disk_of_partition(host, device);
    if (disk != device) return collect(host, disk, depth + 1, leaves);
  }
  if (host.exists(class_block + device)) leaves.insert(device);
}

/// Parts of model and vendor strings of volumes whose speed the hypervisor or the cloud decides.
constexpr std::array<std::string_view, 11> virtual_models = {"Amazon Elastic Block Store",
                                                             "PersistentDisk",
                                                             "nvme_card-pd",
                                                             "Virtual disk",
                                                             "Virtual Disk",
                                                             "VMware",
                                                             "QEMU",
                                                             "VBOX",
                                                             "Msft",
                                                             "MSFT NVMe Accelerator",
                                                             "BlockVolume"};

constexpr std::array<std::string_view, 5> virtual_names = {"vd", "xvd", "rbd", "nbd", "loop"};

bool is_virtual(const HostView& host, const std::string& disk) {
  for (const auto prefix : virtual_names) {
    if (disk.starts_with(prefix)) return true;
  }
  const std::string device = class_block + disk + "/device/";
  const std::string model = host.read(device + "model").bytes;
  if (trimmed(model) == "Volume") return true;  // DigitalOcean's and Hetzner's
  const std::string strings = host.read(device + "vendor").bytes + model;
  return std::any_of(virtual_models.begin(), virtual_models.end(),
                     [&](std::string_view part) { return strings.find(part) != std::string::npos; });
}

}  // namespace

std::string mounted_device(const HostView& host, const Mount& mount) {
  if (!mount.number.empty()) {
    const auto link = host.read_link("/sys/dev/block/" + mount.number);
    if (link) return last_component(*link);
  }
  const std::string file = device_file(mount.source);
  if (!file.starts_with("/dev/")) return {};
  std::string name = last_component(host.resolve(file));
  if (host.exists(class_block + name)) return name;
  return file.starts_with("/dev/mapper/") ? mapper_device(host, last_component(file)) : std::string();
}

std::vector<std::string> leaf_disks(const HostView& host, const std::string& device) {
  std::set<std::string> leaves;
  if (!device.empty()) collect(host, device, 0, leaves);
  return {leaves.begin(), leaves.end()};
}

std::optional<std::string> storage_class(const HostView& host, const std::string& disk) {
  if (is_virtual(host, disk)) return "virtual";
  if (disk.starts_with("nvme")) return "nvme";
  const auto rotational = number_of(host.read(class_block + disk + "/queue/rotational").bytes);
  if (!rotational) return std::nullopt;
  return *rotational != 0 ? "hdd" : "ssd";
}

std::optional<std::string> storage_class(const HostView& host, const std::vector<std::string>& disks) {
  constexpr std::array<std::string_view, 4> slowest_first = {"hdd", "virtual", "ssd", "nvme"};
  auto slowest = slowest_first.end();
  for (const auto& disk : disks) {
    const auto one = storage_class(host, disk);
    if (!one) return std::nullopt;
    slowest = std::min(slowest, std::find(slowest_first.begin(), slowest_first.end(), *one));
  }
  return slowest == slowest_first.end() ? std::nullopt : std::optional<std::string>(*slowest);
}

}  // namespace tunekeeper
