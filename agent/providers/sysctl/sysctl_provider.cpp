#include "providers/sysctl/sysctl_provider.hpp"

#include <algorithm>
#include <cerrno>

#include "core/judge.hpp"
#include "formats/conf_dirs.hpp"
#include "formats/sysctl_d.hpp"
#include "providers/sysctl/known_keys.hpp"

namespace tunekeeper {
namespace {

std::string written_key(std::span<const std::string> path) {
  std::string written;
  for (const auto& part : path) written += (written.empty() ? "" : ".") + part;
  return written;
}

std::string joined_key(std::span<const std::string> path) {
  return sysctl_dotted(profile_sysctl_path(written_key(path)));
}

std::optional<std::string> key_problem(std::span<const std::string> path) {
  const auto written = written_key(path);
  const auto key = profile_sysctl_path(written);
  if (key.empty()) return "a sysctl key has a name";
  if (("/" + key + "/").find("/../") != std::string::npos ||
      ("/" + written + "/").find("/../") != std::string::npos)
    return "a sysctl key cannot leave /proc/sys";
  if (key.find_first_of(" \t\n=#;") != std::string::npos)
    return "a sysctl key has no blanks and none of = # ;";
  return std::nullopt;
}

std::string path_key(std::string_view id) {
  return sysctl_path(id.substr(id.find(':') + 1));
}

/// The keys whose lines one setting owns in a file. Of an exclusive pair a line of either key takes the other
/// one's value, so that an edit for one may remove lines of both; our own drop-in holds each as its own.
std::vector<std::string> owned_keys(std::string_view id, const std::string& path) {
  std::vector<std::string> keys{path_key(id)};
  auto other = exclusive_counterpart(keys.front());
  if (!other.empty() && path != own_sysctl_file) keys.push_back(std::move(other));
  return keys;
}

/// Keys that the kernel rewrites others by are written before those.
bool rewrites_others(std::string_view key) {
  return key == "net/ipv4/ip_forward" || key.substr(0, 19) == "net/ipv4/conf/all/" ||
         key.find("/conf/all/") != std::string_view::npos;
}

/// The other key of an exclusive pair, where it is the one in force. Staged files are two of their own: a
/// write of one leaves the other as it is, so each goes back by itself.
std::optional<std::pair<std::string, std::string>> counterpart_in_force(const HostView& host,
                                                                        std::string_view key) {
  const auto other = exclusive_counterpart(key);
  if (other.empty() || leaves_proc_sys(host, other) || host.is_staged(sysctl_file(key))) return std::nullopt;
  const auto read = host.read(sysctl_file(other));
  if (!read.ok() || same(ValueType::number, kernel_word(read.bytes), "0")) return std::nullopt;
  return std::pair(other, kernel_word(read.bytes));
}

Action live_action(const std::string& id, WriteLive write) {
  Action action;
  action.phase = Phase::kernel;
  action.plane = PlaneKind::live;
  action.deed = std::move(write);
  action.settings = {id};
  return action;
}

Action write_of(const HostView& host, const Row& row) {
  const auto key = path_key(row.desired.id);
  WriteLive write{sysctl_file(key), row.desired.value.items.front(), row.seen.live.value.items.front(), {}};
  const auto other = counterpart_in_force(host, key);
  if (other && same(ValueType::number, write.original, "0")) {
    // Writing 0 back would be refused; the other key's value takes it back to 0 (also as the recorded
    // original).
    write.undo = {{sysctl_file(other->first), other->second}};
    write.original = sysctl_dotted(other->first) + "=" + other->second;
  }
  return live_action(row.desired.id, std::move(write));
}

bool needs_live_write(const Row& row) {
  const bool open = row.state == State::differs || row.state == State::pending;
  return open && row.desired.want != Want::absent && row.seen.live.has_value() && !live_right(row) &&
         !row.desired.value.items.empty();
}

}  // namespace

const SectionSpec& SysctlProvider::section() const {
  static const SectionSpec spec = [] {
    SectionSpec made;
    made.name = "sysctl";
    made.id_prefix = "sysctl";
    made.join = joined_key;
    made.key_problem = key_problem;
    return made;
  }();
  return spec;
}

std::vector<Desired> SysctlProvider::expand(const Context& context, Desired desired) const {
  const auto key = path_key(desired.id);
  if (!is_sysctl_glob(key)) return {std::move(desired)};
  const auto paths = context.host.glob(sysctl_file(key));
  std::vector<Desired> expanded;
  for (const auto& path : paths) {
    auto one = desired;
    const auto found = path.substr(sysctl_file("").size());
    if (leaves_proc_sys(context.host, found)) continue;
    const auto dotted = sysctl_dotted(found);
    one.id = "sysctl:" + dotted;
    one.path = {dotted};
    expanded.push_back(std::move(one));
  }
  if (expanded.empty()) expanded.push_back(std::move(desired));
  return expanded;
}

std::vector<Action> SysctlProvider::plan(const Context& context, std::span<const Row> rows) const {
  auto actions = plan_sysctl_files(context.host, rows);
  std::vector<const Row*> live;
  for (const auto& row : rows) {
    if (needs_live_write(row)) live.push_back(&row);
  }
  std::stable_partition(live.begin(), live.end(),
                        [](const Row* row) { return rewrites_others(path_key(row->desired.id)); });
  for (const auto* row : live) actions.push_back(write_of(context.host, *row));
  return actions;
}

std::vector<std::string> SysctlProvider::statements(const std::string& id, const std::string& path,
                                                    std::string_view bytes) const {
  return sysctl_statements(bytes, owned_keys(id, path));
}

std::vector<Splice> SysctlProvider::restate(const std::string& id, const std::string& path,
                                            std::string_view bytes,
                                            const std::vector<std::string>& statements) const {
  return restate_sysctl(bytes, owned_keys(id, path), statements);
}

std::optional<Action> SysctlProvider::restore_live(const Context& context, const std::string& id,
                                                   const std::string& original) const {
  auto key = path_key(id);
  auto value = original;
  const auto other = exclusive_counterpart(key);
  const auto equals = original.find('=');
  const bool staged = context.host.is_staged(sysctl_file(key));
  if (!other.empty() && equals != std::string::npos && sysctl_path(original.substr(0, equals)) == other) {
    key = other;
    value = original.substr(equals + 1);
  } else if (!staged && !default_ratio(other).empty() && same(ValueType::number, original, "0")) {
    key = other;
    value = default_ratio(other);
  }
  if (leaves_proc_sys(context.host, key)) return std::nullopt;
  const auto read = context.host.read(sysctl_file(key));
  if (!read.ok()) return std::nullopt;
  const auto now = kernel_word(read.bytes);
  if (same(sysctl_type(key, now, value), now, value)) return std::nullopt;
  WriteLive write{sysctl_file(key), value, now, {}};
  if (const auto in_force = counterpart_in_force(context.host, key)) {
    write.undo = {{sysctl_file(in_force->first), in_force->second}};
  }
  return live_action(id, std::move(write));
}

std::string SysctlProvider::guard(const Context& context, const Row& row) const {
  if (row.desired.want == Want::absent || row.desired.value.items.empty()) return {};
  return guard_sysctl(context, path_key(row.desired.id), row.desired.value.items.front());
}

bool SysctlProvider::is_spent(const std::string& path, std::string_view bytes) const {
  return path == own_sysctl_file && is_only_header(bytes);
}

std::string sysctl_file(std::string_view key) {
  return "/proc/sys/" + std::string(key);
}

bool leaves_proc_sys(const HostView& host, std::string_view key) {
  return host.resolve(sysctl_file(key)).compare(0, sysctl_file("").size(), sysctl_file("")) != 0;
}

std::string profile_sysctl_path(std::string_view written) {
  auto path = sysctl_path(written);
  for (const char* prefix : {"net/ipv4/conf/", "net/ipv6/conf/", "net/ipv4/neigh/", "net/ipv6/neigh/"}) {
    const std::string_view start(prefix);
    const auto last = path.rfind('/');
    if (path.compare(0, start.size(), start) != 0 || last <= start.size()) continue;
    std::replace(path.begin() + static_cast<std::ptrdiff_t>(start.size()),
                 path.begin() + static_cast<std::ptrdiff_t>(last), '/', '.');
  }
  return path;
}

std::unique_ptr<Provider> make_sysctl_provider() {
  return std::make_unique<SysctlProvider>();
}

}  // namespace tunekeeper
