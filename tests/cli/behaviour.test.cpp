#include <filesystem>

#include <nlohmann/json.hpp>

#include "cli/bench.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;
using namespace tunekeeper::test;

TEST_CASE("verify and diff write nothing at all") {
  const CliBench bench;
  const auto before = bench.state();
  CHECK(bench.run({"verify", "db"}).status == 2);
  CHECK(bench.run({"diff", "db"}).status == 2);
  CHECK(bench.state() == before);
  CHECK_FALSE(bench.exists("/run"));
}

TEST_CASE("the caller's HOME, MYSQL_* and git configuration change nothing") {
  const CliBench plain;
  const CliBench hostile;
  hostile.write("/home/.gitconfig",
                "[user]\n\tname = Evil\n[core]\n\tautocrlf = true\n\thooksPath = /evil\n");
  hostile.write("/home/.my.cnf", "[mysqld]\nmax_connections = 7\n");
  const std::vector<std::string> environment = {"HOME=" + hostile.tree() + "/home",
                                                "MYSQL_HOME=" + hostile.tree() + "/home", "GIT_DIR=/nowhere",
                                                "GIT_AUTHOR_NAME=Evil", "XDG_CONFIG_HOME=/nowhere"};
  const CommandResult here = plain.run({"apply", "db", "--yes"});
  const CommandResult there = hostile.run({"apply", "db", "--yes"}, environment);
  CHECK(here.status == 0);
  CHECK(page(plain, here) == page(hostile, there));
  CHECK(hostile.run({"history", "--json"}).out.find("Evil") == std::string::npos);
}

TEST_CASE("flags stand before the verb or after it") {
  const CliBench bench;
  const CommandResult before =
      run_command({TUNEKEEPER_PROGRAM, "--json", "--root", bench.tree(), "--profile-path", bench.profiles(),
                   "--only", "sysctl:*", "diff", "db"},
                  {});
  const CommandResult after = bench.run({"diff", "db", "--only", "sysctl:*", "--json"});
  CHECK(before.status == 2);
  CHECK(before.out == after.out);
}

TEST_CASE("colours are on request only, outside a terminal") {
  const CliBench bench;
  CHECK(bench.run({"diff", "db"}).out.find('\033') == std::string::npos);
  CHECK(bench.run({"diff", "db", "--color=always"}).out.find('\033') != std::string::npos);
  CHECK(bench.run({"diff", "db", "--color=never"}).out.find('\033') == std::string::npos);
}

TEST_CASE("a saved plan is applied as it was shown, or not at all") {
  const CliBench bench;
  const std::string plan = bench.profiles() + "/plan.json";
  REQUIRE(bench.run({"diff", "db", "-o", plan}).status == 2);
  SECTION("on the host that it saw") {
    CHECK(bench.run({"apply", plan, "--yes"}).status == 0);
    CHECK(bench.read("/proc/sys/vm/swappiness") == "1\n");
  }
  SECTION("a live value changed since") {
    bench.write("/proc/sys/vm/swappiness", "30\n");
    const CommandResult refused = bench.run({"apply", plan, "--yes"});
    CHECK(refused.status == 1);
    CHECK(refused.err.find("sysctl:vm.swappiness is no longer as it was") != std::string::npos);
    CHECK(bench.read("/proc/sys/vm/swappiness") == "30\n");
  }
  SECTION("the file that is no plan") {
    bench.write("/no-plan.json", "{}");
    CHECK(bench.run({"apply", bench.tree() + "/no-plan.json", "--yes"}).status == 65);
  }
}

TEST_CASE("the flag --runtime writes live values only, --next-boot files only") {
  const CliBench bench;
  REQUIRE(bench.run({"apply", "db", "--yes", "--runtime"}).status == 0);
  CHECK(bench.read("/proc/sys/vm/swappiness") == "1\n");
  CHECK_FALSE(bench.exists("/etc/sysctl.d/zz-tunekeeper.conf"));
  const CliBench other;
  REQUIRE(other.run({"apply", "db", "--yes", "--next-boot"}).status == 0);
  CHECK(other.read("/proc/sys/vm/swappiness") == "60\n");
  CHECK(other.exists("/etc/sysctl.d/zz-tunekeeper.conf"));
}

TEST_CASE("the flag --detailed-exitcode tells changed from waiting") {
  const CliBench bench;
  CHECK(bench.run({"apply", "db", "--yes", "--detailed-exitcode"}).status == 2);
  CHECK(bench.run({"apply", "db", "--yes", "--detailed-exitcode"}).status == 3);
}

TEST_CASE("a profile applied by name stays when host.yaml's set is applied, and goes with --drop") {
  const CliBench bench;
  bench.write_profile("extra", "summary: e\nsysctl: { vm.swappiness: 5 }\n");
  bench.write_profile("base", "summary: b\nmysql: { max_connections: 300 }\n");
  bench.write("/etc/tunekeeper/host.yaml", "profiles: [base]\n");
  REQUIRE(bench.run({"apply", "extra", "--yes"}).status == 0);
  REQUIRE(bench.run({"apply", "--yes"}).status == 0);
  CHECK(bench.read("/proc/sys/vm/swappiness") == "5\n");
  CHECK(bench.run({"status"}).out.find("extra") != std::string::npos);
  REQUIRE(bench.run({"apply", "--drop", "extra", "--yes"}).status == 0);
  CHECK(bench.read("/proc/sys/vm/swappiness") == "60\n");
  CHECK(bench.run({"verify"}).status == 0);
}

TEST_CASE("a profile that leaves host.yaml gives its settings their originals back") {
  const CliBench bench;
  bench.write_profile("first", "summary: f\nsysctl: { vm.swappiness: 5 }\n");
  bench.write_profile("second", "summary: s\nmysql: { max_connections: 300 }\n");
  bench.write("/etc/tunekeeper/host.yaml", "profiles: [first, second]\n");
  REQUIRE(bench.run({"apply", "--yes"}).status == 0);
  bench.write("/etc/tunekeeper/host.yaml", "profiles: [second]\n");
  const CommandResult diff = bench.run({"diff"});
  CHECK(diff.status == 2);
  CHECK(diff.out.find("release") != std::string::npos);
  REQUIRE(bench.run({"apply", "--yes"}).status == 0);
  CHECK(bench.read("/proc/sys/vm/swappiness") == "60\n");
  CHECK_FALSE(bench.exists("/etc/sysctl.d/zz-tunekeeper.conf"));
}

TEST_CASE(
    "an administrator's later edit elsewhere in the file survives a rollback, one of the same key is "
    "refused") {
  const CliBench bench;
  REQUIRE(bench.run({"apply", "db", "--yes"}).status == 0);
  bench.append("/etc/sysctl.d/zz-tunekeeper.conf", "vm.laptop_mode = 5\n");
  SECTION("elsewhere") {
    REQUIRE(bench.run({"rollback", "--yes"}).status == 0);
    CHECK(bench.read("/etc/sysctl.d/zz-tunekeeper.conf").find("vm.laptop_mode = 5\n") != std::string::npos);
    CHECK(bench.read("/etc/sysctl.d/zz-tunekeeper.conf").find("vm.swappiness") == std::string::npos);
  }
  SECTION("the same key") {
    bench.append("/etc/sysctl.d/zz-tunekeeper.conf", "vm.swappiness = 33\n");
    const auto before = bench.state();
    const CommandResult refused = bench.run({"rollback", "--yes"});
    CHECK(refused.status == 1);
    CHECK(refused.err.find("sysctl:vm.swappiness") != std::string::npos);
    CHECK(bench.state() == before);
    CHECK(bench.run({"rollback", "--yes", "--force"}).status == 0);
    CHECK(bench.read("/proc/sys/vm/swappiness") == "60\n");
  }
}

TEST_CASE("where etckeeper keeps /etc in another version control, our history lies elsewhere") {
  const CliBench bench;
  bench.write("/etc/etckeeper/etckeeper.conf", "VCS=\"hg\"\n");
  bench.write("/etc/.hg/requires", "store\n");
  const CommandResult init = bench.run({"init"});
  CHECK(init.out.find(
            "/etc is now kept in git (/var/lib/tunekeeper/etc.git); etckeeper's own repository is hg") !=
        std::string::npos);
  REQUIRE(bench.run({"apply", "db", "--yes"}).status == 0);
  CHECK_FALSE(bench.exists("/etc/.git"));
  CHECK_FALSE(bench.exists("/etc/.etckeeper"));
  CHECK(bench.run({"show", "1"}).out.find("vm.swappiness") != std::string::npos);
  const CommandResult none = bench.run({"rollback", "--files", "nothing", "--yes"});
  CHECK(none.err.find("git --git-dir=/var/lib/tunekeeper/etc.git log") != std::string::npos);
  REQUIRE(bench.run({"rollback", "--yes"}).status == 0);
  CHECK(bench.read("/proc/sys/vm/swappiness") == "60\n");
  CHECK(bench.run({"init", "--remove", "--yes"}).out.find("/var/lib/tunekeeper/etc.git is removed") !=
        std::string::npos);
  CHECK(bench.exists("/etc/.hg/requires"));
}

TEST_CASE("a repository of ours that etckeeper has taken over is not removed") {
  const CliBench bench;
  REQUIRE(bench.run({"init"}).status == 0);
  bench.write("/etc/etckeeper/etckeeper.conf", "VCS=\"git\"\n");
  bench.write("/etc/etckeeper/pre-commit.d/README", "");
  REQUIRE(bench.run({"init"}).status == 0);
  CHECK(bench.exists("/etc/etckeeper/pre-commit.d/25tunekeeper"));
  const CommandResult removal = bench.run({"init", "--remove", "--yes"});
  CHECK(removal.status == 0);
  CHECK(removal.out.find("/etc/.git is etckeeper's too, so it stays") != std::string::npos);
  CHECK(bench.exists("/etc/.git/HEAD"));
  CHECK_FALSE(bench.exists("/etc/etckeeper/pre-commit.d/25tunekeeper"));
}

TEST_CASE("verify --live writes the live values, and only when they changed") {
  const CliBench bench;
  const std::string file = bench.tree() + "/live.yaml";
  REQUIRE(bench.run({"verify", "db", "--live", file}).status == 2);
  CHECK(bench.read("/live.yaml").find("\"sysctl:vm.swappiness\": \"60\"\n") != std::string::npos);
  CHECK(bench.read("/live.yaml").find("mysql:") == std::string::npos);  // no server runs
  const auto written = std::filesystem::last_write_time(file);
  REQUIRE(bench.run({"verify", "db", "--live=" + file}).status == 2);
  CHECK(std::filesystem::last_write_time(file) == written);
  bench.write("/proc/sys/vm/swappiness", "1\n");
  bench.run({"-q", "verify", "db", "--live", file});
  CHECK(bench.read("/live.yaml").find("\"sysctl:vm.swappiness\": \"1\"\n") != std::string::npos);
}

TEST_CASE("rollback --files restores files as a commit has them") {
  const CliBench bench;
  REQUIRE(bench.run({"apply", "db", "--yes"}).status == 0);
  const auto history = nlohmann::json::parse(bench.run({"history", "--json"}).out);
  const std::string commit = history["events"][0]["commit"];
  bench.write("/etc/sysctl.d/local.conf", "vm.swappiness = 99\n");
  REQUIRE(bench.run({"rollback", "--files", commit, "/etc/sysctl.d/local.conf", "--yes"}).status == 0);
  CHECK(bench.read("/etc/sysctl.d/local.conf") == "# by hand\nvm.swappiness = 10\n");
}

TEST_CASE("rollback --files gives links, modes and deleted files back, and no link's target is written") {
  namespace fs = std::filesystem;
  const CliBench bench;
  const fs::path etc = bench.tree() + "/etc";
  bench.write("/srv/real.conf", "the target's\n");
  bench.write("/etc/secret.key", "key\n");
  bench.write("/etc/run.sh", "#!/bin/sh\n");
  fs::permissions(etc / "secret.key", fs::perms(0600));
  fs::permissions(etc / "run.sh", fs::perms(0750));
  fs::create_symlink("../srv/real.conf", etc / "link.conf");
  REQUIRE(bench.run({"apply", "db", "--yes"}).status == 0);
  fs::remove(etc / "link.conf");
  fs::create_symlink("../srv/other.conf", etc / "link.conf");
  fs::remove(etc / "secret.key");
  fs::permissions(etc / "run.sh", fs::perms(0644));
  bench.write("/etc/hostname", "other\n");
  fs::permissions(etc / "hostname", fs::perms(0664));
  const CommandResult result = bench.run({"rollback", "--files", "HEAD", "--yes"});
  INFO(result.out << result.err);
  REQUIRE(result.status == 0);
  CHECK(result.out.find("link /etc/link.conf to ../srv/real.conf") != std::string::npos);
  CHECK(fs::read_symlink(etc / "link.conf") == "../srv/real.conf");
  CHECK(bench.read("/srv/real.conf") == "the target's\n");
  CHECK_FALSE(bench.exists("/srv/other.conf"));
  CHECK(bench.read("/etc/secret.key") == "key\n");
  CHECK(fs::status(etc / "secret.key").permissions() == fs::perms(0600));
  CHECK(fs::status(etc / "run.sh").permissions() == fs::perms(0750));
  CHECK(fs::status(etc / "hostname").permissions() == fs::perms(0644));
  CHECK(bench.read("/etc/hostname") == "db01\n");
}

TEST_CASE("rollback --files gives back a mode that alone was changed, and is then done") {
  namespace fs = std::filesystem;
  const CliBench bench;
  const fs::path file = bench.tree() + "/etc/mysql/my.cnf";
  REQUIRE(bench.run({"apply", "db", "--yes"}).status == 0);
  fs::permissions(file, fs::perms(0606));
  REQUIRE(bench.run({"rollback", "--files", "HEAD", "/etc/mysql", "--yes"}).status == 0);
  CHECK(fs::status(file).permissions() == fs::perms(0644));
  const CommandResult again = bench.run({"rollback", "--files", "HEAD", "/etc/mysql", "--yes"});
  CHECK(again.out.find("Nothing to do") != std::string::npos);
}

TEST_CASE("a broken host.yaml keeps nobody from looking and rolling back") {
  const CliBench bench;
  REQUIRE(bench.run({"apply", "db", "--yes"}).status == 0);
  bench.write("/etc/tunekeeper/host.yaml", "profiles: [x\n");
  CHECK(bench.run({"diff"}).status == 65);
  CHECK(bench.run({"status"}).status == 0);
  CHECK(bench.run({"rollback", "--yes"}).status == 0);
  CHECK(bench.run({"unhold"}).status == 0);
}

TEST_CASE("a config that does not parse is never edited, and its settings are failed") {
  const CliBench bench;
  bench.write("/etc/mysql/my.cnf", "max_connections = 1\n[mysqld]\n");  // an option before any group
  const auto before = bench.state();
  const CommandResult diff = bench.run({"diff", "db"});
  CHECK(diff.status == 1);
  const CommandResult apply = bench.run({"apply", "db", "--yes"});
  CHECK(apply.status == 1);
  CHECK(apply.err.find("--only '!mysql:*'") != std::string::npos);
  CHECK(bench.state() == before);
  CHECK(bench.run({"apply", "db", "--yes", "--only", "!mysql:*"}).status == 0);
}
