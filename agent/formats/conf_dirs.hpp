#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tunekeeper {

/// The part after the last slash.
std::string_view base_name(std::string_view path);

/// Whether systemd reads a file of this name from a .d folder: `*.conf`, not hidden.
bool is_conf_name(std::string_view name);

/// Which of these drop-ins systemd reads, in its order (sysctl.d(5), tmpfiles.d(5), systemd.unit(5)): of one
/// base name only the file whose folder stands first in `folders`; the base names in byte order over all
/// folders. Paths whose folder is not listed are left out. The result holds indices into `paths`.
std::vector<std::size_t> conf_read_order(std::span<const std::string> paths,
                                         std::span<const std::string> folders);

/// The folders of a kind of configuration ("sysctl.d"), the strongest first.
std::vector<std::string> conf_folders(std::string_view kind);

}  // namespace tunekeeper
