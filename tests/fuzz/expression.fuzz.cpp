// Expressions: evaluating one gives a value or an ExpressionError, never anything else, and what check()
// calls faultless fails only for what it means, not for its names. The input is the expression.

#include "core/expression.hpp"

#include "fuzz/fuzz.hpp"
#include "support/facts.hpp"

namespace tunekeeper::fuzz {
namespace {

class NoVars : public VarSource {
 public:
  std::optional<Scalar> var(std::string_view) const override { return std::int64_t{7}; }
  const std::vector<std::string>& names() const override { return names_; }

 private:
  std::vector<std::string> names_ = {"share"};
};

}  // namespace
}  // namespace tunekeeper::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tunekeeper;
  static test::StatedFacts facts = [] {
    test::StatedFacts made;
    made.set("memory.total", std::int64_t{8} << 30).set("mysql.version", std::string("10.11.19"));
    made.set("mysql.disks", std::vector<std::string>{"sda"}).miss("mysql.role", "the server is not running");
    return made;
  }();
  static const fuzz::NoVars vars;
  static Evaluator evaluator;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Scope scope{&facts, &vars};
  for (const ExpressionFault& fault : evaluator.check(text, scope)) {
    fuzz::require(!fault.message.empty() && fault.column <= text.size() + 1,
                  "a fault lies in the expression");
  }
  try {
    evaluator.evaluate(text, scope);
  } catch (const ExpressionError& error) {
    fuzz::require(*error.what() != '\0' && error.column() <= text.size() + 1, "an error says what and where");
  }
  try {
    evaluator.holds(text, scope);
  } catch (const ExpressionError&) {
  }
  return 0;
}
