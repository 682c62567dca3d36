#include "providers/kernel_rounding.hpp"

#include <bit>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>
#include <unistd.h>

namespace tunekeeper {
namespace {

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

KernelRounding rounded(std::string_view rule, std::uint64_t from, std::uint64_t to) {
  return {std::to_string(to), fmt::format("the kernel rounds this {}: {} becomes {}", rule, from, to)};
}

}  // namespace

std::optional<KernelRounding> kernel_rounding(std::string_view key, std::string_view wanted) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), value);
  if (error != std::errc{} || end != wanted.data() + wanted.size() || value > (std::uint64_t{1} << 40))
    return {};
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  KernelRounding found;
  if (ends_with(key, "/queue/read_ahead_kb") || ends_with(key, "/bdi/read_ahead_kb")) {
    // Kept in pages (block/blk-sysfs.c).
    found = rounded("down to whole pages", value, value * 1024 / page * page / 1024);
  } else if (ends_with(key, "/rps_flow_cnt") || key == "net/core/rps_sock_flow_entries") {
    if (value != 0) found = rounded("up to a power of two", value, std::bit_ceil(value));
  } else if (key == "net/netfilter/nf_conntrack_buckets" ||
             key == "module/nf_conntrack/parameters/hashsize") {
    // The table is whole pages of list heads, each one pointer.
    const auto heads = page / sizeof(void*);
    found = rounded("up to whole pages", value, (value + heads - 1) / heads * heads);
  }
  if (found.value.empty() || found.value == std::to_string(value)) return std::nullopt;
  return found;
}

void accept_rounding(const std::optional<KernelRounding>& rounding, Observation& seen) {
  if (!rounding) return;
  seen.live_accepted = Value::of(rounding->value);
  if (!seen.note.empty()) seen.note += "; ";
  seen.note += rounding->note;
}

}  // namespace tunekeeper
