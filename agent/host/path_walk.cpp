#include "host/path_walk.hpp"

#include <cerrno>
#include <vector>

namespace tunekeeper {

namespace {

constexpr int most_links = 40;  // as in the kernel (path_resolution(7))

/// Pushes the components so that the first one is popped first.
void push_components(std::vector<std::string>& rest, std::string_view path) {
  while (!path.empty()) {
    const auto slash = path.rfind('/');
    const auto start = slash == std::string_view::npos ? 0 : slash + 1;
    const auto name = path.substr(start);
    if (!name.empty() && name != ".") rest.emplace_back(name);
    path = path.substr(0, slash == std::string_view::npos ? 0 : slash);
  }
}

}  // namespace

std::string parent_path(std::string_view path) {
  const auto slash = path.rfind('/');
  return slash == 0 || slash == std::string_view::npos ? "/" : std::string(path.substr(0, slash));
}

WalkedPath walk_path(std::string_view path, bool follow_last,
                     const std::function<PathStep(const std::string&)>& step) {
  std::vector<std::string> rest;
  push_components(rest, path);
  WalkedPath at{0, "/", PathStep::Kind::directory};
  int links = 0;
  while (!rest.empty()) {
    if (at.kind != PathStep::Kind::directory) {
      at.error = at.kind == PathStep::Kind::absent ? ENOENT : ENOTDIR;
      return at;
    }
    const std::string name = std::move(rest.back());
    rest.pop_back();
    if (name == "..") {
      at.path = parent_path(at.path);
      continue;
    }
    std::string next = at.path == "/" ? "/" + name : at.path + "/" + name;
    PathStep found = step(next);
    if (found.kind == PathStep::Kind::link && (follow_last || !rest.empty())) {
      if (++links > most_links) return {ELOOP, std::move(next), found.kind};
      if (found.target.starts_with('/')) at.path = "/";
      push_components(rest, found.target);
      continue;
    }
    at.path = std::move(next);
    at.kind = found.kind;
  }
  return at;
}

}  // namespace tunekeeper
