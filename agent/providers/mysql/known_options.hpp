#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "providers/mysql/server_files.hpp"

namespace tunekeeper::mysql {

/// What the manuals say of the options that a tuning names, so that a wish can be judged without a server.

/// Why this text is no whole number as a server reads one: digits, then at most one of K M G T P E. Empty
/// where it is one. Stricter than the servers where they would read something else than what is written:
/// `1e9` is 1 EiB to them, and the B of `5MB` is skipped.
std::string number_problem(std::string_view text);

/// Why the server would refuse this value for the option, or silently take another; empty where it takes it
/// or the option is not in the table.
std::string value_problem(const Server& server, std::string_view name, const Value& value);

/// Why a server of this flavour and version has no such option; empty where it may have it.
std::string missing_option(const Server& server, std::string_view name);

/// Names of the table, in no order.
std::vector<std::string> known_option_names();

/// The well-known option that this name, which is not in the table, is one or two slips away from; empty
/// where none is so near.
std::string slip_of_known_option(std::string_view name);

}  // namespace tunekeeper::mysql
