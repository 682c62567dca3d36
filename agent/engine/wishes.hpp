#pragma once

#include <string>
#include <vector>

#include "core/row.hpp"

namespace tunekeeper {

/// All that a run's profiles ask for on this host.
struct Wishes {
  std::vector<std::string> profiles;       ///< the names given, or host.yaml's
  bool whole = false;                      ///< they are host.yaml's set: what is missing has left it
  std::vector<std::string> host_profiles;  ///< host.yaml's, whatever was asked
  std::vector<Desired> desired;
  std::vector<Row> undecided;  ///< unsupported or failed: a fact is missing, an owner is not here
};

}  // namespace tunekeeper
