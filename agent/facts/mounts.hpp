#pragma once

#include <string>
#include <string_view>

#include "host/host.hpp"

namespace tunekeeper {

/// The file system that a path is on.
struct Mount {
  std::string point;   ///< "/var"; empty where no table of mounts tells
  std::string number;  ///< "253:0" of its device; empty where the table has none
  std::string source;  ///< "/dev/mapper/vg-data", "overlay", "UUID=…"
  std::string type;    ///< "ext4"
  std::string table;   ///< the file that told: "/proc/self/mountinfo"
};

/// The deepest folder of the path that exists, without symbolic links.
std::string nearest_existing(const HostView& host, std::string_view path);

/// The mount with the longest point that is a prefix of `path`, the later one where two cover each other:
/// from /proc/self/mountinfo, else /proc/mounts, else /etc/fstab (a root that is not running). `path` has no
/// links.
Mount mount_of(const HostView& host, std::string_view path);

}  // namespace tunekeeper
