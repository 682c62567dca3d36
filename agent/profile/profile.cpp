#include "profile/profile.hpp"

#include <fmt/format.h>

namespace tunekeeper {

std::string setting_id(const SectionSpec& section, const std::vector<std::string>& keys) {
  return fmt::format("{}:{}", section.id_prefix,
                     section.join ? section.join(keys) : fmt::format("{}", fmt::join(keys, ".")));
}

std::string Setting::raw_id() const {
  std::vector<std::string> raw;
  for (const auto& key : keys) raw.push_back(key.has_expressions() ? key.raw : key.literal());
  return setting_id(*section, raw);
}

}  // namespace tunekeeper
