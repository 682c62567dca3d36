#pragma once

#include <vector>

#include "core/row.hpp"
#include "engine/session.hpp"

namespace tunekeeper {

/// Lets the owners' programs teach what must be known before these rows are written, keeps it for later runs
/// of every verb, and gives it to this run's context. Whether there was anything new: then the rows must be
/// looked at again. The lock is held. Throws HostError where it cannot be kept.
bool learn(Session& session, const std::vector<Row>& rows);

}  // namespace tunekeeper
