#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/splice.hpp"

namespace tunekeeper {

/// The order in which kinds of action run. Within a phase the order of the plan holds.
enum class Phase { check, files, generate, daemon_reload, kernel, set_global, reload, restart, prove };

std::string_view to_string(Phase phase);

/// Which plane an action writes; `--runtime` and `--next-boot` choose by it.
enum class PlaneKind { live, persisted, boot };

/// Changes spans of one file, or makes it (splices on empty bytes), or removes it. Edits of one path are
/// merged over all providers. The inverse is the file's image, which the engine journals before it writes.
struct EditFile {
  std::string path;  ///< absolute, inside the root
  std::vector<Splice> splices;
  bool remove = false;        ///< our own drop-in that has nothing left to say
  std::uint32_t mode = 0644;  ///< of a new file; a present one keeps its own
  /// What the engine notes of the bytes that the splices were made for; other bytes on the host then stop the
  /// run.
  std::string base_digest = {};
};

/// Makes a path be this file, or this symbolic link, or nothing, whatever stands there: other than with
/// EditFile a link itself is replaced, never its target. The inverse is the image of what stood there.
struct ReplaceEntry {
  enum class Kind { absent, file, link };
  std::string path;  ///< absolute, inside the root
  Kind kind = Kind::absent;
  std::string content = {};   ///< the file's bytes, or the link's text
  std::uint32_t mode = 0644;  ///< of a file: permission bits, with setuid, setgid and sticky
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
};

/// Writes one kernel value. The inverse is a write of `original`, unless `undo` names others (of an exclusive
/// pair the other one is written back: dirty_bytes=0 is EINVAL).
struct WriteLive {
  std::string path;  ///< below /proc/sys or /sys, absolute
  std::string value;
  std::string original;  ///< the word that was in force, never the bracketed line
  std::vector<std::pair<std::string, std::string>>
      undo;  ///< (path, value), in order; empty: (path, original)
};

/// Runs a generator that prints a file, checks the output, and puts it in place of `path`; skipped, with the
/// row pending, on another root. The inverse is the file's image.
struct GenerateFile {
  std::string path;                    ///< "/boot/grub/grub.cfg"
  std::vector<std::string> generator;  ///< prints the file on standard output: {"grub-mkconfig"}
  std::vector<std::string> checker;    ///< takes the candidate's path as its last argument; may be empty
};

/// Runs the owner's own check of its files ("nginx -t"). Has no inverse.
struct CheckFiles {
  std::vector<std::string> argv;
  std::string owner;  ///< "nginx"
};

/// Asks a service to take its files. The inverse is the same job after the files are undone.
struct ServiceJob {
  enum class Kind { reload, restart };
  Kind kind = Kind::reload;
  std::string service;  ///< "nginx"
  std::string unit;     ///< "nginx.service"
  std::vector<std::string>
      by_hand;  ///< argv for a service that systemd does not run ({"nginx", "-s", "reload"})
};

/// Sets a server's variable live. The inverse sets `original`.
struct SetGlobal {
  std::string service;
  std::string name;
  std::string value;
  std::string original;
};

/// Makes systemd read its unit files again. The inverse is the same, after the files are undone.
struct DaemonReload {};

using Deed = std::variant<EditFile, ReplaceEntry, WriteLive, GenerateFile, CheckFiles, ServiceJob, SetGlobal,
                          DaemonReload>;

/// One thing to do, as data: previewed, dry-run, journaled, performed and undone by the engine alone.
struct Action {
  Phase phase = Phase::files;
  PlaneKind plane = PlaneKind::persisted;
  Deed deed;
  std::vector<std::string> settings;  ///< the ids it is for
  /// How long a check, generator or job may take before it counts as failed.
  std::chrono::seconds deadline{60};
};

/// One line for people: "write /etc/sysctl.d/zz-tunekeeper.conf", "set /proc/sys/vm/swappiness to 1".
std::string describe(const Action& action);

}  // namespace tunekeeper
