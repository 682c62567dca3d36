#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "cli/console.hpp"
#include "cli/json_document.hpp"
#include "cli/verbs.hpp"
#include "cli/workbench.hpp"

namespace tunekeeper {
namespace {

std::string check_json(const std::vector<Diagnostic>& faults) {
  Document json;
  json["schema"] = "tunekeeper.check/1";
  json["faults"] = Document::array();
  for (const Diagnostic& fault : faults) {
    json["faults"].push_back({{"file", fault.at.file},
                              {"line", fault.at.line},
                              {"column", fault.at.column},
                              {"message", fault.message}});
  }
  return print(json);
}

ExitStatus check(const std::vector<std::string>& words, const Globals& globals) {
  Workbench bench(globals);
  std::vector<Diagnostic> faults;
  for (const std::string& word : words) {
    const std::string profile = is_profile_path(word) ? std::filesystem::absolute(word).string() : word;
    for (Diagnostic& fault : bench.loader().check(profile)) faults.push_back(std::move(fault));
  }
  if (globals.json) {
    print_out(check_json(faults));
  } else {
    for (const Diagnostic& fault : faults) print_out(to_string(fault) + "\n");
    if (faults.empty() && !globals.quiet) print_out(fmt::format("{}: no fault\n", fmt::join(words, ", ")));
  }
  return faults.empty() ? ExitStatus::ok : ExitStatus::invalid;
}

}  // namespace

std::function<ExitStatus()> prepare_check(CLI::App& parser, const Globals& globals) {
  auto words = std::make_shared<std::vector<std::string>>();
  parser.add_option("file", *words, "Profiles by file or name, or a host.yaml")->required();
  return [words, &globals] { return check(*words, globals); };
}

}  // namespace tunekeeper
