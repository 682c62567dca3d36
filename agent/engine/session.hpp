#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "host/host.hpp"
#include "providers/provider.hpp"
#include "snapshot/snapshot.hpp"

namespace tunekeeper {

/// One run's means: the host, what providers may look at, /etc's history, the clock and the caller's signals.
struct Session {
  Host& host;
  Context context;
  Snapshot& snapshot;
  std::function<std::int64_t()> now;  ///< seconds since the epoch
  std::function<bool()> interrupted;  ///< whether a signal asked the run to end
  std::string verb;                   ///< for the lock and the journal
  bool privileged = true;             ///< whether the caller is root
};

}  // namespace tunekeeper
