#include "engine/apply.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/digest.hpp"
#include "core/places.hpp"
#include "core/secret.hpp"
#include "engine/candidate_check.hpp"
#include "engine/drift_author.hpp"
#include "engine/foreign_boot.hpp"
#include "engine/generations.hpp"
#include "engine/hold.hpp"
#include "engine/learning.hpp"
#include "engine/next_record.hpp"
#include "engine/push.hpp"
#include "engine/releases.hpp"
#include "engine/rollback_target.hpp"
#include "engine/survey.hpp"
#include "engine/transaction.hpp"

namespace tunekeeper {
namespace {

std::vector<std::string> ids_of(const std::vector<Desired>& wishes) {
  std::vector<std::string> ids;
  for (const Desired& wish : wishes) ids.push_back(wish.id);
  return ids;
}

std::vector<RecordedSetting> releases_from(const GenerationRecord& record, const Session& session,
                                           const Wishes& wishes, const RunOptions& options) {
  return released_settings(record, {.wishes = wishes,
                                    .wanted_ids = ids_of(expand(session.context, wishes.desired)),
                                    .drop = options.drop,
                                    .only = options.only});
}

std::vector<RecordedSetting> releases_of(const Session& session, const Wishes& wishes,
                                         const RunOptions& options) {
  const std::optional<GenerationRecord> record = current_record(session.host, session.snapshot);
  return record ? releases_from(*record, session, wishes, options) : std::vector<RecordedSetting>();
}

/// The same; with them, the profiles that the wishes do not speak of.
std::vector<RecordedSetting> releases_for(Plan& plan, const Session& session, const Wishes& wishes,
                                          const RunOptions& options) {
  const std::optional<GenerationRecord> record = current_record(session.host, session.snapshot);
  if (!record) return {};
  if (wishes.whole) plan.extra = record->extra_profiles;
  return releases_from(*record, session, wishes, options);
}

void find_incurable(Plan& plan) {
  std::set<std::string_view> cured;
  for (const Action& action : plan.actions) cured.insert(action.settings.begin(), action.settings.end());
  for (const Row& row : plan.rows) {
    if (row.state == State::differs && !cured.contains(row.desired.id))
      plan.incurable.push_back(row.desired.id);
  }
}

/// Whether a hold is in force that this run ends.
bool refuse_under_hold(Session& session, const Wishes& wishes, const RunOptions& options,
                       Dialogue& dialogue) {
  const std::optional<Hold> hold = read_hold(session.host);
  if (!hold) return false;
  const bool outdated = hold->by == Hold::By::failed_apply && hold->plan_digest != digest_of(wishes);
  if (options.end_hold || outdated) return true;
  const std::string what = fmt::format("a hold is in force (by {}): {}", to_string(hold->by), hold->message);
  if (!options.unattended && dialogue.confirm_end_of_hold(what)) return true;
  throw Error(what, ExitStatus::busy)
      .with_state("host unchanged")
      .with_next("tunekeeper unhold, or: tunekeeper apply --end-hold");
}

/// The same run without the failed rows; empty where nothing would be left of it.
std::string command_without_failed(const Plan& plan, const Wishes& wishes, const RunOptions& options) {
  const std::vector<std::string> without = globs_without_failed(plan.rows);
  if (without.empty()) return {};
  std::string command =
      apply_command(wishes.whole ? std::vector<std::string>() : wishes.profiles, options.only);
  for (const std::string& profile : options.drop) command += " --drop " + profile;
  if (!options.planes.persisted) command += " --runtime";
  if (!options.planes.live) command += " --next-boot";
  for (const std::string& glob : without) command += fmt::format(" --only '{}'", glob);
  return command;
}

void refuse_failed_rows(const Plan& plan, const Wishes& wishes, const RunOptions& options) {
  std::string words;
  for (const Row& row : plan.rows) {
    if (row.state != State::failed) continue;
    words += fmt::format("{}{}: {}", words.empty() ? "" : "\n", row.desired.id, row.reason);
  }
  if (words.empty()) return;
  const std::string command = command_without_failed(plan, wishes, options);
  throw Error(words)
      .with_state("host unchanged")
      .with_next(command.empty() ? "mend that" : "mend that, or leave it out: " + command);
}

/// Words about each row that the run would change and that `fault` finds something wrong with.
template <typename Fault>
std::string faults_of(const Plan& plan, Fault fault) {
  std::string words;
  for (const Row& row : plan.rows) {
    if (row.release || (row.state != State::differs && row.state != State::pending)) continue;
    const std::string reason = fault(provider_of(row.desired.id), row);
    if (!reason.empty()) words += fmt::format("{}{}: {}", words.empty() ? "" : "\n", row.desired.id, reason);
  }
  return words;
}

void refuse_guarded_rows(const Session& session, const Plan& plan, const RunOptions& options) {
  if (options.force) return;
  const std::string guarded = faults_of(plan, [&session](const Provider& provider, const Row& row) {
    return provider.guard(session.context, row);
  });
  if (guarded.empty()) return;
  throw Error(guarded)
      .with_state("host unchanged")
      .with_next("change the profile, or if you mean it: --force");
}

bool changes_settings(const Plan& plan) {
  return std::any_of(plan.actions.begin(), plan.actions.end(),
                     [](const Action& action) { return !std::holds_alternative<CheckFiles>(action.deed); });
}

/// Every row that the plan meant to cure must now be right, or right on disk and waiting for its owner.
void require_cured(const Plan& plan, const std::vector<Row>& after) {
  const std::set<std::string_view> incurable(plan.incurable.begin(), plan.incurable.end());
  std::string words;
  for (const Row& row : after) {
    if (row.state != State::differs && row.state != State::failed) continue;
    if (incurable.contains(row.desired.id)) continue;
    const Plane& wrong = !persisted_right(row) ? row.seen.persisted
                         : !boot_right(row)    ? row.seen.boot
                                               : row.seen.live;
    const std::string now = wrong.has_value()      ? shown(row.desired.id, wrong.value)
                            : wrong.reason.empty() ? "nothing"
                                                   : wrong.reason;
    words += fmt::format("{}{} reads back {} after {} was written{}", words.empty() ? "" : "\n",
                         row.desired.id, now, describe(row.desired),
                         row.reason.empty() ? "" : " (" + without_secrets(row).reason + ")");
  }
  if (!words.empty()) throw Error(words);
}

std::vector<Row> read_back(const Session& session, const Wishes& wishes, const RunOptions& options) {
  std::vector<Desired> wanted = expand(session.context, wishes.desired);
  std::erase_if(wanted, [&](const Desired& wish) { return !selected_by(options.only, wish.id); });
  std::vector<Row> rows = survey(session.context, std::move(wanted), options.planes);
  for (const Row& row : wishes.undecided) {
    if (selected_by(options.only, row.desired.id)) rows.push_back(row);
  }
  return rows;
}

/// Gives each file target the bytes in which its originals stood.
void tell_old_places(const Session& session, std::vector<Restoration>& restorations) {
  const std::optional<GenerationRecord> record = current_record(session.host, session.snapshot);
  if (!record || !session.snapshot.exists()) return;
  const Generations generations(session.snapshot);
  for (Restoration& restoration : restorations) {
    for (FileTarget& file : restoration.files) {
      // Only what was removed has to find its place again.
      if (file.target.size() <= file.expected.size()) continue;
      file.model =
          bytes_before_first_touch(session.host, generations, *record, restoration.setting.id, file.path);
    }
  }
}

/// Rows and actions that give settings nobody wants any more their originals back, on the planes that the run
/// may write.
void add_releases(const Session& session, const std::vector<RecordedSetting>& released,
                  const RunOptions& options, Plan& plan) {
  const Context& context = session.context;
  std::vector<Restoration> restorations = release_restorations(released, options.planes);
  tell_old_places(session, restorations);
  for (Row& row : release_rows(context, released, options.planes, options.force))
    plan.rows.push_back(std::move(row));
  plan.actions = plan_restorations(context, restorations, options.force, std::move(plan.actions)).actions;
}

/// Where the profiles ask for each setting: "db.yaml:14".
std::map<std::string, std::string> places_of(const Plan& plan) {
  std::map<std::string, std::string> places;
  for (const Row& row : plan.rows) {
    const Position& at = row.desired.at;
    if (row.release || at.file.empty()) continue;
    places[row.desired.id] = fmt::format("{}:{}", at.file.substr(at.file.rfind('/') + 1), at.line);
  }
  return places;
}

CommitMessage message_for(const GenerationRecord& record, const std::vector<std::string>& dropped) {
  CommitMessage message;
  const std::string profiles = fmt::format("{}", fmt::join(record.profiles, ", "));
  message.subject =
      fmt::format("Generation {}: {}", record.generation,
                  profiles.empty() ? fmt::format("without {}", fmt::join(dropped, ", ")) : profiles);
  for (const std::string& id : record.changed) message.body += id + "\n";
  message.trailers = {{std::string(kGenerationTrailer), std::to_string(record.generation)},
                      {"Tunekeeper-Profiles", profiles},
                      {"Tunekeeper-Settings", std::to_string(record.changed.size())}};
  return message;
}

/// For a run that only wrote again what the generation in force had written.
CommitMessage message_for_drift(int generation, const std::vector<std::string>& changed) {
  CommitMessage message;
  message.subject = fmt::format("Drift from generation {} put right", generation);
  for (const std::string& id : changed) message.body += id + "\n";
  return message;
}

/// One apply, from the plan on; the lock is held.
class ApplyRun {
 public:
  ApplyRun(Session& session, const Wishes& wishes, const RunOptions& options, Dialogue& dialogue)
      : session_(session), wishes_(wishes), options_(options), dialogue_(dialogue), transaction_(session) {}

  void run(ApplyResult& result) {
    for (const std::string& note : transaction_.begin()) dialogue_.tell(note);
    try {
      transaction_.perform(result.plan.actions, places_of(result.plan));
      if (session_.context.server != nullptr) session_.context.server->forget();
      result.after = read_back(session_, wishes_, options_);
      require_cured(result.plan, result.after);
      require_released();
      result.generation = finish(result.plan);
    } catch (const Error& error) {
      transaction_.fail(error);
    } catch (const std::exception& error) {
      transaction_.fail(Error(error.what()));
    }
    result.changed = true;
  }

 private:
  void require_released() const {
    const std::string words = not_restored(
        session_.context, release_restorations(releases_of(session_, wishes_, options_), options_.planes));
    if (!words.empty()) throw Error(words);
  }

  /// Writes and commits the record of a new generation; the current one stays when nothing of it changed.
  int finish(const Plan& plan) {
    const std::optional<GenerationRecord> before = current_record(session_.host, session_.snapshot);
    const Generations generations(session_.snapshot);
    NextRecord next{.context = session_.context,
                    .wishes = wishes_,
                    .plan = plan,
                    .written = transaction_.written(),
                    .released = releases_of(session_, wishes_, options_),
                    .planes = options_.planes};
    GenerationRecord record = next_record(before.value_or(GenerationRecord{}), next);
    if (read_hold(session_.host)) transaction_.perform({no_hold_action()});
    if (before && record.settings == before->settings && record.paths == before->paths) {
      transaction_.commit(message_for_drift(before->generation, record.changed));
      return before->generation;
    }
    record.parent = before ? before->generation : 0;
    record.generation = std::max(generations.highest(), record.parent) + 1;
    record.time = session_.now();
    transaction_.perform({record_action(session_.host, to_json_text(record))});
    if (before) transaction_.remove_folders(before->folders_left_by(record));
    transaction_.commit(message_for(record, options_.drop));
    return record.generation;
  }

  Session& session_;
  const Wishes& wishes_;
  const RunOptions& options_;
  Dialogue& dialogue_;
  Transaction transaction_;
};

void hold_after_failure(Session& session, const Wishes& wishes, const RunOptions& options, const Error& error,
                        Dialogue& dialogue) {
  const bool failed = error.status() == ExitStatus::undone || error.status() == ExitStatus::undo_incomplete;
  if (!options.unattended || !failed) return;
  try {
    write_hold(session.host, {.by = Hold::By::failed_apply,
                              .message = error.what(),
                              .since = session.now(),
                              .plan_digest = digest_of(wishes)});
  } catch (const HostError& refused) {
    dialogue.tell(std::string("no hold could be set: ") + refused.what());
  }
}

}  // namespace

std::string digest_of(const Wishes& wishes) {
  std::string text;
  for (const Desired& wish : wishes.desired)
    text += fmt::format("{}={} {}\n", wish.id, static_cast<int>(wish.want), to_string(wish.value));
  return digest(text);
}

Plan make_plan(const Session& session, const Wishes& wishes, const RunOptions& options) {
  Plan plan;
  plan.rows = read_back(session, wishes, options);
  name_drift_authors(session, plan.rows);
  plan.actions = plan_rows(session.context, plan.rows, options.planes, options.restart, options.services);
  const std::vector<RecordedSetting> released = releases_for(plan, session, wishes, options);
  if (!released.empty()) add_releases(session, released, options, plan);
  plan.actions = arrange(session.host, std::move(plan.actions));
  plan.skipped_checks = take_out_skipped_checks(session.host, plan.actions);
  find_incurable(plan);
  return plan;
}

Plan make_check(const Session& session, const Wishes& wishes, const RunOptions& options) {
  Plan plan;
  plan.rows = read_back(session, wishes, options);
  for (Row& row : release_rows(session.context, releases_for(plan, session, wishes, options), options.planes,
                               options.force)) {
    plan.rows.push_back(std::move(row));
  }
  return plan;
}

ApplyResult apply(Session& session, const Wishes& wishes, const RunOptions& options, Dialogue& dialogue) {
  const std::unique_ptr<HostLock> lock = take_lock(session);
  if (const auto told = recover(session)) dialogue.tell(*told);
  const bool ends_hold = refuse_under_hold(session, wishes, options, dialogue);

  ApplyResult result;
  result.plan = make_plan(session, wishes, options);
  if (learn(session, result.plan.rows)) result.plan = make_plan(session, wishes, options);
  refuse_failed_rows(result.plan, wishes, options);
  refuse_guarded_rows(session, result.plan, options);
  result.after = result.plan.rows;
  if (!changes_settings(result.plan)) {
    if (const auto record = current_record(session.host, session.snapshot))
      result.generation = record->generation;
    if (ends_hold) end_hold(session.host);
    return result;
  }
  refuse_foreign_boot(session, result.plan, options.unattended, dialogue);
  if (const std::string told = told_skipped(result.plan.skipped_checks); !told.empty()) dialogue.tell(told);
  if (!dialogue.confirm_plan(result.plan)) {
    result.refused = true;
    return result;
  }
  try {
    check_candidate(session.host, result.plan.actions);
    ApplyRun(session, wishes, options, dialogue).run(result);
    push_commits(session, [&](const std::string& note) { dialogue.tell(note); });
  } catch (const Error& error) {
    hold_after_failure(session, wishes, options, error, dialogue);
    throw;
  }
  return result;
}

}  // namespace tunekeeper
