#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/journal.hpp"
#include "engine/undo.hpp"
#include "host/host.hpp"

namespace tunekeeper {

/// A signal asked the run to end.
class Interrupted : public Error {
 public:
  Interrupted() : Error("interrupted", ExitStatus::interrupted) {}
};

/// A file is no longer the one that the run read: somebody else is at work. Nothing of theirs is written
/// over.
class FileChanged : public Error {
 public:
  explicit FileChanged(const std::string& path);
};

/// What a run wrote into a file: for the record of the generation.
struct WrittenFile {
  std::string before;
  bool was_absent = false;
  std::string after;
  bool is_absent = false;
  std::vector<std::string> folders;  ///< that were made for it, the highest first
  bool generated = false;
  bool entry = false;     ///< of the path itself, a link not followed
  bool was_link = false;  ///< of an entry: `before` is the text of a link
};

/// Performs actions phase by phase. Each phase's inverses are journaled, with one fsync, before its first
/// action runs.
class Executor {
 public:
  /// `interrupted` is asked between two actions.
  Executor(Host& host, Journal& journal, std::function<bool()> interrupted)
      : host_(host), journal_(journal), interrupted_(std::move(interrupted)) {}

  /// Performs the actions, which are ordered by phase. Throws at the first that fails; steps() then undo what
  /// was done. One that this program has no way to perform is a defect, thrown before anything is done.
  /// `places` are where profiles ask for the settings ("db.yaml:14"), for the words of an error.
  void perform(const std::vector<Action>& actions, const std::map<std::string, std::string>& places = {});

  /// Removes folders that an earlier run made and that are empty now, in this order; the others stay.
  void remove_folders(const std::vector<std::string>& folders);

  const std::vector<UndoStep>& steps() const { return steps_; }
  const std::map<std::string, WrittenFile>& written() const { return written_; }

 private:
  std::vector<UndoStep> prepare(const Action& action);
  void prepare_entry(const ReplaceEntry& entry, std::vector<UndoStep>& steps);
  void perform_one(const Action& action);
  /// Throws FileChanged unless the file is still as prepare_file() found it.
  void require_as_prepared(const std::string& path) const;
  void put_generated(const GenerateFile& generate, std::chrono::seconds deadline);
  void prepare_file(const std::string& path, FileImage next, bool generated, std::vector<UndoStep>& steps);
  void intend(std::vector<UndoStep> steps);

  Host& host_;
  Journal& journal_;
  std::function<bool()> interrupted_;
  std::vector<UndoStep> steps_;
  std::map<std::string, FileImage> next_;  ///< what this phase is about to write
  std::map<std::string, WrittenFile> written_;
};

/// What the path is to be. Attributes that the entry does not name stay those of the file that is there.
FileImage image_after(const Host& host, const ReplaceEntry& entry);

/// What the edit makes of its file. Throws Error when the file is no longer the one that the edit was planned
/// on.
FileImage image_after(const Host& host, const EditFile& edit);

/// Throws Error (undone) with the owner's words unless its check passed.
void require_accepted(const CommandResult& result, const CheckFiles& check);

/// Runs a generator and returns what it prints. Throws Error with its words when it fails.
std::string generated_text(const HostView& host, const GenerateFile& generate, std::chrono::seconds deadline);

}  // namespace tunekeeper
