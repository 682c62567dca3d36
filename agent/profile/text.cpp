#include "profile/text.hpp"

#include <algorithm>

#include "core/expression_syntax.hpp"

namespace tunekeeper {
namespace {

/// Finds in the source the `${`s of a scalar, one after the other.
class Finder {
 public:
  Finder(const YamlDocument& document, const YamlNode& scalar)
      : document_(document), at_(scalar.offset), line_(scalar.line), column_(scalar.column) {}

  /// The place after the next `${`; the scalar's own where an escape hides it.
  Position after_next() {
    const std::size_t found = document_.source.find("${", at_);
    if (found == std::string::npos) return {document_.file, line_, column_};
    for (; at_ < found + 2; ++at_) {
      ++column_;
      if (document_.source[at_] == '\n') ++line_, column_ = 1;
    }
    return {document_.file, line_, column_};
  }

  bool continues_with(std::string_view text) const {
    return document_.source.compare(at_, text.size(), text) == 0;
  }

 private:
  const YamlDocument& document_;
  std::size_t at_;
  int line_, column_;
};

void add_literal(std::vector<Text::Piece>& pieces, std::string_view text) {
  if (text.empty()) return;
  if (pieces.empty() || pieces.back().is_expression) pieces.push_back({});
  pieces.back().text += text;
}

}  // namespace

bool Text::has_expressions() const {
  return std::any_of(pieces.begin(), pieces.end(), [](const Piece& piece) { return piece.is_expression; });
}

std::string Text::literal() const {
  std::string text;
  for (const auto& piece : pieces)
    if (!piece.is_expression) text += piece.text;
  return text;
}

Text read_text(const YamlDocument& document, const YamlNode& scalar, std::vector<Diagnostic>& faults) {
  Text result{scalar.text, document.at(scalar), {}};
  Finder finder(document, scalar);
  std::string_view rest = scalar.text;
  while (true) {
    const std::size_t start = rest.find("${");
    add_literal(result.pieces, rest.substr(0, start));
    if (start == std::string_view::npos) return result;
    Position place = finder.after_next();
    rest.remove_prefix(start + 2);
    if (start > 0 && rest.data()[-3] == '$') {
      result.pieces.back().text.pop_back();
      add_literal(result.pieces, "${");
      continue;
    }
    const std::size_t end = find_expression_end(rest);
    if (end == std::string_view::npos) {
      place.column -= 2;
      faults.push_back(
          {place,
           "this ${ has no } that closes it (after a blank, # begins a comment and \": \" a value: "
           "quote the text; a literal ${ is written $${)"});
      return result;
    }
    const auto expression = rest.substr(0, end);
    result.pieces.push_back({true, std::string(expression), place, finder.continues_with(expression)});
    rest.remove_prefix(end + 1);
  }
}

Text read_expression(const YamlDocument& document, const YamlNode& scalar, std::vector<Diagnostic>& faults) {
  Text result{scalar.text, document.at(scalar), {}};
  if (scalar.text.find("${") != std::string::npos) {
    faults.push_back({result.at, "this is an expression as it stands: leave out the ${ }"});
    return result;
  }
  const std::size_t quote = scalar.quoted ? 1 : 0;
  const Position place{document.file, scalar.line, scalar.column + static_cast<int>(quote)};
  const std::string_view source = std::string_view(document.source).substr(scalar.offset + quote);
  result.pieces.push_back({true, scalar.text, place, source.starts_with(scalar.text)});
  return result;
}

Position place_in(const Text::Piece& expression, std::size_t column) {
  Position place = expression.at;
  if (!expression.verbatim) return place;
  for (std::size_t i = 0; i + 1 < column && i < expression.text.size(); ++i) {
    ++place.column;
    if (expression.text[i] == '\n') ++place.line, place.column = 1;
  }
  return place;
}

}  // namespace tunekeeper
