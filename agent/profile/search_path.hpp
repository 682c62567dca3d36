#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/host.hpp"
#include "host/trust.hpp"
#include "profile/diagnostic.hpp"

namespace tunekeeper {

/// A file on the search path.
struct FoundFile {
  const HostView* host = nullptr;
  std::string path;
  bool masked = false;  ///< a link to /dev/null stands here
};

/// Where profiles, their drop-ins and templates are looked for, highest first: --profile-path, then profiles/
/// in /etc/tunekeeper, /run/tunekeeper, /usr/local/share/tunekeeper, /usr/share/tunekeeper. The first two of
/// these are the looked-at root's, all else is this machine's.
class SearchPath {
 public:
  /// `profile_path` is absolute, or empty.
  SearchPath(const HostView& machine, const HostView& root, std::string profile_path,
             std::uint32_t caller_uid);

  /// Looks in this folder of the machine before all others, too; for a profile that was named by its path.
  void add_folder(std::string folder);

  /// NAME.yaml in the highest folder that has it (a mask counts); nothing when none has.
  std::optional<FoundFile> profile(std::string_view name) const;
  /// Every folder's NAME.yaml, highest first.
  std::vector<FoundFile> profiles(std::string_view name) const;
  /// NAME.yaml.d/*.yaml of all folders by basename, each from the highest folder that has it; masked ones
  /// left out.
  std::vector<FoundFile> drop_ins(std::string_view name) const;
  /// NAME in templates/ below or beside a folder of profiles.
  std::optional<FoundFile> template_file(std::string_view name) const;
  /// Every profile's name, in byte order, masked ones too.
  std::vector<std::string> names() const;

  /// The file's bytes; a fault and nothing when it cannot be read or is not to be trusted.
  std::optional<std::string> read(const FoundFile& file, std::vector<Diagnostic>& faults);

  const HostView& machine() const { return *machine_; }

 private:
  struct Folder {
    const HostView* host;
    std::string path;
  };

  static std::optional<FoundFile> look(const HostView& host, std::string path);

  const HostView* machine_;
  std::vector<Folder> folders_;
  Trust machine_trust_, root_trust_;
};

/// Whether a user's word for a profile is a path rather than a name: it holds a slash or ends in .yaml.
bool is_profile_path(std::string_view word);

/// Why this cannot be the name of a profile or template; nothing when it can.
std::optional<std::string> name_problem(std::string_view name);

}  // namespace tunekeeper
