#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/facts.hpp"
#include "host/host.hpp"
#include "profile/profile.hpp"
#include "profile/profile_file.hpp"

namespace tunekeeper {

/// What an unattended run may do to a service, and where its server's own files are.
struct ServicePolicy {
  enum class Restart { never, reload, restart };

  Restart restart = Restart::reload;
  std::string defaults_file;  ///< of a database server; empty: the usual one
  std::string unit;           ///< empty: the usual one
};

/// /etc/tunekeeper/host.yaml: what this host is to be.
struct HostConfig {
  static constexpr std::string_view path = "/etc/tunekeeper/host.yaml";

  bool present = false;  ///< the file is there; an absent or empty one releases nothing
  std::vector<NamedAt> profiles;
  Vars vars;                                         ///< override what profiles declare
  std::map<std::string, Scalar, std::less<>> facts;  ///< override what the host says of itself
  std::map<std::string, ServicePolicy, std::less<>> services;

  /// The policy of a service; where none is stated: databases (mysql, mariadb) never, all others reload.
  ServicePolicy policy(std::string_view service) const;
};

/// Reads host.yaml of this root; an absent one is empty and not `present`. Throws InvalidProfile with every
/// fault (bad shape, unknown keys and facts, not trusted). `fact_names` in byte order.
HostConfig load_host_config(const HostView& root, const std::vector<std::string>& fact_names,
                            std::uint32_t caller_uid);

/// The same, for bytes at hand; faults are appended.
HostConfig read_host_config(std::string file, std::string_view bytes,
                            const std::vector<std::string>& fact_names, std::vector<Diagnostic>& faults);

}  // namespace tunekeeper
