#pragma once

#include <span>
#include <vector>

#include "providers/mysql/server_files.hpp"

namespace tunekeeper::mysql {

/// One edit a file that makes the server read what these rows want at its next start. Rows that an override
/// decides are left out: no option file can cure them.
std::vector<Action> write_options(const HostView& host, const ServerFiles& files,
                                  std::span<const Row* const> rows);

/// Whether our drop-in says nothing any more: comments, blank lines and group headers are left.
bool says_nothing(std::string_view bytes);

/// Whether this is our drop-in, by its name.
bool is_drop_in(std::string_view path);

}  // namespace tunekeeper::mysql
