#include "faults/bench.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace tunekeeper::faults {
namespace {

namespace fs = std::filesystem;

/// Calls that change a disk. `write` and the opens are looked at more closely.
const std::string kWriteCalls =
    "openat,openat2,creat,write,writev,pwrite64,pwritev,copy_file_range,sendfile,rename,renameat,renameat2,"
    "unlink,unlinkat,rmdir,mkdir,mkdirat,link,linkat,symlink,symlinkat,truncate,ftruncate,fallocate,fsync,"
    "fdatasync,syncfs,chmod,fchmod,fchmodat,chown,fchown,lchown,fchownat,setxattr,fsetxattr,removexattr,"
    "fremovexattr,utimensat";

constexpr const char* kFirstProfile = R"(summary: a small database and web host
grub:
  transparent_hugepage: never
sysfs:
  kernel/mm/transparent_hugepage/enabled: never
sysctl:
  vm.swappiness: 1
  vm.dirty_ratio: 15
mysql:
  max_connections: 500
  innodb_flush_method: O_DIRECT
nginx:
  http: { keepalive_timeout: 75 }
)";

constexpr const char* kSecondProfile = R"(summary: the same host, later
grub:
  transparent_hugepage: madvise
sysctl:
  vm.swappiness: 5
  vm.dirty_ratio: 15
  fs.file-max: 900000
mysql:
  max_connections: 900
nginx:
  http: { keepalive_timeout: 30 }
)";

std::string slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

void spill(const fs::path& path, const std::string& bytes) {
  fs::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
  fs::permissions(path, fs::perms(0644));
}

void require_ok(const std::vector<std::string>& argv) {
  const CommandResult result = run_command(argv, {});
  if (!result.ok()) throw std::runtime_error(argv.front() + ": " + result.err);
}

std::string attributes(const fs::path& path) {
  std::array<char, 4096> names{};
  std::array<char, 4096> value{};
  std::string text;
  const ssize_t length = llistxattr(path.c_str(), names.data(), names.size());
  for (const char* name = names.data(); name < names.data() + length; name += std::string(name).size() + 1) {
    const ssize_t size = lgetxattr(path.c_str(), name, value.data(), value.size());
    text += fmt::format(" {}={}:", name, size);
    if (size > 0) text += std::string(value.data(), static_cast<std::size_t>(size));
  }
  return text;
}

/// Without the time in a record, which is another in each run.
std::string timeless(const std::string& bytes) {
  static const std::regex time(R"("time": *("[^"]*"|[0-9]+))");
  return std::regex_replace(bytes, time, "\"time\": 0");
}

/// What a kernel value's file says: of "always [madvise] never" the selected word, for that is what is
/// restored.
std::string value_of(const std::string& bytes) {
  const auto open = bytes.find('[');
  const auto close = bytes.find(']');
  return open == std::string::npos || close == std::string::npos
             ? bytes
             : bytes.substr(open + 1, close - open - 1) + "\n";
}

bool is_kernel_value(const std::string& path) {
  return path.starts_with("/proc/") || path.starts_with("/sys/");
}

bool is_own(const std::string& path) {
  for (const char* folder : {"/run", "/var/lib/tunekeeper", "/etc/.git", "/etc/.etckeeper"}) {
    if (path == folder || path.starts_with(std::string(folder) + "/")) return true;
  }
  return false;
}

bool opens_for_writing(const std::string& line) {
  for (const char* flag : {"O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"}) {
    if (line.find(flag) != std::string::npos) return true;
  }
  return false;
}

/// Printing is no write to the disk.
bool prints(const std::string& name, const std::string& arguments) {
  return (name == "write" || name == "writev") &&
         (arguments.starts_with("1<") || arguments.starts_with("2<"));
}

/// Sanitizers' leak check and strace both want to be the tracer.
std::string sanitizer_setting() {
  const char* given = std::getenv("ASAN_OPTIONS");
  return fmt::format("ASAN_OPTIONS={}:detect_leaks=0", given == nullptr ? "" : given);
}

}  // namespace

FaultBench::FaultBench() {
  make_host();
  make_profiles();
  keep();
}

void FaultBench::make_host() const {
  write("/etc/hostname", "db01\n");
  write("/etc/os-release", "ID=debian\nVERSION_ID=\"12\"\nVERSION_CODENAME=bookworm\n");
  write("/etc/default/grub",
        "GRUB_DEFAULT=0\nGRUB_CMDLINE_LINUX_DEFAULT=\"quiet\"\nGRUB_CMDLINE_LINUX=\"\"\n");
  write("/etc/default/grub.d/.keep", "");
  write("/boot/grub/grub.cfg",
        "set default=\"0\"\nmenuentry 'Debian' --class debian $menuentry_id_option 'gnulinux-simple-1' {\n"
        "\tlinux\t/boot/vmlinuz-6.1.0-37-amd64 root=UUID=1 ro quiet\n}\n");
  write("/etc/sysctl.d/local.conf", "# by hand\r\nvm.swappiness = 10\r\n");
  write("/etc/sysctl.d/zzz-last.conf", "# the house's\nvm.dirty_ratio=20");
  write("/etc/mysql/my.cnf", "[client-server]\n!includedir /etc/mysql/mariadb.conf.d/\n");
  write("/etc/mysql/mariadb.conf.d/50-server.cnf", "[mysqld]\nmax_connections = 100\nuser = mysql\n");
  write("/srv/nginx.conf",
        "worker_processes 2;\nevents { worker_connections 768; }\nhttp {\n\tkeepalive_timeout 65;  # long\n"
        "\tinclude /etc/nginx/conf.d/*.conf;\n}\n");
  fs::create_directories(tree() + "/etc/nginx/conf.d");
  fs::create_symlink("../../srv/nginx.conf", tree() + "/etc/nginx/nginx.conf");
  fs::permissions(tree() + "/srv/nginx.conf", fs::perms(0640));
  fs::permissions(tree() + "/etc/sysctl.d/zzz-last.conf", fs::perms(0604));
  setxattr((tree() + "/srv/nginx.conf").c_str(), "user.origin", "house", 5, 0);
  if (geteuid() == 0 && chown((tree() + "/srv/nginx.conf").c_str(), 33, 34) != 0)
    throw std::runtime_error("chown");
  write("/etc/ssl/key.pem", "the house's key\n");
  fs::permissions(tree() + "/etc/ssl/key.pem", fs::perms(0600));
  write("/proc/cmdline", "BOOT_IMAGE=/boot/vmlinuz-6.1.0-37-amd64 root=UUID=1 ro quiet\n");
  write("/proc/meminfo", "MemTotal:       16777216 kB\nMemAvailable:   15000000 kB\n");
  write("/proc/stat", "cpu 1 2 3 4\nbtime 1700000000\n");
  write("/proc/sys/vm/swappiness", "60\n");
  write("/proc/sys/vm/dirty_ratio", "20\n");
  write("/proc/sys/fs/file-max", "700000\n");
  write("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  fs::create_directories(tree() + "/var/lib");
}

void FaultBench::make_profiles() const {
  spill(folder_.inside("/first/db.yaml"), kFirstProfile);
  spill(folder_.inside("/second/db.yaml"), kSecondProfile);
}

void FaultBench::edit_by_hand() const {
  fs::remove(tree() + "/etc/nginx/nginx.conf");
  write("/etc/nginx/nginx.conf", "events {}\n");
  fs::remove(tree() + "/etc/ssl/key.pem");
  fs::permissions(tree() + "/etc/sysctl.d/zzz-last.conf", fs::perms(0666));
  write("/etc/sysctl.d/local.conf", "vm.swappiness = 80\n");
}

void FaultBench::pack_at_each_commit() const {
  require_ok({"git", "-C", tree() + "/etc", "config", "gc.auto", "1"});
}

std::string FaultBench::tree() const {
  return folder_.inside("/tree");
}

void FaultBench::write(const std::string& path, const std::string& bytes) const {
  spill(tree() + path, bytes);
}

std::string FaultBench::read(const std::string& path) const {
  return slurp(tree() + path);
}

bool FaultBench::exists(const std::string& path) const {
  return fs::exists(tree() + path);
}

void FaultBench::keep() const {
  fs::remove_all(folder_.inside("/kept"));
  require_ok({"cp", "-a", tree(), folder_.inside("/kept")});
}

void FaultBench::reset() const {
  fs::remove_all(tree());
  require_ok({"cp", "-a", folder_.inside("/kept"), tree()});
}

std::vector<std::string> FaultBench::command(const std::vector<std::string>& words) const {
  std::string profiles = folder_.inside("/first");
  std::vector<std::string> argv = {TUNEKEEPER_PROGRAM, "--root", tree(), "--profile-path", profiles};
  for (const std::string& word : words) {
    if (word == "@second") {
      argv[4] = folder_.inside("/second");
    } else {
      argv.push_back(word);
    }
  }
  return argv;
}

std::vector<std::string> FaultBench::under_mounts(std::vector<std::string> argv) const {
  if (mounted_.empty()) return argv;
  const std::string mount = fmt::format("mount --bind {0} {0} && exec \"$@\"", tree() + mounted_);
  std::vector<std::string> all = {"unshare", geteuid() == 0 ? "-m" : "-rm", "sh", "-c", mount, "sh"};
  all.insert(all.end(), argv.begin(), argv.end());
  return all;
}

CommandResult FaultBench::run(const std::vector<std::string>& words) const {
  return run_command(under_mounts(command(words)), {});
}

Outcome FaultBench::run_with(const std::vector<std::string>& words, const WriteCall& call,
                             const Fault& fault) const {
  const std::string log = folder_.inside("/log");
  fs::remove(log);
  const bool sends = fault.what.starts_with("signal=");
  std::vector<std::string> argv = {
      "env", sanitizer_setting(), "strace", "-f",
      // Three times as fast, but strace 6.1 then sends no signals.
      sends ? "-y" : "--seccomp-bpf", "-qq", "-o", log, "-e", "trace=" + call.name, "-e",
      fmt::format("inject={}:{}:when={}{}", call.name, fault.what, call.nth, fault.stays ? "+" : "")};
  for (std::string& word : command(words)) argv.push_back(std::move(word));
  Outcome outcome{run_command(under_mounts(argv), {}), false};
  const std::string seen = slurp(log);
  outcome.struck = seen.find(sends ? "SIG" + fault.what.substr(7) : "INJECTED") != std::string::npos;
  return outcome;
}

std::vector<WriteCall> FaultBench::write_calls(const std::vector<std::string>& words) const {
  const std::string log = folder_.inside("/log");
  std::vector<std::string> argv = {"env", sanitizer_setting(),   "strace", "-f", "-y", "-qq", "-o", log,
                                   "-e",  "trace=" + kWriteCalls};
  for (std::string& word : command(words)) argv.push_back(std::move(word));
  const CommandResult result = run_command(under_mounts(argv), {});
  if (!result.ok()) throw std::runtime_error("the undisturbed run fails: " + result.err);
  static const std::regex shape(R"(^[0-9]+ +([a-z0-9_]+)\((.*)$)");
  std::vector<WriteCall> calls;
  std::map<std::string, int> count;
  std::istringstream lines(slurp(log));
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (!std::regex_match(line, match, shape)) continue;
    const std::string name = match[1];
    const int nth = ++count[name];
    if (name.starts_with("openat") && !opens_for_writing(line)) continue;
    if (!prints(name, match[2])) calls.push_back({name, nth, line.substr(0, 200)});
  }
  return calls;
}

Tree FaultBench::state() const {
  Tree found;
  for (auto entry = fs::recursive_directory_iterator(tree()); entry != fs::recursive_directory_iterator();
       ++entry) {
    const std::string path = entry->path().string().substr(tree().size());
    if (is_own(path)) {
      entry.disable_recursion_pending();
      continue;
    }
    struct stat status {};
    if (lstat(entry->path().c_str(), &status) != 0) throw std::runtime_error("lstat " + path);
    std::string& text = found[path];
    text = fmt::format("{:o} {}:{}{}\n", status.st_mode, status.st_uid, status.st_gid,
                       attributes(entry->path()));
    if (S_ISLNK(status.st_mode)) text += fs::read_symlink(entry->path()).string();
    const std::string bytes = S_ISREG(status.st_mode) ? slurp(entry->path()) : std::string();
    text += is_kernel_value(path) ? value_of(bytes) : timeless(bytes);
  }
  found["(hold)"] = exists("/var/lib/tunekeeper/hold") ? "set" : "none";
  return found;
}

bool FaultBench::has_journal() const {
  return exists("/var/lib/tunekeeper/journal");
}

std::string FaultBench::unfinished() const {
  const CommandResult result = run({"status", "--json"});
  if (!result.ok()) throw std::runtime_error("status fails: " + result.err);
  const auto json = nlohmann::json::parse(result.out);
  return json.at("unfinished").is_null() ? "" : json.at("unfinished").get<std::string>();
}

std::string FaultBench::repository_faults() const {
  if (!exists("/etc/.git")) return {};
  const CommandResult result =
      run_command({"git", "-C", tree() + "/etc", "fsck", "--full", "--no-dangling", "--no-progress"}, {});
  return result.ok() ? std::string() : result.out + result.err;
}

std::string difference(const Tree& one, const Tree& other) {
  std::string text;
  for (const auto& [path, content] : one) {
    const auto same = other.find(path);
    if (same == other.end()) text += path + " is missing\n";
    if (same != other.end() && same->second != content)
      text += fmt::format("{}:\n  {}\n  {}\n", path, content, same->second);
  }
  for (const auto& [path, content] : other) {
    if (!one.contains(path)) text += path + " is there\n";
  }
  return text;
}

}  // namespace tunekeeper::faults
