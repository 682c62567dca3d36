#include "providers/provider.hpp"

namespace tunekeeper {

std::string Provider::absence(const Context&) const {
  return {};
}

std::vector<Desired> Provider::expand(const Context&, Desired desired) const {
  return {std::move(desired)};
}

bool Provider::plans_around_settled_rows() const {
  return false;
}

std::optional<Action> Provider::restore_live(const Context&, const std::string&, const std::string&) const {
  return std::nullopt;
}

std::vector<Action> Provider::after_files(const Context&, std::span<const std::string>) const {
  return {};
}

std::string Provider::guard(const Context&, const Row&) const {
  return {};
}

std::optional<Lesson> Provider::learn(const Context&, std::span<const Row>) const {
  return std::nullopt;
}

bool Provider::is_spent(const std::string&, std::string_view) const {
  return false;
}

}  // namespace tunekeeper
