#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/action.hpp"
#include "host/host.hpp"

namespace tunekeeper {

/// Puts a file back as it was. `written` is the digest of what the run was about to leave there: other bytes
/// than those and the original are somebody else's, and stay.
struct UndoFile {
  std::string path;
  FileImage original;
  std::string written;
  bool generated = false;  ///< by a generator: what a person wrote into it since is not asked for
  std::string next = {};   ///< the bytes of `written`: a rewrite in place that died is known by them
  bool entry = false;      ///< of the path itself, a link not followed
};

/// Writes kernel values back, in order.
struct UndoLive {
  std::vector<std::pair<std::string, std::string>> writes;  ///< (path, value)
};

/// Removes a folder that the run made, when it is empty.
struct UndoFolder {
  std::string path;
};

/// Makes a folder again that the run removed, because it was ours and empty.
struct UndoFolderRemoval {
  std::string path;
  std::uint32_t mode = 0755;
};

/// Asks an owner once more to take its files, after they are back.
struct UndoJob {
  ServiceJob job;
};

struct UndoDaemonReload {};

/// The inverse of one action, as data that survives the process.
using UndoStep = std::variant<UndoFile, UndoLive, UndoFolder, UndoFolderRemoval, UndoJob, UndoDaemonReload>;

/// What an undo came to.
struct UndoResult {
  int done = 0;
  std::vector<std::string> failures;  ///< in words; empty when the host is as before
  std::vector<std::string> kept;      ///< files that somebody else changed since, left as they are
};

/// Undoes the steps: files and live values from the last to the first, then daemon-reload and jobs in their
/// order. Goes on after a failure, and reports it.
UndoResult undo(Host& host, const std::vector<UndoStep>& steps);

}  // namespace tunekeeper
