#pragma once

#include <string>

namespace tunekeeper {

/// Who a commit is by. Always set, since timers and cron have no git identity.
struct Identity {
  std::string name;
  std::string email;
};

/// The person behind sudo, else root (or LOGNAME for another caller), at this machine's host name. The one
/// place of the snapshot that reads the environment.
Identity caller_identity();

}  // namespace tunekeeper
