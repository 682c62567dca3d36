#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/compare.hpp"
#include "core/section.hpp"

namespace tunekeeper::nginx {

/// Where in nginx's configuration a setting stands; `inner` is a server, location or the like within http.
enum class Level { main, events, http, inner };

/// The level that a setting's keys name: {"events", "worker_connections"} is events.
Level level_of(std::span<const std::string> path);

/// How nginx compares two values of this directive: times, sizes and numbers by what they mean, `on` in any
/// case.
ValueType type_of(Level level, std::string_view directive);

/// Why nginx would refuse this value ("100k" for a plain number); empty when it would not, or where only
/// nginx knows.
std::string value_problem(Level level, std::string_view directive, std::string_view value);

/// The shape of the profile's section `nginx`.
const SectionSpec& section_spec();

/// The arguments that a value in a profile stands for: its words, where quotes hold a word with blanks
/// together.
std::vector<std::string> split_arguments(std::string_view value);

/// The text that stands for these arguments in a report; split_arguments gives them back.
std::string join_arguments(std::span<const std::string> arguments);

}  // namespace tunekeeper::nginx
