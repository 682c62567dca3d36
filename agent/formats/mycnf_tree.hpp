#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/mycnf.hpp"
#include "formats/mycnf_names.hpp"

namespace tunekeeper {

/// What the tree's caller found at a path.
struct MyCnfAnswer {
  enum class Status {
    read,
    absent,
    unreadable,      ///< it is there, and we may not read it: `reason` says why
    world_writable,  ///< the server ignores it
  };

  Status status = Status::absent;
  std::string bytes;
  std::string reason;
};

/// How the tree reaches the host, so that it stays pure.
struct MyCnfDoor {
  std::function<MyCnfAnswer(const std::string& path)> read;
  /// Names in a directory in byte order; nothing when there is no such directory.
  std::function<std::optional<std::vector<std::string>>(const std::string& directory)> list;
};

/// What is to be resolved.
struct MyCnfQuery {
  std::vector<std::string> files;   ///< where the server starts to read, in order
  std::vector<std::string> groups;  ///< what it reads
  MyCnfDialect dialect;
  std::vector<std::string>
      known;  ///< names of options in byte order, for MariaDB's shortened ones; may be empty
  std::string drop_in = "zz-tunekeeper.cnf";  ///< the name whose place in each include directory is told
};

/// All option files a server reads, in its order: includes where they stand, directories by byte order, depth
/// 10, a file read again each time it is included. The last occurrence of an option decides.
class MyCnfTree {
 public:
  struct File {
    std::string path;
    std::string bytes;
    MyCnf parsed;

    File(std::string at, std::string content, MyCnfDialect dialect)
        : path(std::move(at)), bytes(std::move(content)), parsed(bytes, dialect) {}
    File(const File&) = delete;
    File& operator=(const File&) = delete;
  };

  /// One statement of an option in a group that the server reads.
  struct Occurrence {
    const File* file;
    MyCnfOption option;
    OptionName name;
    std::size_t order;  ///< its place among all occurrences
  };

  /// An include directory that is read, and the number of occurrences read before our drop-in in it is left.
  struct Slot {
    std::string directory;
    std::size_t position;
  };

  MyCnfTree(MyCnfQuery query, const MyCnfDoor& door);

  const MyCnfQuery& query() const { return query_; }
  const std::deque<File>& files() const { return files_; }
  const File* file(std::string_view path) const;
  const std::deque<Occurrence>& occurrences() const { return occurrences_; }
  /// Those of one option, in order; `maximum-` forms are another setting and not among them.
  std::vector<const Occurrence*> of(std::string_view name) const;
  const std::vector<Slot>& slots() const { return slots_; }
  /// Why the server would not start on these files; empty when it would.
  const std::string& fatal() const { return fatal_; }
  /// Files that are there and that we cannot read, with the reason.
  const std::vector<std::string>& unreadable() const { return unreadable_; }
  /// What a person should know: files that the server ignores, and why.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  enum class Outcome { read, stopped };

  const File* load(const std::string& path, const MyCnfDoor& door);
  Outcome visit(const std::string& path, int depth, const MyCnfDoor& door);
  Outcome include(const File& file, std::size_t statement, int depth, const MyCnfDoor& door);
  Outcome include_directory(const File& file, std::size_t statement, int depth, const MyCnfDoor& door);
  void take(const File& file, std::size_t statement);
  void note(std::string text);

  MyCnfQuery query_;
  std::deque<File> files_;
  std::unordered_map<std::string, const File*> by_path_;  ///< null for a file that gives nothing
  std::deque<Occurrence> occurrences_;
  std::unordered_map<std::string, std::vector<const Occurrence*>> by_name_;
  std::vector<Slot> slots_;
  std::string fatal_;
  std::string stop_reason_;
  std::vector<std::string> unreadable_;
  std::vector<std::string> notes_;
  int visits_ = 0;
};

}  // namespace tunekeeper
