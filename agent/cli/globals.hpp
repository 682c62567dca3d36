#pragma once

#include <string>
#include <vector>

namespace tunekeeper {

/// The flags that every verb takes, before it or after it.
struct Globals {
  std::string root = "/";
  bool json = false;
  bool quiet = false;
  bool verbose = false;
  std::string color = "auto";  ///< auto, always, never
  std::vector<std::string> only;
  std::string profile_path;
  std::string mysql_defaults_file;

  bool other_root() const { return root != "/"; }
};

}  // namespace tunekeeper
