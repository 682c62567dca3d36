#include "engine/rollback.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/places.hpp"
#include "engine/candidate_check.hpp"
#include "engine/foreign_boot.hpp"
#include "engine/generations.hpp"
#include "engine/hold.hpp"
#include "engine/next_record.hpp"
#include "engine/push.hpp"
#include "engine/rollback_target.hpp"
#include "engine/survey.hpp"
#include "engine/transaction.hpp"

namespace tunekeeper {
namespace {

Action whole_file(const HostView& host, const std::string& path, const std::optional<std::string>& bytes) {
  const std::string present = host.read(path).bytes;
  EditFile edit{.path = path, .splices = {}, .remove = !bytes.has_value()};
  if (bytes) edit.splices = {{0, present.size(), *bytes}};
  return {.phase = Phase::files, .plane = PlaneKind::persisted, .deed = std::move(edit), .settings = {}};
}

/// Whether the path has these bytes (nothing: is absent) already.
bool stands(const HostView& host, const std::string& path, const std::optional<std::string>& bytes) {
  const ReadResult now = host.read(path);
  return bytes ? now.ok() && now.bytes == *bytes : now.absent();
}

std::string parent_folder(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

void refuse_conflicts(const std::vector<Conflict>& conflicts) {
  if (conflicts.empty()) return;
  std::string words;
  for (const Conflict& conflict : conflicts) {
    words += fmt::format("{}{} was changed since ({}): {}{}", words.empty() ? "" : "\n", conflict.id,
                         conflict.where, conflict.unreadable ? "" : "now ", conflict.now);
  }
  throw Error(words)
      .with_state("host unchanged")
      .with_next("keep that change, or take it back too: tunekeeper rollback --force");
}

/// A way to the wanted generation: what is taken back key by key, what as a whole, and the actions of both.
struct Way {
  RollbackTarget target;  ///< its restorations are without the files that go back whole
  std::vector<Action> actions;
};

/// Leaves to the restorations what does not go back whole; who owns the whole files that change.
std::map<const Provider*, std::vector<std::string>> take_out_whole_files(const HostView& host,
                                                                         RollbackTarget& target) {
  std::map<const Provider*, std::vector<std::string>> owners;
  for (Restoration& restoration : target.restorations) {
    std::erase_if(restoration.files, [&](const FileTarget& file) {
      const auto whole = target.exact.find(file.path);
      if (whole == target.exact.end()) return false;
      if (!stands(host, file.path, whole->second))
        owners[&provider_of(restoration.setting.id)].push_back(file.path);
      return true;
    });
  }
  return owners;
}

/// Puts files that do not parse among those that go back whole, as the wanted generation had them.
bool take_whole_what_does_not_parse(const Session& session, const Generations& generations,
                                    const Generation& to, const std::vector<Conflict>& conflicts,
                                    RollbackTarget& target) {
  bool found = false;
  for (const Conflict& conflict : conflicts) {
    if (!conflict.unreadable) continue;
    target.exact[conflict.where] = bytes_under(session.host, generations, to, conflict.where);
    found = true;
  }
  return found;
}

bool allowed(const Action& action, RestartPolicy restart) {
  const auto* job = std::get_if<ServiceJob>(&action.deed);
  if (job == nullptr) return true;
  return job->kind == ServiceJob::Kind::restart ? restart == RestartPolicy::restart
                                                : restart != RestartPolicy::never;
}

/// From the current generation to the wanted one: whole files where they can go back byte for byte, keys in
/// all others, live values, and what the owners need afterwards.
Way plan_rollback(const Session& session, const GenerationRecord& from, const Generation& to,
                  const RollbackOptions& options) {
  const Generations generations(session.snapshot);
  Way way{.target = rollback_target(session.host, generations, from, to), .actions = {}};
  auto owners = take_out_whole_files(session.host, way.target);
  RestorationPlan plan = plan_restorations(session.context, way.target.restorations, options.force);
  if (options.force && take_whole_what_does_not_parse(session, generations, to, plan.conflicts, way.target)) {
    owners.merge(take_out_whole_files(session.host, way.target));
    plan = plan_restorations(session.context, way.target.restorations, true);
  }
  refuse_conflicts(plan.conflicts);
  for (const auto& [path, bytes] : way.target.exact) {
    if (!stands(session.host, path, bytes)) plan.actions.push_back(whole_file(session.host, path, bytes));
  }
  for (auto& [provider, paths] : owners) {
    for (Action& action : provider->after_files(session.context, paths))
      plan.actions.push_back(std::move(action));
  }
  std::erase_if(plan.actions, [&](const Action& action) { return !allowed(action, options.restart); });
  way.actions = arrange(session.host, std::move(plan.actions));
  return way;
}

/// Every file and every live value is now as the wanted generation has it.
void require_restored(const Session& session, const RollbackTarget& target) {
  std::string words = not_restored(session.context, target.restorations);
  for (const auto& [path, bytes] : target.exact) {
    if (!stands(session.host, path, bytes))
      words += fmt::format("{}{} did not come back", words.empty() ? "" : "\n", path);
  }
  if (!words.empty()) throw Error(words);
}

/// Folders that are ours no more, the lowest first; that of the record goes with the last generation.
std::vector<std::string> folders_to_remove(const GenerationRecord& from, const Generation& to) {
  std::vector<std::string> folders = from.folders_left_by(to.record);
  if (to.number == 0) folders.push_back(parent_folder(std::string(places::kRecord)));
  return folders;
}

Hold hold_at(const Session& session, int number) {
  return {.by = Hold::By::rollback,
          .message = fmt::format("rolled back to generation {}", number),
          .since = session.now(),
          .plan_digest = {},
          .generation = number};
}

CommitMessage message_for(int from, int to) {
  return {.subject = fmt::format("Rollback to generation {}", to),
          .body = fmt::format("From generation {}.", from),
          .trailers = {{std::string(kRollbackTrailer), std::to_string(to)}}};
}

Action record_of(const Session& session, const Generation& to) {
  return to.number == 0 ? no_record_action() : record_action(session.host, to_json_text(to.record));
}

void perform(Session& session, const GenerationRecord& from, const Generation& to, const Way& way,
             Dialogue& dialogue) {
  const auto tell = [&](const std::string& note) { dialogue.tell(note); };
  in_transaction(session, tell, [&](Transaction& transaction) {
    transaction.perform(way.actions);
    require_restored(session, way.target);
    transaction.perform({record_of(session, to), hold_action(session.host, hold_at(session, to.number))});
    transaction.remove_folders(folders_to_remove(from, to));
    transaction.commit(message_for(from.generation, to.number));
  });
  push_commits(session, tell);
}

Plan shown(const std::vector<Action>& actions) {
  return {.rows = {}, .actions = actions, .incurable = {}, .skipped_checks = {}};
}

Generation require_generation(const Generations& generations, int number) {
  std::optional<Generation> found = generations.find(number);
  if (found) return std::move(*found);
  // The originals in the record are enough, should the history be lost.
  if (number == 0) return {};
  throw Error(fmt::format("there is no generation {}", number))
      .with_next("see those that there are: tunekeeper history");
}

/// Why a rollback without a number has nothing to do, or nothing.
std::string no_way_back(const Session& session, int current) {
  const std::optional<Hold> hold = read_hold(session.host);
  if (hold && hold->by == Hold::By::rollback && hold->generation == current) {
    return fmt::format("already rolled back to generation {}; its hold is in force", current);
  }
  return current == 0 ? "at generation 0: tunekeeper has changed nothing here" : "";
}

}  // namespace

RollbackResult rollback(Session& session, const RollbackOptions& options, Dialogue& dialogue) {
  const std::unique_ptr<HostLock> lock = take_lock(session);
  RollbackResult result;
  const std::optional<std::string> recovered = recover(session);
  if (recovered) dialogue.tell(*recovered);
  const Generations generations(session.snapshot);
  const GenerationRecord from = current_record(session.host, session.snapshot).value_or(GenerationRecord{});
  result.from = result.to = from.generation;
  if (!options.generation || (*options.generation == 0 && generations.highest() == 0)) {
    result.nothing_to_do = recovered ? *recovered : no_way_back(session, from.generation);
    if (!result.nothing_to_do.empty()) return result;
  }
  const Generation to = require_generation(generations, options.generation.value_or(from.parent));
  result.to = to.number;
  Way way = plan_rollback(session, from, to, options);
  result.skipped_checks = take_out_skipped_checks(session.host, way.actions);
  result.actions = way.actions;
  if (result.actions.empty() && to.number == from.generation) {
    result.nothing_to_do = fmt::format("the host is as generation {} left it", to.number);
    return result;
  }
  if (const std::string told = told_skipped(result.skipped_checks); !told.empty()) dialogue.tell(told);
  refuse_foreign_boot(session, shown(result.actions), false, dialogue);
  if (!dialogue.confirm_plan(shown(result.actions))) {
    result.refused = true;
    return result;
  }
  check_rollback_candidate(session.host, way.actions, options.force);
  perform(session, from, to, way, dialogue);
  result.changed = true;
  return result;
}

}  // namespace tunekeeper
