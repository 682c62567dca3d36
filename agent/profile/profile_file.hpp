#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "profile/profile.hpp"

namespace tunekeeper {

/// Another profile that a file names.
struct NamedAt {
  std::string name;
  Position at;
};

/// What one YAML file states: a profile before merging, or a drop-in.
struct ProfileFile {
  std::string path;
  std::string summary;
  std::vector<NamedAt> extends;
  Vars vars;
  std::vector<Setting> settings;
};

using Sections = std::vector<const SectionSpec*>;

/// Reads a profile (or a drop-in, which extends nothing). Every fault is appended; what could be read is
/// returned.
ProfileFile read_profile_file(std::string path, std::string_view bytes, const Sections& sections,
                              bool is_drop_in, std::vector<Diagnostic>& faults);

}  // namespace tunekeeper
