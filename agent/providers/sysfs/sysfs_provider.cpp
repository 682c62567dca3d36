#include "providers/sysfs/sysfs_provider.hpp"

#include <algorithm>

#include "core/judge.hpp"
#include "providers/sysfs/value_type.hpp"

namespace tunekeeper {
namespace {

std::string joined_key(std::span<const std::string> path) {
  std::string key;
  for (const auto& part : path) key += (key.empty() ? "" : "/") + part;
  if (key.compare(0, 5, "/sys/") == 0) key.erase(0, 5);
  key.erase(0, std::min(key.find_first_not_of('/'), key.size()));
  return key;
}

std::optional<std::string> key_problem(std::span<const std::string> path) {
  const auto key = joined_key(path);
  if (key.empty()) return "a sysfs key is a path below /sys";
  if (("/" + key + "/").find("/../") != std::string::npos) return "a sysfs key cannot leave /sys";
  if (key.find('\n') != std::string::npos || key.find('\0') != std::string::npos)
    return "a sysfs key is one line";
  return std::nullopt;
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool is_open(const Row& row) {
  return row.state == State::differs || row.state == State::pending;
}

bool can_be_written(const Row& row) {
  return row.desired.want != Want::absent && row.seen.live.has_value() && !row.desired.value.items.empty();
}

/// The device of a queue's setting: "block/sda/" of "sysfs:block/sda/queue/nr_requests".
std::string_view disk_of(std::string_view id) {
  const auto queue = id.find("/queue/");
  return queue == std::string_view::npos ? std::string_view{} : id.substr(0, queue);
}

/// Whether one of these writes switches the scheduler of this row's disk, so that the kernel forgets the
/// row's value.
bool is_reset_by(const std::vector<const Row*>& written, const Row& row) {
  const auto disk = disk_of(row.desired.id);
  return !disk.empty() && std::any_of(written.begin(), written.end(), [&](const Row* other) {
    return ends_with(other->desired.id, "/queue/scheduler") && disk_of(other->desired.id) == disk;
  });
}

/// The key with a partition's queue read as its disk's: a partition has none of its own (read-ahead of vda1
/// is block/vda/queue/read_ahead_kb). Other keys stay as they are.
std::string with_queue_of_disk(const HostView& host, const std::string& key) {
  constexpr std::string_view blocks = "block/";
  const auto queue = key.find("/queue/");
  if (queue == std::string::npos || key.compare(0, blocks.size(), blocks) != 0) return key;
  const std::string partition = "/sys/class/block/" + key.substr(blocks.size(), queue - blocks.size());
  if (!host.exists(partition + "/partition")) return key;
  const std::string disk = host.resolve(partition + "/..");
  return disk.compare(0, 5, "/sys/") == 0 ? "block" + disk.substr(disk.rfind('/')) + key.substr(queue) : key;
}

Action live_action(const std::string& id, std::string value, std::string original) {
  Action action;
  action.phase = Phase::kernel;
  action.plane = PlaneKind::live;
  action.deed = WriteLive{sysfs_file(id), std::move(value), std::move(original), {}};
  action.settings = {id};
  return action;
}

}  // namespace

const SectionSpec& SysfsProvider::section() const {
  static const SectionSpec spec = [] {
    SectionSpec made;
    made.name = "sysfs";
    made.id_prefix = "sysfs";
    made.join = joined_key;
    made.key_problem = key_problem;
    return made;
  }();
  return spec;
}

std::vector<Desired> SysfsProvider::expand(const Context& context, Desired desired) const {
  if (desired.key().find_first_of("*?[") == std::string_view::npos) {
    const std::string key = with_queue_of_disk(context.host, std::string(desired.key()));
    if (key != desired.key()) {
      desired.path = {key};
      desired.id = "sysfs:" + key;
    }
    return {std::move(desired)};
  }
  std::vector<Desired> expanded;
  for (const auto& path : context.host.glob(sysfs_file(desired.id))) {
    if (context.host.resolve(path).compare(0, 5, "/sys/") != 0) continue;
    auto one = desired;
    one.path = {path.substr(5)};
    one.id = "sysfs:" + one.path.front();
    expanded.push_back(std::move(one));
  }
  if (expanded.empty()) expanded.push_back(std::move(desired));
  return expanded;
}

std::vector<Action> SysfsProvider::plan(const Context& context, std::span<const Row> rows) const {
  std::vector<const Row*> files, live;
  for (const auto& row : rows) {
    if (is_open(row) && !persisted_right(row)) files.push_back(&row);
    if (is_open(row) && can_be_written(row) && !live_right(row)) live.push_back(&row);
  }
  for (const auto& row : rows) {
    const bool fine = row.state == State::in_sync || is_open(row);
    if (fine && can_be_written(row) && live_right(row) && is_reset_by(live, row)) live.push_back(&row);
  }
  const auto first = [](const Row* row) { return goes_first(row->desired.id); };
  std::stable_partition(files.begin(), files.end(), first);
  std::stable_partition(live.begin(), live.end(), first);
  auto actions = plan_sysfs_files(context.host, files);
  for (const auto* row : live) {
    const auto& id = row->desired.id;
    actions.push_back(live_action(id, row->desired.value.items.front(), row->seen.live.value.items.front()));
  }
  return actions;
}

std::vector<std::string> SysfsProvider::statements(const std::string& id, const std::string&,
                                                   std::string_view bytes) const {
  return tmpfiles_statements(bytes, sysfs_file(id));
}

std::vector<Splice> SysfsProvider::restate(const std::string& id, const std::string&, std::string_view bytes,
                                           const std::vector<std::string>& statements) const {
  return restate_tmpfiles(bytes, sysfs_file(id), statements);
}

std::optional<Action> SysfsProvider::restore_live(const Context& context, const std::string& id,
                                                  const std::string& original) const {
  if (context.host.resolve(sysfs_file(id)).compare(0, 5, "/sys/") != 0) return std::nullopt;
  const auto read = context.host.read(sysfs_file(id));
  if (!read.ok()) return std::nullopt;
  const auto content = kernel_word(read.bytes);
  const auto now = sysfs_word(content);
  if (same(sysfs_type(id, content), now, original)) return std::nullopt;
  return live_action(id, original, now);
}

bool SysfsProvider::is_spent(const std::string& path, std::string_view bytes) const {
  return path == own_tmpfiles_file && is_only_header(bytes);
}

std::string sysfs_file(std::string_view id) {
  return "/sys/" + std::string(id.substr(id.find(':') + 1));
}

bool goes_first(std::string_view id) {
  return ends_with(id, "/queue/scheduler") || ends_with(id, "/scaling_governor");
}

std::unique_ptr<Provider> make_sysfs_provider() {
  return std::make_unique<SysfsProvider>();
}

}  // namespace tunekeeper
