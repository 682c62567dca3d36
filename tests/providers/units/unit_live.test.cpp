// What is in force of a unit's keys: asked of its process, its control group and the service manager.
#include <cerrno>

#include "host/bus/memory_bus.hpp"
#include "providers/fixture.hpp"
#include "providers/units/units_provider.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr const char* kDropIn = "/etc/systemd/system/mariadb.service.d/limits.conf";
constexpr const char* kService = "org.freedesktop.systemd1.Service";

/// A host whose mariadb.service runs as process 700, started 500 s after the boot.
struct LiveBench : Bench {
  LiveBench() : Bench(make_units_provider()) {
    context.bus = &bus;
    host.add_file("/usr/lib/systemd/system/mariadb.service", "[Service]\nExecStart=/usr/sbin/mariadbd\n");
    host.add_file("/proc/stat", "cpu 1\nbtime 1000000\n");
  }

  void run(const std::string& open_files = "32768                32768") {
    host.add_file("/sys/fs/cgroup/system.slice/mariadb.service/cgroup.procs", "700\n701\n");
    host.add_file("/proc/700/stat", "700 (maria db) S 1 700 700 0 -1 4 0 0 0 0 1 1 0 0 20 -5 9 0 50000 1 1");
    host.add_file("/proc/701/stat", "701 (helper) S 700 700 700 0 -1 4 0 0 0 0 1 1 0 0 20 0 9 0 50001 1 1");
    host.add_file("/proc/700/limits",
                  "Limit                     Soft Limit           Hard Limit           Units\n"
                  "Max core file size        0                    unlimited            bytes\n"
                  "Max open files            " +
                      open_files + "                files\n");
    host.add_file("/proc/700/numa_maps", "55d0c0000000 interleave:0-1 file=/usr/sbin/mariadbd mapped=1\n");
    host.add_file("/proc/700/status", "Name:\tmariadbd\nCpus_allowed:\t3\nCpus_allowed_list:\t0-1\n");
    host.add_file("/proc/700/oom_score_adj", "-600\n");
  }
  void drop_in(const std::string& lines, std::int64_t written_s) {
    host.add_file(kDropIn, "[Service]\n" + lines + "\n");
    host.set_mtime(kDropIn, (1'000'000 + written_s) * kSecond);
  }
  void loaded(const std::string& property, const std::string& value) {
    bus.set_property("mariadb.service", kService, property, value);
  }
  Row look(const std::string& key, const std::string& value, Want kind = Want::equals) const {
    auto desired = want("unit:mariadb.service:Service." + key, value, kind);
    desired.path = {"mariadb.service", "Service", key};
    return row(desired);
  }
  std::vector<Action> planned(const std::string& key, const std::string& value) const {
    return provider->plan(context, std::vector<Row>{look(key, value)});
  }

  MemoryBus bus;
};

}  // namespace

TEST_CASE("units: a running process shows its limits, memory policy, CPUs and nice value") {
  LiveBench bench;
  bench.run();
  CHECK(bench.look("LimitNOFILE", "32768").seen.live == Plane::of("32768"));
  CHECK(bench.look("LimitCORE", "0").seen.live == Plane::of("0:infinity"));
  CHECK(bench.look("NUMAPolicy", "interleave").seen.live == Plane::of("interleave"));
  CHECK(bench.look("NUMAMask", "0-1").seen.live == Plane::of("0-1"));
  CHECK(bench.look("CPUAffinity", "0 1").seen.live == Plane::of("0-1"));
  CHECK(bench.look("Nice", "-5").seen.live == Plane::of("-5"));
  CHECK(bench.look("OOMScoreAdjust", "-600").seen.live == Plane::of("-600"));
}

TEST_CASE("units: a process that started before its drop-in awaits a restart") {
  LiveBench bench;
  bench.run();
  bench.drop_in("LimitNOFILE=65536", 600);
  bench.loaded("LimitNOFILE", "65536");
  const Row row = bench.look("LimitNOFILE", "65536", Want::at_least);
  CHECK(row.state == State::pending);
  CHECK(to_string(row.seen.takes_effect) == "restart mariadb");
  CHECK(bench.planned("LimitNOFILE", "65536").empty());
}

TEST_CASE(
    "units: a process that started after its drop-in and is still wrong differs, and is not restarted for") {
  LiveBench bench;
  bench.run();
  bench.drop_in("LimitNOFILE=65536", 100);
  bench.loaded("LimitNOFILE", "65536");
  const Row row = bench.look("LimitNOFILE", "65536");
  CHECK(row.state == State::differs);
  CHECK(row.reason.find("process 700 of mariadb.service") != std::string::npos);
}

TEST_CASE("units: files that the manager has not read are read by it, and nothing else is written") {
  LiveBench bench;
  bench.run();
  bench.drop_in("LimitNOFILE=65536", 100);
  bench.loaded("LimitNOFILE", "32768");
  CHECK(bench.look("LimitNOFILE", "65536").state == State::pending);
  const auto plan = bench.planned("LimitNOFILE", "65536");
  REQUIRE(plan.size() == 1);
  CHECK(std::holds_alternative<DaemonReload>(plan[0].deed));
}

TEST_CASE("units: of a service that does not run the loaded property is what is in force") {
  LiveBench bench;
  bench.drop_in(
      "NUMAPolicy=interleave\nAllowedCPUs=0-3,8\nMemoryMax=8G\nRestart=always\nNoNewPrivileges=true", 100);
  bench.loaded("NoNewPrivileges", "yes");
  bench.loaded("NUMAPolicy", "3");
  bench.loaded("AllowedCPUs", "0-3 8");
  bench.loaded("MemoryMax", "8589934592");
  bench.loaded("Restart", "always");
  for (const auto& [key, value] :
       std::vector<std::pair<std::string, std::string>>{{"NUMAPolicy", "interleave"},
                                                        {"AllowedCPUs", "0-3,8"},
                                                        {"MemoryMax", "8G"},
                                                        {"Restart", "always"},
                                                        {"NoNewPrivileges", "true"}}) {
    INFO(key);
    CHECK(bench.look(key, value).state == State::in_sync);
    CHECK(bench.look(key, value).seen.live.has_value());
  }
  bench.loaded("MemoryMax", "infinity");
  CHECK(bench.look("MemoryMax", "8G").state != State::in_sync);
}

TEST_CASE("units: a value that the bus writes otherwise than a unit file is not compared") {
  LiveBench bench;
  bench.drop_in("RuntimeDirectoryMode=0755\nUMask=0022\nMemoryMax=80%\nKillSignal=SIGTERM", 100);
  bench.loaded("RuntimeDirectoryMode", "493");
  bench.loaded("UMask", "18");
  bench.loaded("MemoryMax", "8589934592");
  bench.loaded("KillSignal", "15");
  for (const auto& [key, value] :
       std::vector<std::pair<std::string, std::string>>{{"RuntimeDirectoryMode", "0755"},
                                                        {"UMask", "0022"},
                                                        {"MemoryMax", "80%"},
                                                        {"KillSignal", "SIGTERM"}}) {
    INFO(key);
    CHECK(bench.look(key, value).seen.live == Plane::not_applicable("systemd shows no value to compare"));
    CHECK(bench.look(key, value).state == State::in_sync);
  }
}

TEST_CASE("units: a key that no process shows awaits a restart of one that is older than its drop-in") {
  LiveBench bench;
  bench.run();
  bench.drop_in("User=mysql", 600);
  bench.loaded("User", "mysql");
  CHECK(bench.look("User", "mysql").state == State::pending);
  bench.drop_in("User=mysql", 100);
  CHECK(bench.look("User", "mysql").state == State::in_sync);
}

TEST_CASE("units: the CPUs of a control group are in force without a restart") {
  LiveBench bench;
  bench.run();
  bench.drop_in("AllowedCPUs=0-1", 600);
  bench.host.add_file("/sys/fs/cgroup/system.slice/mariadb.service/cpuset.cpus.effective", "0-3\n");
  bench.loaded("AllowedCPUs", "");
  CHECK(bench.look("AllowedCPUs", "0-1").state == State::differs);
  CHECK(std::holds_alternative<DaemonReload>(bench.planned("AllowedCPUs", "0-1").at(0).deed));
  bench.host.add_file("/sys/fs/cgroup/system.slice/mariadb.service/cpuset.cpus.effective", "0-1\n");
  CHECK(bench.look("AllowedCPUs", "0-1").state == State::in_sync);
}

TEST_CASE("units: a process that may not be looked at makes the row failed, one that ended does not") {
  LiveBench bench;
  bench.run();
  bench.host.deny_read("/proc/700/numa_maps", EACCES);
  CHECK(bench.look("NUMAPolicy", "interleave").state == State::failed);
  bench.host.deny_read("/proc/700/numa_maps", ESRCH);
  CHECK(bench.look("NUMAPolicy", "interleave").seen.live.kind == Plane::Kind::not_applicable);
}

TEST_CASE("units: on another root, and without systemd, there is nothing in force") {
  LiveBench bench;
  bench.context.bus = nullptr;
  CHECK(bench.look("MemoryMax", "8G").seen.live == Plane::not_applicable("systemd does not run here"));
  bench.run();
  bench.host.set_other_root(true);
  CHECK(bench.look("LimitNOFILE", "32768").seen.live == Plane::not_applicable("another root"));
}
