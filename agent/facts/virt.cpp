// Virtual machine or container; names as systemd-detect-virt prints them, the clouds by their hypervisor.
#include <algorithm>
#include <array>

#include "facts/gather.hpp"
#include "facts/text.hpp"

namespace tunekeeper {

namespace {

/// The container's manager, or empty. systemd's own order: what the manager says, then the traces that some
/// leave.
std::string container_of(const HostView& host) {
  const auto told = host.read("/run/systemd/container", 256);
  if (const auto name = trimmed(told.bytes); !name.empty()) return std::string(name);
  const auto environment = host.read("/proc/1/environ");
  std::string_view rest = environment.bytes;
  while (!rest.empty()) {
    const auto entry = rest.substr(0, rest.find('\0'));
    if (entry.starts_with("container=") && entry.size() > 10) return std::string(entry.substr(10));
    rest.remove_prefix(std::min(entry.size() + 1, rest.size()));
  }
  if (host.exists("/run/.containerenv")) return "podman";
  return host.exists("/.dockerenv") ? "docker" : "";
}

struct DmiName {
  std::string_view text, type;
};

/// By the beginning of a DMI string. The clouds' metal machines say the same and are told apart by the CPU
/// flag.
constexpr std::array dmi_names = {
    DmiName{"KVM", "kvm"},
    DmiName{"OpenStack", "kvm"},
    DmiName{"Amazon EC2", "kvm"},
    DmiName{"Google Compute Engine", "kvm"},
    DmiName{"DigitalOcean", "kvm"},
    DmiName{"VMware", "vmware"},
    DmiName{"VMW", "vmware"},
    DmiName{"innotek GmbH", "oracle"},
    DmiName{"VirtualBox", "oracle"},
    DmiName{"Xen", "xen"},
    DmiName{"Parallels", "parallels"},
    DmiName{"BHYVE", "bhyve"},
    DmiName{"Hyper-V", "hyperv"},
    DmiName{"QEMU", "qemu"},
};

std::string type_by_dmi(const HostView& host) {
  bool microsoft = false;
  std::string type;
  for (const char* field : {"product_name", "sys_vendor", "board_vendor", "bios_vendor"}) {
    const auto file = host.read(std::string("/sys/class/dmi/id/") + field, 256);
    const auto text = trimmed(file.bytes);
    for (const auto& name : dmi_names) {
      if (type.empty() && text.starts_with(name.text)) type = name.type;
    }
    microsoft = microsoft || (std::string_view(field) == "product_name" && text == "Virtual Machine");
  }
  return type.empty() && microsoft ? "hyperv" : type;
}

std::string type_by_clock(const HostView& host) {
  const auto clocks = host.read("/sys/devices/system/clocksource/clocksource0/available_clocksource", 256);
  if (clocks.bytes.find("kvm-clock") != std::string::npos) return "kvm";
  if (clocks.bytes.find("hyperv_clocksource") != std::string::npos) return "hyperv";
  return clocks.bytes.find("xen") != std::string::npos ? "xen" : "";
}

/// Whether the CPU says that a hypervisor is below it; nothing where it has no flags to say so (arm64).
std::optional<bool> hypervisor_flag(const HostView& host) {
  const auto cpuinfo = host.read("/proc/cpuinfo", 8192);
  const auto flags = colon_field(cpuinfo.bytes, "flags");
  if (!flags) return std::nullopt;
  return (" " + std::string(*flags) + " ").find(" hypervisor ") != std::string::npos;
}

}  // namespace

Found virt_container(const HostFacts& facts) {
  return have(!container_of(facts.host()).empty());
}

Found virt_type(const HostFacts& facts) {
  const HostView& host = facts.host();
  if (auto container = container_of(host); !container.empty()) return have(std::move(container));
  const auto xen = host.read("/sys/hypervisor/type", 64);
  if (trimmed(xen.bytes) == "xen") return have(std::string("xen"));
  const auto flag = hypervisor_flag(host);
  if (flag == false) return have(std::string("none"));
  std::string type = type_by_dmi(host);
  if (type.empty() || type == "qemu") {
    if (auto by_clock = type_by_clock(host); !by_clock.empty()) type = std::move(by_clock);
  }
  if (!type.empty()) return have(std::move(type));
  if (flag == true) return have(std::string("vm-other"));
  if (host.exists("/sys/class/dmi/id")) return have(std::string("none"));
  return lack("neither /sys/class/dmi/id nor the flags of /proc/cpuinfo are there to tell");
}

}  // namespace tunekeeper
