#pragma once

#include <string>
#include <string_view>

#include "host/host.hpp"

namespace tunekeeper {

/// Versions of the installed packages that facts ask for; empty where a package is not installed.
struct InstalledVersions {
  std::string mariadb, mysql, nginx;
  bool rpm = false;  ///< there is an RPM database, which is not read, and no dpkg one
};

/// Reads dpkg's status file once and looks only at the stanzas of these packages.
InstalledVersions installed_versions(const HostView& host);

/// What an OS release ships.
struct ShippedVersions {
  std::string_view mariadb, mysql, nginx;  ///< empty where it does not ship it
  std::string_view mysql_flavor;           ///< of the server that stands behind the distribution's default
};

/// By os-release's ID and VERSION_ID; null for a release that is not in the table.
const ShippedVersions* shipped_versions(std::string_view os_id, std::string_view os_version);

}  // namespace tunekeeper
