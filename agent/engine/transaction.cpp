#include "engine/transaction.hpp"

#include <cerrno>

#include <fmt/format.h>
#include <unistd.h>

#include "core/places.hpp"
#include "engine/generations.hpp"
#include "engine/time_text.hpp"
#include "snapshot/etckeeper_conf.hpp"

namespace tunekeeper {
namespace {

constexpr std::string_view kEtc = "/etc/";

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

/// Whether the run of the journal reached its commit, so that only the journal's end was missing.
bool was_committed(const Snapshot& snapshot, const std::string& run) {
  if (run.empty() || !snapshot.exists()) return false;
  bool committed = false;
  // No run of ours begins before this one is settled: the newest commit that names a run decides.
  snapshot.walk([&](const Commit& commit) {
    const auto found = commit.trailers.find(std::string(kRunTrailer));
    committed = found != commit.trailers.end() && found->second == run;
    return found == commit.trailers.end();
  });
  return committed;
}

/// What takes back the files of an unfinished run whose journal is damaged.
std::string way_without_journal(const Snapshot& snapshot) {
  std::string last;
  if (snapshot.exists()) snapshot.walk([&last](const Commit& commit) { return last = commit.id, false; });
  if (last.empty()) return "What that run changed cannot be told: /etc has no commit";
  return "/etc as it was before that run: tunekeeper rollback --files " + last.substr(0, 12);
}

std::string in_words(int changes) {
  if (changes == 0) return "no change";
  return changes == 1 ? "1 change" : fmt::format("{} changes", changes);
}

/// Where the entry itself lies: links above it are followed, it is not.
std::string path_of_entry(const HostView& host, const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return host.resolve(path.substr(0, slash)) + path.substr(slash);
}

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, "\n"));
}

/// Does what comes before any change, and says so of an error.
template <typename Work>
auto changing_nothing(Work work) {
  try {
    return work();
  } catch (Error& error) {
    if (error.state().empty()) error.with_state("host unchanged");
    throw;
  }
}

std::unique_ptr<HostLock> lock_run_folder(Session& session) {
  session.host.make_directory(places::kRunFolder);
  const std::string content =
      fmt::format("pid {}, {}, since {}\n", getpid(), session.verb, rfc3339(session.now()));
  return session.host.lock(places::kLock, content);
}

}  // namespace

std::string told_repository(const HostView& host, const Snapshot& snapshot) {
  std::string told = fmt::format("/etc is now kept in git ({})", snapshot.place());
  const EtckeeperConf conf = read_etckeeper_conf(host);
  if (!conf.vcs.empty() && conf.vcs != "git")
    told += fmt::format("; etckeeper's own repository is {}, in which tunekeeper cannot commit", conf.vcs);
  return told;
}

std::unique_ptr<HostLock> take_lock(Session& session) {
  std::unique_ptr<HostLock> lock = changing_nothing([&] { return lock_run_folder(session); });
  if (lock != nullptr) return lock;
  const ReadResult holder = session.host.read(places::kLock);
  throw Error("another run is at work: " + first_line(holder.bytes), ExitStatus::busy)
      .with_state("host unchanged by this run")
      .with_next("wait for it to end, then run the command again");
}

std::optional<UnfinishedRun> unfinished_run(const HostView& host, const Snapshot& snapshot) {
  std::optional<UnfinishedRun> run = Journal::unfinished(host);
  if (run && was_committed(snapshot, run->run)) run.reset();
  return run;
}

std::optional<std::string> recover(Session& session) {
  std::optional<UnfinishedRun> run;
  try {
    run = Journal::unfinished(session.host);
  } catch (const HostError&) {
    throw;
  } catch (const Error& error) {
    const std::string aside = Journal::set_aside(session.host, session.now());
    return fmt::format("{}; it is now {}. {}", error.what(), aside, way_without_journal(session.snapshot));
  }
  if (!run) return std::nullopt;
  Journal journal(session.host);
  if (was_committed(session.snapshot, run->run)) {
    session.snapshot.clear_leftovers();
    journal.end();
    return std::nullopt;
  }
  const UndoResult result = undo(session.host, run->steps);
  session.snapshot.clear_leftovers();
  if (!result.failures.empty()) {
    throw Error("an unfinished " + run->verb + " could not be undone: " + joined(result.failures),
                ExitStatus::undo_incomplete)
        .with_state(
            fmt::format("{} of its changes undone; the journal {} is kept", result.done, places::kJournal))
        .with_next("mend the cause above, then run the command again: the undo goes on");
  }
  journal.end();
  std::string told = fmt::format("an unfinished {} of {} was undone ({} changes)", run->verb,
                                 rfc3339(run->since), result.done);
  if (!result.kept.empty())
    told += "; left as edited since: " + fmt::format("{}", fmt::join(result.kept, ", "));
  return told;
}

Transaction::Transaction(Session& session)
    : session_(session), journal_(session.host), executor_(session.host, journal_, session.interrupted) {}

std::vector<std::string> Transaction::begin() {
  bool made_repository = false;
  try {
    return prepare(made_repository);
  } catch (Error& error) {
    error.with_state(take_back_preparation(made_repository));
    throw;
  }
}

std::string Transaction::take_back_preparation(bool made_repository) {
  std::string state = "host unchanged";
  try {
    session_.snapshot.clear_leftovers();
  } catch (const Error& refused) {
    return fmt::format("{}, but for what is half made of {}, which the next run removes ({})", state,
                       session_.snapshot.place(), refused.what());
  }
  try {
    if (made_repository) session_.snapshot.remove();
  } catch (const Error& refused) {
    state += fmt::format(", but for the new {} ({})", session_.snapshot.place(), refused.what());
  }
  try {
    journal_.end();
  } catch (const Error&) {
    // A journal without steps: the next run ends it.
  }
  return state;
}

/// The journal comes first, so that the next run of one that dies here finds what it left.
std::vector<std::string> Transaction::prepare(bool& made_repository) {
  run_ = fmt::format("{}-{}", session_.now(), getpid());
  journal_.begin(session_.verb, run_, session_.now());
  std::vector<std::string> notes;
  made_repository = session_.snapshot.init();
  if (made_repository) notes.push_back(told_repository(session_.host, session_.snapshot));
  const auto foreign = session_.snapshot.commit({.subject = "Changes made outside tunekeeper",
                                                 .body = "Found before " + session_.verb + ".",
                                                 .trailers = {}});
  if (foreign)
    notes.push_back("changes that others made in /etc were committed first (" + foreign->substr(0, 12) + ")");
  return notes;
}

void Transaction::commit(CommitMessage message) {
  std::vector<std::string> paths;
  for (const auto& [path, file] : executor_.written()) {
    const std::string target = file.entry ? path_of_entry(session_.host, path) : session_.host.resolve(path);
    if (target.starts_with(kEtc)) paths.push_back(target.substr(kEtc.size()));
  }
  message.trailers.emplace_back(std::string(kRunTrailer), run_);
  const bool committed = !paths.empty() && commit_paths(message, paths);
  try {
    journal_.end();
  } catch (const HostError&) {
    // A commit bears the run's name, so the next run sees that the new state stands.
    if (!committed) throw;
  }
}

/// Whether a commit was made. One that fails after history has it stands: undoing the run would leave a
/// history that tells of what is not there.
bool Transaction::commit_paths(const CommitMessage& message, const std::vector<std::string>& paths) {
  try {
    return session_.snapshot.commit(message, paths).has_value();
  } catch (const Error&) {
    if (!was_committed(session_.snapshot, run_)) throw;
    return true;
  }
}

void Transaction::end() {
  journal_.end();
}

void Transaction::fail(const Error& cause) {
  const UndoResult result = undo(session_.host, executor_.steps());
  Error error = cause;
  const bool nothing_done = result.done == 0 && cause.status() == ExitStatus::denied;
  // Somebody else at work is no fault of the plan, which a hold would be set on.
  const bool disturbed = dynamic_cast<const FileChanged*>(&cause) != nullptr;
  if (cause.status() != ExitStatus::interrupted && !nothing_done && !disturbed)
    error.with_status(ExitStatus::undone);
  if (!result.failures.empty()) {
    Error both(std::string(cause.what()) + "\nand the undo failed: " + joined(result.failures),
               ExitStatus::undo_incomplete);
    for (const std::string& frame : cause.frames()) both.with_frame(frame);
    throw both
        .with_state(fmt::format("{} undone, not all of them; the journal {} is kept", in_words(result.done),
                                places::kJournal))
        .with_next("mend the cause above, then: tunekeeper rollback");
  }
  std::string state = (result.done == 0 ? "" : in_words(result.done) + " undone; ") + "host as before";
  try {
    journal_.end();
  } catch (const HostError& refused) {
    state += fmt::format("; {}, so the next run undoes it once more", refused.what());
  }
  if (!result.kept.empty())
    state += " but for files edited since: " + fmt::format("{}", fmt::join(result.kept, ", "));
  error.with_state(state);
  const bool told_later = error.status() == ExitStatus::denied || error.status() == ExitStatus::interrupted;
  const bool wants_root = cause.status() == ExitStatus::denied && !session_.privileged;
  if (error.next().empty() && !told_later)
    error.with_next(wants_root ? "run it as root" : "mend the cause, then run the command again");
  throw error;
}

void in_transaction(Session& session, const std::function<void(const std::string&)>& tell,
                    const std::function<void(Transaction&)>& deeds) {
  Transaction transaction(session);
  for (const std::string& note : transaction.begin()) tell(note);
  try {
    deeds(transaction);
  } catch (const Error& error) {
    transaction.fail(error);
  } catch (const std::exception& error) {
    transaction.fail(Error(error.what()));
  }
}

}  // namespace tunekeeper
