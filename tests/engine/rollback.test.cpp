#include "engine/bench.hpp"

using namespace tunekeeper;
using namespace tunekeeper::test;

namespace {

const std::vector<Desired> kFirst = {sysctl("vm.swappiness", "1"),
                                     huge_pages("never"),
                                     mysql("max_connections", "500"),
                                     http("keepalive_timeout", "75"),
                                     kernel_token("transparent_hugepage", "never"),
                                     service_key("LimitNOFILE", "65536")};
const std::vector<Desired> kSecond = {sysctl("vm.swappiness", "5"),
                                      sysctl("vm.dirty_ratio", "10"),
                                      huge_pages("always"),
                                      mysql("max_connections", "900"),
                                      http("keepalive_timeout", "20"),
                                      kernel_token("transparent_hugepage", "always"),
                                      service_key("LimitNOFILE", "100000")};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

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

std::string edited(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

const RunOptions kEndHold{.end_hold = true};

}  // namespace

TEST_CASE("a rollback to 0 leaves the host as it was found: bytes, live values, folders") {
  EngineBench bench;
  const auto found = bench.everything();
  bench.apply(kFirst);
  const RollbackResult result = bench.rollback();
  CHECK(result.changed);
  CHECK(result.from == 1);
  CHECK(result.to == 0);
  CHECK(bench.everything() == found);
  CHECK_FALSE(bench.host.exists("/etc/tunekeeper"));
  CHECK_FALSE(bench.host.exists("/etc/systemd/system/mariadb.service.d"));
  CHECK(Generations(bench.snapshot).current() == 0);
  CHECK(bench.commits().front().trailers.at("Tunekeeper-Rollback-To") == "0");
  CHECK(bench.snapshot.changed().empty());
}

TEST_CASE("folders that an apply made for its files go with them, parents too, a person's file keeps them") {
  EngineBench bench;
  bench.host.remove("/etc/systemd");
  bench.host.remove("/etc/tmpfiles.d");
  const auto found = bench.everything();
  bench.apply(kFirst);
  CHECK(bench.record().paths.at(kUnitDropIn).folders ==
        std::vector<std::string>{"/etc/systemd", "/etc/systemd/system",
                                 "/etc/systemd/system/mariadb.service.d"});
  bench.host.add_file("/etc/tmpfiles.d/mine.conf", "");
  bench.rollback();
  CHECK(bench.host.exists("/etc/tmpfiles.d/mine.conf"));
  bench.host.remove("/etc/tmpfiles.d");
  CHECK(bench.everything() == found);
}

TEST_CASE("a rollback goes to the parent, to 0 and forwards again, each time to the same bytes") {
  EngineBench bench;
  const auto found = bench.everything();
  bench.apply(kFirst);
  const auto first = bench.everything();
  bench.apply(kSecond);
  const auto second = bench.everything();
  REQUIRE(first != second);

  CHECK(bench.rollback().to == 1);
  CHECK(bench.everything() == first);
  bench.rollback_to(0);
  CHECK(bench.everything() == found);
  bench.rollback_to(2);
  CHECK(bench.everything() == second);
  bench.rollback_to(0);
  CHECK(bench.everything() == found);
  bench.rollback_to(1);
  CHECK(bench.everything() == first);
  CHECK(Generations(bench.snapshot).highest() == 2);
  CHECK(Generations(bench.snapshot).current() == 1);
}

TEST_CASE("an apply after a rollback makes the highest number plus one, with the parent it came from") {
  EngineBench bench;
  bench.apply(kFirst);
  const auto first = bench.everything();
  bench.apply(kSecond);
  bench.rollback_to(1);
  bench.apply({sysctl("vm.swappiness", "9")}, {.end_hold = true, .only = {"sysctl:*"}});
  CHECK(bench.record().generation == 3);
  CHECK(bench.record().parent == 1);
  CHECK(bench.rollback().to == 1);
  CHECK(bench.everything() == first);
}

TEST_CASE("a file behind a symbolic link goes back byte for byte, and the link stays") {
  for (const std::string target : {"/etc/nginx/real.conf", "/srv/nginx.conf"}) {
    INFO(target);
    EngineBench bench;
    bench.host.add_file(target, bench.bytes(kNginx));
    bench.host.remove(kNginx);
    bench.host.add_symlink(kNginx, target);
    const auto found = bench.everything();
    bench.apply(kFirst);
    CHECK(bench.host.read_link(kNginx) == target);
    CHECK(contains(bench.bytes(target), "keepalive_timeout 75"));
    const auto first = bench.everything();
    bench.rollback();
    CHECK(bench.everything() == found);
    bench.rollback_to(1);
    CHECK(bench.everything() == first);
  }
}

TEST_CASE("a signal undoes a rollback too") {
  EngineBench bench;
  bench.apply(kFirst);
  const auto before = bench.everything();
  bench.interrupt_after = 3;
  CHECK(error_of([&] { bench.rollback(); }).status() == ExitStatus::interrupted);
  CHECK(bench.everything() == before);
  CHECK_FALSE(read_hold(bench.host));
  CHECK(bench.rollback().to == 0);
}

TEST_CASE("edits made under a generation come back with it, not those made under the next") {
  EngineBench bench;
  bench.apply(kFirst);
  const std::string under_first = bench.bytes(kNginx) + "# under the first\n";
  bench.host.add_file(kNginx, under_first);
  bench.apply(kSecond);
  bench.rollback();
  CHECK(bench.bytes(kNginx) == under_first);
  bench.apply({sysctl("vm.swappiness", "9")}, {.end_hold = true, .only = {"sysctl:*"}});
  bench.rollback_to(0);
  CHECK(contains(bench.bytes(kNginx), "keepalive_timeout 65;  # long"));
  CHECK(contains(bench.bytes(kNginx), "# under the first\n"));
}

TEST_CASE("an administrator's later edit elsewhere in the file stays") {
  EngineBench bench;
  bench.apply(kFirst);
  bench.host.add_file(kNginx, edited(bench.bytes(kNginx), "sendfile on;", "sendfile off;"));
  const auto before = bench.everything();
  bench.rollback();
  CHECK(contains(bench.bytes(kNginx), "keepalive_timeout 65;  # long"));
  CHECK(contains(bench.bytes(kNginx), "sendfile off;"));
  bench.rollback_to(1);
  CHECK(bench.everything() == before);
}

TEST_CASE("a key that was edited since is named and refused, force takes it back") {
  EngineBench bench;
  bench.apply(kFirst);
  bench.host.add_file(kNginx, edited(bench.bytes(kNginx), "keepalive_timeout 75", "keepalive_timeout 99"));
  const auto before = bench.everything();
  const Error error = error_of([&] { bench.rollback(); });
  CHECK(error.status() == ExitStatus::error);
  CHECK(contains(error.what(), "nginx:http.keepalive_timeout"));
  CHECK(contains(error.what(), "99"));
  CHECK(contains(error.next(), "--force"));
  CHECK(bench.everything() == before);
  CHECK_FALSE(read_hold(bench.host));

  CHECK(bench.rollback({.generation = {}, .force = true}).changed);
  CHECK(contains(bench.bytes(kNginx), "keepalive_timeout 65;  # long"));
}

TEST_CASE("a live value that was changed since is refused likewise") {
  EngineBench bench;
  bench.apply(kFirst);
  bench.host.add_file(kSwappiness, "33\n");
  const Error error = error_of([&] { bench.rollback(); });
  CHECK(contains(error.what(), "sysctl:vm.swappiness"));
  CHECK(contains(error.what(), "33"));
  bench.rollback({.generation = {}, .force = true});
  CHECK(bench.bytes(kSwappiness) == "60\n");
}

TEST_CASE("a rollback twice is harmless: it says so, and writes nothing") {
  EngineBench bench;
  bench.apply(kFirst);
  bench.apply(kSecond);
  bench.rollback();
  const auto before = bench.everything();
  bench.host.forget_records();
  const RollbackResult again = bench.rollback();
  CHECK_FALSE(again.changed);
  CHECK(again.to == 1);
  CHECK(contains(again.nothing_to_do, "already rolled back to generation 1"));
  const RollbackResult named = bench.rollback_to(1);
  CHECK_FALSE(named.changed);
  CHECK_FALSE(named.nothing_to_do.empty());
  CHECK(bench.host.writes().empty());
  CHECK(bench.everything() == before);
}

TEST_CASE("a rollback on a host that was never tuned says so, one to an unknown generation is an error") {
  EngineBench bench;
  CHECK_FALSE(bench.rollback().nothing_to_do.empty());
  CHECK_FALSE(bench.rollback_to(0).nothing_to_do.empty());
  CHECK(contains(error_of([&] { bench.rollback_to(7); }).what(), "there is no generation 7"));
}

TEST_CASE("a rollback sets a hold, the hold stops every apply until a person ends it") {
  EngineBench bench;
  bench.apply(kFirst);
  bench.rollback();
  REQUIRE(read_hold(bench.host));
  CHECK(read_hold(bench.host)->by == Hold::By::rollback);
  CHECK(read_hold(bench.host)->generation == 0);
  const auto before = bench.everything();

  const Error error = error_of([&] { bench.apply(kFirst); });
  CHECK(error.status() == ExitStatus::busy);
  CHECK(contains(error.what(), "rolled back to generation 0"));
  CHECK(bench.dialogue.questions.size() == 1);
  bench.dialogue.end_of_hold = true;
  CHECK(error_of([&] { bench.apply(kFirst, {.unattended = true}); }).status() == ExitStatus::busy);
  CHECK(bench.dialogue.questions.size() == 1);
  CHECK(bench.everything() == before);

  CHECK(bench.apply(kFirst).changed);
  CHECK_FALSE(read_hold(bench.host));
  bench.rollback();
  bench.dialogue.end_of_hold = false;
  CHECK(bench.apply(kFirst, kEndHold).changed);
  CHECK_FALSE(read_hold(bench.host));
}

TEST_CASE(
    "a hold ends also when there is nothing left to do, and stays when the person says no to the plan") {
  EngineBench bench;
  write_hold(bench.host, {.by = Hold::By::person, .message = "x", .since = 1, .plan_digest = {}});
  bench.dialogue.plan = false;
  bench.apply(kFirst, kEndHold);
  CHECK(read_hold(bench.host));
  bench.apply({sysctl("vm.dirty_ratio", "20")}, kEndHold);
  CHECK_FALSE(read_hold(bench.host));
}

TEST_CASE("an unattended apply that fails holds that plan until its wishes change") {
  EngineBench bench;
  bench.host.clamp_on_write(kSwappiness, 10, 200);
  const RunOptions unattended{.unattended = true};
  CHECK(error_of([&] { bench.apply({sysctl("vm.swappiness", "1")}, unattended); }).status() ==
        ExitStatus::undone);
  REQUIRE(read_hold(bench.host));
  CHECK(read_hold(bench.host)->by == Hold::By::failed_apply);
  CHECK(error_of([&] { bench.apply({sysctl("vm.swappiness", "1")}, unattended); }).status() ==
        ExitStatus::busy);
  CHECK(bench.apply({sysctl("vm.swappiness", "11")}, unattended).changed);
  CHECK_FALSE(read_hold(bench.host));

  // One that a person runs sets none.
  CHECK(error_of([&] { bench.apply({sysctl("vm.swappiness", "1")}); }).status() == ExitStatus::undone);
  CHECK_FALSE(read_hold(bench.host));
}

TEST_CASE("a check that refuses an unattended apply holds it too") {
  EngineBench bench;
  bench.host.on_command({"nginx", "-t"}, {1, false, "", "no"});
  CHECK(error_of([&] { bench.apply(kFirst, {.unattended = true}); }).status() == ExitStatus::undone);
  CHECK(read_hold(bench.host));
}

TEST_CASE("R2: an untouched file goes back byte for byte though another one of its owner is broken") {
  EngineBench bench;
  const std::string found = bench.bytes(kNginx);
  bench.apply(kFirst);
  bench.host.add_file("/etc/nginx/conf.d/other.conf", "server {\n");
  bench.host.on_command({"nginx", "-t"}, {1, false, "", "unexpected end of file"});
  CHECK(bench.rollback().changed);
  CHECK(bench.bytes(kNginx) == found);
  CHECK(bench.bytes("/etc/nginx/conf.d/other.conf") == "server {\n");
}

TEST_CASE("R2: a file that no longer parses is a conflict, force restores it whole") {
  EngineBench bench;
  const auto found = bench.everything();
  bench.apply(kFirst);
  bench.host.add_file(kNginx, bench.bytes(kNginx) + "http {\n");
  bench.host.on_command({"nginx", "-t"}, {1, false, "", "unexpected end of file"});
  const auto before = bench.everything();
  const Error error = error_of([&] { bench.rollback(); });
  CHECK(error.status() == ExitStatus::error);
  CHECK(contains(error.what(), kNginx));
  CHECK(bench.everything() == before);
  CHECK(bench.rollback({.generation = {}, .force = true}).changed);
  CHECK(bench.everything() == found);
}

TEST_CASE("a boot menu that was edited by hand is asked about before a rollback replaces it") {
  EngineBench bench;
  const auto found = bench.everything();
  bench.apply(kFirst);
  bench.host.add_file(kGrubMenu, bench.bytes(kGrubMenu) + "# by hand\n");
  const auto before = bench.everything();
  bench.dialogue.questions.clear();
  bench.dialogue.question = false;
  const Error refused = error_of([&] { bench.rollback(); });
  CHECK(contains(refused.what(), "- # by hand"));
  CHECK(refused.state() == "host unchanged");
  CHECK(bench.dialogue.questions.size() == 1);
  CHECK(bench.everything() == before);
  bench.dialogue.question = true;
  CHECK(bench.rollback().changed);
  CHECK(bench.everything() == found);
}

TEST_CASE("a rollback that the kernel does not take is undone, and sets no hold") {
  EngineBench bench;
  bench.apply(kFirst);
  const auto before = bench.everything();
  bench.host.clamp_on_write(kSwappiness, 0, 50);
  const Error error = error_of([&] { bench.rollback(); });
  CHECK(error.status() == ExitStatus::undone);
  CHECK(contains(error.what(), "50"));
  CHECK(bench.everything() == before);
  CHECK_FALSE(read_hold(bench.host));
  CHECK(Generations(bench.snapshot).current() == 1);
}

TEST_CASE("files of /etc go back to what a commit has, ours apart") {
  EngineBench bench;
  bench.apply(kFirst);
  const std::string commit = bench.commits().front().id;
  bench.host.add_file("/etc/sysctl.d/10-local.conf", "# gone\n");
  Session run = bench.session("rollback");
  CHECK(rollback_files(run, commit, {"sysctl.d/10-local.conf", "tunekeeper/generation.json"}, bench.dialogue)
            .changed);
  CHECK(contains(bench.bytes("/etc/sysctl.d/10-local.conf"), "# of the house\r\n"));
  CHECK(bench.has_record());
  CHECK_FALSE(rollback_files(run, commit, {"sysctl.d/10-local.conf"}, bench.dialogue).changed);
}

TEST_CASE("a folder stands for its files, and what no commit and no host has is an error") {
  EngineBench bench;
  Session run = bench.session("rollback");
  const auto go = [&](const std::string& commit, const std::vector<std::string>& paths) {
    return rollback_files(run, commit, paths, bench.dialogue);
  };
  CHECK(contains(error_of([&] { go("HEAD", {}); }).what(), "/etc is not under git yet"));
  bench.apply(kFirst);
  const std::string commit = bench.commits().front().id;
  const Error unknown = error_of([&] { go("abc123", {}); });
  CHECK(std::string(unknown.what()) == "there is no commit abc123 in the history of /etc");
  CHECK(unknown.state() == "host unchanged");
  CHECK(contains(unknown.next(), "tunekeeper history"));
  const Error missing = error_of([&] { go(commit, {"sysctl.d/none.conf"}); });
  CHECK(contains(missing.what(), "nor this host has a file /etc/sysctl.d/none.conf"));
  bench.host.add_file("/etc/sysctl.d/10-local.conf", "# gone\n");
  bench.host.add_file("/etc/sysctl.d/new.conf", "# new\n");
  bench.host.add_file(kNginx, "# gone\n");
  CHECK(go(commit, {"sysctl.d"}).changed);
  CHECK(contains(bench.bytes("/etc/sysctl.d/10-local.conf"), "# of the house\r\n"));
  CHECK_FALSE(bench.host.exists("/etc/sysctl.d/new.conf"));
  CHECK(bench.bytes(kNginx) == "# gone\n");
}

TEST_CASE("a line that was removed goes back next to its old neighbours in a file that was edited since") {
  EngineBench bench;
  const std::string server = "/etc/mysql/mariadb.conf.d/50-server.cnf";
  bench.host.add_file(server,
                      "[mysqld]\n# of the house\nmax_connections = 100\nskip-name-resolve\nuser = a\n");
  Desired gone = mysql("max_connections", "");
  gone.want = Want::absent;
  gone.value = {};
  bench.apply({sysctl("vm.swappiness", "1"), gone});
  REQUIRE_FALSE(contains(bench.bytes(server), "max_connections"));
  bench.host.add_file(server, "# new\n" + bench.bytes(server) + "port = 3307\n");
  const std::string whole =
      "# new\n[mysqld]\n# of the house\nmax_connections = 100\nskip-name-resolve\nuser = a\nport = 3307\n";
  SECTION("by a rollback") {
    bench.rollback();
  }
  SECTION("by a release") {
    bench.apply({sysctl("vm.swappiness", "1")});
  }
  CHECK(bench.bytes(server) == whole);
}

TEST_CASE("a key that both generations state alike keeps nobody from a rollback, whoever edited it since") {
  EngineBench bench;
  bench.apply({sysctl("vm.swappiness", "1")});
  bench.apply({sysctl("vm.swappiness", "1"), sysctl("vm.dirty_ratio", "10")});
  const std::string path = "/etc/sysctl.d/zz-tunekeeper.conf";
  std::string edited = bench.host.bytes(path);
  edited.replace(edited.find("vm.swappiness = 1"), 17, "vm.swappiness = 7");
  bench.host.add_file(path, edited);
  CHECK(bench.rollback_to(1).changed);
  CHECK(bench.host.bytes(path).find("vm.swappiness = 7") != std::string::npos);
  CHECK(bench.host.bytes(path).find("vm.dirty_ratio") == std::string::npos);
}

TEST_CASE("without its history the host can still go back to generation 0") {
  EngineBench bench;
  const std::string before = bench.host.bytes("/proc/sys/vm/swappiness");
  bench.apply({sysctl("vm.swappiness", "1")});
  bench.snapshot.remove();
  CHECK(bench.rollback_to(0).changed);
  CHECK(bench.host.bytes("/proc/sys/vm/swappiness") == before);
}
