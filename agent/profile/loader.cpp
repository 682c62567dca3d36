#include "profile/loader.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/nearest.hpp"
#include "profile/merge.hpp"

namespace tunekeeper {
namespace {

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::string_view without_suffix(std::string_view name) {
  if (name.ends_with(".yaml")) name.remove_suffix(5);
  return name;
}

SearchPath search_path(const LoadContext& context) {
  return {context.machine, context.root, context.profile_path, context.caller_uid};
}

void gather_by_path(SearchPath& path, Gatherer& gatherer, std::string_view file,
                    std::vector<Diagnostic>& faults) {
  if (!path.machine().exists(file)) return faults.push_back({{std::string(file)}, "there is no such file"});
  path.add_folder(std::string(file.substr(0, file.rfind('/'))));
  gatherer.add_file({&path.machine(), std::string(file)}, std::string(without_suffix(base_name(file))),
                    false);
}

/// Reads the templates that the settings name.
void read_templates(SearchPath& path, std::vector<Setting>& settings, std::vector<Diagnostic>& faults) {
  for (auto& setting : settings) {
    if (!setting.template_name) continue;
    const Text& name = *setting.template_name;
    const auto problem = name_problem(name.raw);
    const auto file = problem ? std::nullopt : path.template_file(name.raw);
    if (problem) {
      faults.push_back({name.at, *problem});
    } else if (!file) {
      faults.push_back(
          {name.at, fmt::format("there is no template \"{}\" in any templates folder", name.raw)});
    } else if (auto text = path.read(*file, faults)) {
      setting.template_text = std::move(*text);
    }
  }
}

Profile load_into(const LoadContext& context, std::string_view word, const Vars& host_vars,
                  std::vector<Diagnostic>& faults) {
  SearchPath path = search_path(context);
  Gatherer gatherer(path, context.sections, faults);
  Profile profile;
  profile.name = is_profile_path(word) ? without_suffix(base_name(word)) : word;
  if (is_profile_path(word)) {
    gather_by_path(path, gatherer, word, faults);
  } else {
    gatherer.add_named(profile.name, {});
  }
  for (const auto& [file, is_drop_in] : gatherer.files()) {
    if (!is_drop_in) profile.path = file.path;  // the last profile is the one asked for
    if (!is_drop_in || !file.summary.empty()) profile.summary = file.summary;
    profile.files.push_back(file.path);
    for (const auto& [name, var] : file.vars) profile.vars[name] = var;
  }
  for (auto& [name, var] : profile.vars) {
    const auto own = host_vars.find(name);
    if (own != host_vars.end()) var = own->second;
  }
  check_files(gatherer.files(), profile.vars, context.facts, context.evaluator, faults);
  profile.settings = merge_settings(gatherer.files());
  read_templates(path, profile.settings, faults);
  return profile;
}

}  // namespace

Loader::Loader(LoadContext context) : context_(std::move(context)) {}

Profile Loader::load(std::string_view word, const Vars& host_vars) {
  std::vector<Diagnostic> faults;
  Profile profile = load_into(context_, word, host_vars, faults);
  require_none(std::move(faults));
  return profile;
}

std::vector<Diagnostic> Loader::check(std::string_view word) {
  std::vector<Diagnostic> faults;
  if (is_profile_path(word) && base_name(word) == "host.yaml") {
    auto path = search_path(context_);
    if (const auto bytes = path.read({&context_.machine, std::string(word)}, faults))
      read_host_config(std::string(word), *bytes, context_.facts.names(), faults);
  } else {
    load_into(context_, word, {}, faults);
  }
  put_in_order(faults);
  return faults;
}

std::vector<ListedProfile> Loader::list() {
  SearchPath path = search_path(context_);
  std::vector<ListedProfile> listed;
  for (const auto& name : path.names()) {
    const auto files = path.profiles(name);
    if (files.empty()) continue;
    auto& each =
        listed.emplace_back(ListedProfile{name, files.front().path, {}, files.front().masked, {}, {}, {}});
    for (std::size_t i = 1; i < files.size(); ++i) each.overridden.push_back(files[i].path);
    for (const auto& drop_in : path.drop_ins(name)) each.drop_ins.push_back(drop_in.path);
    if (each.masked) continue;
    std::vector<Diagnostic> faults;
    if (const auto bytes = path.read(files.front(), faults))
      each.summary = read_profile_file(each.path, *bytes, context_.sections, false, faults).summary;
    put_in_order(faults);
    if (!faults.empty()) each.problem = to_string(faults.front());
  }
  return listed;
}

std::vector<Diagnostic> undeclared_vars(const HostConfig& config, const std::vector<Profile>& profiles) {
  std::vector<std::string> declared;
  for (const auto& profile : profiles)
    for (const auto& [name, var] : profile.vars) declared.push_back(name);
  std::vector<Diagnostic> faults;
  for (const auto& [name, var] : config.vars)
    if (std::find(declared.begin(), declared.end(), name) == declared.end())
      faults.push_back({var.at, fmt::format("no profile of this host declares a variable \"{}\"{}", name,
                                            did_you_mean(name, declared))});
  return faults;
}

}  // namespace tunekeeper
