#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "cli/console.hpp"
#include "cli/json_document.hpp"
#include "cli/verbs.hpp"
#include "cli/workbench.hpp"
#include "core/nearest.hpp"
#include "core/secret.hpp"
#include "engine/survey.hpp"

namespace tunekeeper {
namespace {

/// The profiles to look in for a setting: host.yaml's, else all that are listed.
std::vector<std::string> places_to_look(Workbench& bench) {
  std::vector<std::string> names = bench.host_profiles();
  if (!names.empty()) return names;
  for (const ListedProfile& profile : bench.loader().list()) {
    if (!profile.masked && profile.problem.empty()) names.push_back(profile.name);
  }
  return names;
}

std::string plane_line(std::string_view name, const Plane& plane) {
  std::string words = plane.has_value() ? to_string(plane.value) : "-";
  if (plane.kind == Plane::Kind::not_applicable)
    words = plane.reason.empty() ? "n/a" : "n/a: " + plane.reason;
  if (plane.kind == Plane::Kind::unknown) words = "unknown: " + plane.reason;
  return fmt::format("  {:<13} {}\n", name, words);
}

std::string row_text(const Row& row) {
  std::string text = row.desired.id + "\n";
  const auto add = [&text](std::string_view name, const std::string& words) {
    if (!words.empty()) text += fmt::format("  {:<13} {}\n", name, words);
  };
  add("state", std::string(to_string(row.state)) + (row.reason.empty() ? "" : ": " + row.reason));
  add("wanted",
      fmt::format("{}  ({} of {})", describe(row.desired), to_string(row.desired.at), row.desired.profile));
  text += plane_line("live", row.seen.live) + plane_line("persisted", row.seen.persisted) +
          plane_line("boot", row.seen.boot);
  add("decided by", row.seen.decided_by.empty() ? "" : "/" + row.seen.decided_by);
  add("takes effect", to_string(row.seen.takes_effect));
  add("note", row.seen.note);
  add("why", row.desired.why);
  add("source", row.desired.source);
  return text;
}

std::vector<Row> rows_of(Workbench& bench, const std::vector<std::string>& profiles) {
  const Wishes wishes = bench.wishes(profiles);
  const Context context = bench.context();
  std::vector<Row> rows = survey(context, expand(context, wishes.desired));
  rows.insert(rows.end(), wishes.undecided.begin(), wishes.undecided.end());
  return rows;
}

ExitStatus explain_setting(Workbench& bench, const std::string& id, const Globals& globals) {
  const std::vector<std::string> profiles = places_to_look(bench);
  std::vector<std::string> ids;
  if (!profiles.empty()) {
    for (const Row& row : rows_of(bench, profiles)) {
      ids.push_back(row.desired.id);
      if (row.desired.id != id) continue;
      print_out(globals.json ? diff_json({bench.host_name(), profiles}, {row}, "tunekeeper.explain/1")
                             : row_text(without_secrets(row)));
      return ExitStatus::ok;
    }
  }
  throw Error(fmt::format("no profile here sets {}{}", id, did_you_mean(id, ids)), ExitStatus::usage)
      .with_next("tunekeeper explain PROFILE lists a profile's settings");
}

std::string setting_text(const Setting& setting) {
  std::string text = fmt::format("\n{}  ({})\n", setting.raw_id(), to_string(setting.at));
  if (setting.when) text += fmt::format("  {:<13} {}\n", "when", setting.when->raw);
  if (!setting.why.empty()) text += fmt::format("  {:<13} {}\n", "why", setting.why);
  if (!setting.source.empty()) text += fmt::format("  {:<13} {}\n", "source", setting.source);
  return text;
}

ExitStatus explain_profile(Workbench& bench, const std::string& word, const Globals& globals) {
  const Profile profile = bench.load(word);
  if (globals.json) {
    Document json;
    json["schema"] = "tunekeeper.explain/1";
    json["profile"] = profile.name;
    json["summary"] = profile.summary;
    json["files"] = profile.files;
    json["settings"] = Document::array();
    for (const Setting& setting : profile.settings) {
      json["settings"].push_back({{"id", setting.raw_id()},
                                  {"at", to_string(setting.at)},
                                  {"why", setting.why},
                                  {"source", setting.source}});
    }
    print_out(print(json));
    return ExitStatus::ok;
  }
  std::string text = fmt::format("{}: {}\n", profile.name, profile.summary);
  for (const std::string& file : profile.files) text += "  from " + file + "\n";
  for (const Setting& setting : profile.settings) text += setting_text(setting);
  print_out(text);
  return ExitStatus::ok;
}

ExitStatus explain(const std::string& word, const Globals& globals) {
  Workbench bench(globals);
  const std::size_t colon = word.find(':');
  const bool is_setting = colon != std::string::npos && !is_profile_path(word);
  return is_setting ? explain_setting(bench, word, globals) : explain_profile(bench, word, globals);
}

}  // namespace

std::function<ExitStatus()> prepare_explain(CLI::App& parser, const Globals& globals) {
  auto word = std::make_shared<std::string>();
  parser.add_option("name", *word, "A setting's id (sysctl:vm.swappiness) or a profile")->required();
  return [word, &globals] { return explain(*word, globals); };
}

}  // namespace tunekeeper
