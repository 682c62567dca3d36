#pragma once

#include <optional>
#include <string>

#include "providers/mysql/server_files.hpp"

namespace tunekeeper::mysql {

/// How texts of this option are compared: paths exactly, all else as the server reads options.
ValueType type_of(const Desired& desired);

/// What a statement gives the option, in the shape the wish has: a flag where a flag is wanted and it is on.
Value value_as_wished(const Desired& desired, const std::string& text);

/// Whether the option may well not be among SHOW GLOBAL VARIABLES although the server has it.
bool may_lack_variable(const Desired& desired);

/// What the server's own rounding makes of the wish; nothing where it keeps it. The rule goes into `note`.
std::optional<Value> rounded(const Desired& desired, const Server& server, const ServerVariables& seen,
                             std::string& note);

/// Why this wish needs --force whatever the host's state (DESIGN's guard rails for a server); empty where it
/// may.
std::string rail(const Context& context, const Desired& desired);

}  // namespace tunekeeper::mysql
