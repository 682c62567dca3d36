#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/plane.hpp"
#include "host/host.hpp"

namespace tunekeeper::nginx {

/// The nginx that runs on this host, as /proc shows it.
struct Workers {
  enum class Kind {
    running,
    stopped,     ///< no master process
    other_root,  ///< another root's processes are not this machine's
    unreadable,  ///< `reason` says why
  };

  Kind kind = Kind::stopped;
  std::string reason;
  std::vector<int> pids;  ///< worker processes that are not shutting down

  bool running() const { return kind == Kind::running; }
  /// Null with the reason when nothing runs.
  Plane unless_running() const;
};

/// Finds the master by its pid file and its workers among its children.
Workers find_workers(const HostView& host, const std::string& pid_file);

/// The soft limit of open files that the first worker has; the master's own is another.
Plane open_files_limit(const HostView& host, const Workers& workers);

/// When the oldest worker started, in nanoseconds since the epoch, at the latest: the kernel tells the time
/// of its boot in whole seconds, so that the true start lies up to a second earlier. Nothing when it cannot
/// be read.
std::optional<std::int64_t> latest_start_ns(const HostView& host, const Workers& workers);

/// CPUs that are online, what `worker_processes auto` counts; nothing when it cannot be read.
std::optional<int> online_cpus(const HostView& host);

}  // namespace tunekeeper::nginx
