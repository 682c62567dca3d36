#include "profile/merge.hpp"

#include <algorithm>
#include <unordered_map>

#include <fmt/format.h>

#include "core/nearest.hpp"
#include "profile/profile_vars.hpp"

namespace tunekeeper {

void Gatherer::add_named(const std::string& name, const Position& from) {
  if (auto problem = name_problem(name)) return faults_.push_back({from, std::move(*problem)});
  const auto in_chain = std::find(chain_.begin(), chain_.end(), name);
  if (in_chain != chain_.end()) {
    const std::vector<std::string> circle(in_chain, chain_.end());
    faults_.push_back({from, fmt::format("profiles extend each other in a circle: {} -> {}",
                                         fmt::join(circle, " -> "), name)});
    return;
  }
  if (done_.count(name)) return;
  const auto file = path_.profile(name);
  if (!file) {
    faults_.push_back(
        {from, fmt::format("there is no profile \"{}\"{}", name, did_you_mean(name, path_.names()))});
  } else if (file->masked) {
    faults_.push_back({from, fmt::format("profile \"{}\" is masked by {}", name, file->path)});
  } else {
    add_file(*file, name, true);
  }
}

void Gatherer::add_file(const FoundFile& file, const std::string& name, bool with_drop_ins) {
  chain_.push_back(name);
  read(file, false);
  chain_.pop_back();
  done_.insert(name);
  if (!with_drop_ins) return;
  for (const auto& drop_in : path_.drop_ins(name)) read(drop_in, true);
}

void Gatherer::read(const FoundFile& file, bool is_drop_in) {
  const auto bytes = path_.read(file, faults_);
  if (!bytes) return;
  ProfileFile content = read_profile_file(file.path, *bytes, sections_, is_drop_in, faults_);
  for (const auto& base : content.extends) add_named(base.name, base.at);
  files_.push_back({std::move(content), is_drop_in});
}

namespace {

/// Looks through all files for what is wrong without evaluating anything.
class Checker {
 public:
  Checker(const Scope& scope, Evaluator& evaluator, std::vector<Diagnostic>& faults)
      : scope_(scope), evaluator_(evaluator), faults_(faults) {}

  void check(const Text& text) {
    for (const auto& piece : text.pieces) {
      if (!piece.is_expression) continue;
      for (auto& fault : evaluator_.check(piece.text, scope_))
        faults_.push_back({place_in(piece, fault.column), std::move(fault.message)});
    }
  }

  void check(const Setting& setting) {
    for (const auto& key : setting.keys) check(key);
    check(setting.value);
    for (const auto& chosen : setting.cases) check(chosen.value);
    if (setting.default_value) check(*setting.default_value);
    if (setting.when) check(*setting.when);
    if (!setting.by) return;
    check(*setting.by);
    check_cases(setting);
  }

 private:
  void check(const StatedValue& value) {
    for (const auto& item : value.items) check(item);
  }

  void check_cases(const Setting& setting) {
    const auto possible = scope_.facts->values(setting.by->raw);
    if (possible.empty()) return;
    for (const auto& chosen : setting.cases)
      if (std::find(possible.begin(), possible.end(), chosen.name) == possible.end())
        faults_.push_back({chosen.at, fmt::format("{} is never \"{}\"{}", setting.by->raw, chosen.name,
                                                  did_you_mean(chosen.name, possible))});
    if (setting.default_value) return;
    for (const auto& value : possible) {
      const auto is_it = [&](const Case& chosen) { return chosen.name == value; };
      if (std::none_of(setting.cases.begin(), setting.cases.end(), is_it))
        faults_.push_back({setting.by->at, fmt::format("no case for \"{}\", and no default", value)});
    }
  }

  const Scope& scope_;
  Evaluator& evaluator_;
  std::vector<Diagnostic>& faults_;
};

/// A drop-in's variable does something only when a profile declares it; mistyped ones would be lost.
void check_drop_in_vars(const std::vector<Gatherer::File>& files, std::vector<Diagnostic>& faults) {
  std::vector<std::string> declared;
  for (const auto& file : files)
    if (!file.is_drop_in)
      for (const auto& [name, var] : file.content.vars) declared.push_back(name);
  for (const auto& file : files) {
    if (!file.is_drop_in) continue;
    for (const auto& [name, var] : file.content.vars)
      if (std::find(declared.begin(), declared.end(), name) == declared.end())
        faults.push_back({var.at, fmt::format("the profile declares no variable \"{}\"{}", name,
                                              did_you_mean(name, declared))});
  }
}

}  // namespace

void check_files(const std::vector<Gatherer::File>& files, const Vars& vars, const FactSource& facts,
                 Evaluator& evaluator, std::vector<Diagnostic>& faults) {
  const ProfileVars names(vars, facts, evaluator);
  const Scope scope{&facts, &names};
  Checker checker(scope, evaluator, faults);
  for (const auto& [name, var] : vars)
    if (var.text) checker.check(*var.text);
  for (const auto& file : files)
    for (const auto& setting : file.content.settings) checker.check(setting);
  check_drop_in_vars(files, faults);
}

std::vector<Setting> merge_settings(std::vector<Gatherer::File>& files) {
  std::vector<Setting> merged;
  std::unordered_map<std::string, std::size_t> places;
  for (auto& file : files) {
    for (auto& setting : file.content.settings) {
      const auto [place, is_new] = places.try_emplace(setting.raw_id(), merged.size());
      if (is_new) {
        merged.push_back(std::move(setting));
      } else {
        merged[place->second] = std::move(setting);
      }
    }
  }
  return merged;
}

}  // namespace tunekeeper
