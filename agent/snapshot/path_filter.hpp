#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace tunekeeper {

/// Which paths of the work tree are meant: all, or the named files and what is below the named folders.
class PathFilter {
 public:
  explicit PathFilter(std::vector<std::string> paths = {}) : paths_(std::move(paths)) {}

  bool all() const { return paths_.empty(); }
  bool covers(std::string_view path) const {
    return all() || std::any_of(paths_.begin(), paths_.end(), [&](const std::string& named) {
             return path == named || is_below(path, named);
           });
  }
  /// Whether a folder holds, or may hold, what is meant.
  bool leads_into(std::string_view folder) const {
    return covers(folder) || std::any_of(paths_.begin(), paths_.end(),
                                         [&](const std::string& named) { return is_below(named, folder); });
  }

 private:
  static bool is_below(std::string_view path, std::string_view folder) {
    return path.size() > folder.size() && path[folder.size()] == '/' &&
           path.substr(0, folder.size()) == folder;
  }

  std::vector<std::string> paths_;
};

/// Our temporary files: never part of a snapshot, whatever the ignore rules say.
inline bool is_our_temporary(std::string_view name) {
  constexpr std::string_view ending = ".tunekeeper-tmp";
  return name.size() >= ending.size() && name.substr(name.size() - ending.size()) == ending;
}

}  // namespace tunekeeper
