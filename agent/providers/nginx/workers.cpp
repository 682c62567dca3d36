#include "providers/nginx/workers.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

namespace tunekeeper::nginx {

namespace {

constexpr std::int64_t ticks_per_second = 100;  // USER_HZ is 100 on every Linux that nginx runs on
constexpr std::int64_t ns_per_second = 1'000'000'000;

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc()) return std::nullopt;
  return end == text.data() ? std::nullopt : std::optional(value);
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> found;
  std::size_t at = 0;
  while ((at = text.find_first_not_of(" \t\n", at)) != std::string_view::npos) {
    const std::size_t end = std::min(text.find_first_of(" \t\n", at), text.size());
    found.push_back(text.substr(at, end - at));
    at = end;
  }
  return found;
}

// What a process calls itself, without the padding that overwriting its title leaves.
std::string title(const HostView& host, std::int64_t pid) {
  std::string text = host.read(fmt::format("/proc/{}/cmdline", pid)).bytes;
  text.resize(text.find_last_not_of(std::string_view("\0 ", 2)) + 1);
  return text;
}

// The fields of /proc/PID/stat behind the name, which may itself hold blanks and parentheses: state, ppid, …
std::vector<std::string> stat_fields(const HostView& host, std::int64_t pid) {
  const std::string text = host.read(fmt::format("/proc/{}/stat", pid)).bytes;
  const std::size_t name_end = text.rfind(')');
  if (name_end == std::string::npos) return {};
  std::vector<std::string> fields;
  for (std::string_view word : words(std::string_view(text).substr(name_end + 1))) fields.emplace_back(word);
  return fields;
}

// A kernel without CONFIG_PROC_CHILDREN has no list of children; then every process is asked for its parent.
std::vector<std::int64_t> children_of(const HostView& host, std::int64_t pid) {
  std::vector<std::int64_t> children;
  const ReadResult list = host.read(fmt::format("/proc/{0}/task/{0}/children", pid));
  if (list.ok()) {
    for (std::string_view word : words(list.bytes)) {
      if (const auto child = number(word)) children.push_back(*child);
    }
    return children;
  }
  for (const std::string& name : host.list("/proc")) {
    const auto candidate = number(name);
    if (!candidate) continue;
    const std::vector<std::string> fields = stat_fields(host, *candidate);
    if (fields.size() > 1 && number(fields[1]) == pid) children.push_back(*candidate);
  }
  return children;
}

std::optional<std::int64_t> boot_time(const HostView& host) {
  const std::string text = host.read("/proc/stat").bytes;
  const std::size_t at = text.find("\nbtime ");
  return at == std::string::npos ? std::nullopt : number(std::string_view(text).substr(at + 7));
}

}  // namespace

Plane Workers::unless_running() const {
  switch (kind) {
    case Kind::other_root:
      return Plane::not_applicable("another root");
    case Kind::unreadable:
      return Plane::unknown(reason);
    default:
      return Plane::not_applicable("nginx not running");
  }
}

Workers find_workers(const HostView& host, const std::string& pid_file) {
  if (host.is_other_root()) return {Workers::Kind::other_root, {}, {}};
  const ReadResult read = host.read(pid_file);
  if (read.absent()) return {Workers::Kind::stopped, {}, {}};
  if (!read.ok()) {
    return {Workers::Kind::unreadable,
            fmt::format("cannot read {}: {}", pid_file, std::strerror(read.error)),
            {}};
  }
  const auto master = number(read.bytes);
  if (!master || !title(host, *master).starts_with("nginx: master process"))
    return {Workers::Kind::stopped, {}, {}};
  Workers workers{Workers::Kind::running, {}, {}};
  for (const std::int64_t child : children_of(host, *master)) {
    if (title(host, child) == "nginx: worker process") workers.pids.push_back(int(child));
  }
  return workers;
}

Plane open_files_limit(const HostView& host, const Workers& workers) {
  if (!workers.running()) return workers.unless_running();
  if (workers.pids.empty()) return Plane::not_applicable("no nginx worker runs");
  const std::string path = fmt::format("/proc/{}/limits", workers.pids.front());
  const std::string text = host.read(path).bytes;
  constexpr std::string_view label = "Max open files";
  const std::size_t at = text.find(label);
  if (at == std::string::npos) return Plane::unknown("cannot read " + path);
  const std::string_view line = std::string_view(text).substr(at + label.size());
  const std::vector<std::string_view> fields = words(line.substr(0, line.find('\n')));
  return fields.empty() ? Plane::unknown("cannot read " + path) : Plane::of(std::string(fields[0]));
}

std::optional<std::int64_t> latest_start_ns(const HostView& host, const Workers& workers) {
  constexpr std::size_t start_field = 19;  // starttime is field 22 of proc(5), the state is field 3
  const auto boot = boot_time(host);
  std::optional<std::int64_t> oldest;
  for (const int pid : workers.pids) {
    const std::vector<std::string> fields = stat_fields(host, pid);
    const auto ticks = fields.size() > start_field ? number(fields[start_field]) : std::nullopt;
    if (!boot || !ticks) return std::nullopt;
    const std::int64_t start = (*boot + 1) * ns_per_second + *ticks * (ns_per_second / ticks_per_second);
    oldest = std::min(oldest.value_or(start), start);
  }
  return oldest;
}

std::optional<int> online_cpus(const HostView& host) {
  const std::string text = host.read("/sys/devices/system/cpu/online").bytes;
  std::string_view rest = text;
  int count = 0;
  while (!rest.empty()) {
    const std::string_view range = rest.substr(0, rest.find(','));
    const std::size_t dash = range.find('-');
    const auto low = number(range);
    const auto high = dash == std::string_view::npos ? low : number(range.substr(dash + 1));
    if (!low || !high || *high < *low) return std::nullopt;
    count += int(*high - *low) + 1;
    rest.remove_prefix(std::min(range.size() + 1, rest.size()));
  }
  return count > 0 ? std::optional(count) : std::nullopt;
}

}  // namespace tunekeeper::nginx
