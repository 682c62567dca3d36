#include "engine/drift_author.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/judge.hpp"
#include "engine/generations.hpp"
#include "engine/time_text.hpp"

namespace tunekeeper {
namespace {

constexpr std::string_view kFolder = "etc/";
constexpr std::int64_t kSecond = 1'000'000'000;  // in ns

/// Below /etc, the files whose change can be what made a row differ: the one that decides it, and those that
/// the last generation stated it in.
std::vector<std::string> files_behind(const Row& row, const RecordedSetting& recorded) {
  std::vector<std::string> files;
  const std::string& place = row.seen.decided_by;
  if (place.rfind(kFolder, 0) == 0)
    files.push_back(place.substr(kFolder.size(), place.rfind(':') - kFolder.size()));
  for (const RecordedFile& file : recorded.files) {
    if (file.path.rfind("/etc/", 0) == 0) files.push_back(file.path.substr(1 + kFolder.size()));
  }
  return files;
}

/// A daily commit for years comes to more than a diff should take time for.
constexpr int kMostCommits = 500;

bool is_ours(const Commit& commit) {
  return commit.trailers.contains(std::string(kRunTrailer));
}

struct ForeignChanges {
  std::map<std::string, Commit> newest;  ///< by path, the newest commit of others that changed it
  bool is_cut = false;  ///< there were more commits since the last of ours than were looked at
};

/// What others committed since the last commit of ours.
ForeignChanges foreign_changes(const Snapshot& snapshot) {
  ForeignChanges changes;
  int seen = 0;
  snapshot.walk([&](const Commit& commit) {
    if (is_ours(commit) || commit.parent.empty()) return false;
    changes.is_cut = ++seen > kMostCommits;
    if (changes.is_cut) return false;
    for (const std::string& path : snapshot.changed_between(commit.parent, commit.id))
      changes.newest.emplace(path, commit);
    return true;
  });
  return changes;
}

/// "by Ann in 0123456789ab (2026-01-01T00:00:00Z: saving uncommitted changes)".
std::string described(const Commit& commit) {
  return fmt::format("by {} in {} ({}: {})", commit.author, commit.id.substr(0, 12), rfc3339(commit.time),
                     commit.subject);
}

class Authors {
 public:
  explicit Authors(const Session& session) : session_(session) {}

  /// "was changed since generation 3, by …"; empty where nobody changed the file since.
  std::string of(const std::string& file, int generation) {
    if (!changes_) look();
    const auto committed = changes_->newest.find(file);
    const bool fresh = uncommitted_.contains(file);
    if (!fresh && committed == changes_->newest.end()) {
      if (!changes_->is_cut) return {};
      return fmt::format("{}{} is as it was {} commits ago: who changed it before was not looked for",
                         kFolder, file, kMostCommits);
    }
    const auto info = session_.host.info("/" + std::string(kFolder) + file, false);
    const std::string done = info ? "changed" : "removed";
    const std::string by = !fresh ? described(committed->second)
                           : info ? fmt::format("at {}, not committed yet", rfc3339(info->mtime_ns / kSecond))
                                  : "not committed yet";
    return fmt::format("{}{} was {} since generation {}, {}", kFolder, file, done, generation, by);
  }

 private:
  void look() {
    changes_ = foreign_changes(session_.snapshot);
    for (const std::string& path : session_.snapshot.changed()) uncommitted_.insert(path);
  }

  const Session& session_;
  std::optional<ForeignChanges> changes_;
  std::set<std::string> uncommitted_;
};

std::string author_words(Authors& authors, const Row& row, const GenerationRecord& record) {
  const RecordedSetting* recorded = record.find(row.desired.id);
  if (recorded == nullptr) return {};
  try {
    for (const std::string& file : files_behind(row, *recorded)) {
      std::string words = authors.of(file, record.generation);
      if (!words.empty()) return words;
    }
  } catch (const Error& unread) {
    return fmt::format("who changed it is not known: {}", unread.what());
  }
  return {};
}

}  // namespace

void name_drift_authors(const Session& session, std::vector<Row>& rows) {
  const auto is_drift = [](const Row& row) {
    return !row.release && row.state == State::differs && !persisted_right(row);
  };
  if (std::none_of(rows.begin(), rows.end(), is_drift) || !session.snapshot.exists()) return;
  const std::optional<GenerationRecord> record = current_record(session.host, session.snapshot);
  if (!record) return;
  Authors authors(session);
  for (Row& row : rows) {
    const std::string words = is_drift(row) ? author_words(authors, row, *record) : "";
    if (!words.empty()) row.seen.note += (row.seen.note.empty() ? "" : "; ") + words;
  }
}

}  // namespace tunekeeper
