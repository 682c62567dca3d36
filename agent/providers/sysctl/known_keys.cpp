#include "providers/sysctl/known_keys.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "formats/sysctl_d.hpp"

namespace tunekeeper {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr std::array<Pair, 3> exclusive_pairs{{{"vm/dirty_bytes", "vm/dirty_ratio"},
                                               {"vm/dirty_background_bytes", "vm/dirty_background_ratio"},
                                               {"vm/overcommit_kbytes", "vm/overcommit_ratio"}}};

constexpr std::array<Pair, 3> default_ratios{
    {{"vm/dirty_ratio", "20"}, {"vm/dirty_background_ratio", "10"}, {"vm/overcommit_ratio", "50"}}};

constexpr std::array<Pair, 8> modules{{{"net/netfilter/nf_conntrack", "nf_conntrack"},
                                       {"net/nf_conntrack_max", "nf_conntrack"},
                                       {"net/bridge/bridge-nf-", "br_netfilter"},
                                       {"net/ipv4/vs/", "ip_vs"},
                                       {"fs/nfs/", "nfs"},
                                       {"sunrpc/", "sunrpc"},
                                       {"net/mptcp/", "mptcp"},
                                       {"net/sctp/", "sctp"}}};

/// Keys that hold free text, where blanks count.
constexpr std::array<std::string_view, 6> free_texts{"kernel/core_pattern", "kernel/hostname",
                                                     "kernel/domainname",   "kernel/modprobe",
                                                     "kernel/hotplug",      "kernel/poweroff_cmd"};

constexpr std::size_t core_pattern_size = 127;  // CORENAME_MAX_SIZE less the final NUL
constexpr std::size_t value_size = 4095;        // a page less the final NUL; more is cut in silence

std::size_t word_count(std::string_view text) {
  std::size_t count = 0;
  bool inside = false;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n';
    count += !blank && !inside ? 1 : 0;
    inside = !blank;
  }
  return count;
}

bool all_numbers(std::string_view text) {
  return !text.empty() &&
         text.find_first_not_of("0123456789-+ \t\nxXabcdefABCDEF.") == std::string_view::npos &&
         text.find_first_of("0123456789") != std::string_view::npos;
}

bool is_one_of(std::string_view key, const auto& list) {
  return std::find(list.begin(), list.end(), key) != list.end();
}

}  // namespace

std::string exclusive_counterpart(std::string_view key) {
  for (const auto& [bytes, ratio] : exclusive_pairs) {
    if (key == bytes) return std::string(ratio);
    if (key == ratio) return std::string(bytes);
  }
  return {};
}

std::string default_ratio(std::string_view key) {
  for (const auto& [ratio, value] : default_ratios) {
    if (key == ratio) return std::string(value);
  }
  return {};
}

std::string refusal(std::string_view key, std::string_view value) {
  constexpr std::array<std::string_view, 4> triggers{"vm/compact_memory", "vm/drop_caches",
                                                     "net/ipv4/route/flush", "net/ipv6/route/flush"};
  if (is_one_of(key, triggers)) {
    return sysctl_dotted(key) + " only triggers something when it is written; it holds no setting";
  }
  constexpr std::array<Pair, 4> one_way{{{"kernel/kexec_load_disabled", "1"},
                                         {"kernel/modules_disabled", "1"},
                                         {"kernel/unprivileged_bpf_disabled", "1"},
                                         {"kernel/yama/ptrace_scope", "3"}}};
  for (const auto& [name, final_value] : one_way) {
    if (key != name || !same(ValueType::number, value, final_value)) continue;
    return fmt::format("{}={} cannot be taken back before the next boot", sysctl_dotted(key), value);
  }
  return {};
}

std::string module_of(std::string_view key) {
  for (const auto& [prefix, module] : modules) {
    if (key.substr(0, prefix.size()) == prefix) return std::string(module);
  }
  return {};
}

ValueType sysctl_type(std::string_view key, std::string_view live, std::string_view wanted) {
  if (key == "net/ipv4/ip_local_reserved_ports") return ValueType::number_ranges;
  if (key == "kernel/watchdog_cpumask") return ValueType::cpu_list;
  if (key == "net/core/flow_limit_cpu_bitmap" || key == "net/core/rps_default_mask")
    return ValueType::cpu_mask;
  if (is_one_of(key, free_texts)) return ValueType::text;
  const auto sample = live.empty() ? wanted : live;
  if (word_count(sample) > 1) return ValueType::words;
  return all_numbers(sample) ? ValueType::number : ValueType::text;
}

std::string value_problem(std::string_view key, std::string_view live, std::string_view wanted) {
  if (key == "kernel/core_pattern" && wanted.size() > core_pattern_size) {
    return fmt::format(
        "kernel.core_pattern holds at most {} bytes, and cuts more in silence; this value has {}",
        core_pattern_size, wanted.size());
  }
  if ((key == "vm/dirty_bytes" || key == "vm/dirty_background_bytes") &&
      same(ValueType::number, wanted, "0")) {
    return fmt::format("the kernel refuses {}=0; set {} instead", sysctl_dotted(key),
                       sysctl_dotted(exclusive_counterpart(key)));
  }
  if (wanted.size() > value_size)
    return fmt::format("the kernel reads at most {} bytes of a value", value_size);
  if (wanted.empty() || wanted.find_first_of("\n\r") != std::string_view::npos) {
    return "a value is one line that is not empty";
  }
  const auto has = word_count(live), given = word_count(wanted);
  if (!is_one_of(key, free_texts) && all_numbers(live) && has > 1 && has != given) {
    return fmt::format("{} takes {} values, and the profile gives {}", sysctl_dotted(key), has, given);
  }
  return {};
}

}  // namespace tunekeeper
