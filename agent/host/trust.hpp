#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "host/host.hpp"

namespace tunekeeper {

/// Judges whether a file may be believed: it, and the folder that holds it, are owned by root or the caller;
/// neither they nor any folder above can be written by group or others (a sticky folder can). A group of
/// one's own does not help: its members are not looked up. Folders are judged once.
class Trust {
 public:
  Trust(const HostView& host, std::uint32_t caller_uid) : host_(host), caller_uid_(caller_uid) {}

  /// Why the file must not be used, with the command that cures it; nothing when it may, or is absent.
  std::optional<std::string> problem(std::string_view path);

 private:
  std::optional<std::string> folder_problem(std::string_view folder, bool must_own);
  bool is_owner(std::uint32_t uid) const { return uid == 0 || uid == caller_uid_; }

  const HostView& host_;
  std::uint32_t caller_uid_;
  std::map<std::string, std::optional<std::string>, std::less<>> folders_;
};

}  // namespace tunekeeper
