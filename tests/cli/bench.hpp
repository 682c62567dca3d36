#pragma once

#include <string>
#include <vector>

#include "host/command.hpp"
#include "support/temp_dir.hpp"

namespace tunekeeper::test {

/// A small host in a temp folder, profiles beside it, and the real program run on both.
class CliBench {
 public:
  CliBench();

  /// Runs `tunekeeper --root TREE --profile-path PROFILES WORDS…`. `environment` comes before, as env(1)
  /// takes it.
  CommandResult run(const std::vector<std::string>& words,
                    const std::vector<std::string>& environment = {}) const;
  /// The same with `prefix` before the program (strace …).
  CommandResult run_under(const std::vector<std::string>& prefix,
                          const std::vector<std::string>& words) const;

  void write(const std::string& path, const std::string& bytes) const;
  void append(const std::string& path, const std::string& bytes) const;
  std::string read(const std::string& path) const;
  bool exists(const std::string& path) const;
  void write_profile(const std::string& name, const std::string& yaml) const;
  /// Every file of the tree with its bytes, those of tunekeeper itself, .git and its metadata apart.
  std::vector<std::pair<std::string, std::string>> state() const;

  std::string tree() const;
  std::string profiles() const;

 private:
  TempDir folder_;
};

/// Exit status, standard output and standard error on one page, with what differs from run to run made equal.
std::string page(const CliBench& bench, const CommandResult& result);

}  // namespace tunekeeper::test
