#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/facts.hpp"

namespace tunekeeper {

/// Where expressions get `vars.NAME` from. Implementations may compute lazily.
class VarSource {
 public:
  virtual ~VarSource() = default;

  /// Nothing when the variable is declared but unset (`name: ~`). Only asked for a declared name. Throws
  /// ExpressionError when the variable's own expression does.
  virtual std::optional<Scalar> var(std::string_view name) const = 0;
  /// Every declared name, in byte order.
  virtual const std::vector<std::string>& names() const = 0;
};

/// What an expression may name: facts by their dotted names, and `vars.NAME`.
struct Scope {
  const FactSource* facts = nullptr;
  const VarSource* vars = nullptr;
};

/// What is wrong with an expression. `column` counts from 1 in bytes within it where it is known, else 0.
struct ExpressionFault {
  std::size_t column = 0;
  std::string message;
};

/// An expression that cannot be evaluated.
class ExpressionError : public Error {
 public:
  ExpressionError(const std::string& what, bool missing_fact, std::size_t column = 0)
      : Error(what, ExitStatus::invalid), missing_fact_(missing_fact), column_(column) {}

  /// The fact exists, but not on this host: the setting is unsupported or failed, not the profile wrong.
  bool missing_fact() const { return missing_fact_; }
  /// From 1 within the expression; 0 where unknown.
  std::size_t column() const { return column_; }

 private:
  bool missing_fact_;
  std::size_t column_;
};

/// Evaluates Lua 5.4 expressions in a closed sandbox: no statement, comment, function or method call; no
/// library but math (without random), min, max, floor_to(x, step), ceil_to(x, step), clamp(x, low, high),
/// pick(condition, a, b) and the constants KiB MiB GiB TiB; facts and vars as read-only tables; at most
/// 100,000 VM instructions and 16 MiB. Facts named *.version and *.release compare part by part with texts
/// (`mysql.version >= "10.11"`). A name that is no fact, a missing fact and an undeclared var throw
/// ExpressionError, never nil; only a var that is declared but unset is nil.
class Evaluator {
 public:
  Evaluator();
  ~Evaluator();
  Evaluator(const Evaluator&) = delete;
  Evaluator& operator=(const Evaluator&) = delete;

  /// The value; nil is an error. May be called again from within a VarSource.
  Scalar evaluate(std::string_view expression, const Scope& scope);
  /// Whether the expression holds: false for false and nil, true for all else (0 too), as Lua has it.
  bool holds(std::string_view expression, const Scope& scope);
  /// Everything wrong with the expression that shows without evaluating it: syntax, and names that are no
  /// fact, declared var or sandbox function.
  std::vector<ExpressionFault> check(std::string_view expression, const Scope& scope);

 private:
  struct Sandbox;
  std::unique_ptr<Sandbox> sandbox_;
};

}  // namespace tunekeeper
