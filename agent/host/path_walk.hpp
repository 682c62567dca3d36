#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace tunekeeper {

/// What stands at a path whose parents hold no symbolic link.
struct PathStep {
  enum class Kind { absent, directory, link, other };

  Kind kind = Kind::absent;
  std::string target;  ///< of a link
};

/// Where a path leads.
struct WalkedPath {
  int error = 0;  ///< ENOENT or ENOTDIR for a parent that is none, ELOOP after 40 links; 0 when only the last
                  ///< is absent
  std::string
      path;  ///< without symbolic links (the last one apart, unless it was to be followed), "." and ".."
  PathStep::Kind kind = PathStep::Kind::absent;
};

/// Follows a path component by component as the kernel does in a chroot: absolute links start again at the
/// root, and
/// ".." of the root is the root. `step` tells what stands at a path.
WalkedPath walk_path(std::string_view path, bool follow_last,
                     const std::function<PathStep(const std::string&)>& step);

/// The folder of an absolute path ("/" of "/x").
std::string parent_path(std::string_view path);

}  // namespace tunekeeper
