#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/sysctl_d.hpp"

namespace tunekeeper {

/// What a key will be after systemd-sysctl ran over all files, exclusive pairs included.
struct SysctlAtBoot {
  SysctlDecision decision;
  /// A later line sets the other key of the pair, so that this one becomes 0; `decision` is then that line's.
  bool zeroed = false;

  bool has_value() const {
    return decision.kind == SysctlDecision::Kind::assigned || decision.kind == SysctlDecision::Kind::matched;
  }
};

/// In the order of `keys` (path spelling).
std::vector<SysctlAtBoot> sysctl_at_boot(std::span<const std::string_view> files,
                                         std::span<const std::string> keys);

}  // namespace tunekeeper
