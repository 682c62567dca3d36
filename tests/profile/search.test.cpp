#include "profile/workbench.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;
using test::lines;
using test::Workbench;

namespace {

std::string joined(const std::vector<Diagnostic>& faults) {
  std::string text;
  for (const auto& fault : faults) text += to_string(fault) + "\n";
  return text;
}

}  // namespace

TEST_CASE("bases are merged in order, later wins, and each setting keeps its origin") {
  Workbench bench;
  bench.add("common",
            "summary: c\nvars: { x: 1, y: 1 }\nsysctl:\n  a: common\n  b: common\n  c: ${ vars.x }\n");
  bench.add("left", "extends: [common]\nsysctl:\n  a: left\n");
  bench.add("right", "extends: common\nvars: { x: 2 }\nsysctl:\n  d: ${ vars.y }\n");
  bench.add("top", "summary: all\nextends: [left, right]\nsysctl:\n  b: { value: top, why: mine }\n");
  const auto profile = bench.load("top");
  CHECK(profile.summary == "all");
  CHECK(profile.path == "/usr/share/tunekeeper/profiles/top.yaml");
  CHECK(profile.files.size() == 4);
  const auto evaluation = bench.evaluate("top");
  CHECK(lines(evaluation) == "sysctl:a = left\nsysctl:b = top\nsysctl:c = 2\nsysctl:d = 1\n");
  CHECK(to_string(evaluation.desired[0].at) == "/usr/share/tunekeeper/profiles/left.yaml:3:3");
  CHECK(evaluation.desired[0].profile == "top");
}

TEST_CASE("profiles that extend each other are an error") {
  Workbench bench;
  bench.add("a", "extends: [b]\nsysctl: { x: 1 }\n");
  bench.add("b", "extends: [a]\nsysctl: { y: 1 }\n");
  CHECK(bench.faults("a") == "b.yaml:1:11: profiles extend each other in a circle: a -> b -> a");
}

TEST_CASE("a name that no profile has is answered with the nearest") {
  Workbench bench;
  bench.add("mysql-oltp", "sysctl: { x: 1 }\n");
  try {
    bench.load("mysql-oltpp");
    FAIL("no error");
  } catch (const InvalidProfile& invalid) {
    CHECK(invalid.status() == ExitStatus::invalid);
    CHECK(std::string(invalid.what()) == "there is no profile \"mysql-oltpp\", did you mean \"mysql-oltp\"?");
  }
  CHECK_THROWS_WITH(bench.load("/nowhere/x.yaml"), "/nowhere/x.yaml: there is no such file");
}

TEST_CASE("the highest folder's profile counts, and --profile-path is the highest") {
  Workbench bench;
  bench.add("p", "sysctl: { from: usr-share }\n");
  CHECK(lines(bench.evaluate("p")) == "sysctl:from = usr-share\n");
  bench.host.add_file("/usr/local/share/tunekeeper/profiles/p.yaml", "sysctl: { from: usr-local }\n");
  CHECK(lines(bench.evaluate("p")) == "sysctl:from = usr-local\n");
  bench.host.add_file("/run/tunekeeper/profiles/p.yaml", "sysctl: { from: run }\n");
  CHECK(lines(bench.evaluate("p")) == "sysctl:from = run\n");
  bench.host.add_file("/etc/tunekeeper/profiles/p.yaml", "sysctl: { from: etc }\n");
  CHECK(lines(bench.evaluate("p")) == "sysctl:from = etc\n");
  bench.host.add_file("/srv/p.yaml", "sysctl: { from: srv }\n");
  bench.profile_path = "/srv";
  CHECK(lines(bench.evaluate("p")) == "sysctl:from = srv\n");
}

TEST_CASE("on another root, /etc and /run are the root's, the shipped profiles this machine's") {
  Workbench bench;
  MemoryHost root;
  root.set_other_root(true);
  root.add_file("/usr/share/tunekeeper/profiles/p.yaml", "sysctl: { from: the-root }\n");
  bench.add("p", "sysctl: { from: machine }\n");
  bench.host.add_file("/etc/tunekeeper/profiles/q.yaml", "sysctl: { from: machine }\n");
  root.add_file("/etc/tunekeeper/profiles/r.yaml", "sysctl: { from: the-root }\n");
  root.add_file("/etc/tunekeeper/profiles/p.yaml.d/10.yaml", "sysctl: { also: the-root }\n");
  Loader loader({bench.host, root, test::test_sections(), bench.facts, bench.evaluator, "", 0});
  const auto of = [&](const char* name) {
    return lines(
        evaluate(loader.load(name), bench.facts, bench.evaluator, [](std::string_view) { return true; }));
  };
  CHECK(of("p") == "sysctl:from = machine\nsysctl:also = the-root\n");
  CHECK(of("r") == "sysctl:from = the-root\n");
  CHECK_THROWS_WITH(loader.load("q"), "there is no profile \"q\"");
}

TEST_CASE("drop-ins come by basename, of one basename the highest folder's counts, /dev/null masks") {
  Workbench bench;
  bench.add("p", "vars: { x: 1 }\nsysctl: { a: base, b: base, c: base, x: \"${ vars.x }\" }\n");
  bench.host.add_file("/usr/share/tunekeeper/profiles/p.yaml.d/20-b.yaml",
                      "sysctl: { a: share-20, b: share-20 }\n");
  bench.host.add_file("/etc/tunekeeper/profiles/p.yaml.d/10-a.yaml",
                      "vars: { x: 2 }\nsysctl: { a: etc-10, c: etc-10 }\n");
  CHECK(lines(bench.evaluate("p")) ==
        "sysctl:a = share-20\nsysctl:b = share-20\nsysctl:c = etc-10\nsysctl:x = 2\n");
  bench.host.add_symlink("/run/tunekeeper/profiles/p.yaml.d/20-b.yaml", "/dev/null");
  CHECK(lines(bench.evaluate("p")) ==
        "sysctl:a = etc-10\nsysctl:b = base\nsysctl:c = etc-10\nsysctl:x = 2\n");
  bench.host.add_file("/etc/tunekeeper/profiles/p.yaml.d/20-b.yaml", "sysctl: { a: etc-20 }\n");
  CHECK(lines(bench.evaluate("p")) ==
        "sysctl:a = etc-20\nsysctl:b = base\nsysctl:c = etc-10\nsysctl:x = 2\n");
  bench.host.add_file("/etc/tunekeeper/profiles/p.yaml.d/README", "not yaml: [");
  bench.host.add_file("/etc/tunekeeper/profiles/p.yaml.d/.hidden.yaml", "not yaml: [");
  CHECK(bench.faults("p") == "");
  bench.host.add_file("/etc/tunekeeper/profiles/p.yaml.d/30.yaml", "extends: [p]\nvars: { xx: 1 }\n");
  CHECK(bench.faults("p") ==
        "/etc/tunekeeper/profiles/p.yaml.d/30.yaml:1:1: a drop-in extends nothing: only the profile itself "
        "does\n"
        "/etc/tunekeeper/profiles/p.yaml.d/30.yaml:2:9: the profile declares no variable \"xx\", did you "
        "mean \"x\"?");
}

TEST_CASE("drop-ins of a base come with it, before what extends it") {
  Workbench bench;
  bench.add("base", "sysctl: { a: base, b: base }\n").add("p", "extends: [base]\nsysctl: { b: p }\n");
  bench.host.add_file("/etc/tunekeeper/profiles/base.yaml.d/x.yaml", "sysctl: { a: drop-in, b: drop-in }\n");
  CHECK(lines(bench.evaluate("p")) == "sysctl:a = drop-in\nsysctl:b = p\n");
}

TEST_CASE("a masked profile is told as masked") {
  Workbench bench;
  bench.add("p", "sysctl: { a: 1 }\n");
  bench.host.add_symlink("/etc/tunekeeper/profiles/p.yaml", "/dev/null");
  CHECK_THROWS_WITH(bench.load("p"), "profile \"p\" is masked by /etc/tunekeeper/profiles/p.yaml");
}

TEST_CASE("a profile named by its path finds its neighbours first, and has no drop-ins") {
  Workbench bench;
  bench.add("base", "sysctl: { a: shipped }\n");
  bench.host.add_file("/srv/base.yaml", "sysctl: { a: neighbour }\n");
  bench.host.add_file("/srv/p.yaml", "extends: [base]\nsysctl: { b: 1 }\n");
  bench.host.add_file("/srv/p.yaml.d/x.yaml", "sysctl: { b: 2 }\n");
  CHECK(lines(bench.evaluate("/srv/p.yaml")) == "sysctl:a = neighbour\nsysctl:b = 1\n");
  CHECK(bench.load("/srv/p.yaml").name == "p");
}

TEST_CASE("variables of the host override what profiles declare, and only that") {
  Workbench bench;
  bench.add("p",
            "vars: { share: 0.5, spin: ~ }\nsysctl:\n  a: { value: \"${ vars.spin }\", when: vars.spin }\n"
            "  b: ${ vars.share * 4 }\n");
  bench.host.add_file("/etc/tunekeeper/host.yaml",
                      "profiles: [p]\nvars: { share: 0.75, spin: \"${ numa.nodes * 25 }\", shar: 1 }\n");
  const auto config = load_host_config(bench.host, bench.facts.names(), 0);
  CHECK(lines(bench.evaluate("p", config.vars)) == "sysctl:a = 50\nsysctl:b = 3\n");
  CHECK(joined(undeclared_vars(config, {bench.load("p")})) ==
        "/etc/tunekeeper/host.yaml:2:52: no profile of this host declares a variable \"shar\", did you mean "
        "\"share\"?\n");
}

TEST_CASE("host.yaml says profiles, variables, facts and what may be done to services") {
  Workbench bench;
  CHECK_FALSE(load_host_config(bench.host, bench.facts.names(), 0).present);
  bench.host.add_file("/etc/tunekeeper/host.yaml", R"(
profiles: [mysql-oltp, web]
facts: { mysql.version: 10.11, mysql.disks: [sdb], memory.total: 1024 }
services:
  nginx: { restart: restart, unit: openresty.service }
  mysql: { defaults_file: /etc/mysql/other.cnf }
)");
  const auto config = load_host_config(bench.host, bench.facts.names(), 0);
  CHECK(config.present);
  REQUIRE(config.profiles.size() == 2);
  CHECK(config.profiles[1].name == "web");
  CHECK(config.facts.at("mysql.version") == Scalar(std::string("10.11")));
  CHECK(config.facts.at("mysql.disks") == Scalar(std::vector<std::string>{"sdb"}));
  CHECK(config.facts.at("memory.total") == Scalar(std::int64_t{1024}));
  CHECK(config.policy("nginx").restart == ServicePolicy::Restart::restart);
  CHECK(config.policy("nginx").unit == "openresty.service");
  CHECK(config.policy("mysql").restart == ServicePolicy::Restart::never);
  CHECK(config.policy("mysql").defaults_file == "/etc/mysql/other.cnf");
  CHECK(config.policy("mariadb").restart == ServicePolicy::Restart::never);
  CHECK(config.policy("other").restart == ServicePolicy::Restart::reload);
}

TEST_CASE("faults of host.yaml are all told") {
  Workbench bench;
  bench.host.add_file("/etc/tunekeeper/host.yaml", R"(
profile: [p]
facts: { mysql.versoin: 1 }
services:
  nginx: { restart: always, unitt: x }
  mysql: never
)");
  try {
    load_host_config(bench.host, bench.facts.names(), 0);
    FAIL("no error");
  } catch (const InvalidProfile& invalid) {
    const std::string at = "/etc/tunekeeper/host.yaml:";
    CHECK(joined(invalid.diagnostics()) ==
          at + "2:1: unknown key \"profile\", did you mean \"profiles\"?\n" + at +
              "3:10: no fact is named \"mysql.versoin\", did you mean \"mysql.version\"?\n" + at +
              "5:21: \"restart\" takes never, reload or restart\n" + at +
              "5:29: unknown key \"unitt\", did you mean \"unit\"?\n" + at +
              "6:10: \"mysql\" takes a map of keys and values\n");
    CHECK(bench.loader().check("/etc/tunekeeper/host.yaml") == invalid.diagnostics());
  }
  bench.host.deny_read("/etc/tunekeeper/host.yaml", 13);
  CHECK_THROWS_WITH(load_host_config(bench.host, bench.facts.names(), 0),
                    "/etc/tunekeeper/host.yaml: cannot be read: Permission denied");
}

TEST_CASE("files that others can write are not trusted, nor are their folders") {
  Workbench bench;
  const std::string path = "/srv/profiles/p.yaml";
  bench.profile_path = "/srv/profiles";
  const auto refused = [&] { return bench.faults("p"); };
  bench.host.add_directory("/srv/profiles");
  bench.host.add_file(path, "sysctl: { a: 1 }\n");
  CHECK(refused() == "");

  SECTION("by anyone") {
    bench.host.add_file(path, "sysctl: { a: 1 }\n", 0666);
    CHECK(refused() == path + ": not trusted: " + path +
                           " can be written by anyone (mode 0666); next: chmod go-w " + path);
  }
  SECTION("by its group, whoever is in it") {
    bench.host.add_file(path, "sysctl: { a: 1 }\n", 0664);
    CHECK(refused() == path + ": not trusted: " + path +
                           " can be written by its group (mode 0664); next: chmod go-w " + path);
  }
  SECTION("owned by another") {
    bench.host.set_owner(path, 1000, 1000);
    CHECK(refused() == path + ": not trusted: " + path +
                           " is owned by uid 1000, neither root nor you; next: chown root " + path);
    bench.uid = 1000;
    CHECK(refused() == "");
  }
  SECTION("its folder") {
    bench.host.set_mode("/srv/profiles", 0777);
    CHECK(refused() ==
          path +
              ": not trusted: /srv/profiles can be written by anyone (mode 0777); next: chmod go-w "
              "/srv/profiles");
    bench.host.set_mode("/srv/profiles", 01777);
    CHECK(refused() == "");
  }
  SECTION("a folder above") {
    bench.host.set_mode("/srv", 0775);
    CHECK(refused() ==
          path + ": not trusted: /srv can be written by its group (mode 0775); next: chmod go-w /srv");
    bench.host.set_mode("/srv", 01777);
    CHECK(refused() == "");
  }
  SECTION("behind a link") {
    bench.host.add_file("/open/p.yaml", "sysctl: { a: 1 }\n");
    bench.host.set_mode("/open", 0777);
    bench.host.remove(path);
    bench.host.add_symlink(path, "/open/p.yaml");
    CHECK(refused() ==
          path + ": not trusted: /open can be written by anyone (mode 0777); next: chmod go-w /open");
  }
  SECTION("templates and host.yaml too") {
    bench.host.add_file("/srv/profiles/templates/t", "x", 0666);
    bench.host.add_file(path, "files: { /etc/x: { template: t } }\n");
    CHECK(refused() ==
          "/srv/profiles/templates/t: not trusted: /srv/profiles/templates/t can be written by anyone "
          "(mode 0666); next: chmod go-w /srv/profiles/templates/t");
    bench.host.add_file("/etc/tunekeeper/host.yaml", "profiles: [p]\n", 0602);
    CHECK_THROWS_AS(load_host_config(bench.host, bench.facts.names(), 0), InvalidProfile);
  }
}

TEST_CASE("a dangling link and an unreadable file are told, not skipped") {
  Workbench bench;
  bench.add("p", "sysctl: { a: 1 }\n");
  bench.host.add_symlink("/etc/tunekeeper/profiles/p.yaml", "/nowhere");
  CHECK(bench.faults("p") == "/etc/tunekeeper/profiles/p.yaml: cannot be read: No such file or directory");
  bench.host.remove("/etc/tunekeeper/profiles/p.yaml");
  bench.host.deny_read("/usr/share/tunekeeper/profiles/p.yaml", 13);
  CHECK(bench.faults("p") == "p.yaml: cannot be read: Permission denied");
}

TEST_CASE("list tells every profile, what it overrides, and what masks it") {
  Workbench bench;
  bench.add("a", "summary: the first\nsysctl: { x: 1 }\n")
      .add("b", "summary: gone\n")
      .add("c", "summary: [\n");
  bench.host.add_file("/etc/tunekeeper/profiles/a.yaml", "summary: mine\n");
  bench.host.add_file("/etc/tunekeeper/profiles/a.yaml.d/1.yaml", "sysctl: { x: 2 }\n");
  bench.host.add_symlink("/etc/tunekeeper/profiles/b.yaml", "/dev/null");
  const auto listed = bench.loader().list();
  REQUIRE(listed.size() == 3);
  CHECK(listed[0].name == "a");
  CHECK(listed[0].summary == "mine");
  CHECK(listed[0].path == "/etc/tunekeeper/profiles/a.yaml");
  CHECK(listed[0].overridden == std::vector<std::string>{"/usr/share/tunekeeper/profiles/a.yaml"});
  CHECK(listed[0].drop_ins == std::vector<std::string>{"/etc/tunekeeper/profiles/a.yaml.d/1.yaml"});
  CHECK(listed[0].problem.empty());
  CHECK(listed[1].masked);
  CHECK(listed[2].problem.starts_with("/usr/share/tunekeeper/profiles/c.yaml:"));
}

TEST_CASE("of several profiles' wishes for one setting the last profile's counts") {
  Workbench bench;
  bench.add("a", "sysctl: { x: 1, y: 1 }\n").add("b", "sysctl: { x: 2, z: \"${ mysql.role }\" }\n");
  const auto both = combine({bench.evaluate("a"), bench.evaluate("b")});
  CHECK(lines(both) ==
        "sysctl:x = 2\nsysctl:y = 1\nsysctl:z ? mysql.role is not known here: the server is not running\n");
  CHECK(both.desired[0].profile == "b");
}
