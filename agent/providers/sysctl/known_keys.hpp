#pragma once

#include <string>
#include <string_view>

#include "core/compare.hpp"

namespace tunekeeper {

// What the kernel's documentation (Documentation/admin-guide/sysctl/, Documentation/networking/ip-sysctl.rst)
// says of single keys. Keys in path spelling.

/// The other key of an exclusive pair, which the kernel sets to 0 when this one is written ("vm/dirty_ratio"
/// of "vm/dirty_bytes"); empty for all others.
std::string exclusive_counterpart(std::string_view key);

/// The kernel's default of a ratio of an exclusive pair; empty for all others.
std::string default_ratio(std::string_view key);

/// Why a value is never written: the key only triggers something, or cannot be set back before the next boot.
/// Empty where it may be.
std::string refusal(std::string_view key, std::string_view value);

/// The module whose loading makes the key appear; empty where it is of the kernel itself.
std::string module_of(std::string_view key);

/// How values of the key compare, by its name and by what the kernel holds and the profile wants.
ValueType sysctl_type(std::string_view key, std::string_view live, std::string_view wanted);

/// What is wrong with a value before the kernel is asked (too long, too few items); empty where nothing is
/// known.
std::string value_problem(std::string_view key, std::string_view live, std::string_view wanted);

}  // namespace tunekeeper
