#pragma once

#include <string>
#include <vector>

#include "snapshot/git_library.hpp"

namespace tunekeeper {

/// Keeps a repository small: loose objects go into packs when many have gathered, and small packs of ours
/// into larger ones, so that 10,000 generations of small edits take a few packs and not a hundred thousand
/// files.
///
/// Safe at every step: a pack and its index are on disk before what they hold is removed elsewhere. No object
/// is ever dropped, reachable or not. Packs of git's own, and such as are kept (.keep), are left alone. git's
/// lock for this work, gc.pid, is respected and held. `gc.auto` is git's own: 0 means never, another number
/// the count of loose objects to act on.
class Packer {
 public:
  Packer(git_repository* repository, std::string git_directory)
      : repository_(repository),
        directory_(std::move(git_directory)),
        packs_(directory_ + "/objects/pack/") {}

  /// Packs where it is due. What it costs where it is not: one folder is listed. Throws Error; the repository
  /// is then as good as before.
  void pack_if_due() const;

  /// Removes what a packer that died left half made.
  static void remove_leftovers(const std::string& git_directory);

 private:
  int threshold() const;
  bool is_due() const;
  void pack_loose() const;
  void merge_small() const;
  void write(const std::vector<git_oid>& ids) const;
  std::vector<std::string> own_packs() const;
  void note_own(const std::vector<std::string>& before) const;

  git_repository* repository_;
  std::string directory_;
  std::string packs_;
};

}  // namespace tunekeeper
