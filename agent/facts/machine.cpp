// CPU, NUMA, operating system and kernel.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "facts/gather.hpp"
#include "facts/text.hpp"

namespace tunekeeper {

namespace {

constexpr std::size_t first_cpu = 8192;  // bytes of /proc/cpuinfo that hold its first processor

Found cpuinfo_field(const HostFacts& facts, std::string_view key, std::string_view what) {
  const auto file = facts.host().read("/proc/cpuinfo", first_cpu);
  if (const auto field = colon_field(file.bytes, key); field && !field->empty())
    return have(std::string(*field));
  return lack(fmt::format("/proc/cpuinfo does not tell the {}", what));
}

std::optional<std::string> os_release(const HostFacts& facts, std::string_view name) {
  auto file = facts.host().read("/etc/os-release");
  if (!file.ok()) file = facts.host().read("/usr/lib/os-release");
  return assignment(file.bytes, name);
}

Found os_release_fact(const HostFacts& facts, std::string_view name) {
  auto value = os_release(facts, name);
  if (value && !value->empty()) return have(*std::move(value));
  return lack(fmt::format("/etc/os-release has no {}", name));
}

}  // namespace

Found cpu_count(const HostFacts& facts) {
  const auto online = facts.host().read("/sys/devices/system/cpu/online");
  if (const auto count = count_of_list(online.bytes)) return have_number(*count);
  const auto cpuinfo = facts.host().read("/proc/cpuinfo");
  std::uint64_t processors = 0;
  std::string_view rest = cpuinfo.bytes, line;
  while (next_line(rest, line))
    processors += line.starts_with("processor\t") || line.starts_with("processor ") ? 1 : 0;
  if (processors != 0) return have_number(processors);
  return lack("neither /sys/devices/system/cpu/online nor /proc/cpuinfo tells the CPUs");
}

Found cpu_vendor(const HostFacts& facts) {
  Found vendor = cpuinfo_field(facts, "vendor_id", "vendor");
  if (vendor.value.kind == FactValue::Kind::value) return vendor;
  Found implementer = cpuinfo_field(facts, "CPU implementer", "vendor");  // arm64
  return implementer;
}

Found cpu_model(const HostFacts& facts) {
  return cpuinfo_field(facts, "model name", "model");
}

Found numa_nodes(const HostFacts& facts) {
  const auto online = facts.host().read("/sys/devices/system/node/online");
  if (const auto count = count_of_list(online.bytes)) return have_number(*count);
  return have_number(1, "assumed: the kernel lists no nodes");
}

Found os_id(const HostFacts& facts) {
  return os_release_fact(facts, "ID");
}

Found os_version(const HostFacts& facts) {
  return os_release_fact(facts, "VERSION_ID");
}

Found os_codename(const HostFacts& facts) {
  return os_release_fact(facts, "VERSION_CODENAME");
}

Found os_like(const HostFacts& facts) {
  // A distribution that derives from none is like itself, so that `os.like == "debian"` holds on Debian too.
  if (auto like = os_release(facts, "ID_LIKE"); like && !like->empty()) return have(*std::move(like));
  return os_id(facts);
}

Found kernel_release(const HostFacts& facts) {
  const auto file = facts.host().read("/proc/sys/kernel/osrelease");
  const auto release = trimmed(file.bytes);
  return release.empty() ? lack("/proc/sys/kernel/osrelease cannot be read") : have(std::string(release));
}

Found kernel_version(const HostFacts& facts) {
  const auto release = facts.fact("kernel.release");
  if (release.kind != FactValue::Kind::value) return lack(release.reason);
  return have(version_number(std::get<std::string>(release.value)));
}

}  // namespace tunekeeper
