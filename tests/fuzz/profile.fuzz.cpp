// Profiles: loading one ends with the profile or with faults, each with a place in its file; the same bytes
// give the same outcome; what loads can be evaluated. Parts of the input: the profile, the profile that it
// may extend ("base"), a drop-in of it.

#include "fuzz/fuzz.hpp"
#include "profile/workbench.hpp"

namespace tunekeeper::fuzz {
namespace {

std::string outcome(const Input& input) {
  test::Workbench bench;
  bench.add("p", std::string(input.part(0))).add("base", std::string(input.part(1, "summary: base\n")));
  if (input.size() > 2) bench.add("p.yaml.d/10-x", std::string(input.part(2)));
  try {
    const Profile profile = bench.load("p");
    require(bench.loader().check("p").empty(), "what loads has no fault");
    const Evaluation made =
        evaluate(profile, bench.facts, bench.evaluator, [](std::string_view) { return true; });
    for (const Desired& desired : made.desired) require(!desired.id.empty(), "a setting has an id");
    return test::lines(made);
  } catch (const InvalidProfile& invalid) {
    require(!invalid.diagnostics().empty(), "a profile that is refused has a fault");
    for (const Diagnostic& fault : invalid.diagnostics()) {
      require(!fault.message.empty(), "a fault says what is wrong");
      const std::string& file = fault.at.file;
      if (file.empty() || fault.at.line == 0) continue;
      const std::string& bytes = bench.host.bytes(file);
      std::string_view text = bytes;
      if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
      require(is_place(text, fault.at.line, 1), "a fault has its line in the file");
    }
    return invalid.what();
  }
}

}  // namespace
}  // namespace tunekeeper::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tunekeeper;
  const fuzz::Input input(data, size);
  fuzz::require_same(fuzz::outcome(input), fuzz::outcome(input), "loading twice gives the same");
  return 0;
}
