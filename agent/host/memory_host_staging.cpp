// What tests set up and ask of the in-memory host; its behaviour as a host is in memory_host.cpp.
#include <algorithm>
#include <cerrno>
#include <charconv>

#include "host/memory_host.hpp"

namespace tunekeeper {

MemoryHost::Node& MemoryHost::staged_node(std::string_view path) {
  const auto at = walk(path, true);
  return nodes_.at(at.path);
}

void MemoryHost::add_directory(std::string_view path, std::uint32_t mode) {
  const auto at = walk(path, true);
  if (at.error == 0 && at.kind == PathStep::Kind::directory) return;
  add_directory(parent_path(path), 0755);
  make(walk(path, true).path, FileKind::directory).mode = mode;
}

void MemoryHost::add_file(std::string_view path, std::string bytes, std::uint32_t mode) {
  add_directory(parent_path(path));
  Node& node = make(walk(path, true).path, FileKind::regular);
  node.bytes = std::move(bytes);
  node.mode = mode;
}

void MemoryHost::add_symlink(std::string_view path, std::string target) {
  add_directory(parent_path(path));
  Node& node = make(walk(path, false).path, FileKind::symlink);
  node.bytes = std::move(target);
  node.mode = 0777;
}

void MemoryHost::remove(std::string_view path) {
  const std::string target = walk(path, false).path;
  std::erase_if(
      nodes_, [&](const auto& node) { return node.first == target || node.first.starts_with(target + "/"); });
}

void MemoryHost::set_mode(std::string_view path, std::uint32_t mode) {
  staged_node(path).mode = mode;
}

void MemoryHost::set_owner(std::string_view path, std::uint32_t uid, std::uint32_t gid) {
  Node& node = staged_node(path);
  node.uid = uid;
  node.gid = gid;
}

void MemoryHost::set_xattr(std::string_view path, const std::string& name, std::string value) {
  staged_node(path).xattrs[name] = std::move(value);
}

void MemoryHost::set_mtime(std::string_view path, std::int64_t mtime_ns) {
  Node& node = staged_node(path);
  node.mtime_ns = node.ctime_ns = mtime_ns;
}

void MemoryHost::deny_read(std::string_view path, int error_number) {
  read_denials_[walk(path, true).path] = error_number;
}

void MemoryHost::deny_write(std::string_view path, int error_number) {
  write_denials_[walk(path, true).path] = error_number;
}

void MemoryHost::on_live_write(std::string_view path, LiveWrite answer) {
  live_writes_[walk(path, true).path] = std::move(answer);
}

void MemoryHost::select_on_write(std::string_view path) {
  on_live_write(path,
                [path = std::string(path)](MemoryHost& host, std::string_view value) -> LiveWriteResult {
                  std::string& bytes = host.staged_node(path).bytes;
                  if (value.ends_with('\n')) value.remove_suffix(1);
                  std::string line;
                  bool offered = false;
                  for (std::size_t at = 0; at < bytes.size();) {
                    const auto end = std::min(bytes.find_first_of(" \n", at), bytes.size());
                    std::string word = bytes.substr(at, end - at);
                    at = end + 1;
                    if (word.empty()) continue;
                    if (word.starts_with('[') && word.ends_with(']')) word = word.substr(1, word.size() - 2);
                    offered = offered || word == value;
                    line += (line.empty() ? "" : " ") + (word == value ? "[" + word + "]" : word);
                  }
                  if (!offered) return {EINVAL, false};
                  bytes = line + "\n";
                  return {};
                });
}

void MemoryHost::clamp_on_write(std::string_view path, std::int64_t low, std::int64_t high) {
  on_live_write(path, [path = std::string(path), low, high](MemoryHost& host, std::string_view value) {
    std::int64_t number = 0;
    if (std::from_chars(value.data(), value.data() + value.size(), number).ec != std::errc()) {
      return LiveWriteResult{EINVAL, false};
    }
    host.staged_node(path).bytes = std::to_string(std::clamp(number, low, high)) + "\n";
    return LiveWriteResult{};
  });
}

void MemoryHost::deny_live_write(std::string_view path, int error_number) {
  on_live_write(path, [error_number](MemoryHost&, std::string_view) {
    return LiveWriteResult{error_number, false};
  });
}

void MemoryHost::on_command(std::vector<std::string> prefix, CommandResult result) {
  on_command([prefix = std::move(prefix), result = std::move(result)](
                 MemoryHost&, const std::vector<std::string>& argv) -> std::optional<CommandResult> {
    if (argv.size() < prefix.size() || !std::equal(prefix.begin(), prefix.end(), argv.begin()))
      return std::nullopt;
    return result;
  });
}

void MemoryHost::on_command(Command answer) {
  commands_.push_back(std::move(answer));
}

void MemoryHost::fail_after(std::size_t n, int error_number, bool for_good) {
  fail_at_ = write_turn_ + n;
  fail_errno_ = error_number;
  fail_for_good_ = for_good;
}

void MemoryHost::die_after(std::size_t n, bool torn) {
  die_at_ = write_turn_ + n;
  torn_ = torn;
}

void MemoryHost::revive() {
  die_at_ = fail_at_ = 0;
  locks_.clear();
}

void MemoryHost::hold_lock(std::string_view path, std::string content) {
  add_file(path, std::move(content));
  locks_.insert(walk(path, true).path);
}

void MemoryHost::forget_records() {
  reads_.clear();
  writes_.clear();
}

const std::string& MemoryHost::bytes(std::string_view path) const {
  return nodes_.at(walk(path, true).path).bytes;
}

}  // namespace tunekeeper
