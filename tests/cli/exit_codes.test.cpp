#include <filesystem>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "cli/bench.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"

// Every exit status of docs/commands.md, reached by the real program. Faults of the host are made by strace's
// injection and by a root user without capabilities, whom file modes bind.

using namespace tunekeeper;
using namespace tunekeeper::test;

namespace {

const std::vector<std::string> kBound = {"setpriv", "--inh-caps=-all", "--bounding-set=-all"};
const std::string kSwappiness = "/proc/sys/vm/swappiness";

void make_unwritable(const CliBench& bench, const std::string& path) {
  std::filesystem::permissions(bench.tree() + path, std::filesystem::perms(0444));
}

/// A host with two live values, of which the last to be written can be made to fail.
class TwoValues : public CliBench {
 public:
  TwoValues() {
    write("/proc/sys/vm/dirty_ratio", "30\n");
    write_profile("two", "summary: t\nsysctl: { vm.dirty_ratio: 5, vm.swappiness: 1 }\n");
  }
};

/// Holds the page against its golden file and returns the exit status.
int golden_of(const CliBench& bench, const std::string& name, const CommandResult& result) {
  check_golden(name, page(bench, result));
  return result.status;
}

/// The lock of a run at work.
class HeldLock {
 public:
  explicit HeldLock(const CliBench& bench) {
    bench.write("/run/tunekeeper/lock", "apply, pid 4711\n");
    fd_ = ::open((bench.tree() + "/run/tunekeeper/lock").c_str(), O_RDWR | O_CLOEXEC);
    REQUIRE(::flock(fd_, LOCK_EX) == 0);
  }
  ~HeldLock() { ::close(fd_); }
  HeldLock(const HeldLock&) = delete;
  HeldLock& operator=(const HeldLock&) = delete;

 private:
  int fd_ = -1;
};

}  // namespace

TEST_CASE("exit 0: in sync, applied, nothing to do") {
  const TwoValues bench;
  CHECK(bench.run({"apply", "two", "--yes"}).status == 0);
  CHECK(bench.run({"diff", "two"}).status == 0);
  CHECK(bench.run({"verify", "two"}).status == 0);
  CHECK(bench.run({"apply", "two", "--yes", "--detailed-exitcode"}).status == 0);
}

TEST_CASE("exit 1: what cannot be read is failed, over what differs and what waits") {
  const CliBench bench;
  bench.write("/etc/mysql/my.cnf", "max_connections = 1\n[mysqld]\n");
  CHECK(golden_of(bench, "diff-failed.txt", bench.run({"diff", "db"})) == 1);
  CHECK(golden_of(bench, "apply-failed-row.txt", bench.run({"apply", "db", "--yes"})) == 1);
  CHECK(golden_of(bench, "verify-nagios-failed.txt", bench.run({"verify", "db", "--nagios"})) == 3);
}

TEST_CASE("exit 1: a guard rail stops an apply until --force") {
  const CliBench bench;
  bench.write("/proc/sys/vm/min_free_kbytes", "67584\n");
  bench.write_profile("mean", "summary: m\nsysctl: { vm.min_free_kbytes: 1 }\n");
  const auto before = bench.state();
  CHECK(golden_of(bench, "apply-guarded.txt", bench.run({"apply", "mean", "--yes"})) == 1);
  CHECK(bench.state() == before);
  CHECK(bench.run({"apply", "mean", "--yes", "--force"}).status == 0);
}

TEST_CASE("exit 1: a host that changed since the plan was saved") {
  const CliBench bench;
  const std::string plan = bench.profiles() + "/plan.json";
  REQUIRE(bench.run({"diff", "db", "-o", plan}).status == 2);
  bench.write(kSwappiness, "30\n");
  CHECK(golden_of(bench, "apply-plan-changed.txt", bench.run({"apply", plan, "--yes"})) == 1);
}

TEST_CASE("exit 2 and 3: differs, and right on disk but awaiting, where 2 wins") {
  const CliBench bench;
  CHECK(bench.run({"diff", "db"}).status == 2);
  CHECK(bench.run({"verify", "db"}).status == 2);
  REQUIRE(bench.run({"apply", "db", "--yes"}).status == 0);
  CHECK(bench.run({"diff", "db"}).status == 3);
  CHECK(bench.run({"verify", "db"}).status == 3);
  CHECK(bench.run({"verify", "db", "--strict"}).status == 2);
  bench.write(kSwappiness, "60\n");
  CHECK(bench.run({"diff", "db"}).status == 2);
}

TEST_CASE("exit 4: a refused write undoes the writes before it") {
  const TwoValues bench;
  make_unwritable(bench, kSwappiness);
  const auto before = bench.state();
  CHECK(golden_of(bench, "apply-undone.txt", bench.run_under(kBound, {"apply", "two", "--yes"})) == 4);
  CHECK(bench.state() == before);
  CHECK(bench.run({"status"}).out.find("exit status 4") != std::string::npos);
}

TEST_CASE("exit 4: an unattended run that failed holds its plan") {
  const TwoValues bench;
  bench.write("/etc/tunekeeper/host.yaml", "profiles: [two]\n");
  make_unwritable(bench, kSwappiness);
  CHECK(bench.run_under(kBound, {"apply", "--unattended"}).status == 4);
  CHECK(golden_of(bench, "apply-held-failure.txt", bench.run({"apply", "--unattended"})) == 75);
}

TEST_CASE("exit 6: an undo that fails too says what is left, and a rollback ends it") {
  const TwoValues bench;
  make_unwritable(bench, kSwappiness);
  const auto before = bench.state();
  std::vector<std::string> prefix = kBound;
  prefix.insert(prefix.end(),
                {"strace", "-f", "-o", "/dev/null", "-P", bench.tree() + "/proc/sys/vm/dirty_ratio", "-e",
                 "trace=write,pwrite64", "-e", "inject=write,pwrite64:error=EIO:when=2+"});
  CHECK(golden_of(bench, "apply-undo-failed.txt", bench.run_under(prefix, {"apply", "two", "--yes"})) == 6);
  CHECK(bench.run({"status"}).out.find("unfinished") != std::string::npos);
  CHECK(bench.run({"rollback", "--yes"}).status == 0);
  CHECK(bench.state() == before);
}

TEST_CASE("exit 64: usage") {
  const CliBench bench;
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{},
                                             {"check"},
                                             {"explain"},
                                             {"diff", "db", "--color=purple"},
                                             {"apply", "db", "--restart=always"},
                                             {"apply", "db", "--runtime", "--next-boot"},
                                             {"rollback", "one"}}) {
    CHECK(bench.run(words).status == 64);
  }
}

TEST_CASE("exit 65: a profile with faults, a config that does not load") {
  const CliBench bench;
  bench.write_profile("bad", "summary: b\nsysclt: {}\n");
  CHECK(golden_of(bench, "diff-bad-profile.txt", bench.run({"diff", "bad"})) == 65);
  bench.write("/etc/tunekeeper/host.yaml", "profiles: db\nrestrat: {}\n");
  CHECK(golden_of(bench, "diff-bad-host-yaml.txt", bench.run({"diff"})) == 65);
}

TEST_CASE("exit 75: another run is at work") {
  const CliBench bench;
  const HeldLock lock(bench);
  CHECK(golden_of(bench, "apply-locked.txt", bench.run({"apply", "db", "--yes"})) == 75);
  CHECK(bench.run({"rollback", "--yes"}).status == 75);
  CHECK(bench.run({"diff", "db"}).status == 2);  // asking needs no lock
}

TEST_CASE("exit 77: the first write is denied for want of root, and nothing was done") {
  const TwoValues bench;
  const auto before = bench.state();
  std::filesystem::permissions(bench.tree() + "/etc/sysctl.d", std::filesystem::perms(0555));
  CHECK(golden_of(bench, "apply-denied.txt", bench.run_under(kBound, {"apply", "two", "--yes"})) == 77);
  CHECK(bench.state() == before);
}

TEST_CASE("exit 130: a signal at any synced write of the run leaves the old state") {
  for (const int write : {1, 2, 3, 4, 5, 6, 7, 8}) {
    const TwoValues bench;
    const auto before = bench.state();
    const CommandResult result =
        bench.run_under({"strace", "-f", "-o", "/dev/null", "-e", "trace=fsync", "-e",
                         "inject=fsync:signal=" + std::string(write % 2 == 0 ? "INT" : "TERM") +
                             ":when=" + std::to_string(write)},
                        {"apply", "two", "--yes"});
    INFO("signal at synced write " << write);
    CHECK(result.status == 130);
    CHECK(bench.state() == before);
    CHECK(bench.run({"apply", "two", "--yes"}).status == 0);
  }
}
