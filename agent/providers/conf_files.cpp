#include "providers/conf_files.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/judge.hpp"
#include "formats/conf_dirs.hpp"
#include "formats/systemd_lines.hpp"

namespace tunekeeper {
namespace {

ConfFile read_conf(const HostView& host, const std::string& path) {
  // Another root need not have a /dev/null.
  if (host.read_link(path) == "/dev/null") return {path, {}, 0};
  auto read = host.read(path);
  if (read.absent()) return {path, {}, 0};
  return {path, std::move(read.bytes), read.error};
}

/// Packages own what is below /usr but /usr/local, and /run is empty at the next boot.
bool is_in_etc_or_local(std::string_view path) {
  const auto below = [&](std::string_view folder) { return path.substr(0, folder.size()) == folder; };
  return below("/usr/local/") || (!below("/usr/") && !below("/lib/") && !below("/run/"));
}

std::string lock_of(const HostView& host, const std::string& path, bool after_ours) {
  if (auto masked = masked_reason(host, path); !masked.empty()) return masked;
  if (is_in_etc_or_local(host.resolve(path))) return {};
  return fmt::format("{} is {}, and only files in /etc are edited; override it in /etc", path,
                     after_ours ? "read after our drop-in" : "what decides");
}

}  // namespace

bool is_only_header(std::string_view bytes) {
  const auto header = stripped(own_header);
  const auto text = stripped(bytes);
  return text.empty() || text == header;
}

std::vector<ConfFile> read_conf_files(const HostView& host, const std::vector<std::string>& folders) {
  std::vector<std::string> paths;
  for (const auto& folder : folders) {
    for (const auto& name : host.list(folder)) {
      if (is_conf_name(name)) paths.push_back(folder + "/" + name);
    }
  }
  std::erase_if(paths, [&](const std::string& path) {
    const auto info = host.info(path, false);
    return info && info->kind == FileKind::directory;
  });
  std::vector<ConfFile> files;
  for (const auto index : conf_read_order(paths, folders)) files.push_back(read_conf(host, paths[index]));
  return files;
}

std::string place_of(const ConfFile& file, int line) {
  return file.path.substr(1) + ":" + std::to_string(line);
}

std::string kernel_word(std::string_view bytes) {
  auto text = stripped(bytes);
  return std::string(text.substr(0, text.find('\0')));
}

std::string masked_reason(const HostView& host, const std::string& path) {
  if (host.read_link(path) != "/dev/null") return {};
  return fmt::format("{} is masked by a link to /dev/null; remove the link to let tunekeeper write there",
                     path);
}

std::optional<Row> wrong_on_disk(const Desired& desired, const Observation& seen) {
  const bool decided = seen.failed.empty() && seen.unwritable.empty() && seen.unsupported.empty();
  if (!decided || seen.persisted.kind == Plane::Kind::unknown) return std::nullopt;
  Row row{.desired = desired, .seen = seen, .state = State::differs, .reason = {}};
  return persisted_right(row) ? std::nullopt : std::optional(std::move(row));
}

ConfEdits::ConfEdits(const HostView& host, std::vector<ConfFile> files,
                     const std::vector<std::string>& folders, std::string_view own_path) {
  const auto is_own = [&](const ConfFile& file) { return file.path == own_path; };
  if (std::none_of(files.begin(), files.end(), is_own)) {
    files.push_back({std::string(own_path), {}, 0});
    std::vector<std::string> paths;
    for (const auto& file : files) paths.push_back(file.path);
    std::vector<ConfFile> ordered;
    for (const auto index : conf_read_order(paths, folders)) ordered.push_back(std::move(files[index]));
    files = std::move(ordered);
  }
  const auto ours = std::find_if(files.begin(), files.end(), is_own);
  own_ = static_cast<std::size_t>(ours - files.begin());
  for (auto& file : files) {
    auto now = file.bytes;
    auto locked = lock_of(host, file.path, files_.size() > own_);
    files_.push_back({std::move(file), std::move(now), {}, std::move(locked)});
  }
}

std::vector<std::string_view> ConfEdits::views() const {
  std::vector<std::string_view> views;
  for (const auto& copy : files_) views.emplace_back(copy.now);
  return views;
}

void ConfEdits::change(std::size_t file, const std::vector<Splice>& splices, const std::string& setting) {
  if (splices.empty()) return;
  auto& copy = files_[file];
  if (!copy.locked.empty()) {
    refused_ = copy.locked;
    return;
  }
  copy.now = splice(copy.now, splices);
  if (file == own_ && copy.file.bytes.empty() && copy.now.substr(0, own_header.size()) != own_header) {
    copy.now.insert(0, own_header);
  }
  if (std::find(copy.settings.begin(), copy.settings.end(), setting) == copy.settings.end()) {
    copy.settings.push_back(setting);
  }
}

void ConfEdits::put_back(std::size_t file, std::string bytes, const std::string& setting) {
  files_[file].now = std::move(bytes);
  std::erase(files_[file].settings, setting);
}

std::vector<Action> ConfEdits::actions() const {
  std::vector<Action> actions;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const auto& copy = files_[i];
    if (copy.now == copy.file.bytes) continue;
    EditFile edit;
    edit.path = copy.file.path;
    if (i == own_ && is_only_header(copy.now)) {
      edit.remove = true;
    } else {
      edit.splices = {difference(copy.file.bytes, copy.now)};
    }
    Action action;
    action.deed = std::move(edit);
    action.settings = copy.settings;
    actions.push_back(std::move(action));
  }
  return actions;
}

}  // namespace tunekeeper
