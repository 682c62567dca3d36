#include <algorithm>

#include <fmt/format.h>

#include "cli/console.hpp"
#include "cli/json_document.hpp"
#include "cli/verbs.hpp"
#include "cli/workbench.hpp"

namespace tunekeeper {
namespace {

bool is_hosts(const std::vector<std::string>& host_profiles, const std::string& name) {
  return std::find(host_profiles.begin(), host_profiles.end(), name) != host_profiles.end();
}

std::string list_json(const std::vector<ListedProfile>& profiles,
                      const std::vector<std::string>& host_profiles) {
  Document json;
  json["schema"] = "tunekeeper.list/1";
  json["profiles"] = Document::array();
  for (const ListedProfile& profile : profiles) {
    json["profiles"].push_back({{"name", profile.name},
                                {"summary", profile.summary},
                                {"path", profile.path},
                                {"host", is_hosts(host_profiles, profile.name)},
                                {"masked", profile.masked},
                                {"overrides", profile.overridden},
                                {"drop_ins", profile.drop_ins},
                                {"problem", profile.problem}});
  }
  return print(json);
}

std::string list_text(const std::vector<ListedProfile>& profiles,
                      const std::vector<std::string>& host_profiles, bool verbose) {
  if (profiles.empty()) return "No profile is on the search path.\n";
  std::size_t width = 0;
  for (const ListedProfile& profile : profiles) width = std::max(width, profile.name.size());
  std::string text;
  for (const ListedProfile& profile : profiles) {
    std::string words = profile.masked ? "(masked)" : profile.summary;
    if (!profile.problem.empty()) words = "! " + profile.problem;
    text += fmt::format("{} {:<{}}  {}\n", is_hosts(host_profiles, profile.name) ? '*' : ' ', profile.name,
                        width, words);
    if (verbose) text += fmt::format("    {}\n", profile.path);
    for (const std::string& path : profile.overridden) text += fmt::format("    overrides {}\n", path);
    for (const std::string& path : profile.drop_ins) text += fmt::format("    with {}\n", path);
  }
  return text;
}

ExitStatus list(const Globals& globals) {
  Workbench bench(globals);
  const std::vector<ListedProfile> profiles = bench.loader().list();
  const std::vector<std::string> host_profiles = bench.host_profiles();
  print_out(globals.json ? list_json(profiles, host_profiles)
                         : list_text(profiles, host_profiles, globals.verbose));
  return ExitStatus::ok;
}

}  // namespace

std::function<ExitStatus()> prepare_list(CLI::App&, const Globals& globals) {
  return [&globals] { return list(globals); };
}

}  // namespace tunekeeper
