#include "engine/candidate_check.hpp"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "engine/executor.hpp"

namespace tunekeeper {
namespace {

using Candidate = std::vector<std::pair<std::string, FileImage>>;

Candidate candidate_of(const Host& host, const std::vector<Action>& actions) {
  Candidate files;
  for (const Action& action : actions) {
    const auto* edit = std::get_if<EditFile>(&action.deed);
    if (edit != nullptr) files.emplace_back(edit->path, image_after(host, *edit));
  }
  return files;
}

std::optional<CommandResult> run_check(Host& host, const Action& action, const Candidate& files) {
  CommandOptions options;
  options.deadline = action.deadline;
  return host.run_on_candidate(std::get<CheckFiles>(action.deed).argv, files, options);
}

bool present_passes(Host& host, const Action& action) {
  CommandOptions options;
  options.deadline = action.deadline;
  return host.run(std::get<CheckFiles>(action.deed).argv, options).ok();
}

/// Whether a rollback's check has said all it has to say, so that none is needed after the writes.
bool is_settled(Host& host, const Action& action, const Candidate& files, bool force) {
  const std::optional<CommandResult> result = run_check(host, action, files);
  if (result && result->ok()) return true;
  if (force || !present_passes(host, action)) return true;
  if (result) require_accepted(*result, std::get<CheckFiles>(action.deed));
  return false;
}

}  // namespace

std::vector<CheckFiles> take_out_skipped_checks(const HostView& host, std::vector<Action>& actions) {
  std::vector<CheckFiles> skipped;
  if (!host.is_other_root()) return skipped;
  std::erase_if(actions, [&skipped](const Action& action) {
    const auto* check = std::get_if<CheckFiles>(&action.deed);
    if (check != nullptr) skipped.push_back(*check);
    return check != nullptr;
  });
  return skipped;
}

std::string told_skipped(const std::vector<CheckFiles>& checks) {
  std::string words;
  for (const CheckFiles& check : checks)
    words += fmt::format("{}{} ({})", words.empty() ? "" : ", ", check.owner, fmt::join(check.argv, " "));
  if (words.empty()) return {};
  return "skipped, since no program runs on another root: the own check of " + words +
         "; run it there before that host starts";
}

void check_candidate(Host& host, std::vector<Action>& actions) {
  const Candidate files = candidate_of(host, actions);
  std::erase_if(actions, [&](const Action& action) {
    if (!std::holds_alternative<CheckFiles>(action.deed)) return false;
    const std::optional<CommandResult> result = run_check(host, action, files);
    if (result) require_accepted(*result, std::get<CheckFiles>(action.deed));
    return result.has_value();
  });
}

void check_rollback_candidate(Host& host, std::vector<Action>& actions, bool force) {
  const Candidate files = candidate_of(host, actions);
  std::erase_if(actions, [&](const Action& action) {
    return std::holds_alternative<CheckFiles>(action.deed) && is_settled(host, action, files, force);
  });
}

}  // namespace tunekeeper
