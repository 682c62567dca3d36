#pragma once

#include <optional>

#include "core/row.hpp"
#include "host/host.hpp"
#include "providers/nginx/config.hpp"
#include "providers/nginx/workers.hpp"

namespace tunekeeper::nginx {

/// Looks at settings one by one; the configuration and the workers are read once for all of them.
class Observer {
 public:
  explicit Observer(const HostView& host);

  Observation observe(const Desired& desired) const;
  const Config& config() const { return config_; }
  const Workers& workers() const { return workers_; }

 private:
  void observe_persisted(const Desired& desired, Observation& seen) const;
  void observe_live(const Desired& desired, Observation& seen) const;
  void observe_processes(const Desired& desired, Observation& seen) const;
  void compare_ages(const Statement& statement, Observation& seen) const;
  void note_overrides(const Desired& desired, Observation& seen) const;

  const HostView& host_;
  Config config_;
  Workers workers_;
  std::optional<std::int64_t> started_ns_;
};

/// The file that names the master process: the `pid` directive, else Debian's own /run/nginx.pid.
std::string pid_file(const Config& config);

}  // namespace tunekeeper::nginx
