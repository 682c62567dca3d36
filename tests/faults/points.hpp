#pragma once

#include <string>
#include <vector>

#include "faults/bench.hpp"

namespace tunekeeper::faults {

using Words = std::vector<std::string>;

/// One kind of run to be disturbed: how the host comes to it, and the run.
struct Scenario {
  std::string name;
  std::vector<Words> before;
  Words run;
  bool recovers = false;     ///< the last run before it is killed near its end, and this one finds that
  std::string mounted = {};  ///< a file that is a mount point
  bool edited = false;       ///< by hand between the runs before and this one
  bool packs = false;        ///< the run's commit packs the repository
};

/// The kinds of run that the suite knows.
const Scenario& scenario(const std::string& name);

/// A scenario's host, its calls, and what it is before and after the undisturbed run.
struct Stage {
  explicit Stage(const Scenario& what);

  const Scenario& scenario;
  FaultBench bench;
  Tree old_state;
  Tree new_state;
  std::vector<WriteCall> calls;
};

/// Kills the run at each of its calls, and looks at what the next runs make of it. The number of points.
int die_at_each_call(const std::string& name);
/// Lets each call fail, with the errors in turn. The number of points.
int fail_at_each_call(const std::string& name);
/// Lets each call and all later ones of its name fail for want of space. The number of points.
int fill_disk_at_each_call(const std::string& name);
/// Sends the signal at each call that waits for the disk. The number of points.
int interrupt_at_each_sync(const std::string& name);

/// Says how many points a test struck, for the sum over all of them.
void tell_points(const std::string& what, int points);

}  // namespace tunekeeper::faults
