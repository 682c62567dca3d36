#include "providers/nginx/workers.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include <fmt/format.h>

#include "providers/processes.hpp"

namespace tunekeeper::nginx {

namespace {

// What a process calls itself, without the padding that overwriting its title leaves.
std::string title(const HostView& host, std::int64_t pid) {
  std::string text = host.read(fmt::format("/proc/{}/cmdline", pid)).bytes;
  text.resize(text.find_last_not_of(std::string_view("\0 ", 2)) + 1);
  return text;
}

// A kernel without CONFIG_PROC_CHILDREN has no list of children; then every process is asked for its parent.
std::vector<std::int64_t> children_of(const HostView& host, std::int64_t pid) {
  std::vector<std::int64_t> children;
  const ReadResult list = host.read(fmt::format("/proc/{0}/task/{0}/children", pid));
  if (list.ok()) {
    for (std::string_view word : words_in(list.bytes)) {
      if (const auto child = number_in(word)) children.push_back(*child);
    }
    return children;
  }
  for (const std::string& name : host.list("/proc")) {
    const auto candidate = number_in(name);
    if (!candidate) continue;
    const std::vector<std::string> fields = stat_fields(host, *candidate);
    if (fields.size() > 1 && number_in(fields[1]) == pid) children.push_back(*candidate);
  }
  return children;
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
  const auto master = number_in(read.bytes);
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
  const auto limit = resource_limit(host, workers.pids.front(), "Max open files");
  return limit ? Plane::of(limit->soft)
               : Plane::unknown(fmt::format("cannot read /proc/{}/limits", workers.pids.front()));
}

std::optional<std::int64_t> latest_start_ns(const HostView& host, const Workers& workers) {
  return tunekeeper::latest_start_ns(host, workers.pids);
}

std::optional<int> online_cpus(const HostView& host) {
  const std::string text = host.read("/sys/devices/system/cpu/online").bytes;
  std::string_view rest = text;
  int count = 0;
  while (!rest.empty()) {
    const std::string_view range = rest.substr(0, rest.find(','));
    const std::size_t dash = range.find('-');
    const auto low = number_in(range);
    const auto high = dash == std::string_view::npos ? low : number_in(range.substr(dash + 1));
    if (!low || !high || *high < *low) return std::nullopt;
    count += int(*high - *low) + 1;
    rest.remove_prefix(std::min(range.size() + 1, rest.size()));
  }
  return count > 0 ? std::optional(count) : std::nullopt;
}

}  // namespace tunekeeper::nginx
