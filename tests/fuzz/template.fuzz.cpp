// Templates: rendering one gives text or an Error that says why; a name that has no value is never rendered
// as nothing. The input is the template.

#include "profile/template.hpp"

#include "core/error.hpp"
#include "core/expression.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tunekeeper;
  const std::string text(reinterpret_cast<const char*>(data), size);
  bool missed = false;
  const auto lookup = [&](const std::string& name) -> Scalar {
    if (name == "list") return std::vector<std::string>{"a", "b"};
    if (name == "truth") return true;
    if (name == "number" || name == "a.b") return std::int64_t{5};
    missed = true;
    throw ExpressionError("there is no " + name, false);
  };
  try {
    const std::string made = render_template(text, lookup);
    fuzz::require(!missed, "a missing name is an error");
    if (text.find("{{") == std::string::npos) fuzz::require_same(made, text, "text without tags stays");
  } catch (const Error& error) {
    fuzz::require(*error.what() != '\0', "an error says why");
  }
  return 0;
}
