#pragma once

#include <string_view>

namespace tunekeeper {

/// left - right as a sign, part by part: numbers as numbers (10.11 is after 10.2), other parts as text and
/// before numbers (1.0-rc1 is before 1.0.1), a missing part as 0 ("10.11" equals "10.11.0").
int compare_versions(std::string_view left, std::string_view right);

/// Whether the text begins as a version does: with a digit.
bool is_version(std::string_view text);

}  // namespace tunekeeper
