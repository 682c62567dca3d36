#include "formats/conf_dirs.hpp"

#include <algorithm>
#include <map>

namespace tunekeeper {

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

bool is_conf_name(std::string_view name) {
  return name.size() > 5 && name.front() != '.' && name.substr(name.size() - 5) == ".conf";
}

std::vector<std::size_t> conf_read_order(std::span<const std::string> paths,
                                         std::span<const std::string> folders) {
  struct Chosen {
    std::ptrdiff_t rank;
    std::size_t index;
  };
  std::map<std::string_view, Chosen> by_name;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::string_view path = paths[i];
    const auto name = base_name(path);
    if (!is_conf_name(name) || name.size() == path.size()) continue;
    const auto folder = path.substr(0, path.size() - name.size() - 1);
    const auto found = std::find(folders.begin(), folders.end(), folder);
    if (found == folders.end()) continue;
    const auto rank = found - folders.begin();
    const auto [at, added] = by_name.try_emplace(name, Chosen{rank, i});
    if (!added && rank < at->second.rank) at->second = {rank, i};
  }
  std::vector<std::size_t> order;
  for (const auto& [name, chosen] : by_name) order.push_back(chosen.index);
  return order;
}

std::vector<std::string> conf_folders(std::string_view kind) {
  std::vector<std::string> folders;
  // /lib only differs from /usr/lib where /usr is not merged.
  for (const char* parent : {"/etc/", "/run/", "/usr/local/lib/", "/usr/lib/", "/lib/"}) {
    folders.push_back(parent + std::string(kind));
  }
  return folders;
}

}  // namespace tunekeeper
