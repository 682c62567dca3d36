#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "host/command.hpp"
#include "support/temp_dir.hpp"

namespace tunekeeper::faults {

/// Every path of a tree with its kind, mode, owner, attributes and bytes.
using Tree = std::map<std::string, std::string>;

/// One system call of a run that changes the disk: the n-th of this name.
struct WriteCall {
  std::string name;
  int nth = 0;
  std::string line;  ///< as strace shows it

  bool is_sync() const { return name == "fsync" || name == "fdatasync"; }
};

/// What strace does to one call, in its own words ("signal=KILL", "error=EIO").
struct Fault {
  std::string what;
  bool stays = false;  ///< at this call and all later ones of its name
};

/// How a disturbed run ended.
struct Outcome {
  CommandResult result;
  bool struck = false;  ///< the run came to that call
};

/// A small host below a folder, kept as a template, and the real program run on copies of it.
class FaultBench {
 public:
  FaultBench();

  /// Runs `tunekeeper --root COPY WORDS…` on the copy at work. "@second" among the words asks for the second
  /// version of the profile.
  CommandResult run(const std::vector<std::string>& words) const;
  /// The same, with a fault at one of its calls.
  Outcome run_with(const std::vector<std::string>& words, const WriteCall& call, const Fault& fault) const;
  /// The calls of a run that change the disk, in order; what it prints apart.
  std::vector<WriteCall> write_calls(const std::vector<std::string>& words) const;

  /// From now on each run finds this file bind-mounted, in a mount namespace of its own.
  void mount(const std::string& path) { mounted_ = path; }

  /// Makes the copy at work the template.
  void keep() const;
  /// Puts a fresh copy of the template in place of the one at work.
  void reset() const;

  /// The copy at work: /run, /etc/.git's inside and its metadata and our own state apart, but for whether a
  /// hold is set.
  Tree state() const;
  bool has_journal() const;
  /// What `status` says of an unfinished run; empty for none.
  std::string unfinished() const;
  /// git's own opinion of /etc's repository; empty when it is sound, or absent.
  std::string repository_faults() const;

  /// A person at work: a link becomes a file, a private file goes, a mode and some bytes change.
  void edit_by_hand() const;
  void pack_at_each_commit() const;

  std::string tree() const;
  void write(const std::string& path, const std::string& bytes) const;
  std::string read(const std::string& path) const;
  bool exists(const std::string& path) const;

 private:
  std::vector<std::string> command(const std::vector<std::string>& words) const;
  void make_host() const;
  void make_profiles() const;

  std::vector<std::string> under_mounts(std::vector<std::string> argv) const;

  test::TempDir folder_;
  std::string mounted_;
};

/// The two trees' differences, for a failed comparison.
std::string difference(const Tree& one, const Tree& other);

}  // namespace tunekeeper::faults
