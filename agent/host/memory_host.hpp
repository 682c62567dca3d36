#pragma once

#include <functional>
#include <set>

#include "host/host.hpp"
#include "host/path_walk.hpp"

namespace tunekeeper {

/// The process ended at a write (power cut, SIGKILL). No std::exception, so that nothing handles it by
/// chance.
struct HostDied {};

/// The host in memory, for tests: files, kernel values that answer as kernels do, scripted commands, failures
/// at will, and a record of what was read and written.
class MemoryHost : public Host {
 public:
  using LiveWrite = std::function<LiveWriteResult(MemoryHost&, std::string_view value)>;
  using Command =
      std::function<std::optional<CommandResult>(MemoryHost&, const std::vector<std::string>& argv)>;

  MemoryHost();

  // Staging. Missing parents are made; none of this is recorded or counted.
  void add_file(std::string_view path, std::string bytes, std::uint32_t mode = 0644);
  void add_symlink(std::string_view path, std::string target);
  void add_directory(std::string_view path, std::uint32_t mode = 0755);
  void remove(std::string_view path);
  void set_mode(std::string_view path, std::uint32_t mode);
  void set_owner(std::string_view path, std::uint32_t uid, std::uint32_t gid);
  void set_xattr(std::string_view path, const std::string& name, std::string value);
  void set_mtime(std::string_view path, std::int64_t mtime_ns);
  void set_other_root(bool other) { other_root_ = other; }
  /// Whether files below /proc and /sys are ordinary ones. All other files always are.
  void set_staged(bool staged) { staged_ = staged; }
  void set_free_space(std::optional<std::uint64_t> bytes) { free_space_ = bytes; }
  /// Reads of this path answer errno.
  void deny_read(std::string_view path, int error_number);
  /// Writes at or below this path answer errno, for good: EROFS, EACCES.
  void deny_write(std::string_view path, int error_number);

  // The kernel's answers. Without a hook a write replaces the content by the value and one newline.
  void on_live_write(std::string_view path, LiveWrite answer);
  /// `always [madvise] never`: a word on offer gets the brackets, any other is EINVAL.
  void select_on_write(std::string_view path);
  /// A number outside low..high becomes the nearer bound.
  void clamp_on_write(std::string_view path, std::int64_t low, std::int64_t high);
  void deny_live_write(std::string_view path, int error_number);

  // Commands. The one scripted last is asked first; what none answers cannot be started.
  void on_command(std::vector<std::string> prefix, CommandResult result);
  void on_command(Command answer);

  // Failures. Writes count from 1 for the next one.
  /// The n-th write from now fails with errno, and each one after it when `for_good`.
  void fail_after(std::size_t n, int error_number, bool for_good = false);
  /// The n-th write from now throws HostDied instead of writing, and so does every later one. A torn append
  /// leaves the first half of its bytes.
  void die_after(std::size_t n, bool torn = false);
  /// A new process starts on this host: writes work again, locks of the dead one are gone.
  void revive();
  /// Another process holds this lock, until revive().
  void hold_lock(std::string_view path, std::string content);

  // Records, in order: "read /etc/x", "info …", "list …", "link …", "probe nginx -t" and
  // "put /etc/x", "remove …", "live /sys/x", "mkdir …", "rmdir …", "append …", "run nginx -s reload".
  const std::vector<std::string>& reads() const { return reads_; }
  const std::vector<std::string>& writes() const { return writes_; }
  std::size_t write_count() const { return writes_.size(); }
  void forget_records();

  /// The bytes of a file, unrecorded; throws std::out_of_range when there is none.
  const std::string& bytes(std::string_view path) const;

  ReadResult read(std::string_view path, std::size_t limit = SIZE_MAX) const override;
  std::optional<FileInfo> info(std::string_view path, bool follow = true) const override;
  std::optional<std::string> read_link(std::string_view path) const override;
  std::vector<std::string> list(std::string_view directory) const override;
  std::string resolve(std::string_view path) const override;
  bool is_staged(std::string_view path) const override;
  bool is_other_root() const override { return other_root_; }
  std::optional<std::uint64_t> free_space(std::string_view path) const override;
  CommandResult probe(const std::vector<std::string>& argv,
                      const CommandOptions& options = {}) const override;

  LiveWriteResult write_live(std::string_view path, std::string_view value) override;
  FileImage image(std::string_view path, bool follow = true) const override;
  void put(std::string_view path, const FileImage& image, bool follow = true) override;
  void make_directory(std::string_view path, std::uint32_t mode = 0755) override;
  void remove_directory(std::string_view path) override;
  void append_durably(std::string_view path, std::string_view bytes) override;
  std::unique_ptr<HostLock> lock(std::string_view path, std::string_view content) override;
  CommandResult run(const std::vector<std::string>& argv, const CommandOptions& options = {}) override;

 private:
  struct Node {
    FileKind kind = FileKind::regular;
    std::string bytes;  ///< content, or a link's target
    std::uint32_t mode = 0644;
    std::uint32_t uid = 0;
    std::uint32_t gid = 0;
    std::map<std::string, std::string> xattrs;
    std::int64_t mtime_ns = 0;
    std::int64_t ctime_ns = 0;
    std::uint64_t inode = 0;
  };

  class Lock;

  WalkedPath walk(std::string_view path, bool follow) const;
  const Node* find(std::string_view path, bool follow = true) const;
  Node& make(const std::string& canonical, FileKind kind);
  Node& staged_node(std::string_view path);
  int denied(const std::map<std::string, int>& rules, std::string_view path) const;
  /// Records one write, and fails or dies when its turn has come; the errno, 0 when it may go on.
  int begin_write(const std::string& record, std::string_view path);
  void require_write(const std::string& verb, const std::string& doing, std::string_view path);
  /// Where a write of this path lands; throws HostError when a parent is missing.
  std::string target_of(const std::string& doing, std::string_view path, bool follow = true) const;
  CommandResult answer(const std::vector<std::string>& argv, const CommandOptions& options);

  MemoryHost& self_;  ///< scripted commands may change the host also when a const probe asks them
  std::map<std::string, Node, std::less<>> nodes_;  ///< by canonical path
  std::map<std::string, LiveWrite, std::less<>> live_writes_;
  std::vector<Command> commands_;
  std::map<std::string, int> read_denials_;
  std::map<std::string, int> write_denials_;
  std::set<std::string, std::less<>> locks_;
  std::optional<std::uint64_t> free_space_ = std::uint64_t{64} << 30;
  bool other_root_ = false;
  bool staged_ = false;

  std::size_t fail_at_ = 0;  ///< in writes from the start; 0: never
  int fail_errno_ = 0;
  bool fail_for_good_ = false;
  std::size_t die_at_ = 0;
  bool torn_ = false;
  std::size_t write_turn_ = 0;

  mutable std::vector<std::string> reads_;
  std::vector<std::string> writes_;
  std::int64_t clock_ns_ = 1'700'000'000'000'000'000;
  std::uint64_t last_inode_ = 1;
};

}  // namespace tunekeeper
