#pragma once

#include <string>
#include <vector>

#include "profile/diagnostic.hpp"
#include "profile/yaml_tree.hpp"

namespace tunekeeper {

/// A scalar as written, split at its `${ }`.
struct Text {
  struct Piece {
    bool is_expression = false;
    std::string text;      ///< literal, or the expression without `${` and `}`
    Position at;           ///< of the expression's first character
    bool verbatim = true;  ///< the source has the expression just so: not folded, no escapes
  };

  std::string raw;
  Position at;
  std::vector<Piece> pieces;

  bool has_expressions() const;
  /// The whole text is one expression, so that its value keeps its type.
  bool is_expression() const { return pieces.size() == 1 && pieces.front().is_expression; }
  /// Without expressions: the text, each `$${` as `${`.
  std::string literal() const;
};

/// Splits a scalar node. A `${` without its `}` is a fault.
Text read_text(const YamlDocument& document, const YamlNode& scalar, std::vector<Diagnostic>& faults);

/// A scalar that is an expression itself (`when`, `by`). A `${` in it is a fault.
Text read_expression(const YamlDocument& document, const YamlNode& scalar, std::vector<Diagnostic>& faults);

/// The place of the character in this column (from 1; 0 unknown) of an expression; the expression's own where
/// its source is written otherwise.
Position place_in(const Text::Piece& expression, std::size_t column);

}  // namespace tunekeeper
