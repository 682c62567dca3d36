#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/action.hpp"
#include "host/host.hpp"
#include "snapshot/metadata_reader.hpp"
#include "snapshot/snapshot.hpp"

namespace tunekeeper {

/// The files of /etc as one commit has them: bytes and links by git, modes and owners by the metadata that
/// was committed with them, which commits without any metadata leave as they are. Paths are relative to /etc.
class CommittedFiles {
 public:
  /// `commit` is the id of one that is there.
  CommittedFiles(const Host& host, const Snapshot& snapshot, std::string commit);

  /// Every path that differs from the commit, in byte order; folders, tunekeeper's own and the metadata
  /// apart.
  std::set<std::string> differing() const;
  bool has(const std::string& path) const { return snapshot_.entry(commit_, path).has_value(); }
  /// What makes the path be as the commit has it; nothing where it is so.
  std::optional<Action> restoring(const std::string& path) const;

  /// Owners that the commit names and this host does not know, for those asked so far.
  const std::set<std::string>& unknown_owners() const { return unknown_owners_; }

 private:
  ReplaceEntry wanted(const std::string& path) const;
  void give_attributes(ReplaceEntry& entry, const std::string& path, bool is_executable) const;
  bool stands(const ReplaceEntry& entry) const;
  bool has_other_attributes(const std::string& path, const PathMetadata& metadata) const;
  /// The id behind a name in `file` (/etc/passwd, /etc/group); that of /etc itself for none.
  std::uint32_t id_of(const std::string& name, const std::string& file, std::uint32_t otherwise) const;

  const Host& host_;
  const Snapshot& snapshot_;
  std::string commit_;
  std::map<std::string, PathMetadata> metadata_;
  FileInfo etc_;
  mutable std::set<std::string> unknown_owners_;
};

}  // namespace tunekeeper
