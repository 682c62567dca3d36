#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/places.hpp"
#include "engine/apply.hpp"
#include "engine/generations.hpp"
#include "engine/hold.hpp"
#include "engine/rollback.hpp"
#include "engine/transaction.hpp"
#include "host/bus/memory_bus.hpp"
#include "host/memory_host.hpp"
#include "snapshot/memory_snapshot.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

namespace tunekeeper::test {

inline const std::string kHeader =
    "# Written by tunekeeper from its profiles; changes to managed lines are reported as drift.\n";
inline const std::string kSwappiness = "/proc/sys/vm/swappiness";
inline const std::string kDirtyRatio = "/proc/sys/vm/dirty_ratio";
inline const std::string kHugePages = "/sys/kernel/mm/transparent_hugepage/enabled";
inline const std::string kSysctlDropIn = "/etc/sysctl.d/zz-tunekeeper.conf";
inline const std::string kSysctlLocal = "/etc/sysctl.d/zzz-local.conf";
inline const std::string kTmpfilesDropIn = "/etc/tmpfiles.d/zz-tunekeeper.conf";
inline const std::string kMysqlDropIn = "/etc/mysql/mariadb.conf.d/zz-tunekeeper.cnf";
inline const std::string kNginx = "/etc/nginx/nginx.conf";
inline const std::string kUnitDropIn = "/etc/systemd/system/mariadb.service.d/zz-tunekeeper.conf";
inline const std::string kGrubMenu = "/boot/grub/grub.cfg";
inline const std::string kGrubDropIn = "/etc/default/grub.d/zz-tunekeeper.cfg";

/// A person who answers as told, and remembers what was asked and said.
class ToldDialogue : public Dialogue {
 public:
  bool plan = true;
  bool question = true;
  bool end_of_hold = false;
  std::vector<std::string> questions;
  std::vector<std::string> told;
  int plans = 0;

  bool confirm_plan(const Plan&) override { return ++plans, plan; }
  bool confirm(const std::string& asked) override { return questions.push_back(asked), question; }
  bool confirm_end_of_hold(const std::string& hold) override {
    return questions.push_back(hold), end_of_hold;
  }
  void tell(const std::string& note) override { told.push_back(note); }
};

/// /etc's history in memory, whose next commits can be made to fail, or to be the last thing a process does.
class MoodySnapshot : public MemorySnapshot {
 public:
  using MemorySnapshot::MemorySnapshot;

  int fail_at = 0;       ///< the n-th commit from now; 0: none
  int die_after_at = 0;  ///< the process ends right after the n-th commit from now

  std::optional<std::string> commit(const CommitMessage& message,
                                    const std::vector<std::string>& paths = {}) override {
    if (fail_at != 0 && --fail_at == 0) throw Error("git: no space left");
    auto made = MemorySnapshot::commit(message, paths);
    if (die_after_at != 0 && --die_after_at == 0) throw HostDied();
    return made;
  }
};

inline Desired want(const std::string& id, std::vector<std::string> path, const std::string& value,
                    const std::string& profile = "tuned") {
  Desired wish;
  wish.id = id;
  wish.path = std::move(path);
  wish.value = Value::of(value);
  wish.profile = profile;
  return wish;
}
inline Desired sysctl(const std::string& key, const std::string& value,
                      const std::string& profile = "tuned") {
  return want("sysctl:" + key, {key}, value, profile);
}
inline Desired mysql(const std::string& key, const std::string& value, const std::string& profile = "tuned") {
  return want("mysql:" + key, {key}, value, profile);
}
inline Desired http(const std::string& key, const std::string& value) {
  return want("nginx:http." + key, {"http", key}, value);
}
inline Desired huge_pages(const std::string& value) {
  const std::string key = "kernel/mm/transparent_hugepage/enabled";
  return want("sysfs:" + key, {key}, value);
}
inline Desired kernel_token(const std::string& key, const std::string& value) {
  return want("grub:" + key, {key}, value);
}
inline Desired service_key(const std::string& key, const std::string& value) {
  return want("unit:mariadb.service:Service." + key, {"mariadb.service", "Service", key}, value);
}

/// A small Debian-like host in memory with every real provider on it, and runs of the engine over it.
struct EngineBench {
  MemoryHost host;
  StatedFacts facts;
  MoodySnapshot snapshot{host};
  ToldDialogue dialogue;
  MemoryBus bus;                       ///< no unit is active unless a test says so
  std::int64_t clock = 1'767'225'600;  // 2026-01-01T00:00:00Z
  int interrupt_after = -1;            ///< questions whether a signal came that are answered with no

  EngineBench() {
    facts.set("os.id", std::string("debian")).set("memory.total", std::int64_t{64} << 30);
    facts.set("mysql.flavor", std::string("mariadb")).set("mysql.version", std::string("10.11.19"));
    facts.set("mysql.unit", std::string("mariadb.service")).set("memory.hugepages", std::int64_t{0});
    stage_kernel();
    stage_servers();
    stage_grub();
    for (const char* folder :
         {"/var/lib", "/run", "/run/systemd/system", "/etc/systemd/system", "/etc/tmpfiles.d"})
      host.add_directory(folder);
    host.on_command({"systemctl"}, {0, false, "", ""});
    host.on_command({"nginx", "-t"}, {0, false, "", ""});
  }

  /// nginx serves, since long ago; a reload gives it new workers.
  void run_nginx() {
    host.add_file("/run/nginx.pid", "100\n");
    host.add_file("/proc/100/cmdline", "nginx: master process /usr/sbin/nginx");
    host.add_file("/proc/100/task/100/children", "101 ");
    host.add_file("/sys/devices/system/cpu/online", "0-1\n");
    host.add_file("/proc/101/cmdline", "nginx: worker process");
    start_worker(1);
    host.on_command(
        [this](MemoryHost&, const std::vector<std::string>& argv) -> std::optional<CommandResult> {
          if (argv != std::vector<std::string>{"systemctl", "reload", "nginx.service"}) return std::nullopt;
          start_worker(300'000'000);
          return CommandResult{0, false, "", ""};
        });
  }

  Session session(const std::string& verb) {
    return {.host = host,
            .context = {host, facts, &bus, nullptr},
            .snapshot = snapshot,
            .now = [this] { return clock++; },
            .interrupted = [this] { return interrupt_after >= 0 && interrupt_after-- == 0; },
            .verb = verb};
  }

  /// host.yaml's set is the profile "tuned", and these are its wishes.
  static Wishes whole(std::vector<Desired> desired) {
    return {.profiles = {"tuned"},
            .whole = true,
            .host_profiles = {"tuned"},
            .desired = std::move(desired),
            .undecided = {}};
  }
  /// A profile that a person names.
  static Wishes named(const std::string& profile, std::vector<Desired> desired) {
    return {.profiles = {profile},
            .whole = false,
            .host_profiles = {"tuned"},
            .desired = std::move(desired),
            .undecided = {}};
  }

  ApplyResult apply(const Wishes& wishes, const RunOptions& options = {}) {
    Session run = session("apply");
    return tunekeeper::apply(run, wishes, options, dialogue);
  }
  ApplyResult apply(std::vector<Desired> desired, const RunOptions& options = {}) {
    return apply(whole(std::move(desired)), options);
  }
  RollbackResult rollback(const RollbackOptions& options = {}) {
    Session run = session("rollback");
    return tunekeeper::rollback(run, options, dialogue);
  }
  RollbackResult rollback_to(int generation, bool force = false) {
    return rollback({.generation = generation, .force = force});
  }

  const std::string& bytes(const std::string& path) const { return host.bytes(path); }
  GenerationRecord record() const { return current_record(host).value_or(GenerationRecord{}); }
  bool has_record() const { return current_record(host).has_value(); }
  std::vector<Commit> commits() const {
    std::vector<Commit> all;
    if (snapshot.exists())
      snapshot.walk([&all](const Commit& commit) { return all.push_back(commit), true; });
    return all;
  }

  /// All that is on the host but our own state and what lives in /run: what "as before" means.
  std::map<std::string, std::string> everything() const {
    std::map<std::string, std::string> tree;
    collect("", tree);
    return tree;
  }

 private:
  /// Seconds after boot.
  void start_worker(std::int64_t seconds) {
    host.add_file("/proc/101/stat", "101 (nginx) S 100 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 " +
                                        std::to_string(seconds * 100) + " 20 21\n");
  }

  void collect(const std::string& folder, std::map<std::string, std::string>& tree) const {
    for (const std::string& name : host.list(folder.empty() ? "/" : folder)) {
      const std::string path = folder + "/" + name;
      if (path == "/run" || path == "/proc/101" || path == places::kStateFolder) continue;
      const auto info = host.info(path, false);
      std::string& text = tree[path];
      text = std::to_string(static_cast<int>(info->kind)) + " " + std::to_string(info->mode) + " " +
             std::to_string(info->uid) + "\n";
      if (info->kind == FileKind::directory) {
        collect(path, tree);
      } else {
        text += host.read_link(path).value_or("") + host.bytes(path);
      }
    }
  }

  void stage_kernel() {
    host.add_file(kSwappiness, "60\n");
    host.add_file(kDirtyRatio, "20\n");
    host.add_file("/proc/sys/vm/min_free_kbytes", "67584\n");
    host.add_file("/proc/sys/vm/page-cluster", "3\n");
    host.add_file(kHugePages, "always [madvise] never\n");
    host.select_on_write(kHugePages);
    host.add_file("/proc/stat", "cpu 1 2\nbtime 1600000000\n");
    host.add_file("/proc/cmdline", "BOOT_IMAGE=/boot/vmlinuz-6.1 root=UUID=u ro quiet\n");
    host.add_file("/etc/sysctl.d/10-local.conf",
                  "# of the house\r\nvm.dirty_ratio = 20\r\nvm.page-cluster=3");
  }

  void stage_servers() {
    host.add_file(
        "/etc/mysql/my.cnf",
        "[client-server]\n!includedir /etc/mysql/conf.d/\n!includedir /etc/mysql/mariadb.conf.d/\n");
    host.add_directory("/etc/mysql/conf.d");
    host.add_file("/etc/mysql/mariadb.conf.d/50-server.cnf",
                  "[mysqld]\n# caf\xe9\nmax_connections = 100\nskip-name-resolve\n");
    host.add_file(kNginx,
                  "# the house's\nworker_processes 2;\nevents { worker_connections 768; }\n"
                  "http {\n\tkeepalive_timeout 65;  # long\n\tsendfile on;\n}\n");
    host.add_directory("/etc/nginx/conf.d");
    host.add_file("/usr/lib/systemd/system/mariadb.service", "[Service]\nLimitNOFILE=32768\n");
  }

  void stage_grub() {
    host.add_directory("/etc/default/grub.d");
    host.add_file("/etc/default/grub",
                  "GRUB_DEFAULT=0\nGRUB_CMDLINE_LINUX_DEFAULT=\"quiet\"\nGRUB_CMDLINE_LINUX=\"\"\n");
    host.add_file("/boot/vmlinuz-6.1", "");
    host.add_file(kGrubMenu, menu());
    host.on_command(
        [this](MemoryHost&, const std::vector<std::string>& argv) -> std::optional<CommandResult> {
          if (argv.front() == "grub-script-check") return CommandResult{0, false, "", ""};
          if (argv.front() != "grub-mkconfig") return std::nullopt;
          return CommandResult{0, false, menu(), ""};
        });
  }

  /// What grub-mkconfig makes of /etc/default/grub and our drop-in.
  std::string menu() const {
    std::string arguments = "quiet";
    const std::string appended = "=\"$GRUB_CMDLINE_LINUX_DEFAULT ";
    const std::string drop_in = host.read(kGrubDropIn).bytes;
    for (std::size_t at = drop_in.find(appended); at != std::string::npos; at = drop_in.find(appended, at)) {
      at += appended.size();
      arguments += " " + drop_in.substr(at, drop_in.find('"', at) - at);
    }
    return "set default=\"0\"\nmenuentry 'Linux' $menuentry_id_option 'gnulinux-simple-u' {\n"
           "\tlinux /boot/vmlinuz-6.1 root=UUID=u ro " +
           arguments + "\n}\n";
  }
};

}  // namespace tunekeeper::test
