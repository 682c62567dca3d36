#pragma once

#include "core/row.hpp"

namespace tunekeeper {

/// The planes that a run looks at and writes (`--runtime`, `--next-boot`).
struct PlaneSet {
  bool live = true;
  bool persisted = true;
  bool boot = true;
};

/// Joins a wish with what was seen and decides the state; pure.
///  - failed when the provider says so or a considered plane is unknown or cannot be written;
///  - unsupported when the provider says so;
///  - in_sync when every considered plane satisfies the wish, and its owner is not older than its files where
///    that is all it shows;
///  - pending when only `live` is wrong, its cure is a reload, restart or reboot, and its owner is older than
///  the
///    file; or when `boot` waits for a generator that is not run here;
///  - differs otherwise.
Row judge(Desired desired, Observation seen, PlaneSet planes = {});

/// Whether this plane of the row needs no write. `live` also counts what the owner's rounding makes of the
/// wish.
bool live_right(const Row& row);
bool persisted_right(const Row& row);
bool boot_right(const Row& row);

}  // namespace tunekeeper
