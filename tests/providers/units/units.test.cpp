#include <cerrno>

#include "providers/fixture.hpp"
#include "providers/units/units_provider.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;

namespace {

struct UnitsBench : Bench {
  UnitsBench() : Bench(make_units_provider()) {
    host.add_file("/usr/lib/systemd/system/mariadb.service",
                  "[Unit]\nDescription=x\n[Service]\nLimitNOFILE=32768\nCPUAffinity=0\nCPUAffinity=1\n");
  }

  static Desired key(const std::string& unit, const std::string& key, const std::string& value,
                     Want kind = Want::equals) {
    auto desired = want("unit:" + unit + ":Service." + key, value, kind);
    desired.path = {unit, "Service", key};
    return desired;
  }
};

const std::string own = "/etc/systemd/system/mariadb.service.d/zz-tunekeeper.conf";
const std::string header =
    "# Written by tunekeeper from its profiles; changes to managed lines are reported as drift.\n";

}  // namespace

TEST_CASE("a key of a unit is written to our drop-in, and systemd is told to read its files again") {
  UnitsBench bench;
  const std::vector<Desired> wanted{UnitsBench::key("mariadb.service", "NUMAPolicy", "interleave"),
                                    UnitsBench::key("mariadb.service", "NUMAMask", "all")};
  const auto plan = bench.plan(wanted);
  REQUIRE(plan.size() == 2);
  CHECK(plan[0].settings.size() == 2);
  CHECK(std::holds_alternative<DaemonReload>(plan[1].deed));
  CHECK(plan[1].phase == Phase::daemon_reload);
  for (const auto& row : bench.apply(wanted)) CHECK(row.state == State::in_sync);
  CHECK(bench.bytes(own) == header + "[Service]\nNUMAPolicy=interleave\nNUMAMask=all\n");
  CHECK(bench.plan(wanted).empty());
  CHECK_FALSE(bench.provider->after_files(bench.context, std::vector<std::string>{own}).empty());
}

TEST_CASE("on another root no manager is asked to reload") {
  UnitsBench bench;
  bench.host.set_other_root(true);
  CHECK(bench.plan({UnitsBench::key("mariadb.service", "NUMAPolicy", "interleave")}).size() == 1);
  CHECK(bench.provider->after_files(bench.context, std::vector<std::string>{own}).empty());
}

TEST_CASE("planes and effect of a unit's key") {
  UnitsBench bench;
  const auto row = bench.row(UnitsBench::key("mariadb.service", "LimitNOFILE", "32K"));
  CHECK(row.state == State::in_sync);
  CHECK(row.seen.live == Plane::not_applicable("systemd does not run here"));
  CHECK(row.seen.decided_by == "usr/lib/systemd/system/mariadb.service:4");
  CHECK(to_string(row.seen.takes_effect) == "restart mariadb");
  CHECK(to_string(bench.row(UnitsBench::key("mariadb.service", "AllowedCPUs", "0-3")).seen.takes_effect) ==
        "now");
}

TEST_CASE("drop-ins follow the unit in the order of their base names, over all folders and the type's") {
  UnitsBench bench;
  bench.host.add_file("/usr/lib/systemd/system/mariadb.service.d/50.conf", "[Service]\nLimitNOFILE=1\n");
  bench.host.add_file("/etc/systemd/system/service.d/60.conf", "[Service]\nLimitNOFILE=2\n");
  bench.host.add_file("/etc/systemd/system/mariadb.service.d/50.conf", "[Service]\nLimitNOFILE=3\n");
  const auto desired = UnitsBench::key("mariadb.service", "LimitNOFILE", "9");
  CHECK(bench.row(desired).seen.persisted == Plane::of("2"));
  CHECK(bench.row(desired).seen.decided_by == "etc/systemd/system/service.d/60.conf:2");
  bench.host.add_symlink("/etc/systemd/system/mariadb.service.d/60.conf", "/dev/null");
  CHECK(bench.row(desired).seen.persisted == Plane::of("3"));
}

TEST_CASE("a drop-in of an alias counts") {
  UnitsBench bench;
  bench.host.add_symlink("/etc/systemd/system/mysql.service", "/lib/systemd/system/mariadb.service");
  bench.host.add_file("/etc/systemd/system/mysql.service.d/a.conf", "[Service]\nLimitNOFILE=7\n");
  CHECK(bench.row(UnitsBench::key("mariadb.service", "LimitNOFILE", "7")).state == State::in_sync);
}

TEST_CASE("a drop-in that outranks ours is edited where it stands") {
  UnitsBench bench;
  const std::string zzz = "/etc/systemd/system/mariadb.service.d/zzz.conf";
  bench.host.add_file(zzz, "# mine\r\n[Service]\r\nLimitNOFILE=5\r\n");
  CHECK(bench.apply({UnitsBench::key("mariadb.service", "LimitNOFILE", "9")}).front().state ==
        State::in_sync);
  CHECK(bench.bytes(zzz) == "# mine\r\n[Service]\r\nLimitNOFILE=9\r\n");
  CHECK_FALSE(bench.host.exists(own));
}

TEST_CASE("a list starts anew in our drop-in, and absence is an empty assignment") {
  UnitsBench bench;
  const auto affinity = UnitsBench::key("mariadb.service", "CPUAffinity", "2-3");
  CHECK(bench.apply({affinity}).front().state == State::in_sync);
  CHECK(bench.bytes(own) == header + "[Service]\nCPUAffinity=\nCPUAffinity=2-3\n");
  CHECK(bench.apply({UnitsBench::key("mariadb.service", "CPUAffinity", "", Want::absent)}).front().state ==
        State::in_sync);
  CHECK(bench.bytes(own) == header + "[Service]\nCPUAffinity=\n");
}

TEST_CASE("what only we said goes with our drop-in") {
  UnitsBench bench;
  bench.apply({UnitsBench::key("mariadb.service", "NUMAPolicy", "interleave")});
  CHECK(bench.apply({UnitsBench::key("mariadb.service", "NUMAPolicy", "", Want::absent)}).front().state ==
        State::in_sync);
  CHECK_FALSE(bench.host.exists(own));
  CHECK(bench.provider->is_spent(own, header));
  CHECK_FALSE(bench.provider->is_spent("/etc/systemd/system/a.service.d/mine.conf", header));
}

TEST_CASE("mysql is the unit that is there, else the one the facts name") {
  UnitsBench bench;
  const auto unit_of = [&] {
    return bench.provider->expand(bench.context, UnitsBench::key("mysql", "Nice", "1")).front().id;
  };
  CHECK(unit_of() == "unit:mariadb.service:Service.Nice");
  bench.host.remove("/usr/lib/systemd/system/mariadb.service");
  bench.facts.set("mysql.unit", std::string("mysqld.service"));
  CHECK(unit_of() == "unit:mysqld.service:Service.Nice");
  CHECK(bench.provider->expand(bench.context, UnitsBench::key("nginx", "Nice", "1")).front().id ==
        "unit:nginx.service:Service.Nice");
  CHECK(bench.provider->expand(bench.context, UnitsBench::key("system.slice", "Nice", "1")).front().id ==
        "unit:system.slice:Service.Nice");
}

TEST_CASE("a unit that is not here, or masked, is unsupported, one that cannot be read is failed") {
  UnitsBench bench;
  CHECK(bench.row(UnitsBench::key("mysqld.service", "Nice", "1")).reason == "no unit mysqld.service here");
  bench.host.add_symlink("/etc/systemd/system/x.service", "/dev/null");
  CHECK(bench.row(UnitsBench::key("x.service", "Nice", "1")).state == State::unsupported);
  bench.host.deny_read("/usr/lib/systemd/system/mariadb.service", EACCES);
  CHECK(bench.row(UnitsBench::key("mariadb.service", "Nice", "1")).state == State::failed);
}

TEST_CASE("the shape of units in a profile") {
  const auto provider = make_units_provider();
  const auto& spec = provider->section();
  const std::vector<std::string> key{"mariadb", "Service", "NUMAPolicy"}, group{"mariadb", "Service"},
      bad{"../x", "Service", "y"};
  CHECK(spec.join(key) == "mariadb.service:Service.NUMAPolicy");
  CHECK(spec.is_group(group));
  CHECK_FALSE(spec.is_group(key));
  CHECK(spec.key_problem(bad).has_value());
  CHECK_FALSE(spec.key_problem(key).has_value());
  CHECK(unit_key("unit:a.b:c.service:Service.Nice").unit == "a.b:c.service");
}

TEST_CASE("a unit's statements come back as they were") {
  UnitsBench bench;
  const std::string id = "unit:mariadb.service:Service.CPUAffinity";
  const auto bytes = bench.bytes("/usr/lib/systemd/system/mariadb.service");
  const auto statements = bench.provider->statements(id, own, bytes);
  CHECK(statements == std::vector<std::string>{"CPUAffinity=0", "CPUAffinity=1"});
  const auto removed = splice(bytes, bench.provider->restate(id, own, bytes, {}));
  CHECK(splice(removed, bench.provider->restate(id, own, removed, statements)) == bytes);
}

TEST_CASE("a package's drop-in that is read after ours, and a masked one of ours, make the row failed") {
  UnitsBench bench;
  const std::string vendor = "/usr/lib/systemd/system/mariadb.service.d/zzz.conf";
  bench.host.add_file(vendor, "[Service]\nLimitNOFILE=5\n");
  const auto wish = UnitsBench::key("mariadb.service", "LimitNOFILE", "9");
  CHECK(bench.row(wish).state == State::failed);
  CHECK(bench.row(wish).reason.find(vendor + " is read after our drop-in") == 0);
  CHECK(bench.plan({wish}).empty());
  bench.host.remove(vendor);
  bench.host.add_symlink(own, "/dev/null");
  CHECK(bench.row(wish).reason.find(own + " is masked by a link to /dev/null") == 0);
}

TEST_CASE("a mistyped section or key of a unit is told with the nearest, a new key of systemd passes") {
  const auto provider = make_units_provider();
  const auto problem = [&](const std::string& unit, const std::string& section, const std::string& key) {
    const std::vector<std::string> path{unit, section, key};
    return provider->section().key_problem(path).value_or("");
  };
  CHECK(problem("mariadb", "Servic", "LimitNOFILE") ==
        "a unit file has no section \"Servic\", did you mean \"Service\"?");
  CHECK(problem("mariadb", "Service", "LimitNOFIL") ==
        "systemd knows no key \"LimitNOFIL\", did you mean \"LimitNOFILE\"?");
  CHECK(problem("a b", "Service", "Nice") ==
        "\"a b\" is no name of a unit: it has no blanks and none of / [ ] = # ;");
  for (const std::string key : {"NUMAPolicy", "LimitNOFILE", "MemoryZSwapMax", "X-Mine", "QuantumFoamBudget"})
    CHECK(problem("mariadb", "Service", key).empty());
  for (const std::string section : {"Unit", "Timer", "Automount", "X-Mine"})
    CHECK(problem("mariadb", section, "Description").empty());
}
