#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tunekeeper {

/// The candidate that a mistyped name most likely means: the least Damerau-Levenshtein distance, at most a
/// third of the name's length (at least 1), the first of equally near ones; nothing when none is near, or
/// shares no letter with the name.
std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates);

/// The same with a bound of its own on the distance, for lists that do not hold every right name.
std::optional<std::string> nearest_within(std::string_view name, const std::vector<std::string>& candidates,
                                          std::size_t limit);

/// `, did you mean "x"?`, or nothing at all.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace tunekeeper
