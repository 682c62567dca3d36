#pragma once

#include <string_view>
#include <vector>

#include "formats/shell_vars.hpp"

namespace tunekeeper {

/// What each command of a shell file does to variables, in order. Throws ShellSyntaxError where sh would.
std::vector<ShellStatement> parse_shell(std::string_view bytes);

}  // namespace tunekeeper
