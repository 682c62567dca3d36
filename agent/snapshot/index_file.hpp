#pragma once

#include <ctime>
#include <string>

#include "host/fd.hpp"
#include "snapshot/git_library.hpp"

namespace tunekeeper {

/// The index of a repository as it stands on disk.
struct IndexFile {
  IndexHandle index;
  timespec time{};  ///< of the file's last change; the epoch where there is none yet
};

/// Reads the index in `git_directory`; an empty one where there is none. Throws Error on an unfinished merge.
IndexFile read_index(const std::string& git_directory);

/// Removes the locks that a killed tunekeeper left in `git_directory`; those of other programs stay.
void clear_stale_locks(const std::string& git_directory);

/// The right to change the index, by git's own protocol: index.lock, which git and etckeeper respect too. A
/// lock that a killed tunekeeper left is taken over; another program's is waited for a second.
class IndexLock {
 public:
  /// Throws Error (busy) when another program keeps it.
  explicit IndexLock(const std::string& git_directory);
  ~IndexLock();
  IndexLock(const IndexLock&) = delete;
  IndexLock& operator=(const IndexLock&) = delete;

  /// Makes a copy of the index to be changed in memory; nothing else sees it before publish().
  IndexFile open_copy() const;
  /// Writes the copy and puts it in the index's place at once.
  void publish(git_index* copy) const;

 private:
  bool take();
  bool take_over();

  std::string directory_;
  std::string path_;
  Fd file_;
};

}  // namespace tunekeeper
