#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace tunekeeper {

/// What etckeeper's metadata says of one path.
struct PathMetadata {
  std::optional<std::uint32_t> mode;  ///< permission bits, with setuid, setgid and sticky
  std::string user;                   ///< a name or a number; empty: that of whoever committed (root)
  std::string group;                  ///< likewise

  bool operator==(const PathMetadata&) const = default;
};

/// Reads .etckeeper as a commit has it, by path relative to the folder ("mysql/my.cnf"). It is a shell script
/// (etckeeper(8)), of which the lines are read that etckeeper's own hook and we write: `maybe chmod MODE
/// PATH`, `maybe chown USER PATH`, `maybe chgrp GROUP PATH`. All others say nothing here.
std::map<std::string, PathMetadata> parse_metadata(std::string_view script);

}  // namespace tunekeeper
