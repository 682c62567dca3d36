#pragma once

#include <string>
#include <vector>

#include "host/host.hpp"

namespace tunekeeper {

/// A script of ours among etckeeper's hooks.
struct EtckeeperHook {
  std::string path;  ///< "/etc/etckeeper/pre-commit.d/25tunekeeper"
  std::string text;
};

/// All of them, as in etckeeper-hooks/ of the source.
const std::vector<EtckeeperHook>& etckeeper_hooks();

/// What an installation or removal did.
struct HookChanges {
  std::vector<std::string> changed;  ///< paths that were written or removed
  std::vector<std::string> edited;   ///< paths that somebody changed since, left as they are
};

/// Puts the hooks among etckeeper's where etckeeper is installed; those that are there stay. Throws
/// HostError.
HookChanges install_hooks(Host& host);
/// Takes them away, and the file of live values with them. Throws HostError.
HookChanges remove_hooks(Host& host);

}  // namespace tunekeeper
