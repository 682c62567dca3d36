#include "engine/committed_files.hpp"

#include <algorithm>
#include <charconv>

#include "snapshot/etckeeper_metadata.hpp"

namespace tunekeeper {
namespace {

constexpr std::string_view kEtc = "/etc/";
constexpr std::uint32_t kExecutable = 0111;

std::string absolute(const std::string& path) {
  return std::string(kEtc) + path;
}

std::optional<std::uint32_t> number(std::string_view text) {
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// The third field of the line that begins with the name: passwd(5), group(5).
std::optional<std::uint32_t> id_in(const std::string& text, const std::string& name) {
  const std::string head = name + ":";
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = std::string_view(text).substr(start, end - start);
    start = end + 1;
    if (!line.starts_with(head)) continue;
    const std::size_t id = line.find(':', head.size());
    if (id == std::string_view::npos) continue;
    return number(line.substr(id + 1, line.find(':', id + 1) - id - 1));
  }
  return std::nullopt;
}

}  // namespace

CommittedFiles::CommittedFiles(const Host& host, const Snapshot& snapshot, std::string commit)
    : host_(host),
      snapshot_(snapshot),
      commit_(std::move(commit)),
      metadata_(parse_metadata(snapshot.file(commit_, kMetadataName).value_or(""))),
      etc_(host.info("/etc").value_or(FileInfo{})) {}

std::set<std::string> CommittedFiles::differing() const {
  std::set<std::string> paths;
  for (const std::string& path : snapshot_.changed_between(commit_, "HEAD")) paths.insert(path);
  for (const std::string& path : snapshot_.changed()) paths.insert(path);
  for (const auto& [path, metadata] : metadata_) {
    if (path != kMetadataName && has_other_attributes(path, metadata) && has(path)) paths.insert(path);
  }
  std::erase_if(paths, [](const std::string& path) { return path.starts_with("tunekeeper/"); });
  return paths;
}

bool CommittedFiles::has_other_attributes(const std::string& path, const PathMetadata& metadata) const {
  const auto info = host_.info(absolute(path), false);
  if (!info || info->kind != FileKind::regular) return false;
  return (metadata.mode && *metadata.mode != info->mode) ||
         id_of(metadata.user, "/etc/passwd", etc_.uid) != info->uid ||
         id_of(metadata.group, "/etc/group", etc_.gid) != info->gid;
}

std::optional<Action> CommittedFiles::restoring(const std::string& path) const {
  ReplaceEntry entry = wanted(path);
  if (stands(entry)) return std::nullopt;
  return Action{
      .phase = Phase::files, .plane = PlaneKind::persisted, .deed = std::move(entry), .settings = {}};
}

ReplaceEntry CommittedFiles::wanted(const std::string& path) const {
  ReplaceEntry entry{.path = absolute(path), .uid = etc_.uid, .gid = etc_.gid};
  std::optional<CommittedFile> found = snapshot_.entry(commit_, path);
  if (!found) return entry;
  entry.kind = found->is_link ? ReplaceEntry::Kind::link : ReplaceEntry::Kind::file;
  entry.content = std::move(found->bytes);
  if (!found->is_link) give_attributes(entry, path, found->is_executable);
  return entry;
}

void CommittedFiles::give_attributes(ReplaceEntry& entry, const std::string& path, bool is_executable) const {
  const auto present = host_.info(entry.path, false);
  const bool is_file = present && present->kind == FileKind::regular;
  entry.mode = is_file ? present->mode : 0644;
  if (is_executable != ((entry.mode & 0100) != 0)) entry.mode ^= entry.mode & kExecutable;
  if (is_executable) entry.mode |= 0100 | ((entry.mode & 0444) >> 2);
  if (is_file) {
    entry.uid = present->uid;
    entry.gid = present->gid;
  }
  const auto metadata = metadata_.find(path);
  if (metadata == metadata_.end()) return;
  entry.mode = metadata->second.mode.value_or(entry.mode);
  entry.uid = id_of(metadata->second.user, "/etc/passwd", etc_.uid);
  entry.gid = id_of(metadata->second.group, "/etc/group", etc_.gid);
}

bool CommittedFiles::stands(const ReplaceEntry& entry) const {
  const FileImage now = host_.image(entry.path, false);
  if (entry.kind == ReplaceEntry::Kind::absent) return now.absent;
  if (now.absent || now.bytes != entry.content) return false;
  if (entry.kind == ReplaceEntry::Kind::link) return now.is_link;
  return !now.is_link && now.mode == entry.mode && now.uid == entry.uid && now.gid == entry.gid;
}

std::uint32_t CommittedFiles::id_of(const std::string& name, const std::string& file,
                                    std::uint32_t otherwise) const {
  if (name.empty()) return otherwise;
  if (const auto id = number(name)) return *id;
  if (const auto id = id_in(host_.read(file).bytes, name)) return *id;
  unknown_owners_.insert(name);
  return otherwise;
}

}  // namespace tunekeeper
