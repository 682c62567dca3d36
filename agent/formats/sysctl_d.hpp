#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/splice.hpp"
#include "formats/systemd_lines.hpp"

namespace tunekeeper {

// sysctl.d files as systemd-sysctl reads them (sysctl.d(5)). A key has two spellings,
// `net.ipv4.conf.eth0/100.x` and `net/ipv4/conf/eth0.100/x`; the first separator tells which one it is. The
// path spelling, with slashes, is what names a key in this header.

/// The path spelling of a key as written: `net/ipv4/conf/eth0.100/x`.
std::string sysctl_path(std::string_view written);

/// The dotted spelling of a key's path spelling: `net.ipv4.conf.eth0/100.x`.
std::string sysctl_dotted(std::string_view path);

/// Whether a key is a pattern that systemd-sysctl expands.
bool is_sysctl_glob(std::string_view key);

/// Whether a pattern names this key (both in path spelling), as glob(3) would below /proc/sys.
bool sysctl_glob_matches(const std::string& pattern, const std::string& path);

/// One line of a file that assigns (`key = value`, `-key = value`) or excludes (`-key`).
struct SysctlLine {
  SystemdLine line;
  std::string_view key;    ///< as written, without the minus
  std::string_view value;  ///< without blanks around it; there are no comments within a line
  bool excludes = false;   ///< `-key`: globs pass it by, and an earlier assignment is taken back
  bool ignores_errors = false;
};

/// Goes over the lines of a file that say something. The bytes must outlive it.
class SysctlReader {
 public:
  explicit SysctlReader(std::string_view bytes) : bytes_(bytes), lines_(bytes) {}
  bool next(SysctlLine& line);

 private:
  std::string_view bytes_;
  SystemdLines lines_;
};

/// What decides a key's value at the next start.
struct SysctlDecision {
  enum class Kind {
    unstated,  ///< no line names it
    assigned,
    matched,   ///< by a glob
    excluded,  ///< by a `-key` line, which is the last word
  };

  Kind kind = Kind::unstated;
  std::string value;
  std::size_t file = 0;  ///< index of the file in the list given
  int line = 0;          ///< from 1
  /// The files that have a line with exactly this key, in the order read, each once.
  std::vector<std::size_t> stated_in;
};

/// Decides each key (path spelling, no globs) over files in the order in which they are read: the last line
/// with exactly this key; without one, the last glob that matches. A glob stated again with another value
/// moves to its new place, with the same value it keeps the old one. Globs only reach keys that exist then.
std::vector<SysctlDecision> decide_sysctl(std::span<const std::string_view> files,
                                          std::span<const std::string> keys);

/// The lines with exactly one of these keys (path spelling), without their ends, in order.
std::vector<std::string> sysctl_statements(std::string_view bytes, std::span<const std::string> keys);
std::vector<std::string> sysctl_statements(std::string_view bytes, std::string_view key);

/// Makes the file state the keys by exactly these lines: each in the place of a present one, further ones
/// after it (or at the end of the file), and present ones that are left over removed.
std::vector<Splice> restate_sysctl(std::string_view bytes, std::span<const std::string> keys,
                                   const std::vector<std::string>& statements);
std::vector<Splice> restate_sysctl(std::string_view bytes, std::string_view key,
                                   const std::vector<std::string>& statements);

/// Makes the file's last word on the key be this value: in place, or as a new line in the style of the file.
/// A value with a line end, or blanks around it, cannot be written: throws std::invalid_argument.
std::vector<Splice> set_sysctl(std::string_view bytes, std::string_view key, std::string_view value);

/// Removes every line with exactly this key.
std::vector<Splice> unset_sysctl(std::string_view bytes, std::string_view key);

/// Makes the file's last word on the key be an exclusion.
std::vector<Splice> exclude_sysctl(std::string_view bytes, std::string_view key);

}  // namespace tunekeeper
