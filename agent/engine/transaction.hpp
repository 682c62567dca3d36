#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/executor.hpp"
#include "engine/journal.hpp"
#include "engine/session.hpp"

namespace tunekeeper {

/// Where /etc is kept from now on, and why not where etckeeper keeps it: one sentence without a full stop.
std::string told_repository(const HostView& host, const Snapshot& snapshot);

/// The lock of one writing run. Throws Error (busy) naming the holder when another run has it.
std::unique_ptr<HostLock> take_lock(Session& session);

/// The run that recover() would undo: the journal's, unless its commit stands. Throws Error when the journal
/// is damaged.
std::optional<UnfinishedRun> unfinished_run(const HostView& host, const Snapshot& snapshot);

/// An unfinished run that was found and undone, in words; nothing when there was none. Throws Error
/// (undo_incomplete) when it could not be undone. A damaged journal is set aside and told.
std::optional<std::string> recover(Session& session);

/// One run that changes the host: all of it, or nothing.
class Transaction {
 public:
  explicit Transaction(Session& session);

  /// Opens the journal, prepares /etc's history, and commits what others changed since. Returns notes for the
  /// user. When it throws, a repository that it made is gone again, or the error's state names it.
  std::vector<std::string> begin();
  /// Performs the actions; may be called several times.
  void perform(const std::vector<Action>& actions, const std::map<std::string, std::string>& places = {}) {
    executor_.perform(actions, places);
  }
  /// Removes folders that an earlier run made and that are empty now.
  void remove_folders(const std::vector<std::string>& folders) { executor_.remove_folders(folders); }
  /// Commits what was written below /etc and ends the journal: the new state stands.
  void commit(CommitMessage message);
  /// Ends the journal of a run that changed nothing worth a commit.
  void end();
  /// Undoes all and throws the cause with the status `undone` (`interrupted` and a denial before any change
  /// keep theirs), or `undo_incomplete` when a person is needed.
  [[noreturn]] void fail(const Error& cause);

  const std::map<std::string, WrittenFile>& written() const { return executor_.written(); }

 private:
  std::vector<std::string> prepare(bool& made_repository);
  /// The host's state in words after a prepare() that failed.
  std::string take_back_preparation(bool made_repository);
  bool commit_paths(const CommitMessage& message, const std::vector<std::string>& paths);

  Session& session_;
  Journal journal_;
  Executor executor_;
  std::string run_;  ///< names this run in the journal and in its commit
};

/// Runs what changes the host in one transaction, all or nothing; notes go to `tell`.
void in_transaction(Session& session, const std::function<void(const std::string&)>& tell,
                    const std::function<void(Transaction&)>& deeds);

}  // namespace tunekeeper
