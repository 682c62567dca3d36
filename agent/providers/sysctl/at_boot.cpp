#include "providers/sysctl/at_boot.hpp"

#include <utility>

#include "core/compare.hpp"
#include "providers/sysctl/known_keys.hpp"

namespace tunekeeper {
namespace {

bool gives_value(const SysctlDecision& decision) {
  return decision.kind == SysctlDecision::Kind::assigned || decision.kind == SysctlDecision::Kind::matched;
}

bool zeroes(const SysctlDecision& other, const SysctlDecision& own) {
  if (!gives_value(other) || same(ValueType::number, other.value, "0")) return false;
  return !gives_value(own) || std::pair(other.file, other.line) > std::pair(own.file, own.line);
}

}  // namespace

std::vector<SysctlAtBoot> sysctl_at_boot(std::span<const std::string_view> files,
                                         std::span<const std::string> keys) {
  std::vector<std::string> asked(keys.begin(), keys.end());
  std::vector<std::size_t> counterpart_at(keys.size(), 0);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    auto counterpart = exclusive_counterpart(keys[i]);
    if (counterpart.empty()) continue;
    counterpart_at[i] = asked.size();
    asked.push_back(std::move(counterpart));
  }
  auto decisions = decide_sysctl(files, asked);
  std::vector<SysctlAtBoot> found(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    found[i].decision = std::move(decisions[i]);
    if (counterpart_at[i] == 0 || !zeroes(decisions[counterpart_at[i]], found[i].decision)) continue;
    auto stated_in = std::move(found[i].decision.stated_in);
    found[i].decision = decisions[counterpart_at[i]];
    found[i].decision.value = "0";
    found[i].decision.stated_in = std::move(stated_in);
    found[i].zeroed = true;
  }
  return found;
}

}  // namespace tunekeeper
