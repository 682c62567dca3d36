#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/expression.hpp"
#include "core/facts.hpp"
#include "host/host.hpp"
#include "profile/diagnostic.hpp"
#include "profile/host_config.hpp"
#include "profile/profile.hpp"
#include "profile/profile_file.hpp"
#include "profile/search_path.hpp"

namespace tunekeeper {

/// What loading needs. All references must outlive the loader.
struct LoadContext {
  const HostView& machine;  ///< shipped profiles, --profile-path and files named by path are this machine's
  const HostView& root;     ///< /etc/tunekeeper and /run/tunekeeper are the looked-at root's
  Sections sections;        ///< every section there is, whether its owner is on this host or not
  const FactSource& facts;  ///< asked for names and possible values only
  Evaluator& evaluator;
  std::string profile_path;      ///< --profile-path, absolute; or empty
  std::uint32_t caller_uid = 0;  ///< whose files are trusted, beside root's
};

/// A profile on the search path, for `list`.
struct ListedProfile {
  std::string name;
  std::string path;  ///< the file that counts
  std::string summary;
  bool masked = false;
  std::vector<std::string> overridden;  ///< files of that name in lower folders
  std::vector<std::string> drop_ins;
  std::string problem;  ///< the first fault of the file; empty when it reads well
};

/// Finds, reads, checks and merges profiles.
class Loader {
 public:
  explicit Loader(LoadContext context);

  /// The profile of this name (or absolute path: it holds a slash or ends in .yaml), with all that it
  /// extends, all drop-ins, and the host's variables. A profile named by path has no drop-ins of its own, and
  /// finds those that it extends in its own folder first. Throws InvalidProfile with every fault of every
  /// file involved; asks for no fact.
  Profile load(std::string_view word, const Vars& host_vars = {});

  /// Every fault of a profile, or of a file named host.yaml; empty when it is right.
  std::vector<Diagnostic> check(std::string_view word);

  /// Every profile on the search path, in byte order of names.
  std::vector<ListedProfile> list();

 private:
  LoadContext context_;
};

/// Variables of host.yaml that none of the host's profiles declares: mistyped ones would do nothing,
/// silently.
std::vector<Diagnostic> undeclared_vars(const HostConfig& config, const std::vector<Profile>& profiles);

}  // namespace tunekeeper
