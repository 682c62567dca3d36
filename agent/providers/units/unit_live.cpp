#include "providers/units/unit_live.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "core/judge.hpp"
#include "providers/processes.hpp"
#include "providers/units/process_view.hpp"

namespace tunekeeper {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// The kinds of value that a unit file and the bus write in the same words.
enum class Words { number, size, boolean, word, other };

Words words_of(std::string_view text) {
  constexpr std::array<std::string_view, 6> booleans{"yes", "no", "true", "false", "on", "off"};
  if (text.empty() || text.find_first_of("% \t\"'\\") != std::string_view::npos) return Words::other;
  if (text == "infinity") return Words::number;
  if (std::find(booleans.begin(), booleans.end(), text) != booleans.end()) return Words::boolean;
  const std::size_t digits =
      std::min(text.find_first_not_of("0123456789", text.front() == '-' ? 1 : 0), text.size());
  if (digits == text.size()) return text.size() > 1 && text.front() == '0' ? Words::other : Words::number;
  if (digits > 0 && digits + 1 == text.size() && parse_size(text)) return Words::size;
  const bool plain = std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  });
  return plain && digits == 0 ? Words::word : Words::other;
}

bool comparable(std::string_view wish, std::string_view loaded) {
  const Words one = words_of(wish), other = words_of(loaded);
  if (one == Words::other || other == Words::other) return false;
  const auto is_count = [](Words words) { return words == Words::number || words == Words::size; };
  const auto is_name = [](Words words) { return words == Words::word || words == Words::boolean; };
  return (is_count(one) && is_count(other)) || (is_name(one) && is_name(other));
}

std::string interface_of(const std::string& section) {
  return "org.freedesktop.systemd1." + section;
}

/// What the bus gives as a number has names in a unit file (systemd.exec(5), NUMAPolicy=).
std::string numa_policy(const std::string& number) {
  constexpr std::array<const char*, 5> names{"default", "preferred", "bind", "interleave", "local"};
  const auto index = number_in(number);
  return index && *index >= 0 && *index < std::int64_t(names.size()) ? names[std::size_t(*index)] : number;
}

/// "0-3 8" of the bus is "0-3,8" of a CPU list.
std::string as_cpu_list(std::string ranges) {
  std::replace(ranges.begin(), ranges.end(), ' ', ',');
  return ranges;
}

bool is_mask(std::string_view key) {
  return key.ends_with("AllowedCPUs") || key.ends_with("AllowedMemoryNodes") || key == "CPUAffinity" ||
         key == "NUMAMask";
}

std::string first_item(const Desired& desired) {
  return desired.value.items.empty() ? std::string() : desired.value.items.front();
}

}  // namespace

bool is_taken_at_reload(const UnitKey& key) {
  return is_mask(key.key) && key.key.find("Allowed") != std::string::npos;
}

std::optional<std::string> LiveUnits::loaded(const UnitKey& key, std::string_view wish) const {
  if (context_.bus == nullptr || key.section == "Install") return std::nullopt;
  const auto ask = [&](const std::string& property) {
    return context_.bus->unit_property(key.unit, interface_of(key.section), property);
  };
  std::optional<std::string> value = ask(key.key);
  if (!value) return std::nullopt;
  if (key.key == "NUMAPolicy") return numa_policy(*value);
  if (is_mask(key.key)) return as_cpu_list(std::move(*value));
  if (key.key.starts_with("Limit")) {
    const auto soft = ask(key.key + "Soft");
    if (soft && *soft != *value) return *soft + ":" + *value;
    return value;
  }
  // Octal in a unit file, decimal on the bus.
  if (key.key.ends_with("Mode") || key.key == "UMask" || !comparable(wish, *value)) return std::nullopt;
  return same(ValueType::boolean, wish, *value) ? std::string(wish) : *value;
}

int LiveUnits::main_process(const std::string& unit) {
  const auto [known, is_new] = processes_.emplace(unit, 0);
  if (is_new) known->second = find_main_process(unit);
  return known->second;
}

/// Of a control group's processes the one that no other of them started; the manager is asked only where that
/// is not one.
int LiveUnits::find_main_process(const std::string& unit) const {
  const HostView& host = context_.host;
  const std::string folder = cgroup_folder(host, unit);
  std::set<std::int64_t> members;
  std::set<std::int64_t> first;
  if (!folder.empty()) {
    const std::string text = host.read(folder + "/cgroup.procs").bytes;
    for (const std::string_view word : words_in(text)) members.insert(number_in(word).value_or(0));
  }
  for (const std::int64_t pid : members) {
    const auto fields = stat_fields(host, pid);
    if (fields.size() > 1 && !members.contains(number_in(fields[1]).value_or(0))) first.insert(pid);
  }
  if (first.size() == 1) return int(*first.begin());
  if (context_.bus == nullptr) return 0;
  const auto pid = context_.bus->unit_property(unit, interface_of("Service"), "MainPID");
  return pid ? int(number_in(*pid).value_or(0)) : 0;
}

void LiveUnits::observe_process(const UnitKey& key, int pid, const Plane& shown, std::int64_t files_mtime_ns,
                                const Desired& desired, Observation& seen) const {
  seen.live = shown;
  if (satisfies(desired, shown, seen.type)) return;
  const std::array<int, 1> pids{pid};
  const auto started = latest_start_ns(context_.host, pids);
  const auto manager = loaded(key, first_item(desired));
  const bool manager_is_behind = manager && !satisfies(desired, Plane::of(*manager), seen.type);
  // Within the same second nothing can be told.
  seen.owner_is_older = !started || *started - kSecond <= files_mtime_ns || manager_is_behind;
  if (*seen.owner_is_older || !shown.has_value()) return;
  seen.live_reason =
      fmt::format("process {} of {} started with it set, and has {}: another limit holds it back", pid,
                  key.unit, to_string(shown.value));
}

void LiveUnits::observe(const UnitKey& key, const Desired& desired, std::int64_t files_mtime_ns,
                        Observation& seen) {
  if (context_.host.is_other_root()) {
    seen.live = Plane::not_applicable("another root");
    return;
  }
  if (desired.want == Want::absent || (key.key == "NUMAMask" && first_item(desired) == "all")) {
    seen.live = Plane::not_applicable("what systemd makes of it is not asked for");
    return;
  }
  const int pid = key.section == "Service" ? main_process(key.unit) : 0;
  if (pid > 0) {
    if (const auto shown = shown_by_process(context_.host, pid, key.key))
      return observe_process(key, pid, *shown, files_mtime_ns, desired, seen);
  }
  if (const auto in_force = shown_by_cgroup(context_.host, key.unit, key.key)) {
    seen.live = Plane::of(*in_force);
    return;
  }
  if (const auto value = loaded(key, first_item(desired))) {
    seen.live = Plane::of(*value);
  } else {
    const std::string absence =
        context_.bus == nullptr ? "systemd does not run here" : context_.bus->absence();
    seen.live = Plane::not_applicable(absence.empty() ? "systemd shows no value to compare" : absence);
  }
  if (pid == 0 || is_taken_at_reload(key)) return;
  const std::array<int, 1> pids{pid};
  const auto started = latest_start_ns(context_.host, pids);
  seen.owner_is_older = started && *started < files_mtime_ns;
  seen.shows_age_alone = true;
}

}  // namespace tunekeeper
