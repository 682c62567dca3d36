#pragma once

#include <vector>

#include "core/action.hpp"
#include "host/host.hpp"

namespace tunekeeper {

/// Takes out the checks that are not run here: on another root this machine's programs must not judge its
/// files.
std::vector<CheckFiles> take_out_skipped_checks(const HostView& host, std::vector<Action>& actions);

/// "nginx (nginx -t) and mariadb (…) do not check their files …"; empty for none.
std::string told_skipped(const std::vector<CheckFiles>& checks);

/// Asks the owners of the files that the actions edit, while the live files are still the old ones. A check
/// that ran is taken out of the actions; one that this host cannot run on a candidate stays, for right after
/// the writes. Throws Error (undone) with the owner's words when one refuses the candidate.
void check_candidate(Host& host, std::vector<Action>& actions);

/// The same for a rollback, which must also work on a broken configuration: refused only where the present
/// files pass and the candidate does not, and not by force.
void check_rollback_candidate(Host& host, std::vector<Action>& actions, bool force);

}  // namespace tunekeeper
