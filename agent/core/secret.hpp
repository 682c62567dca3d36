#pragma once

#include <string>
#include <string_view>

#include "core/row.hpp"

namespace tunekeeper {

/// Whether a setting holds a secret, told by the last part of its id or path: passwords, passphrases, tokens
/// and keys of the servers and of the kernel ("mysql:wsrep_sst_auth", "sysctl:net.ipv4.tcp_fastopen_key",
/// "unit:mariadb.service:Service.SetCredential"). Policies about passwords are none.
bool is_secret(std::string_view id);

/// The value for people and logs: "(redacted)" where the setting holds a secret.
std::string shown(std::string_view id, const Value& value);

/// The row as people, logs and monitoring may see it: of a secret, every value is "(redacted)", within its
/// reasons and notes too.
Row without_secrets(Row row);

}  // namespace tunekeeper
