#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "formats/sysctl_d.hpp"
#include "providers/sysctl/sysctl_provider.hpp"

namespace tunekeeper {
namespace {

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The first word of a kernel file as a number.
std::optional<std::uint64_t> first_number(const HostView& host, std::string_view path) {
  const auto read = host.read(path, 256);
  const auto text = kernel_word(read.bytes);
  return read.ok() ? number(text.substr(0, text.find_first_of(" \t"))) : std::nullopt;
}

std::vector<std::string> processes(const HostView& host) {
  auto names = host.list("/proc");
  std::erase_if(names, [](const std::string& name) { return !number(name); });
  return names;
}

/// Threads that exist now: the number after the slash in /proc/loadavg, else a count over all processes.
std::optional<std::uint64_t> threads(const HostView& host) {
  const auto text = host.read("/proc/loadavg", 256).bytes;
  const auto slash = text.find('/');
  if (slash != std::string::npos) {
    return number(std::string_view(text).substr(slash + 1, text.find(' ', slash) - slash - 1));
  }
  std::uint64_t count = 0;
  for (const auto& name : processes(host)) {
    count += std::max<std::uint64_t>(1, host.list("/proc/" + name + "/task").size());
  }
  return count == 0 ? std::nullopt : std::optional(count);
}

std::optional<std::uint64_t> highest_pid(const HostView& host) {
  std::uint64_t highest = 0;
  for (const auto& name : processes(host)) highest = std::max(highest, *number(name));
  return highest == 0 ? std::nullopt : std::optional(highest);
}

std::optional<std::uint64_t> most_open_files(const HostView& host) {
  std::uint64_t most = 0;
  for (const auto& name : processes(host)) {
    most = std::max<std::uint64_t>(most, host.list("/proc/" + name + "/fd").size());
  }
  return most == 0 ? std::nullopt : std::optional(most);
}

/// A limit on what the whole host uses.
struct UseLimit {
  std::string_view key;  ///< path spelling
  std::optional<std::uint64_t> (*used)(const HostView& host);
  std::string_view what;
  /// What a small host needs, where the use is not known (another root, a hidden /proc).
  std::uint64_t safe_floor;
};

constexpr std::array<UseLimit, 4> use_limits{{
    // A small server with its kernel threads stays below a thousand.
    {"kernel/threads-max", threads, "threads", 1000},
    // The kernel's own default.
    {"kernel/pid_max", highest_pid, "is the highest process id", 32768},
    // The least that the kernel gives itself at boot (NR_FILE).
    {"fs/file-max", [](const HostView& host) { return first_number(host, "/proc/sys/fs/file-nr"); },
     "files are open", 8192},
    // The limit that every process starts with (INR_OPEN_CUR).
    {"fs/nr_open", most_open_files, "files are open in one process", 1024},
}};

std::string below_use(const HostView& host, const UseLimit& limit, std::uint64_t value) {
  const auto used = limit.used(host);
  if (value >= used.value_or(limit.safe_floor)) return {};
  const auto key = sysctl_dotted(limit.key);
  if (used) return fmt::format("{}={} is below present use: {} {}", key, value, *used, limit.what);
  return fmt::format("{}={} is below {}, and present use is not known here", key, value, limit.safe_floor);
}

std::string guard_min_free(const FactSource& facts, std::uint64_t kib) {
  if (kib < 1024) return fmt::format("vm.min_free_kbytes={} is below 1024 (1 MiB)", kib);
  const auto total = facts.fact("memory.total");
  const auto* bytes = std::get_if<std::int64_t>(&total.value);
  if (total.kind != FactValue::Kind::value || bytes == nullptr) return {};
  const auto most = static_cast<std::uint64_t>(*bytes) / 1024 / 20;
  if (kib <= most) return {};
  return fmt::format("vm.min_free_kbytes={} is over 5 % of memory ({} KiB)", kib, most);
}

}  // namespace

std::string guard_sysctl(const Context& context, std::string_view key, const std::string& text) {
  const auto value = number(text);
  if (!value) return {};
  if (key == "vm/min_free_kbytes") return guard_min_free(context.facts, *value);
  if (key == "vm/overcommit_memory" && *value == 2) {
    return "vm.overcommit_memory=2 makes allocations fail that now succeed";
  }
  for (const auto& limit : use_limits) {
    if (key == limit.key) return below_use(context.host, limit, *value);
  }
  return {};
}

}  // namespace tunekeeper
