#include "host/edited_view.hpp"

#include <algorithm>
#include <cerrno>

namespace tunekeeper {

EditedView::EditedView(const HostView& host, const std::map<std::string, std::optional<std::string>>& files)
    : host_(host) {
  for (const auto& [path, bytes] : files) files_[host_.resolve(path)] = bytes;
}

EditedView::Files::const_iterator EditedView::find(std::string_view path) const {
  return files_.find(host_.resolve(path));
}

ReadResult EditedView::read(std::string_view path, std::size_t limit) const {
  const auto edited = find(path);
  if (edited == files_.end()) return host_.read(path, limit);
  if (!edited->second) return {ENOENT, {}};
  return {0, edited->second->substr(0, limit)};
}

std::optional<FileInfo> EditedView::info(std::string_view path, bool follow) const {
  const auto edited = find(path);
  if (edited == files_.end()) return host_.info(path, follow);
  if (!edited->second) return std::nullopt;
  FileInfo info = host_.info(path, follow).value_or(FileInfo{.mode = 0644});
  if (info.kind == FileKind::regular) info.size = edited->second->size();
  return info;
}

std::optional<std::string> EditedView::read_link(std::string_view path) const {
  return host_.read_link(path);
}

std::vector<std::string> EditedView::list(std::string_view directory) const {
  std::vector<std::string> names = host_.list(directory);
  std::string folder = host_.resolve(directory);
  if (folder.empty() || folder.back() != '/') folder += '/';
  for (const auto& [path, bytes] : files_) {
    if (path.compare(0, folder.size(), folder) != 0) continue;
    const std::string name = path.substr(folder.size());
    if (name.empty() || name.find('/') != std::string::npos) continue;
    const auto at = std::lower_bound(names.begin(), names.end(), name);
    const bool listed = at != names.end() && *at == name;
    if (listed && !bytes) names.erase(at);
    if (!listed && bytes) names.insert(at, name);
  }
  return names;
}

std::string EditedView::resolve(std::string_view path) const {
  return host_.resolve(path);
}

bool EditedView::is_staged(std::string_view path) const {
  return host_.is_staged(path);
}

std::optional<std::uint64_t> EditedView::free_space(std::string_view path) const {
  return host_.free_space(path);
}

CommandResult EditedView::probe(const std::vector<std::string>& argv, const CommandOptions& options) const {
  return host_.probe(argv, options);
}

}  // namespace tunekeeper
