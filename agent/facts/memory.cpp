#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/compare.hpp"
#include "facts/gather.hpp"
#include "facts/text.hpp"
#include "facts/unit_files.hpp"

namespace tunekeeper {

namespace {

constexpr const char* meminfo = "/proc/meminfo";

/// A field of /proc/meminfo in bytes; it prints kB, meaning 1024 (proc(5)).
std::optional<std::uint64_t> meminfo_bytes(std::string_view text, std::string_view key) {
  auto field = colon_field(text, key);
  if (!field || !field->ends_with(" kB")) return std::nullopt;
  field->remove_suffix(3);
  const auto number = number_of(*field);
  return number ? std::optional(*number * 1024) : std::nullopt;
}

/// systemd.resource-control(5): bytes with K, M, G, T of 1024, a percentage of the machine's memory, or
/// "infinity".
std::optional<std::uint64_t> memory_limit(std::string_view text, std::uint64_t total) {
  if (!text.ends_with('%')) return parse_size(text);
  const auto percent = number_of(text.substr(0, text.size() - 1));
  return percent ? std::optional(total / 100 * *percent) : std::nullopt;
}

struct Least {
  std::uint64_t bytes;
  std::string source;

  void consider(std::optional<std::uint64_t> limit, std::string_view from) {
    if (!limit || *limit >= bytes) return;
    bytes = *limit;
    source = from;
  }
};

/// The limits of the group that all processes here are in (a container's), of the slice, and of the service
/// itself.
void consider_cgroups(const HostView& host, const std::string& unit, Least& least) {
  const bool unified = host.exists("/sys/fs/cgroup/cgroup.controllers");
  const std::string top = unified ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory";
  const std::string file = unified ? "/memory.max" : "/memory.limit_in_bytes";
  for (const auto& group : {std::string(), std::string("/system.slice"), "/system.slice/" + unit}) {
    const std::string path = top + group + file;
    const auto limit = host.read(path);
    if (limit.ok()) least.consider(number_of(limit.bytes), path);
  }
}

}  // namespace

Found memory_total(const HostFacts& facts) {
  const auto total = meminfo_bytes(facts.host().read(meminfo).bytes, "MemTotal");
  return total ? have_number(*total) : lack("/proc/meminfo has no MemTotal to read");
}

Found memory_hugepages(const HostFacts& facts) {
  const auto file = facts.host().read(meminfo);
  if (!file.ok()) return lack("/proc/meminfo cannot be read");
  // Hugetlb counts the pages of every size; kernels before 4.18 tell only those of the default size.
  if (const auto all = meminfo_bytes(file.bytes, "Hugetlb")) return have_number(*all);
  const auto pages = number_of(colon_field(file.bytes, "HugePages_Total").value_or(""));
  return have_number(pages.value_or(0) * meminfo_bytes(file.bytes, "Hugepagesize").value_or(0));
}

Found memory_available_to_service(const HostFacts& facts) {
  const auto total = facts.fact("memory.total");
  if (total.kind != FactValue::Kind::value) return lack(total.reason);
  const auto bytes = static_cast<std::uint64_t>(std::get<std::int64_t>(total.value));
  const std::string unit = text_of(facts, "mysql.unit");
  Least least{bytes, {}};
  if (const auto limit = service_value(facts.host(), unit, "MemoryMax")) {
    least.consider(memory_limit(*limit, bytes), fmt::format("MemoryMax of {}", unit));
  }
  consider_cgroups(facts.host(), unit, least);
  const auto pages = facts.fact("memory.hugepages");
  const auto taken = pages.kind == FactValue::Kind::value ? std::get<std::int64_t>(pages.value) : 0;
  const auto left = static_cast<std::int64_t>(least.bytes) - taken;
  return have(std::max<std::int64_t>(left, 0), least.source.empty() ? "" : "limited by " + least.source);
}

}  // namespace tunekeeper
