#pragma once

#include <string>
#include <vector>

#include "host/host.hpp"

namespace tunekeeper {

/// Starts a program by its argument vector and waits for it: LC_ALL=C and a fixed PATH as its whole
/// environment, /dev/null as its input, a process group of its own that is killed at the deadline. Both
/// outputs are read, and kept up to the limit. A daemon that it leaves behind is not waited for. `chroot_fd`
/// is the folder to chroot into, or -1.
CommandResult run_command(const std::vector<std::string>& argv, const CommandOptions& options,
                          int chroot_fd = -1);

}  // namespace tunekeeper
