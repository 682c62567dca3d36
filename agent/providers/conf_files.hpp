#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/action.hpp"
#include "core/row.hpp"
#include "host/host.hpp"

namespace tunekeeper {

/// The first line of every drop-in of ours.
inline constexpr std::string_view own_header =
    "# Written by tunekeeper from its profiles; changes to managed lines are reported as drift.\n";

/// Whether our drop-in says nothing any more: only its header and blank lines are left.
bool is_only_header(std::string_view bytes);

/// One drop-in as it is read.
struct ConfFile {
  std::string path;
  std::string bytes;
  int error = 0;  ///< errno where it could not be read
};

/// The drop-ins of these folders (the strongest first) in the order in which systemd reads them. A file that
/// is masked by a link to /dev/null, or that is gone, counts as empty.
std::vector<ConfFile> read_conf_files(const HostView& host, const std::vector<std::string>& folders);

/// Where a line stands, as reports name it: "etc/sysctl.d/x.conf:3".
std::string place_of(const ConfFile& file, int line);

/// Why nothing is written to a drop-in of ours: a link to /dev/null masks it. Empty when none does.
std::string masked_reason(const HostView& host, const std::string& path);

/// The word of the kernel that a read gave: without the line end and blanks around it.
std::string kernel_word(std::string_view bytes);

/// The row of a setting whose files need a write that nothing speaks against so far; else nothing.
std::optional<Row> wrong_on_disk(const Desired& desired, const Observation& seen);

/// Edits of several drop-ins, made one after the other on a working copy, so that each can be judged by what
/// the reader would then read; at the end one action a file. Our own drop-in is among them, made when it is
/// first changed and removed when nothing is left in it.
class ConfEdits {
 public:
  ConfEdits(const HostView& host, std::vector<ConfFile> files, const std::vector<std::string>& folders,
            std::string_view own_path);

  /// The files as they are now, in the order read. Valid until the next change.
  std::vector<std::string_view> views() const;
  std::size_t own() const { return own_; }
  const std::string& path(std::size_t file) const { return files_[file].file.path; }
  const std::string& bytes(std::size_t file) const { return files_[file].now; }

  /// Why this file is never edited (a package's, gone at the next boot, masked); empty when it may be.
  const std::string& locked(std::size_t file) const { return files_[file].locked; }
  /// Why the last change that was asked of a locked file was not made; empty when all were made.
  const std::string& refused() const { return refused_; }

  /// Changes one file for one setting; a locked one stays as it is.
  void change(std::size_t file, const std::vector<Splice>& splices, const std::string& setting);
  /// Takes a file back to bytes it had before; the setting's claim on it goes.
  void put_back(std::size_t file, std::string bytes, const std::string& setting);

  std::vector<Action> actions() const;

 private:
  struct Copy {
    ConfFile file;
    std::string now;
    std::vector<std::string> settings;
    std::string locked;
  };

  std::vector<Copy> files_;
  std::size_t own_ = 0;
  std::string refused_;
};

}  // namespace tunekeeper
