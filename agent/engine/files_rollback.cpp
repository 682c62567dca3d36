#include <fmt/format.h>

#include "engine/committed_files.hpp"
#include "engine/generations.hpp"
#include "engine/hold.hpp"
#include "engine/push.hpp"
#include "engine/rollback.hpp"
#include "engine/survey.hpp"
#include "engine/transaction.hpp"

namespace tunekeeper {
namespace {

/// How a person asks git about this history.
std::string git_command(const Snapshot& snapshot) {
  return snapshot.place() == "/etc/.git" ? "git -C /etc" : "git --git-dir=" + snapshot.place();
}

/// The id behind a commit's name. Throws where it is not there.
std::string require_commit(const Session& session, const std::string& name) {
  if (!session.snapshot.exists()) {
    throw Error("/etc is not under git yet, so no commit of it is there")
        .with_state("host unchanged")
        .with_next("tunekeeper init starts its history");
  }
  if (const auto id = session.snapshot.commit_id(name)) return *id;
  throw Error(fmt::format("there is no commit {} in the history of /etc", name))
      .with_state("host unchanged")
      .with_next(fmt::format("see those that there are: {} log --oneline, or tunekeeper history",
                             git_command(session.snapshot)));
}

/// The files meant by the paths that a person named: a folder stands for what changed in it.
std::set<std::string> files_meant(const Session& session, const CommittedFiles& committed,
                                  const std::vector<std::string>& named, const std::string& commit) {
  std::set<std::string> differing = committed.differing();
  if (named.empty()) return differing;
  std::set<std::string> meant;
  for (const std::string& path : named) {
    const std::string folder = path.ends_with('/') ? path : path + "/";
    const auto first = differing.lower_bound(folder);
    for (auto below = first; below != differing.end() && below->starts_with(folder); ++below)
      meant.insert(*below);
    const auto info = session.host.info("/etc/" + path, false);
    const bool is_folder = info && info->kind == FileKind::directory;
    if (is_folder || (first != differing.end() && first->starts_with(folder))) continue;
    if (!info && !committed.has(path)) {
      throw Error(fmt::format("neither commit {} nor this host has a file /etc/{}", commit, path))
          .with_state("host unchanged")
          .with_next(fmt::format("see what that commit has: {} ls-tree -r --name-only {}",
                                 git_command(session.snapshot), commit));
    }
    if (differing.contains(path)) meant.insert(path);
  }
  return meant;
}

Hold hold_for(const Session& session, const std::string& commit, int generation) {
  return {.by = Hold::By::rollback,
          .message = "files restored as in " + commit,
          .since = session.now(),
          .plan_digest = {},
          .generation = generation};
}

void tell_unknown_owners(const CommittedFiles& committed, Dialogue& dialogue) {
  if (committed.unknown_owners().empty()) return;
  dialogue.tell(fmt::format("this host has no user or group {}: such files go to root",
                            fmt::join(committed.unknown_owners(), ", ")));
}

}  // namespace

RollbackResult rollback_files(Session& session, const std::string& name,
                              const std::vector<std::string>& paths, Dialogue& dialogue) {
  const std::unique_ptr<HostLock> lock = take_lock(session);
  if (const auto told = recover(session)) dialogue.tell(*told);
  RollbackResult result;
  result.from = result.to =
      current_record(session.host, session.snapshot).value_or(GenerationRecord{}).generation;
  const std::string id = require_commit(session, name);
  const std::string commit = id.substr(0, 12);
  const CommittedFiles committed(session.host, session.snapshot, id);
  for (const std::string& path : files_meant(session, committed, paths, name)) {
    if (auto action = committed.restoring(path)) result.actions.push_back(std::move(*action));
  }
  if (result.actions.empty()) {
    result.nothing_to_do = "these files are as that commit has them";
    return result;
  }
  tell_unknown_owners(committed, dialogue);
  if (!dialogue.confirm_plan(
          {.rows = {}, .actions = result.actions, .incurable = {}, .skipped_checks = {}})) {
    result.refused = true;
    return result;
  }
  const auto tell = [&](const std::string& note) { dialogue.tell(note); };
  in_transaction(session, tell, [&](Transaction& transaction) {
    transaction.perform(result.actions);
    transaction.perform({hold_action(session.host, hold_for(session, commit, result.from))});
    transaction.commit({.subject = "Files as in " + commit, .body = {}, .trailers = {}});
  });
  push_commits(session, tell);
  result.changed = true;
  return result;
}

}  // namespace tunekeeper
