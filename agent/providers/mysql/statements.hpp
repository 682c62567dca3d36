#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/splice.hpp"

namespace tunekeeper::mysql {

/// The lines that state an option in any group a server reads, in order, without line ends. One outside
/// [mysqld] has its group's header and a newline before it, so that it goes back where it was. A
/// file that does not parse states nothing.
std::vector<std::string> option_statements(std::string_view bytes, std::string_view name);

/// Makes the file state the option by exactly these; `header` begins a file that has no bytes yet.
/// A present line that changes stays in its place. Throws Error, with `path` and the line, for a file that
/// does not parse.
std::vector<Splice> restate_option(std::string_view path, std::string_view bytes, std::string_view name,
                                   const std::vector<std::string>& statements, std::string_view header);

}  // namespace tunekeeper::mysql
