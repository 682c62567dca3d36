#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/row.hpp"
#include "providers/provider.hpp"
#include "providers/units/units_provider.hpp"

namespace tunekeeper {

/// What is in force of a unit's keys: what its main process shows of itself (limits, memory policy, CPUs),
/// then what the service manager has loaded.
class LiveUnits {
 public:
  explicit LiveUnits(const Context& context) : context_(context) {}

  /// Fills in `live` and what the row needs to know of the owner's age. `persisted` and the unit's files are
  /// already looked at: `files_mtime_ns` is the newest of those that say something of the key.
  void observe(const UnitKey& key, const Desired& desired, std::int64_t files_mtime_ns, Observation& seen);

  /// The loaded property in the words of a unit file; nothing where the manager cannot be asked for it, or
  /// shows it in words that cannot be compared with the wish.
  std::optional<std::string> loaded(const UnitKey& key, std::string_view wish) const;

 private:
  /// The unit's main process; 0 when none runs or none can be found.
  int main_process(const std::string& unit);
  int find_main_process(const std::string& unit) const;
  void observe_process(const UnitKey& key, int pid, const Plane& shown, std::int64_t files_mtime_ns,
                       const Desired& desired, Observation& seen) const;

  const Context& context_;
  std::map<std::string, int> processes_;
};

/// Whether a running service takes this key over without a restart: what the manager itself acts on, or
/// writes into the unit's control group at daemon-reload (systemd.resource-control(5)).
bool is_taken_at_reload(const UnitKey& key);

}  // namespace tunekeeper
