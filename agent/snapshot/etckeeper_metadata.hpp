#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

#include "snapshot/folder_listing.hpp"

namespace tunekeeper {

/// Where etckeeper keeps what git does not: empty folders, owners and modes.
inline constexpr const char* kMetadataName = ".etckeeper";

/// What the metadata depends on beside the tree. Paths are relative, a folder's ends in a slash.
struct MetadataQuestions {
  std::function<bool(const std::string& path)> is_tracked;  ///< of a folder: anything below it
  std::function<bool(const std::string& path)> is_ignored;  ///< never without a .gitignore at the top
  std::function<std::string(uid_t)> user_name;              ///< empty: unknown
  std::function<std::string(gid_t)> group_name;             ///< likewise
  uid_t user = 0;                                           ///< whose files need no chown
  gid_t group = 0;
};

/// The metadata as it is to be written.
struct Metadata {
  std::string bytes;
  /// Names with a line break: etckeeper's own hook writes broken lines for them, these are whole.
  std::vector<std::string> broken_lines;
};

/// The file as etckeeper 1.18's own pre-commit hook writes it: a shell script of mkdir, chown, chgrp and
/// chmod in byte order, the file itself among them. No bytes for a folder that holds nothing. Throws
/// HostError for a folder that cannot be read.
Metadata etckeeper_metadata(int folder, FolderListings& listings, const MetadataQuestions& questions);

/// Whether etckeeper looks after the folder: its metadata is there.
bool is_kept_by_etckeeper(int folder);
/// The file's present bytes; empty where it cannot be read.
std::string read_metadata(int folder);
/// Puts the file in place at once, mode 0700: it tells of folders that others may not read. Its new stat
/// data.
/// It is written in the repository first, on the same file system: a run that dies leaves nothing in the
/// folder.
struct stat put_metadata(int folder, const std::string& git_directory, std::string_view bytes);
/// Removes what a put_metadata() that died left.
void remove_unfinished_metadata(const std::string& git_directory);

/// The name in the folder's own passwd or group (passwd(5), group(5)) for a numeric id; empty where it has
/// none.
std::string name_in(int folder, const char* file, unsigned long id);

}  // namespace tunekeeper
