#include "providers/units/process_view.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "providers/processes.hpp"

namespace tunekeeper {
namespace {

struct LimitName {
  std::string_view key;    ///< systemd.exec(5)
  std::string_view label;  ///< /proc/PID/limits
};

constexpr std::array<LimitName, 12> kLimits{{{"LimitCPU", "Max cpu time"},
                                             {"LimitFSIZE", "Max file size"},
                                             {"LimitDATA", "Max data size"},
                                             {"LimitSTACK", "Max stack size"},
                                             {"LimitCORE", "Max core file size"},
                                             {"LimitRSS", "Max resident set"},
                                             {"LimitNOFILE", "Max open files"},
                                             {"LimitAS", "Max address space"},
                                             {"LimitNPROC", "Max processes"},
                                             {"LimitMEMLOCK", "Max locked memory"},
                                             {"LimitLOCKS", "Max file locks"},
                                             {"LimitMSGQUEUE", "Max msgqueue size"}}};

std::string limit_text(const std::string& value) {
  return value == "unlimited" ? "infinity" : value;
}

Plane unreadable(const std::string& path, int error) {
  if (error == ENOENT || error == ESRCH) return Plane::not_applicable("the process has just ended");
  return Plane::unknown(fmt::format("cannot read {}: {}", path, std::strerror(error)));
}

Plane limit_of(const HostView& host, int pid, std::string_view label) {
  const auto limit = resource_limit(host, pid, label);
  if (!limit) return Plane::not_applicable(fmt::format("/proc/{}/limits does not tell it", pid));
  const std::string soft = limit_text(limit->soft);
  return Plane::of(limit->soft == limit->hard ? soft : soft + ":" + limit_text(limit->hard));
}

/// The policy of the process's first mapping, "interleave:0-1": 64 bytes of numa_maps, never more, since the
/// kernel walks all of the memory for the rest.
Plane numa_of(const HostView& host, int pid, bool wants_mask) {
  const std::string path = fmt::format("/proc/{}/numa_maps", pid);
  const ReadResult read = host.read(path, 64);
  if (read.absent()) return Plane::not_applicable("this kernel has no NUMA policies");
  if (!read.ok()) return unreadable(path, read.error);
  const auto fields = words_in(read.bytes);
  if (fields.size() < 2) return Plane::not_applicable(path + " is empty");
  const std::size_t colon = fields[1].find(':');
  const std::string_view mode = fields[1].substr(0, colon);
  if (wants_mask)
    return Plane::of(std::string(colon == std::string_view::npos ? "" : fields[1].substr(colon + 1)));
  return Plane::of(mode.starts_with("prefer") ? "preferred" : std::string(mode.substr(0, mode.find('='))));
}

Plane status_line(const HostView& host, int pid, std::string_view label) {
  const std::string path = fmt::format("/proc/{}/status", pid);
  const ReadResult read = host.read(path);
  if (!read.ok()) return unreadable(path, read.error);
  const std::size_t at = read.bytes.find("\n" + std::string(label) + ":");
  if (at == std::string::npos) return Plane::not_applicable(path + " does not tell it");
  const auto fields = words_in(std::string_view(read.bytes).substr(at + label.size() + 2));
  return fields.empty() ? Plane::absent() : Plane::of(std::string(fields.front()));
}

Plane nice_of(const HostView& host, int pid) {
  constexpr std::size_t nice_field = 16;  // field 19 of proc(5), the state is field 3
  const auto fields = stat_fields(host, pid);
  return fields.size() > nice_field ? Plane::of(fields[nice_field])
                                    : Plane::not_applicable("the process has just ended");
}

Plane oom_of(const HostView& host, int pid) {
  const std::string path = fmt::format("/proc/{}/oom_score_adj", pid);
  const ReadResult read = host.read(path);
  if (!read.ok()) return unreadable(path, read.error);
  const auto fields = words_in(read.bytes);
  return fields.empty() ? Plane::absent() : Plane::of(std::string(fields.front()));
}

}  // namespace

std::optional<Plane> shown_by_process(const HostView& host, int pid, std::string_view key) {
  const auto limit =
      std::find_if(kLimits.begin(), kLimits.end(), [&](const LimitName& name) { return name.key == key; });
  if (limit != kLimits.end()) return limit_of(host, pid, limit->label);
  if (key == "NUMAPolicy" || key == "NUMAMask") return numa_of(host, pid, key == "NUMAMask");
  if (key == "CPUAffinity") return status_line(host, pid, "Cpus_allowed_list");
  if (key == "Nice") return nice_of(host, pid);
  if (key == "OOMScoreAdjust") return oom_of(host, pid);
  return std::nullopt;
}

std::string cgroup_folder(const HostView& host, const std::string& unit) {
  for (const char* hierarchy : {"/sys/fs/cgroup", "/sys/fs/cgroup/systemd"}) {
    std::string folder = fmt::format("{}/system.slice/{}", hierarchy, unit);
    if (host.exists(folder + "/cgroup.procs")) return folder;
  }
  return {};
}

std::optional<std::string> shown_by_cgroup(const HostView& host, const std::string& unit,
                                           std::string_view key) {
  const bool cpus = key == "AllowedCPUs";
  if (!cpus && key != "AllowedMemoryNodes") return std::nullopt;
  const std::string folder = cgroup_folder(host, unit);
  if (folder.empty()) return std::nullopt;
  const ReadResult read = host.read(folder + (cpus ? "/cpuset.cpus.effective" : "/cpuset.mems.effective"));
  if (!read.ok()) return std::nullopt;
  const auto fields = words_in(read.bytes);
  return fields.empty() ? std::string() : std::string(fields.front());
}

}  // namespace tunekeeper
