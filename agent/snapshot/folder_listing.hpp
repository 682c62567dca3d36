#pragma once

#include <map>
#include <string>
#include <vector>

#include <sys/stat.h>

namespace tunekeeper {

struct FolderEntry {
  std::string name;  ///< a folder's ends in a slash, so that byte order is git's index's order
  struct stat status {};
};

/// What a folder holds without . and .., in git's order. `path` is for errors. Throws HostError.
std::vector<FolderEntry> list_folder(int folder, const std::string& path);

/// The folders below one, each read once for two who ask: one looks first, the other takes what it saw.
class FolderListings {
 public:
  /// Lists all folders below one, the git repository at its top apart, on several processors where there are
  /// many. One that cannot be read is left to who looks at it.
  void look_ahead(int folder);
  /// The listing of an open folder, kept for who takes it.
  const std::vector<FolderEntry>& look(int folder, const std::string& path);
  /// The listing, which is then forgotten.
  std::vector<FolderEntry> take(int folder, const std::string& path);

 private:
  std::map<std::string, std::vector<FolderEntry>> listings_;
};

}  // namespace tunekeeper
