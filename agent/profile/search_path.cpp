#include "profile/search_path.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include <fmt/format.h>

namespace tunekeeper {
namespace {

constexpr std::string_view suffix = ".yaml";
constexpr std::size_t read_limit = (4U << 20) + 1;

bool is_yaml(std::string_view name) {
  return name.size() > suffix.size() && name.ends_with(suffix) && !name.starts_with('.');
}

}  // namespace

bool is_profile_path(std::string_view word) {
  return word.find('/') != std::string_view::npos || word.ends_with(suffix);
}

std::optional<std::string> name_problem(std::string_view name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_.+@").find(c) != std::string_view::npos;
  };
  if (!name.empty() && name.front() != '.' && std::all_of(name.begin(), name.end(), fits))
    return std::nullopt;
  return fmt::format("\"{}\" cannot be a name: letters, digits and - _ . + @ only", name);
}

SearchPath::SearchPath(const HostView& machine, const HostView& root, std::string profile_path,
                       std::uint32_t caller_uid)
    : machine_(&machine), machine_trust_(machine, caller_uid), root_trust_(root, caller_uid) {
  if (!profile_path.empty()) folders_.push_back({&machine, std::move(profile_path)});
  folders_.push_back({&root, "/etc/tunekeeper/profiles"});
  folders_.push_back({&root, "/run/tunekeeper/profiles"});
  folders_.push_back({&machine, "/usr/local/share/tunekeeper/profiles"});
  folders_.push_back({&machine, "/usr/share/tunekeeper/profiles"});
}

void SearchPath::add_folder(std::string folder) {
  folders_.insert(folders_.begin(), {machine_, std::move(folder)});
}

std::optional<FoundFile> SearchPath::look(const HostView& host, std::string path) {
  const auto link = host.read_link(path);
  const bool masked = link && *link == "/dev/null";
  if (!masked && !link && !host.exists(path)) return std::nullopt;
  return FoundFile{&host, std::move(path), masked};
}

std::vector<FoundFile> SearchPath::profiles(std::string_view name) const {
  std::vector<FoundFile> found;
  for (const auto& folder : folders_)
    if (auto file = look(*folder.host, fmt::format("{}/{}{}", folder.path, name, suffix)))
      found.push_back(*file);
  return found;
}

std::optional<FoundFile> SearchPath::profile(std::string_view name) const {
  for (const auto& folder : folders_)
    if (auto file = look(*folder.host, fmt::format("{}/{}{}", folder.path, name, suffix))) return file;
  return std::nullopt;
}

std::vector<FoundFile> SearchPath::drop_ins(std::string_view name) const {
  std::map<std::string, FoundFile> by_name;
  for (const auto& folder : folders_) {
    const std::string directory = fmt::format("{}/{}{}.d", folder.path, name, suffix);
    for (const auto& file : folder.host->list(directory))
      if (is_yaml(file) && !by_name.count(file))
        if (auto found = look(*folder.host, directory + "/" + file)) by_name.emplace(file, std::move(*found));
  }
  std::vector<FoundFile> result;
  for (auto& [file, found] : by_name)
    if (!found.masked) result.push_back(std::move(found));
  return result;
}

std::optional<FoundFile> SearchPath::template_file(std::string_view name) const {
  for (const auto& folder : folders_) {
    const std::string beside = folder.path.substr(0, folder.path.rfind('/'));
    for (const auto& parent : {folder.path, beside})
      if (auto file = look(*folder.host, fmt::format("{}/templates/{}", parent, name))) return file;
  }
  return std::nullopt;
}

std::vector<std::string> SearchPath::names() const {
  std::set<std::string> names;
  for (const auto& folder : folders_)
    for (const auto& file : folder.host->list(folder.path))
      if (is_yaml(file)) names.insert(file.substr(0, file.size() - suffix.size()));
  return {names.begin(), names.end()};
}

std::optional<std::string> SearchPath::read(const FoundFile& file, std::vector<Diagnostic>& faults) {
  const bool on_machine = file.host == machine_;
  if (auto problem = (on_machine ? machine_trust_ : root_trust_).problem(file.path)) {
    faults.push_back({{file.path}, std::move(*problem)});
    return std::nullopt;
  }
  auto content = file.host->read(file.path, read_limit);
  if (content.ok()) return std::move(content.bytes);
  faults.push_back({{file.path}, fmt::format("cannot be read: {}", std::strerror(content.error))});
  return std::nullopt;
}

}  // namespace tunekeeper
