#include "engine/jobs.hpp"

#include <fmt/format.h>

namespace tunekeeper {
namespace {

void require(const CommandResult& result, const std::vector<std::string>& argv) {
  if (result.ok()) return;
  const std::string command = fmt::format("{}", fmt::join(argv, " "));
  if (result.timed_out) throw Error(fmt::format("{} did not end in time", command));
  throw Error(fmt::format("{} failed (exit {}): {}", command, result.status,
                          result.err.empty() ? result.out : result.err));
}

}  // namespace

bool systemd_runs(const HostView& host) {
  return !host.is_other_root() && host.exists("/run/systemd/system");
}

void run_job(Host& host, const ServiceJob& job, std::chrono::seconds deadline) {
  std::vector<std::string> argv = job.by_hand;
  if (systemd_runs(host)) {
    argv = {"systemctl", job.kind == ServiceJob::Kind::reload ? "reload" : "restart", job.unit};
  }
  if (argv.empty())
    throw Error("systemd does not run here, so " + job.service + " cannot be asked to " +
                (job.kind == ServiceJob::Kind::reload ? "reload" : "restart"));
  CommandOptions options;
  options.deadline = deadline;
  require(host.run(argv, options), argv);
}

void run_daemon_reload(Host& host) {
  if (!systemd_runs(host)) return;
  const std::vector<std::string> argv = {"systemctl", "daemon-reload"};
  require(host.run(argv), argv);
}

}  // namespace tunekeeper
