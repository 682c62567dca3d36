#include "providers/processes.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace tunekeeper {
namespace {

constexpr std::int64_t kTicksPerSecond = 100;  // USER_HZ is 100 on every architecture of Debian's
constexpr std::int64_t kNsPerSecond = 1'000'000'000;

std::optional<std::int64_t> boot_time(const HostView& host) {
  const std::string text = host.read("/proc/stat").bytes;
  const std::size_t at = text.find("\nbtime ");
  return at == std::string::npos ? std::nullopt : number_in(std::string_view(text).substr(at + 7));
}

}  // namespace

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  return end == text.data() ? std::nullopt : std::optional(value);
}

std::vector<std::string_view> words_in(std::string_view text) {
  std::vector<std::string_view> found;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(" \t\n", at)) != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(" \t\n", at), text.size());
    found.push_back(text.substr(at, end - at));
    at = end;
  }
  return found;
}

std::vector<std::string> stat_fields(const HostView& host, std::int64_t pid) {
  const std::string text = host.read(fmt::format("/proc/{}/stat", pid)).bytes;
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return {};
  std::vector<std::string> fields;
  for (std::string_view word : words_in(std::string_view(text).substr(name_end + 1)))
    fields.emplace_back(word);
  return fields;
}

std::optional<std::int64_t> latest_start_ns(const HostView& host, std::span<const int> pids) {
  constexpr std::size_t start_field = 19;  // starttime is field 22 of proc(5), the state is field 3
  const auto boot = boot_time(host);
  std::optional<std::int64_t> oldest;
  for (const int pid : pids) {
    const std::vector<std::string> fields = stat_fields(host, pid);
    const auto ticks = fields.size() > start_field ? number_in(fields[start_field]) : std::nullopt;
    if (!boot || !ticks) return std::nullopt;
    const std::int64_t start = (*boot + 1) * kNsPerSecond + *ticks * (kNsPerSecond / kTicksPerSecond);
    oldest = std::min(oldest.value_or(start), start);
  }
  return oldest;
}

std::optional<ResourceLimit> resource_limit(const HostView& host, int pid, std::string_view label) {
  const std::string text = host.read(fmt::format("/proc/{}/limits", pid)).bytes;
  const std::size_t at = text.find(label);
  if (at == std::string::npos) return std::nullopt;
  const std::string_view line = std::string_view(text).substr(at + label.size());
  const std::vector<std::string_view> fields = words_in(line.substr(0, line.find('\n')));
  if (fields.size() < 2) return std::nullopt;
  return ResourceLimit{std::string(fields[0]), std::string(fields[1])};
}

}  // namespace tunekeeper
