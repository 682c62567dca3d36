#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "host/host.hpp"

namespace tunekeeper {

/// The data directory that the usual option files give the server; nothing where none does. Flavour and
/// version decide which groups it reads; either may be empty.
std::optional<std::string> datadir_of_option_files(const HostView& host, std::string_view flavor,
                                                   std::string_view version);

}  // namespace tunekeeper
