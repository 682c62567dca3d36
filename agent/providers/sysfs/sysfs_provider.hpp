#pragma once

#include "formats/tmpfiles_d.hpp"
#include "providers/conf_files.hpp"
#include "providers/provider.hpp"

namespace tunekeeper {

/// Kernel values below /sys: in force there, and kept by `w` lines of tmpfiles.d as systemd-tmpfiles performs
/// them.
class SysfsProvider : public Provider {
 public:
  const SectionSpec& section() const override;
  std::vector<Desired> expand(const Context& context, Desired desired) const override;
  std::vector<Observation> observe(const Context& context, std::span<const Desired> wanted) const override;
  std::vector<Action> plan(const Context& context, std::span<const Row> rows) const override;
  bool plans_around_settled_rows() const override { return true; }
  std::vector<std::string> statements(const std::string& id, const std::string& path,
                                      std::string_view bytes) const override;
  std::vector<Splice> restate(const std::string& id, const std::string& path, std::string_view bytes,
                              const std::vector<std::string>& statements) const override;
  std::optional<Action> restore_live(const Context& context, const std::string& id,
                                     const std::string& original) const override;
  bool is_spent(const std::string& path, std::string_view bytes) const override;
};

inline constexpr std::string_view own_tmpfiles_file = "/etc/tmpfiles.d/zz-tunekeeper.conf";

/// "/sys/kernel/mm/…" of an id.
std::string sysfs_file(std::string_view id);

/// Settings whose change resets others of their device (queue/scheduler: nr_requests and iosched/*), or is
/// needed for them (a cpufreq governor), in force before those.
bool goes_first(std::string_view id);

/// What is written to a file at boot, by lines for its path or for the path that its links lead to.
TmpfilesDecision sysfs_at_boot(std::span<const std::string_view> files, const HostView& host,
                               const std::string& path);

/// Why these files, as they were read, cannot be given the row's value; empty when they can.
std::string sysfs_obstacle(ConfEdits edits, const HostView& host, const Row& row);

/// Edits that give these rows their persisted values.
std::vector<Action> plan_sysfs_files(const HostView& host, const std::vector<const Row*>& rows);

std::unique_ptr<Provider> make_sysfs_provider();

}  // namespace tunekeeper
