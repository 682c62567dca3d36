#include "host/memory_host.hpp"

#include <algorithm>
#include <cerrno>

namespace tunekeeper {

namespace {

constexpr std::int64_t tick_ns = 1'000'000;  // what the clock advances by at each write

std::string joined(const std::vector<std::string>& argv) {
  std::string text;
  for (const auto& word : argv) text += (text.empty() ? "" : " ") + word;
  return text;
}

bool is_below(std::string_view path, std::string_view folder) {
  return path == folder || folder == "/" ||
         (path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/');
}

PathStep::Kind step_kind(FileKind kind) {
  switch (kind) {
    case FileKind::directory:
      return PathStep::Kind::directory;
    case FileKind::symlink:
      return PathStep::Kind::link;
    default:
      return PathStep::Kind::other;
  }
}

}  // namespace

class MemoryHost::Lock : public HostLock {
 public:
  Lock(MemoryHost& host, std::string path) : host_(host), path_(std::move(path)) {}
  ~Lock() override { host_.locks_.erase(path_); }

 private:
  MemoryHost& host_;
  std::string path_;
};

MemoryHost::MemoryHost() : self_(*this) {
  make("/", FileKind::directory).mode = 0755;
}

WalkedPath MemoryHost::walk(std::string_view path, bool follow) const {
  return walk_path(path, follow, [this](const std::string& at) -> PathStep {
    const auto node = nodes_.find(at);
    if (node == nodes_.end()) return {};
    return {step_kind(node->second.kind), node->second.bytes};
  });
}

const MemoryHost::Node* MemoryHost::find(std::string_view path, bool follow) const {
  const auto at = walk(path, follow);
  if (at.error != 0) return nullptr;
  const auto node = nodes_.find(at.path);
  return node == nodes_.end() ? nullptr : &node->second;
}

MemoryHost::Node& MemoryHost::make(const std::string& canonical, FileKind kind) {
  auto [node, is_new] = nodes_.try_emplace(canonical);
  node->second.kind = kind;
  node->second.mtime_ns = node->second.ctime_ns = clock_ns_;
  if (is_new) node->second.inode = ++last_inode_;
  return node->second;
}

int MemoryHost::denied(const std::map<std::string, int>& rules, std::string_view path) const {
  for (const auto& [below, error] : rules) {
    if (is_below(path, below)) return error;
  }
  return 0;
}

ReadResult MemoryHost::read(std::string_view path, std::size_t limit) const {
  reads_.push_back("read " + std::string(path));
  const auto at = walk(path, true);
  if (at.error != 0) return {at.error, {}};
  const auto node = nodes_.find(at.path);
  if (node == nodes_.end()) return {ENOENT, {}};
  if (const int error = denied(read_denials_, at.path)) return {error, {}};
  if (node->second.kind == FileKind::directory) return {EISDIR, {}};
  return {0, node->second.bytes.substr(0, limit)};
}

std::optional<FileInfo> MemoryHost::info(std::string_view path, bool follow) const {
  reads_.push_back("info " + std::string(path));
  const Node* node = find(path, follow);
  if (node == nullptr) return std::nullopt;
  return FileInfo{node->kind,     node->mode,     node->uid, node->gid,  node->bytes.size(),
                  node->mtime_ns, node->ctime_ns, 1,         node->inode};
}

std::optional<std::string> MemoryHost::read_link(std::string_view path) const {
  reads_.push_back("link " + std::string(path));
  const Node* node = find(path, false);
  if (node == nullptr || node->kind != FileKind::symlink) return std::nullopt;
  return node->bytes;
}

std::vector<std::string> MemoryHost::list(std::string_view directory) const {
  reads_.push_back("list " + std::string(directory));
  const auto at = walk(directory, true);
  if (at.error != 0 || at.kind != PathStep::Kind::directory || denied(read_denials_, at.path) != 0) return {};
  const std::string prefix = at.path == "/" ? "/" : at.path + "/";
  std::vector<std::string> names;
  for (auto node = nodes_.upper_bound(prefix); node != nodes_.end() && node->first.starts_with(prefix);
       ++node) {
    auto name = node->first.substr(prefix.size());
    if (name.find('/') == std::string::npos) names.push_back(std::move(name));
  }
  return names;
}

std::string MemoryHost::resolve(std::string_view path) const {
  const auto at = walk(path, true);
  return at.error == 0 && at.kind != PathStep::Kind::absent ? at.path : std::string(path);
}

bool MemoryHost::is_staged(std::string_view path) const {
  const auto at = walk(path, true);
  if (at.error != 0 || at.kind == PathStep::Kind::absent) return false;
  return staged_ || !(is_below(at.path, "/proc") || is_below(at.path, "/sys"));
}

std::optional<std::uint64_t> MemoryHost::free_space(std::string_view path) const {
  return find(path) == nullptr ? std::nullopt : free_space_;
}

CommandResult MemoryHost::answer(const std::vector<std::string>& argv, const CommandOptions& options) {
  if (other_root_ && !options.in_root) return {-1, false, "", "refused: this host is another root"};
  for (auto command = commands_.rbegin(); command != commands_.rend(); ++command) {
    if (auto result = (*command)(*this, argv)) return *std::move(result);
  }
  return {-1, false, "",
          "cannot start " + (argv.empty() ? std::string() : argv[0]) + ": No such file or directory"};
}

CommandResult MemoryHost::probe(const std::vector<std::string>& argv, const CommandOptions& options) const {
  reads_.push_back("probe " + joined(argv));
  return self_.answer(argv, options);
}

CommandResult MemoryHost::run(const std::vector<std::string>& argv, const CommandOptions& options) {
  if (begin_write("run " + joined(argv), "") != 0) return {1, false, "", "failed as the test asked"};
  return answer(argv, options);
}

int MemoryHost::begin_write(const std::string& record, std::string_view path) {
  ++write_turn_;
  if (die_at_ != 0 && write_turn_ >= die_at_) throw HostDied();
  if (fail_at_ != 0 && (write_turn_ == fail_at_ || (fail_for_good_ && write_turn_ > fail_at_)))
    return fail_errno_;
  if (const int error = path.empty() ? 0 : denied(write_denials_, path)) return error;
  writes_.push_back(record);
  clock_ns_ += tick_ns;
  return 0;
}

void MemoryHost::require_write(const std::string& verb, const std::string& doing, std::string_view path) {
  if (const int error = begin_write(verb + " " + std::string(path), path))
    throw HostError(doing, path, error);
}

std::string MemoryHost::target_of(const std::string& doing, std::string_view path, bool follow) const {
  auto at = walk(path, follow);
  if (at.error != 0) throw HostError(doing, path, at.error);
  return std::move(at.path);
}

LiveWriteResult MemoryHost::write_live(std::string_view path, std::string_view value) {
  const auto at = walk(path, true);
  if (at.error != 0) return {at.error, false};
  if (at.kind != PathStep::Kind::other) return {at.kind == PathStep::Kind::absent ? ENOENT : EISDIR, false};
  const bool staged = is_staged(at.path);
  // sysfs refuses a file without write bits to root as well.
  if (!staged && (nodes_.at(at.path).mode & 0222) == 0) return {EACCES, false};
  if (const int error = begin_write("live " + at.path, at.path)) return {error, false};
  const auto hook = live_writes_.find(at.path);
  if (!staged && hook != live_writes_.end()) return hook->second(*this, value);
  if (staged || !value.empty()) make(at.path, FileKind::regular).bytes = std::string(value) + "\n";
  return {};
}

FileImage MemoryHost::image(std::string_view path, bool follow) const {
  const auto at = walk(path, follow);
  if (at.error == ENOENT || at.error == ENOTDIR) return {};
  if (at.error != 0) throw HostError("read", path, at.error);
  const auto found = nodes_.find(at.path);
  if (found == nodes_.end()) return {};
  if (const int error = denied(read_denials_, at.path)) throw HostError("read", path, error);
  const Node& node = found->second;
  if (node.kind == FileKind::directory) throw HostError("read", path, EISDIR);
  if (node.kind == FileKind::symlink) return link_image(node.bytes, node.uid, node.gid);
  return {false, node.bytes, node.mode, node.uid, node.gid, node.xattrs};
}

void MemoryHost::put(std::string_view path, const FileImage& image, bool follow) {
  if (image.absent) {
    const auto at = walk(path, follow);
    const auto node = nodes_.find(at.path);
    if (at.error != 0 || node == nodes_.end()) return;
    if (node->second.kind == FileKind::directory) throw HostError("remove", path, EISDIR);
    require_write("remove", "remove", at.path);
    nodes_.erase(node);
    return;
  }
  const std::string target = target_of("write", path, follow);
  const auto present = nodes_.find(target);
  if (present != nodes_.end() && present->second.kind == FileKind::directory)
    throw HostError("write", path, EISDIR);
  require_write("put", "write", target);
  if (present != nodes_.end()) nodes_.erase(present);
  Node& node = make(target, image.is_link ? FileKind::symlink : FileKind::regular);
  node.bytes = image.bytes;
  node.mode = image.mode;
  node.uid = image.uid;
  node.gid = image.gid;
  node.xattrs = image.xattrs;
}

void MemoryHost::make_directory(std::string_view path, std::uint32_t mode) {
  const auto at = walk(path, true);
  if (at.error == 0 && at.kind == PathStep::Kind::directory) return;
  if (at.error == 0 && at.kind == PathStep::Kind::other) throw HostError("create", path, EEXIST);
  if (at.error != 0 && at.error != ENOENT) throw HostError("create", path, at.error);
  const std::string parent = parent_path(path);
  make_directory(parent, mode);
  const std::string target = target_of("create", path);
  require_write("mkdir", "create", target);
  make(target, FileKind::directory).mode = mode;
}

void MemoryHost::remove_directory(std::string_view path) {
  const auto at = walk(path, false);
  if (at.error != 0 || at.kind == PathStep::Kind::absent) return;
  if (at.kind != PathStep::Kind::directory) throw HostError("remove", path, ENOTDIR);
  const auto next = nodes_.upper_bound(at.path + "/");
  if (next != nodes_.end() && next->first.starts_with(at.path + "/")) return;
  require_write("rmdir", "remove", at.path);
  nodes_.erase(at.path);
}

void MemoryHost::append_durably(std::string_view path, std::string_view bytes) {
  const std::string target = target_of("append to", path);
  const auto present = nodes_.find(target);
  if (present != nodes_.end() && present->second.kind == FileKind::directory)
    throw HostError("append to", path, EISDIR);
  const bool is_new = present == nodes_.end();
  const bool dies_torn = torn_ && die_at_ != 0 && write_turn_ + 1 == die_at_;
  if (!dies_torn) require_write("append", "append to", target);
  Node& node = make(target, FileKind::regular);
  if (is_new) node.mode = 0600;
  node.bytes += bytes.substr(0, dies_torn ? bytes.size() / 2 : bytes.size());
  if (dies_torn) require_write("append", "append to", target);
}

std::unique_ptr<HostLock> MemoryHost::lock(std::string_view path, std::string_view content) {
  const std::string target = target_of("lock", path);
  if (const int error = denied(write_denials_, target)) throw HostError("lock", path, error);
  if (!locks_.insert(target).second) return nullptr;
  Node& node = make(target, FileKind::regular);
  node.bytes = content;
  return std::make_unique<Lock>(*this, target);
}

}  // namespace tunekeeper
