#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/row.hpp"

namespace tunekeeper {

/// What the kernel makes of a value by a rule of its own, and the rule in words.
struct KernelRounding {
  std::string value;
  std::string note;
};

/// The rounding of a key below /proc/sys or /sys (relative path); nothing where there is no rule, or where
/// the value is kept as it is. What the kernel does beyond rules (limits by hardware or memory) is a clamp,
/// not a rounding.
std::optional<KernelRounding> kernel_rounding(std::string_view key, std::string_view wanted);

/// Tells an observation of a rounding, where that is what the live value shows.
void accept_rounding(const std::optional<KernelRounding>& rounding, Observation& seen);

}  // namespace tunekeeper
