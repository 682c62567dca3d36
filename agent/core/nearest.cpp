#include "core/nearest.hpp"

#include <algorithm>

namespace tunekeeper {
namespace {

/// Optimal string alignment distance: insert, delete, replace, swap of neighbours, each 1.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) current[j] = std::min(current[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, current);
  }
  return last[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& candidates) {
  return nearest_within(name, candidates, std::max<std::size_t>(1, name.size() / 3));
}

std::optional<std::string> nearest_within(std::string_view name, const std::vector<std::string>& candidates,
                                          std::size_t limit) {
  std::size_t best_distance = limit + 1;
  const std::string* best = nullptr;
  for (const std::string& candidate : candidates) {
    const std::size_t lengths_apart =
        candidate.size() > name.size() ? candidate.size() - name.size() : name.size() - candidate.size();
    if (lengths_apart >= best_distance) continue;
    const std::size_t found = distance(name, candidate);
    const bool nothing_in_common = found >= std::max(name.size(), candidate.size());
    if (found < best_distance && !nothing_in_common) {
      best_distance = found;
      best = &candidate;
    }
  }
  if (best == nullptr) return std::nullopt;
  return *best;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::optional<std::string> found = nearest(name, candidates);
  return found ? ", did you mean \"" + *found + "\"?" : std::string();
}

}  // namespace tunekeeper
