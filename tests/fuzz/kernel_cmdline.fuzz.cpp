// The kernel command line: tokens written out are the tokens read, and a run stays a run. Parts of the input:
// line, name, item.

#include "formats/kernel_cmdline.hpp"

#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tunekeeper;
  const fuzz::Input input(data, size);
  const auto tokens = kernel_tokens(input.part(0));
  const std::string name(input.part(1, "hugepages"));
  bool harmless = true;
  for (const KernelToken& token : tokens) {
    fuzz::require(token.has_value || token.value.empty(), "a flag has no value");
    fuzz::require(same_parameter(token.name, token.name) && token == token, "a token is itself");
    // Only a value can be put in quotes, so a name with a blank in it is as dangerous as a quote.
    harmless = harmless && !token.name.empty() && cmdline_danger(token).empty() &&
               token.name.find_first_of(" \t\v\f\xa0") == std::string::npos &&
               !(token.name == "--" && !token.has_value);
  }
  if (harmless) {
    fuzz::require(kernel_tokens(to_string(tokens)) == tokens, "tokens written out are the tokens read");
  }
  std::size_t end = 0;
  for (const auto& [first, count] : kernel_runs(tokens, name)) {
    fuzz::require(first >= end && count >= 1 && first + count <= tokens.size(),
                  "runs lie apart among the tokens");
    fuzz::require(same_parameter(tokens[first].name, name), "a run begins with its parameter");
    end = first + count;
  }
  const KernelRun run = kernel_run(name, input.part(2));
  if (!run.empty()) cmdline_danger(run.front());
  to_string(run);
  return 0;
}
