#include "host/trust.hpp"

#include <fmt/format.h>

namespace tunekeeper {
namespace {

constexpr std::uint32_t group_or_others_write = 022;
constexpr std::uint32_t sticky = 01000;

std::string_view parent_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string_view::npos ? "/" : path.substr(0, slash);
}

std::string owner_problem(std::string_view path, std::uint32_t uid) {
  return fmt::format("not trusted: {0} is owned by uid {1}, neither root nor you; next: chown root {0}", path,
                     uid);
}

std::string mode_problem(std::string_view path, std::uint32_t mode) {
  return fmt::format("not trusted: {0} can be written by {1} (mode {2:04o}); next: chmod go-w {0}", path,
                     mode & 002 ? "anyone" : "its group", mode);
}

}  // namespace

std::optional<std::string> Trust::folder_problem(std::string_view folder, bool must_own) {
  const std::string key = fmt::format("{}{}", must_own ? "!" : "", folder);
  const auto known = folders_.find(key);
  if (known != folders_.end()) return known->second;
  auto& problem = folders_[key];
  const auto info = host_.info(folder);
  if (info && must_own && !is_owner(info->uid)) {
    problem = owner_problem(folder, info->uid);
  } else if (info && (info->mode & group_or_others_write) && !(info->mode & sticky)) {
    problem = mode_problem(folder, info->mode);
  } else if (folder != "/") {
    problem = folder_problem(parent_of(folder), false);
  }
  return folders_[key];
}

std::optional<std::string> Trust::problem(std::string_view path) {
  const auto info = host_.info(path);
  if (!info) return std::nullopt;
  const std::string real = host_.resolve(path);
  if (!is_owner(info->uid)) return owner_problem(real, info->uid);
  if (info->mode & group_or_others_write) return mode_problem(real, info->mode);
  // Who can write the folder of a link can make it point elsewhere: both folders count.
  if (auto problem = folder_problem(parent_of(real), true)) return problem;
  return real == path ? std::nullopt : folder_problem(parent_of(path), true);
}

}  // namespace tunekeeper
