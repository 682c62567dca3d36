#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/expression.hpp"

namespace tunekeeper {

/// A dotted name as an expression uses it: "mysql.storage", "vars.share", "max".
struct NameUse {
  std::string name;
  std::size_t column = 0;  ///< from 1
};

/// The names of an expression, and what makes it more (or less) than one expression.
struct ExpressionScan {
  std::vector<NameUse> names;
  std::vector<ExpressionFault> faults;
};

/// Reads an expression's tokens, without Lua: refuses all that could be a statement, a function, a comment or
/// a method call, brackets that do not match, and == between a version and a text (which Lua would quietly
/// answer with false).
ExpressionScan scan_expression(std::string_view expression);

/// The length of the expression before the `}` that closes `${`; npos where none does. Braces within the
/// expression and its quoted texts are skipped. `text` starts after the `${`.
std::size_t find_expression_end(std::string_view text);

/// Whether a fact of this name is a version: *.version, *.release.
bool is_version_name(std::string_view name);

}  // namespace tunekeeper
