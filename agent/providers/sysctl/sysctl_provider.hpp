#pragma once

#include "providers/conf_files.hpp"
#include "providers/provider.hpp"

namespace tunekeeper {

/// Kernel parameters below /proc/sys: in force there, and kept by sysctl.d files as systemd-sysctl reads
/// them.
class SysctlProvider : public Provider {
 public:
  const SectionSpec& section() const override;
  std::vector<Desired> expand(const Context& context, Desired desired) const override;
  std::vector<Observation> observe(const Context& context, std::span<const Desired> wanted) const override;
  std::vector<Action> plan(const Context& context, std::span<const Row> rows) const override;
  std::vector<std::string> statements(const std::string& id, const std::string& path,
                                      std::string_view bytes) const override;
  std::vector<Splice> restate(const std::string& id, const std::string& path, std::string_view bytes,
                              const std::vector<std::string>& statements) const override;
  std::optional<Action> restore_live(const Context& context, const std::string& id,
                                     const std::string& original) const override;
  std::string guard(const Context& context, const Row& row) const override;
  bool is_spent(const std::string& path, std::string_view bytes) const override;
};

inline constexpr std::string_view own_sysctl_file = "/etc/sysctl.d/zz-tunekeeper.conf";

/// The file of a key (path spelling) below /proc/sys.
std::string sysctl_file(std::string_view key);

/// Whether a link on the way takes the key's file out of /proc/sys.
bool leaves_proc_sys(const HostView& host, std::string_view key);

/// A key as profiles write it, in its path spelling. One component stands for an interface below
/// net.ipv4.conf and the like, so that `net.ipv6.conf.eth0.103.accept_ra` can only mean eth0.103.
std::string profile_sysctl_path(std::string_view written);

/// Edits that give these rows their persisted values.
std::vector<Action> plan_sysctl_files(const HostView& host, std::span<const Row> rows);

/// Why these files, as they were read, cannot be given the row's value; empty when they can.
std::string sysctl_obstacle(ConfEdits edits, const Row& row);

/// Why the guard rails refuse this value without --force; empty when they do not.
std::string guard_sysctl(const Context& context, std::string_view key, const std::string& value);

std::unique_ptr<Provider> make_sysctl_provider();

}  // namespace tunekeeper
