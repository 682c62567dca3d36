#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tunekeeper {

/// One commit of /etc's history.
struct Commit {
  std::string id;      ///< 40 hexadecimal digits
  std::string parent;  ///< empty for the first
  std::string author;
  std::int64_t time = 0;  ///< seconds since the epoch
  std::string subject;
  std::string body;
  std::map<std::string, std::string>
      trailers;  ///< "Tunekeeper-Generation" -> "3"; the last of a repeated one wins
};

/// What a commit has under one path.
struct CommittedFile {
  std::string bytes;  ///< a link's are its text
  bool is_link = false;
  bool is_executable = false;  ///< all that git keeps of a mode
};

struct CommitMessage {
  std::string subject;
  std::string body;
  std::vector<std::pair<std::string, std::string>> trailers;  ///< in order
};

/// /etc in git: raw blobs, no checkout, no filters, no hooks, no user's git configuration, no rewritten
/// history. Paths are relative to /etc ("mysql/my.cnf"). Failures throw Error with the library's message.
class Snapshot {
 public:
  virtual ~Snapshot() = default;

  /// Where the history is, for words: "/etc/.git".
  virtual std::string place() const { return "/etc/.git"; }
  /// Whether /etc is under git.
  virtual bool exists() const = 0;
  /// Makes the repository (mode 0700), or takes etckeeper's as it is; does nothing when it is there. True
  /// when made.
  virtual bool init() = 0;
  /// Removes a repository that we made, with its history; leaves etckeeper's alone.
  virtual void remove() = 0;
  /// Removes what a run of ours that died in init() or commit() left half made; nothing where there is none.
  virtual void clear_leftovers() {}

  /// Commits every change in the work tree (ignored files apart); nothing when there is none. With `paths`,
  /// only those paths. Modes count as changes.
  virtual std::optional<std::string> commit(const CommitMessage& message,
                                            const std::vector<std::string>& paths = {}) = 0;
  /// Paths that differ from the last commit, in byte order. Modes that git does not keep are told by the
  /// metadata (snapshot/metadata_reader.hpp) alone, which is itself never among the paths.
  virtual std::vector<std::string> changed() const = 0;

  /// Commits from the newest, until the visitor returns false.
  virtual void walk(const std::function<bool(const Commit&)>& visit) const = 0;
  /// The id of the commit of this name (an id, its beginning, HEAD~1, :/words); nothing when there is none.
  virtual std::optional<std::string> commit_id(const std::string& name) const = 0;
  /// A file or symbolic link in a commit; nothing when neither was there.
  virtual std::optional<CommittedFile> entry(const std::string& commit, const std::string& path) const = 0;
  /// The bytes of a file in a commit; nothing when it was not there.
  std::optional<std::string> file(const std::string& commit, const std::string& path) const {
    std::optional<CommittedFile> found = entry(commit, path);
    if (!found) return std::nullopt;
    return std::move(found->bytes);
  }
  /// Paths that differ between two commits (an empty first one: every path of the second), the metadata
  /// apart.
  virtual std::vector<std::string> changed_between(const std::string& older,
                                                   const std::string& newer) const = 0;
};

}  // namespace tunekeeper
