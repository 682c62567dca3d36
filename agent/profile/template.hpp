#pragma once

#include <functional>
#include <string>

#include "core/facts.hpp"

namespace tunekeeper {

/// The value of a dotted name of a template; throws ExpressionError for a name that has none.
using TemplateLookup = std::function<Scalar(const std::string& name)>;

/// Renders a Mustache template, nothing escaped: {{name}}, {{#list}}{{.}}{{/list}}, {{#truth}}…{{/truth}} and
/// {{^truth}}…{{/truth}}. Throws Error for a template that does not parse or uses partials, and what `lookup`
/// throws: no missing name is ever rendered as nothing.
std::string render_template(const std::string& text, const TemplateLookup& lookup);

}  // namespace tunekeeper
