#include "profile/profile_vars.hpp"

#include <fmt/format.h>

namespace tunekeeper {
namespace {

constexpr std::size_t value_limit = 1U << 20;

}  // namespace

void append_limited(std::string& text, std::string_view piece) {
  if (text.size() + piece.size() > value_limit) throw ExpressionError("the text grows beyond 1 MiB", false);
  text += piece;
}

ProfileVars::ProfileVars(const Vars& vars, const FactSource& facts, Evaluator& evaluator)
    : vars_(vars), facts_(facts), evaluator_(evaluator) {
  for (const auto& [name, var] : vars) names_.push_back(name);
}

std::optional<Scalar> ProfileVars::var(std::string_view name) const {
  const auto& [key, declared] = *vars_.find(name);
  if (declared.value) return declared.value;
  if (!declared.text) return std::nullopt;
  const auto known = computed_.find(name);
  if (known != computed_.end()) return known->second;
  if (!computing_.insert(key).second)
    throw ExpressionError(fmt::format("vars.{} is computed from itself ({})", name, to_string(declared.at)),
                          false);
  struct Done {
    std::set<std::string, std::less<>>& computing;
    const std::string& key;
    ~Done() { computing.erase(key); }
  } const done{computing_, key};
  try {
    return computed_.emplace(key, compute(*declared.text)).first->second;
  } catch (const ExpressionError& error) {
    if (error.missing_fact() || std::string_view(error.what()).starts_with("vars.")) throw;
    throw ExpressionError(fmt::format("vars.{} ({}): {}", name, to_string(declared.at), error.what()), false);
  }
}

Scalar ProfileVars::compute(const Text& text) const {
  const Scope scope{&facts_, this};
  if (text.is_expression()) return evaluator_.evaluate(text.pieces.front().text, scope);
  std::string result;
  for (const auto& piece : text.pieces)
    append_limited(result,
                   piece.is_expression ? to_string(evaluator_.evaluate(piece.text, scope)) : piece.text);
  return result;
}

}  // namespace tunekeeper
