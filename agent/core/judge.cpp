#include "core/judge.hpp"

#include <utility>

namespace tunekeeper {
namespace {

const Plane* unknown_plane(const Observation& seen, PlaneSet planes) {
  if (planes.live && seen.live.kind == Plane::Kind::unknown) return &seen.live;
  if (planes.persisted && seen.persisted.kind == Plane::Kind::unknown) return &seen.persisted;
  if (planes.boot && seen.boot.kind == Plane::Kind::unknown) return &seen.boot;
  return nullptr;
}

/// Whether the owner is known to have started before its files, and does not tell what it has of them.
bool awaits_owner(const Row& row) {
  return row.seen.shows_age_alone && row.seen.owner_is_older.value_or(false);
}

State state_by_planes(Row& row, PlaneSet planes) {
  const bool live = !planes.live || (live_right(row) && !awaits_owner(row));
  const bool persisted = !planes.persisted || persisted_right(row);
  const bool boot = !planes.boot || boot_right(row);
  if (live && persisted && boot) return State::in_sync;
  if (!persisted) return State::differs;
  if (!row.seen.awaits_module.empty() && boot) {
    row.reason = "awaits the kernel module " + row.seen.awaits_module;
    return State::pending;
  }
  if (!boot) {
    if (row.seen.boot_command.empty()) return State::differs;
    row.reason = "run there: " + row.seen.boot_command;
    return State::pending;
  }
  row.reason = row.seen.live_reason;
  const bool cured_by_owner = row.seen.takes_effect.kind != Effect::Kind::now;
  return cured_by_owner && row.seen.owner_is_older.value_or(true) ? State::pending : State::differs;
}

}  // namespace

bool live_right(const Row& row) {
  const Plane& live = row.seen.live;
  if (satisfies(row.desired, live, row.seen.type)) return true;
  return row.desired.want == Want::equals && live.has_value() && row.seen.live_accepted &&
         same(row.seen.type, *row.seen.live_accepted, live.value);
}

bool persisted_right(const Row& row) {
  return satisfies(row.desired, row.seen.persisted, row.seen.type);
}

bool boot_right(const Row& row) {
  return satisfies(row.desired, row.seen.boot, row.seen.type) && row.seen.boot_entries.empty();
}

Row judge(Desired desired, Observation seen, PlaneSet planes) {
  Row row{.desired = std::move(desired), .seen = std::move(seen), .state = State::in_sync, .reason = {}};
  if (!row.seen.failed.empty()) {
    row.state = State::failed;
    row.reason = row.seen.failed;
  } else if (!row.seen.unsupported.empty()) {
    row.state = State::unsupported;
    row.reason = row.seen.unsupported;
  } else if (planes.persisted && !row.seen.unwritable.empty()) {
    row.state = State::failed;
    row.reason = row.seen.unwritable;
  } else if (const Plane* plane = unknown_plane(row.seen, planes)) {
    row.state = State::failed;
    row.reason = plane->reason;
  } else {
    row.state = state_by_planes(row, planes);
  }
  return row;
}

}  // namespace tunekeeper
