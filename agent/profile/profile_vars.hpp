#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/expression.hpp"
#include "profile/profile.hpp"

namespace tunekeeper {

/// A profile's variables for expressions: each is computed when it is first asked for, and then kept.
class ProfileVars : public VarSource {
 public:
  /// All must outlive this.
  ProfileVars(const Vars& vars, const FactSource& facts, Evaluator& evaluator);

  std::optional<Scalar> var(std::string_view name) const override;
  const std::vector<std::string>& names() const override { return names_; }

 private:
  Scalar compute(const Text& text) const;

  const Vars& vars_;
  const FactSource& facts_;
  Evaluator& evaluator_;
  std::vector<std::string> names_;
  mutable std::map<std::string, Scalar, std::less<>> computed_;
  mutable std::set<std::string, std::less<>> computing_;
};

/// Appends a piece of a value; throws ExpressionError beyond 1 MiB, so that variables cannot double each
/// other for ever.
void append_limited(std::string& text, std::string_view piece);

}  // namespace tunekeeper
