#pragma once

#include <string_view>

namespace tunekeeper {

/// Whether a file name matches a pattern of * ? [a-z] [!x] and backslash escapes, byte by byte, as fnmatch(3)
/// with FNM_PERIOD in the C locale: a leading dot is matched by a dot only. Classes
/// such as [[:digit:]] are not understood.
bool glob_matches(std::string_view pattern, std::string_view name);

}  // namespace tunekeeper
