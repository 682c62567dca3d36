#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/host.hpp"

namespace tunekeeper {

/// Runs an owner's check of its files on a candidate, while the real files stay as they are: a child takes a
/// mount namespace of its own, lays throwaway overlays on /etc, /var and /run and what is mounted below them
/// (checks write logs and pid files too), writes the candidate there and starts the check. Nothing where the
/// kernel refuses that (no root, containers): the caller must then check after writing.
std::optional<CommandResult> run_in_candidate_sandbox(
    const std::vector<std::string>& argv, const std::vector<std::pair<std::string, FileImage>>& files,
    const CommandOptions& options);

}  // namespace tunekeeper
