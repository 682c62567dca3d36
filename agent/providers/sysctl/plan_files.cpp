#include "core/judge.hpp"
#include "formats/conf_dirs.hpp"
#include "formats/sysctl_d.hpp"
#include "providers/sysctl/at_boot.hpp"
#include "providers/sysctl/known_keys.hpp"
#include "providers/sysctl/sysctl_provider.hpp"

namespace tunekeeper {
namespace {

/// A key never takes more edits than it has lines that outrank each other; this only bounds the loop.
constexpr int most_edits = 32;

SysctlAtBoot at_boot(const ConfEdits& edits, const std::string& key) {
  const auto files = edits.views();
  const std::vector<std::string> keys{key};
  return sysctl_at_boot(files, keys).front();
}

bool is_right(const ConfEdits& edits, const Row& row, const std::string& key) {
  const auto now = at_boot(edits, key);
  const auto plane = now.has_value() ? Plane::of(now.decision.value) : Plane::absent();
  return satisfies(row.desired, plane, row.seen.type);
}

/// Our own drop-in where that is enough; else the lines that outrank it, where they stand.
void give_value(ConfEdits& edits, const Row& row, const std::string& key) {
  const auto& value = row.desired.value.items.front();
  const auto& id = row.desired.id;
  const auto before = edits.bytes(edits.own());
  edits.change(edits.own(), set_sysctl(before, key, value), id);
  if (is_right(edits, row, key)) return;
  const auto winner = at_boot(edits, key);
  // A drop-in of ours that cannot be written is no reason to edit what it would have outranked.
  if (!edits.locked(edits.own()).empty() && winner.decision.file <= edits.own()) return;
  if (!winner.zeroed && winner.decision.file != edits.own()) edits.put_back(edits.own(), before, id);
  for (int i = 0; i < most_edits && !is_right(edits, row, key); ++i) {
    const auto now = at_boot(edits, key);
    const auto file = now.decision.file;
    const auto splices = now.zeroed ? unset_sysctl(edits.bytes(file), exclusive_counterpart(key))
                                    : set_sysctl(edits.bytes(file), key, value);
    if (splices.empty() || !edits.locked(file).empty()) return edits.change(file, splices, id);
    edits.change(file, splices, id);
  }
}

/// Lines in /etc go; what other folders or patterns still say is excluded in our own drop-in.
void take_away(ConfEdits& edits, const Row& row, const std::string& key) {
  const auto& id = row.desired.id;
  for (const auto file : at_boot(edits, key).decision.stated_in) {
    if (!edits.locked(file).empty()) continue;
    edits.change(file, unset_sysctl(edits.bytes(file), key), id);
  }
  if (is_right(edits, row, key)) return;
  edits.change(edits.own(), exclude_sysctl(edits.bytes(edits.own()), key), id);
  for (int i = 0; i < most_edits && !is_right(edits, row, key); ++i) {
    const auto file = at_boot(edits, key).decision.file;
    const auto splices = unset_sysctl(edits.bytes(file), key);
    if (splices.empty() || !edits.locked(file).empty()) return edits.change(file, splices, id);
    edits.change(file, splices, id);
  }
}

void place(ConfEdits& edits, const Row& row) {
  const auto key = sysctl_path(row.desired.key());
  if (row.desired.want == Want::absent) {
    take_away(edits, row, key);
  } else if (!row.desired.value.items.empty()) {
    give_value(edits, row, key);
  }
}

}  // namespace

std::string sysctl_obstacle(ConfEdits edits, const Row& row) {
  place(edits, row);
  return is_right(edits, row, sysctl_path(row.desired.key())) ? std::string() : edits.refused();
}

std::vector<Action> plan_sysctl_files(const HostView& host, std::span<const Row> rows) {
  std::vector<const Row*> wrong;
  for (const auto& row : rows) {
    const bool open = row.state == State::differs || row.state == State::pending;
    if (open && !persisted_right(row)) wrong.push_back(&row);
  }
  if (wrong.empty()) return {};
  const auto folders = conf_folders("sysctl.d");
  ConfEdits edits(host, read_conf_files(host, folders), folders, own_sysctl_file);
  for (const auto* row : wrong) place(edits, *row);
  return edits.actions();
}

}  // namespace tunekeeper
