#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tunekeeper {

/// The text with C escapes replaced as systemd does (\a \b \f \n \r \t \v \\ \" \' \s \xHH \uHHHH \UHHHHHHHH
/// \OOO); nothing where one is unknown, cut short or a NUL.
std::optional<std::string> c_unescaped(std::string_view text);

}  // namespace tunekeeper
