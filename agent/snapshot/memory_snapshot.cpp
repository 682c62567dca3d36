#include "snapshot/memory_snapshot.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/error.hpp"
#include "snapshot/message.hpp"
#include "snapshot/path_filter.hpp"

namespace tunekeeper {

namespace {

constexpr std::uint32_t mode_file = 0100644;
constexpr std::uint32_t mode_executable = 0100755;
constexpr std::uint32_t mode_link = 0120000;
constexpr std::int64_t first_commit_time = 1'700'000'000;

}  // namespace

bool MemorySnapshot::init() {
  if (exists()) return false;
  state_ = State::ours;
  return true;
}

void MemorySnapshot::remove() {
  if (state_ != State::ours) return;
  state_ = State::absent;
  history_.clear();
}

std::optional<std::string> MemorySnapshot::commit(const CommitMessage& message,
                                                  const std::vector<std::string>& paths) {
  require_repository();
  const PathFilter filter(paths);
  const Tree found = work_tree();
  Tree next = head();
  for (const std::string& path : differing(next, found)) {
    if (!filter.covers(path)) continue;
    const auto file = found.find(path);
    if (file == found.end()) {
      next.erase(path);
    } else {
      next[path] = file->second;
    }
  }
  if (next == head()) return std::nullopt;
  Commit made;
  made.id = fmt::format("{:040x}", history_.size() + 1);
  if (!history_.empty()) made.parent = history_.back().commit.id;
  made.author = "root <root@localhost>";
  made.time = first_commit_time + static_cast<std::int64_t>(history_.size());
  parse_message(compose_message(message), made);
  history_.push_back({made, std::move(next)});
  return made.id;
}

std::vector<std::string> MemorySnapshot::changed() const {
  require_repository();
  return differing(head(), work_tree());
}

void MemorySnapshot::walk(const std::function<bool(const Commit&)>& visit) const {
  require_repository();
  for (auto node = history_.rbegin(); node != history_.rend(); ++node) {
    if (!visit(node->commit)) return;
  }
}

std::optional<std::string> MemorySnapshot::commit_id(const std::string& name) const {
  require_repository();
  for (const Node& node : history_) {
    if (node.commit.id == name) return name;
  }
  if (name != "HEAD" || history_.empty()) return std::nullopt;
  return history_.back().commit.id;
}

std::optional<CommittedFile> MemorySnapshot::entry(const std::string& commit, const std::string& path) const {
  const Tree& tree = find(commit).tree;
  const auto found = tree.find(path);
  if (found == tree.end()) return std::nullopt;
  const auto& [bytes, mode] = found->second;
  return CommittedFile{
      .bytes = bytes, .is_link = mode == mode_link, .is_executable = mode == mode_executable};
}

std::vector<std::string> MemorySnapshot::changed_between(const std::string& older,
                                                         const std::string& newer) const {
  return differing(older.empty() ? Tree{} : find(older).tree, find(newer).tree);
}

void MemorySnapshot::require_repository() const {
  if (!exists()) throw Error(fmt::format("{} is not under git", folder_)).with_next("tunekeeper init");
}

MemorySnapshot::Tree MemorySnapshot::work_tree() const {
  Tree tree;
  collect(folder_, "", tree);
  return tree;
}

void MemorySnapshot::collect(const std::string& folder, const std::string& prefix, Tree& tree) const {
  for (const std::string& name : host_.list(folder)) {
    if (name == ".git" || is_our_temporary(name)) continue;
    const std::string path = folder + "/" + name;
    const auto info = host_.info(path, false);
    if (!info) continue;
    if (info->kind == FileKind::directory) {
      collect(path, prefix + name + "/", tree);
    } else if (info->kind == FileKind::symlink) {
      tree[prefix + name] = {host_.read_link(path).value_or(""), mode_link};
    } else if (info->kind == FileKind::regular) {
      ReadResult content = host_.read(path);
      if (!content.ok()) throw HostError("read", path, content.error);
      tree[prefix + name] = {std::move(content.bytes),
                             (info->mode & 0100) != 0 ? mode_executable : mode_file};
    }
  }
}

const MemorySnapshot::Node& MemorySnapshot::find(const std::string& id) const {
  require_repository();
  if (id == "HEAD" && !history_.empty()) return history_.back();
  const auto found =
      std::find_if(history_.begin(), history_.end(), [&](const Node& node) { return node.commit.id == id; });
  if (found == history_.end()) throw Error(fmt::format("there is no commit {}", id));
  return *found;
}

std::vector<std::string> MemorySnapshot::differing(const Tree& one, const Tree& other) {
  std::set<std::string> paths;
  for (const auto& [path, file] : one) {
    const auto found = other.find(path);
    if (found == other.end() || found->second != file) paths.insert(path);
  }
  for (const auto& [path, file] : other) {
    if (one.count(path) == 0) paths.insert(path);
  }
  return {paths.begin(), paths.end()};
}

}  // namespace tunekeeper
