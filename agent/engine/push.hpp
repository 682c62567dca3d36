#pragma once

#include <functional>
#include <string>

#include "engine/session.hpp"

namespace tunekeeper {

/// Pushes /etc's commits where etckeeper's PUSH_REMOTE says, as etckeeper does after its own; a remote that
/// refuses or hangs is told, and stops nothing. Does nothing on another root, without etckeeper, or where
/// etckeeper uses another version control.
void push_commits(Session& session, const std::function<void(const std::string&)>& tell);

}  // namespace tunekeeper
