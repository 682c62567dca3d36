#include "cli/bench.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/golden.hpp"

namespace tunekeeper::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kProfile = R"(summary: a small database host
vars: { swappiness: 1 }
grub:
  transparent_hugepage: never
sysfs:
  kernel/mm/transparent_hugepage/enabled:
    value: never
    why: Huge pages cost a database stalls.
    source: https://docs.kernel.org/admin-guide/mm/transhuge.html
sysctl:
  vm.swappiness: { value: "${ vars.swappiness }", why: Keep the buffer pool resident. }
  fs.file-max: { at_least: 500000 }
  vm.no_such_key: 1
mysql:
  max_connections: 500
  innodb_flush_method: O_DIRECT
)";

constexpr const char* kGrubCfg = R"(set default="0"
menuentry 'Debian GNU/Linux' --class debian $menuentry_id_option 'gnulinux-simple-1' {
	linux	/boot/vmlinuz-6.1.0-37-amd64 root=UUID=1 ro quiet
	initrd	/boot/initrd.img-6.1.0-37-amd64
}
)";

/// What a build with sanitizers is told, for run_command passes no environment on. LeakSanitizer cannot work
/// under strace: both want to be the tracer.
std::vector<std::string> sanitizer_settings(const std::vector<std::string>& prefix) {
  const bool traced = std::find(prefix.begin(), prefix.end(), "strace") != prefix.end();
  std::vector<std::string> settings;
  for (const std::string name : {"ASAN_OPTIONS", "LSAN_OPTIONS", "UBSAN_OPTIONS"}) {
    const char* given = std::getenv(name.c_str());
    std::string value = given == nullptr ? "" : given;
    if (traced && name == "ASAN_OPTIONS") value += ":detect_leaks=0";
    if (!value.empty()) settings.push_back(name + "=" + value);
  }
  return settings;
}

}  // namespace

CliBench::CliBench() {
  write("/etc/hostname", "db01\n");
  write("/etc/os-release", "ID=debian\nVERSION_ID=\"12\"\nVERSION_CODENAME=bookworm\n");
  write("/etc/default/grub",
        "GRUB_DEFAULT=0\nGRUB_CMDLINE_LINUX_DEFAULT=\"quiet\"\nGRUB_CMDLINE_LINUX=\"\"\n");
  write("/etc/default/grub.d/.keep", "");
  write("/boot/grub/grub.cfg", kGrubCfg);
  write("/etc/sysctl.d/local.conf", "# by hand\nvm.swappiness = 10\n");
  write("/etc/tmpfiles.d/.keep", "");
  write("/etc/mysql/my.cnf", "[client-server]\n!includedir /etc/mysql/mariadb.conf.d/\n");
  write("/etc/mysql/mariadb.conf.d/50-server.cnf", "[mysqld]\nmax_connections = 100\nuser = mysql\n");
  write("/proc/cmdline", "BOOT_IMAGE=/boot/vmlinuz-6.1.0-37-amd64 root=UUID=1 ro quiet\n");
  write("/proc/meminfo", "MemTotal:       16777216 kB\nMemAvailable:   15000000 kB\n");
  write("/proc/stat", "cpu 1 2 3 4\nbtime 1700000000\n");
  write("/proc/sys/vm/swappiness", "60\n");
  write("/proc/sys/fs/file-max", "9223372036854775807\n");
  write("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  write_profile("db", kProfile);
}

std::string CliBench::tree() const {
  return (fs::path(folder_.path()) / "tree").string();
}
std::string CliBench::profiles() const {
  return (fs::path(folder_.path()) / "profiles").string();
}

void CliBench::write(const std::string& path, const std::string& bytes) const {
  const fs::path full = tree() + path;
  fs::create_directories(full.parent_path());
  std::ofstream(full, std::ios::binary) << bytes;
  fs::permissions(full, fs::perms(0644));
}

void CliBench::append(const std::string& path, const std::string& bytes) const {
  std::ofstream(tree() + path, std::ios::binary | std::ios::app) << bytes;
}

std::string CliBench::read(const std::string& path) const {
  std::ifstream file(tree() + path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

bool CliBench::exists(const std::string& path) const {
  return fs::exists(tree() + path);
}

void CliBench::write_profile(const std::string& name, const std::string& yaml) const {
  fs::create_directories(profiles());
  const fs::path path = fs::path(profiles()) / (name + ".yaml");
  std::ofstream(path, std::ios::binary) << yaml;
  fs::permissions(path, fs::perms(0644));
}

CommandResult CliBench::run_under(const std::vector<std::string>& prefix,
                                  const std::vector<std::string>& words) const {
  std::vector<std::string> argv = {"env"};
  const std::vector<std::string> settings = sanitizer_settings(prefix);
  argv.insert(argv.end(), settings.begin(), settings.end());
  argv.insert(argv.end(), prefix.begin(), prefix.end());
  argv.insert(argv.end(), {TUNEKEEPER_PROGRAM, "--root", tree(), "--profile-path", profiles()});
  argv.insert(argv.end(), words.begin(), words.end());
  return run_command(argv, {});
}

CommandResult CliBench::run(const std::vector<std::string>& words,
                            const std::vector<std::string>& environment) const {
  return run_under(environment, words);
}

std::vector<std::pair<std::string, std::string>> CliBench::state() const {
  std::vector<std::pair<std::string, std::string>> files;
  for (const auto& entry : fs::recursive_directory_iterator(tree())) {
    const std::string path = entry.path().string().substr(tree().size());
    if (path.find("/.git/") != std::string::npos || path.find("/tunekeeper/") != std::string::npos) continue;
    if (path == "/etc/.etckeeper") continue;
    if (entry.is_regular_file()) files.emplace_back(path, read(path));
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string page(const CliBench& bench, const CommandResult& result) {
  std::string text = "exit " + std::to_string(result.status) + "\n" + result.out;
  if (!result.err.empty()) text += "--- standard error\n" + result.err;
  const std::string folder = bench.tree().substr(0, bench.tree().rfind('/'));
  return normalised(normalised(text, bench.tree()), folder);
}

}  // namespace tunekeeper::test
