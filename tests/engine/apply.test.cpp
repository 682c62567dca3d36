#include <algorithm>
#include <cerrno>

#include "engine/bench.hpp"

using namespace tunekeeper;
using namespace tunekeeper::test;

namespace {

const std::vector<Desired> kAll = {sysctl("vm.swappiness", "1"),
                                   huge_pages("never"),
                                   mysql("max_connections", "500"),
                                   http("keepalive_timeout", "75"),
                                   kernel_token("transparent_hugepage", "never"),
                                   service_key("LimitNOFILE", "65536")};

/// The error that a run ends with; fails the test when it ends well.
template <typename Run>
Error error_of(Run run) {
  try {
    run();
  } catch (const Error& error) {
    return error;
  }
  FAIL("the run ended well");
  return Error("");
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

State state_of(const std::vector<Row>& rows, const std::string& id) {
  for (const Row& row : rows) {
    if (row.desired.id == id) return row.state;
  }
  throw std::out_of_range(id);
}

}  // namespace

TEST_CASE("an apply makes it so on every plane that can be had now, the rest is pending") {
  EngineBench bench;
  const ApplyResult result = bench.apply(kAll);
  CHECK(result.changed);
  CHECK(result.generation == 1);
  CHECK(state_of(result.plan.rows, "sysctl:vm.swappiness") == State::differs);
  CHECK(state_of(result.after, "sysctl:vm.swappiness") == State::in_sync);
  CHECK(state_of(result.after, "sysfs:kernel/mm/transparent_hugepage/enabled") == State::in_sync);
  CHECK(state_of(result.after, "mysql:max_connections") == State::in_sync);
  CHECK(state_of(result.after, "nginx:http.keepalive_timeout") == State::in_sync);
  CHECK(state_of(result.after, "unit:mariadb.service:Service.LimitNOFILE") == State::in_sync);
  CHECK(state_of(result.after, "grub:transparent_hugepage") == State::pending);

  CHECK(bench.bytes(kSwappiness) == "1\n");
  CHECK(bench.bytes(kHugePages) == "always madvise [never]\n");
  CHECK(bench.bytes(kSysctlDropIn) == kHeader + "vm.swappiness = 1\n");
  CHECK(contains(bench.bytes(kNginx), "\tkeepalive_timeout 75;  # long\n"));
  CHECK(contains(bench.bytes(kGrubMenu), "ro quiet transparent_hugepage=never\n"));
  CHECK_FALSE(bench.host.exists(std::string(places::kJournal)));
}

TEST_CASE("a running service is reloaded once, after its files, then nothing is left to do") {
  EngineBench bench;
  bench.run_nginx();
  bench.host.forget_records();
  CHECK(state_of(bench.apply({http("keepalive_timeout", "75")}).after, "nginx:http.keepalive_timeout") ==
        State::in_sync);
  const std::vector<std::string>& writes = bench.host.writes();
  const auto file = std::find(writes.begin(), writes.end(), "put " + kNginx);
  const auto reload = std::find(writes.begin(), writes.end(), "run systemctl reload nginx.service");
  CHECK(file != writes.end());
  CHECK(file < reload);
  CHECK(std::count(writes.begin(), writes.end(), "run systemctl reload nginx.service") == 1);
  bench.host.forget_records();
  bench.apply({http("keepalive_timeout", "75")});
  CHECK(bench.host.writes().empty());
}

TEST_CASE("a policy of no reload leaves the service alone, and the row pending") {
  EngineBench bench;
  bench.run_nginx();
  bench.host.forget_records();
  const ApplyResult result = bench.apply({want("nginx:worker_processes", {"worker_processes"}, "3")},
                                         {.restart = RestartPolicy::never});
  CHECK(state_of(result.after, "nginx:worker_processes") == State::pending);
  for (const std::string& write : bench.host.writes()) CHECK_FALSE(contains(write, "systemctl reload"));
}

TEST_CASE("a reload that fails undoes the apply, and the service is asked to take its old files") {
  EngineBench bench;
  bench.run_nginx();
  int reloads = 0;
  std::string taken;
  bench.host.on_command(
      [&](MemoryHost& host, const std::vector<std::string>& argv) -> std::optional<CommandResult> {
        if (argv != std::vector<std::string>{"systemctl", "reload", "nginx.service"}) return std::nullopt;
        taken = host.bytes(kNginx);
        return ++reloads == 1 ? CommandResult{1, false, "", "Job failed."} : CommandResult{0, false, "", ""};
      });
  const auto before = bench.everything();
  const std::string config = bench.bytes(kNginx);
  const Error error = error_of([&] { bench.apply({http("keepalive_timeout", "75")}); });
  CHECK(error.status() == ExitStatus::undone);
  CHECK(contains(error.what(), "Job failed."));
  CHECK(bench.everything() == before);
  CHECK(reloads == 2);
  CHECK(taken == config);
}

TEST_CASE("a second apply makes no write at all") {
  EngineBench bench;
  bench.apply(kAll);
  const auto before = bench.everything();
  bench.host.forget_records();
  const std::size_t commits = bench.commits().size();
  const ApplyResult again = bench.apply(kAll);
  CHECK_FALSE(again.changed);
  CHECK(again.generation == 1);
  CHECK(bench.host.writes().empty());
  CHECK(bench.commits().size() == commits);
  CHECK(bench.everything() == before);
}

TEST_CASE("nothing to do makes no generation and no repository") {
  EngineBench bench;
  const ApplyResult result = bench.apply({sysctl("vm.dirty_ratio", "20")});
  CHECK_FALSE(result.changed);
  CHECK(result.generation == 0);
  CHECK_FALSE(bench.snapshot.exists());
  CHECK_FALSE(bench.has_record());
  CHECK(bench.host.writes() == std::vector<std::string>{"mkdir /run/tunekeeper"});
}

TEST_CASE("the record of a generation keeps raw originals and what was left") {
  EngineBench bench;
  bench.host.add_file(kSysctlLocal, "vm.swappiness=30 \n");
  bench.apply({sysctl("vm.swappiness", "1"), huge_pages("never"), service_key("LimitNOFILE", "65536")});
  const GenerationRecord record = bench.record();
  CHECK(record.generation == 1);
  CHECK(record.parent == 0);
  CHECK(record.profiles == std::vector<std::string>{"tuned"});
  CHECK(record.extra_profiles.empty());
  REQUIRE(record.settings.size() == 3);

  const RecordedSetting* swappiness = record.find("sysctl:vm.swappiness");
  REQUIRE(swappiness != nullptr);
  CHECK(swappiness->profile == "tuned");
  CHECK(swappiness->live == RecordedLive{"60", "1"});
  REQUIRE(swappiness->files.size() == 1);
  CHECK(swappiness->files[0].path == kSysctlLocal);
  REQUIRE(swappiness->files[0].original.size() == 1);
  CHECK(contains(swappiness->files[0].original[0], "vm.swappiness=30 "));

  const RecordedSetting* pages = record.find("sysfs:kernel/mm/transparent_hugepage/enabled");
  REQUIRE(pages != nullptr);
  CHECK(pages->live == RecordedLive{"madvise", "never"});
  REQUIRE(pages->files.size() == 1);
  CHECK(pages->files[0].original.empty());
  CHECK(record.paths.at(kTmpfilesDropIn).created);
  CHECK(record.paths.at(kTmpfilesDropIn).folders.empty());
  CHECK_FALSE(record.paths.at(kSysctlLocal).created);
  CHECK(record.paths.at(kUnitDropIn).folders ==
        std::vector<std::string>{"/etc/systemd/system/mariadb.service.d"});
}

TEST_CASE(
    "the commit of a generation bears its number, profiles, settings and run, foreign edits come first") {
  EngineBench bench;
  bench.apply({sysctl("vm.swappiness", "1")});
  bench.host.add_file("/etc/motd", "hello\n");
  bench.apply({sysctl("vm.swappiness", "2")});
  const std::vector<Commit> commits = bench.commits();
  REQUIRE(commits.size() == 4);
  CHECK(commits[0].trailers.at("Tunekeeper-Generation") == "2");
  CHECK(commits[0].trailers.at("Tunekeeper-Profiles") == "tuned");
  CHECK(commits[0].trailers.at("Tunekeeper-Settings") == "1");
  CHECK(commits[0].trailers.contains("Tunekeeper-Run"));
  CHECK(commits[0].subject == "Generation 2: tuned");
  CHECK(contains(commits[0].body, "sysctl:vm.swappiness"));
  CHECK(bench.snapshot.changed_between(commits[1].id, commits[0].id) ==
        std::vector<std::string>{"sysctl.d/zz-tunekeeper.conf", "tunekeeper/generation.json"});
  CHECK(commits[1].subject == "Changes made outside tunekeeper");
  CHECK(commits[1].trailers.empty());
  CHECK(bench.snapshot.changed_between(commits[2].id, commits[1].id) == std::vector<std::string>{"motd"});
  CHECK(commits[2].trailers.at("Tunekeeper-Generation") == "1");
  CHECK(bench.snapshot.changed().empty());
}

TEST_CASE("live drift that is put right makes no new generation") {
  EngineBench bench;
  bench.apply({sysctl("vm.swappiness", "1")});
  bench.host.add_file(kSwappiness, "33\n");
  const std::size_t commits = bench.commits().size();
  const ApplyResult result = bench.apply({sysctl("vm.swappiness", "1")});
  CHECK(result.changed);
  CHECK(result.generation == 1);
  CHECK(bench.bytes(kSwappiness) == "1\n");
  CHECK(bench.record().find("sysctl:vm.swappiness")->live == RecordedLive{"60", "1"});
  CHECK(bench.commits().size() == commits);
  CHECK_FALSE(bench.host.exists(std::string(places::kJournal)));
}

TEST_CASE("drift in a file that is put right is committed as such, and makes no new generation") {
  EngineBench bench;
  bench.apply({sysctl("vm.swappiness", "1")});
  bench.host.add_file(kSysctlDropIn, kHeader + "vm.swappiness = 7\n");
  const ApplyResult result = bench.apply({sysctl("vm.swappiness", "1")});
  CHECK(result.generation == 1);
  CHECK(bench.snapshot.changed().empty());
  CHECK(bench.commits()[0].subject == "Drift from generation 1 put right");
  CHECK(bench.commits()[1].subject == "Changes made outside tunekeeper");
  CHECK(Generations(bench.snapshot).current() == 1);
}

TEST_CASE("the flag --only takes globs, and leaves out those that begin with an exclamation mark") {
  EngineBench bench;
  bench.apply(kAll, {.only = {"sysctl:*", "sysfs:*", "!sysfs:*"}});
  CHECK(bench.bytes(kSwappiness) == "1\n");
  CHECK(bench.bytes(kHugePages) == "always [madvise] never\n");
  CHECK_FALSE(bench.host.exists(kMysqlDropIn));
  bench.apply(kAll, {.only = {"!grub:*"}});
  CHECK(bench.bytes(kHugePages) == "always madvise [never]\n");
  CHECK_FALSE(bench.host.exists(kGrubDropIn));
  CHECK(bench.record().find("sysctl:vm.swappiness") != nullptr);
}

TEST_CASE("the flag --runtime writes no file, --next-boot no live value") {
  EngineBench bench;
  bench.apply(kAll, {.planes = {.live = true, .persisted = false, .boot = false}});
  CHECK(bench.bytes(kSwappiness) == "1\n");
  CHECK(bench.bytes(kHugePages) == "always madvise [never]\n");
  for (const std::string& path : {kSysctlDropIn, kTmpfilesDropIn, kGrubDropIn, kUnitDropIn}) {
    INFO(path);
    CHECK_FALSE(bench.host.exists(path));
  }
  EngineBench other;
  other.apply(kAll, {.planes = {.live = false, .persisted = true, .boot = true}});
  CHECK(other.bytes(kSwappiness) == "60\n");
  CHECK(other.bytes(kHugePages) == "always [madvise] never\n");
  CHECK(other.bytes(kSysctlDropIn) == kHeader + "vm.swappiness = 1\n");
  CHECK_FALSE(other.record().find("sysctl:vm.swappiness")->live.has_value());
}

TEST_CASE("a failed row refuses the apply before anything is written, and says how to leave it out") {
  EngineBench bench;
  bench.host.add_file(kNginx, "http {\n");
  const auto before = bench.everything();
  const Error error = error_of([&] { bench.apply(kAll); });
  CHECK(error.status() == ExitStatus::error);
  CHECK(contains(error.what(), "nginx:http.keepalive_timeout"));
  CHECK(contains(error.next(), "--only '!nginx:http.keepalive_timeout'"));
  CHECK(bench.everything() == before);
  CHECK_FALSE(bench.snapshot.exists());
  CHECK(bench.apply(kAll, {.only = {"!nginx:http.keepalive_timeout"}}).changed);
}

TEST_CASE("a section that failed as a whole is left out as a whole, and the other flags are kept") {
  EngineBench bench;
  bench.host.add_file(kNginx, "http {\n");
  const Error error = error_of([&] {
    bench.apply({sysctl("vm.swappiness", "1"), http("keepalive_timeout", "75"), http("sendfile", "off")},
                {.planes = {.live = false}, .only = {"*:*"}});
  });
  CHECK(error.next() ==
        "mend that, or leave it out: tunekeeper apply --only '*:*' --next-boot --only '!nginx:*'");
  CHECK(error_of([&] { bench.apply({http("keepalive_timeout", "75")}); }).next() == "mend that");
}

TEST_CASE("what cannot be written to files keeps nobody from --runtime, which writes none") {
  EngineBench bench;
  const std::string vendor = "/usr/lib/sysctl.d/zzz-vendor.conf";
  bench.host.add_file(vendor, "vm.swappiness = 30\n");
  bench.host.add_file(kNginx, "http {\n");
  const std::vector<Desired> wishes = {sysctl("vm.swappiness", "1"), http("keepalive_timeout", "75")};
  const Error error = error_of([&] { bench.apply(wishes); });
  CHECK(contains(error.what(), vendor));
  CHECK(bench.apply(wishes, {.planes = {.live = true, .persisted = false, .boot = false}}).changed);
  CHECK(bench.bytes(kSwappiness) == "1\n");
  CHECK(bench.bytes(vendor) == "vm.swappiness = 30\n");
  CHECK_FALSE(bench.host.exists(kSysctlDropIn));
}

TEST_CASE("an action that this program cannot perform is a defect, told before anything is done") {
  EngineBench bench;
  Journal journal(bench.host);
  Executor executor(bench.host, journal, [] { return false; });
  const Action write{.phase = Phase::kernel,
                     .plane = PlaneKind::live,
                     .deed = WriteLive{.path = kSwappiness, .value = "1", .original = "60", .undo = {}},
                     .settings = {"sysctl:vm.swappiness"}};
  const Action set{.phase = Phase::set_global,
                   .plane = PlaneKind::live,
                   .deed = SetGlobal{"mariadb", "max_connections", "500", "100"},
                   .settings = {"mysql:max_connections"}};
  const Error error = error_of([&] { executor.perform({write, set}); });
  CHECK(contains(error.what(), "set max_connections of the running mariadb to 500"));
  CHECK(contains(error.what(), "defect"));
  CHECK(bench.bytes(kSwappiness) == "60\n");
}

TEST_CASE("on another root owners' checks are not run, and told as skipped once") {
  EngineBench bench;
  bench.host.set_other_root(true);
  bench.host.on_command({"nginx", "-t"}, {1, false, "", "must not be asked"});
  const ApplyResult result = bench.apply({http("keepalive_timeout", "75"), mysql("max_connections", "500")});
  CHECK(result.changed);
  REQUIRE(result.plan.skipped_checks.size() == 2);
  std::vector<std::string> told;
  for (const std::string& note : bench.dialogue.told) {
    if (contains(note, "skipped")) told.push_back(note);
  }
  REQUIRE(told.size() == 1);
  CHECK(contains(told.front(), "nginx (nginx -t)"));
  CHECK(contains(told.front(), "mariadb (mariadbd --help --verbose)"));
  bench.dialogue.told.clear();
  CHECK(bench.rollback().skipped_checks.size() == 1);
  CHECK(contains(bench.dialogue.told.front(), "nginx (nginx -t)"));
  CHECK(bench.apply({http("keepalive_timeout", "65")}, {.end_hold = true}).plan.skipped_checks.empty());
}

TEST_CASE("a write error tells what was being set, where it was asked for, and what to do") {
  Desired wish = sysctl("vm.swappiness", "1");
  wish.at = {"/usr/share/tunekeeper/profiles/db.yaml", 11, 3};
  int told = 0;
  for (std::size_t write = 1; write < 12; ++write) {
    EngineBench bench;
    bench.host.fail_after(write, EROFS);
    try {
      bench.apply({wish});
    } catch (const Error& error) {
      CHECK_FALSE(error.state().empty());
      CHECK(contains(error.next(), "make its file system writable"));
      if (error.frames().empty()) continue;  // before or after the setting itself
      CHECK(error.frames() == std::vector<std::string>{"setting sysctl:vm.swappiness (db.yaml:11)"});
      ++told;
    }
  }
  CHECK(told >= 2);  // the file and the live value
}

TEST_CASE("a guard rail refuses without force") {
  EngineBench bench;
  const std::vector<Desired> wishes = {sysctl("vm.min_free_kbytes", "100")};
  const auto before = bench.everything();
  const Error error = error_of([&] { bench.apply(wishes); });
  CHECK(error.status() == ExitStatus::error);
  CHECK(contains(error.what(), "vm.min_free_kbytes"));
  CHECK(contains(error.next(), "--force"));
  CHECK(bench.everything() == before);
  CHECK(bench.apply(wishes, {.force = true}).changed);
}

TEST_CASE("a kernel that clamps fails the apply: all is undone, and the value read back is named") {
  EngineBench bench;
  bench.host.clamp_on_write(kSwappiness, 0, 200);
  bench.host.clamp_on_write("/proc/sys/vm/page-cluster", 0, 6);
  const auto before = bench.everything();
  const Error error = error_of([&] {
    bench.apply({sysctl("vm.swappiness", "1"), sysctl("vm.page-cluster", "9")});
  });
  CHECK(error.status() == ExitStatus::undone);
  CHECK(contains(error.what(), "vm.page-cluster reads back 6"));
  CHECK(bench.everything() == before);
  CHECK_FALSE(bench.host.exists(std::string(places::kJournal)));
  CHECK(Generations(bench.snapshot).current() == 0);
}

TEST_CASE("a no at the prompt changes nothing") {
  EngineBench bench;
  bench.dialogue.plan = false;
  const auto before = bench.everything();
  const ApplyResult result = bench.apply(kAll);
  CHECK(result.refused);
  CHECK_FALSE(result.changed);
  CHECK(bench.everything() == before);
  CHECK_FALSE(bench.snapshot.exists());
}

TEST_CASE("a boot menu that was edited by hand is asked about, and refused unattended") {
  EngineBench bench;
  bench.host.add_file(kGrubMenu, bench.bytes(kGrubMenu) + "# by hand\n");
  const std::vector<Desired> wishes = {kernel_token("transparent_hugepage", "never")};
  const auto before = bench.everything();
  const Error unattended = error_of([&] { bench.apply(wishes, {.unattended = true}); });
  CHECK(contains(unattended.what(), "- # by hand"));
  CHECK(bench.dialogue.questions.empty());
  bench.dialogue.question = false;
  CHECK_THROWS_AS(bench.apply(wishes), Error);
  CHECK(bench.dialogue.questions.size() == 1);
  CHECK(bench.everything() == before);
  bench.dialogue.question = true;
  CHECK(bench.apply(wishes).changed);
  CHECK_FALSE(contains(bench.bytes(kGrubMenu), "by hand"));
}

TEST_CASE("a generated boot menu that does not pass its check is never put in place") {
  EngineBench bench;
  bench.host.on_command({"grub-script-check"}, {1, false, "", "syntax error"});
  const auto before = bench.everything();
  const Error error = error_of([&] { bench.apply({kernel_token("transparent_hugepage", "never")}); });
  CHECK(error.status() == ExitStatus::undone);
  CHECK(contains(error.what(), "syntax error"));
  CHECK(bench.everything() == before);
}

TEST_CASE("an owner that refuses its new files undoes the apply, in its own words") {
  EngineBench bench;
  bench.host.on_command({"nginx", "-t"}, {1, false, "", "nginx: [emerg] too long"});
  const auto before = bench.everything();
  const Error error = error_of([&] { bench.apply(kAll); });
  CHECK(error.status() == ExitStatus::undone);
  CHECK(contains(error.what(), "[emerg] too long"));
  CHECK(bench.everything() == before);
}

TEST_CASE("a signal between two actions undoes what was done, with its own exit status") {
  EngineBench bench;
  const auto before = bench.everything();
  int interrupted = 0;
  for (int after = 0;; ++after) {
    bench.interrupt_after = after;
    try {
      bench.apply(kAll);
      break;
    } catch (const Error& error) {
      INFO("after " << after << ": " << error.what());
      CHECK(error.status() == ExitStatus::interrupted);
      CHECK(bench.everything() == before);
      CHECK_FALSE(bench.host.exists(std::string(places::kJournal)));
      ++interrupted;
    }
  }
  CHECK(interrupted >= 9);
}

TEST_CASE("another run's lock stops this one, and the holder is named") {
  EngineBench bench;
  bench.host.hold_lock(std::string(places::kLock), "pid 42, apply, since 2026-01-01T00:00:00Z\n");
  const Error error = error_of([&] { bench.apply(kAll); });
  CHECK(error.status() == ExitStatus::busy);
  CHECK(contains(error.what(), "pid 42, apply, since 2026-01-01T00:00:00Z"));
  CHECK(error_of([&] { bench.rollback(); }).status() == ExitStatus::busy);
}

namespace {

constexpr const char* kRestartMariadb = "run systemctl restart mariadb.service";

int restarts_in(const EngineBench& bench) {
  const auto& writes = bench.host.writes();
  return static_cast<int>(std::count(writes.begin(), writes.end(), kRestartMariadb));
}

void activate_mariadb(EngineBench& bench) {
  bench.bus.set_property("mariadb.service", "org.freedesktop.systemd1.Unit", "ActiveState", "active");
}

}  // namespace

TEST_CASE("a service is restarted once, after all files, and only where the run may restart") {
  for (const RestartPolicy policy : {RestartPolicy::reload, RestartPolicy::restart}) {
    EngineBench bench;
    activate_mariadb(bench);
    bench.apply({service_key("LimitNOFILE", "65536"), mysql("max_connections", "500")}, {.restart = policy});
    CHECK(restarts_in(bench) == (policy == RestartPolicy::restart ? 1 : 0));
    const auto& writes = bench.host.writes();
    if (policy != RestartPolicy::restart) continue;
    const auto restart = std::find(writes.begin(), writes.end(), kRestartMariadb);
    CHECK(std::find(writes.begin(), restart, "run systemctl daemon-reload") != restart);
    CHECK(std::find(restart, writes.end(), "put " + kUnitDropIn) == writes.end());
  }
}

TEST_CASE("a service that does not run is not started, and host.yaml's policy goes before the run's") {
  EngineBench bench;
  bench.apply({mysql("max_connections", "500")}, {.restart = RestartPolicy::restart});
  CHECK(restarts_in(bench) == 0);
  EngineBench other;
  activate_mariadb(other);
  other.apply({mysql("max_connections", "500")},
              {.restart = RestartPolicy::restart, .services = {{"mariadb", RestartPolicy::never}}});
  CHECK(restarts_in(other) == 0);
  EngineBench allowed;
  activate_mariadb(allowed);
  allowed.apply({mysql("max_connections", "500")},
                {.restart = RestartPolicy::reload, .services = {{"mariadb", RestartPolicy::restart}}});
  CHECK(restarts_in(allowed) == 1);
}

TEST_CASE("a restart that fails undoes the apply, and the service is restarted with its old files") {
  EngineBench bench;
  activate_mariadb(bench);
  const auto before = bench.everything();
  std::vector<bool> had_drop_in;
  bench.host.on_command(
      [&](MemoryHost& host, const std::vector<std::string>& argv) -> std::optional<CommandResult> {
        if (argv != std::vector<std::string>{"systemctl", "restart", "mariadb.service"}) return std::nullopt;
        had_drop_in.push_back(host.exists(kMysqlDropIn));
        return CommandResult{had_drop_in.size() == 1 ? 1 : 0, false, "", "Job failed."};
      });
  const Error error =
      error_of([&] { bench.apply({mysql("max_connections", "500")}, {.restart = RestartPolicy::restart}); });
  CHECK(error.status() == ExitStatus::undone);
  CHECK(had_drop_in == std::vector<bool>{true, false});
  CHECK(bench.everything() == before);
}
