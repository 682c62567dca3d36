#pragma once

#include "core/action.hpp"
#include "host/host.hpp"

namespace tunekeeper {

/// Whether systemd runs this host (sd_booted(3): the folder /run/systemd/system is there).
bool systemd_runs(const HostView& host);

/// Asks a service to reload or restart and waits for the answer; a restart is waited for as long as systemd
/// says that it activates. Throws Error with its words when it refuses.
void run_job(Host& host, const ServiceJob& job, std::chrono::seconds deadline);

/// systemctl daemon-reload; nothing where systemd does not run.
void run_daemon_reload(Host& host);

}  // namespace tunekeeper
