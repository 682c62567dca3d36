#pragma once

#include <string>
#include <vector>

#include "host/host.hpp"

namespace tunekeeper {

/// What etckeeper is told on this host: etckeeper.conf, a shell file.
struct EtckeeperConf {
  bool installed = false;
  /// The version control that etckeeper uses here, as it decides itself: by the folder that is in /etc (.git,
  /// .hg, _darcs, .bzr), else by the file. Empty without etckeeper.
  std::string vcs = {};
  std::vector<std::string> push_remotes = {};  ///< PUSH_REMOTE
  std::string problem = {};                    ///< why PUSH_REMOTE cannot be told; empty when it can
};

EtckeeperConf read_etckeeper_conf(const HostView& host);

}  // namespace tunekeeper
