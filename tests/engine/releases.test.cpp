#include <algorithm>

#include "engine/bench.hpp"

using namespace tunekeeper;
using namespace tunekeeper::test;

namespace {

bool is_managed(const EngineBench& bench, const std::string& id) {
  return bench.record().find(id) != nullptr;
}

const std::vector<Desired> kBoth = {sysctl("vm.swappiness", "1"), sysctl("vm.dirty_ratio", "10")};

}  // namespace

TEST_CASE("a setting that leaves its profile gets its original back on every plane") {
  EngineBench bench;
  const auto found = bench.everything();
  bench.apply({sysctl("vm.swappiness", "1"), huge_pages("never"), mysql("max_connections", "500"),
               http("keepalive_timeout", "75"), kernel_token("transparent_hugepage", "never"),
               service_key("LimitNOFILE", "65536")});
  const ApplyResult result = bench.apply(std::vector<Desired>{});
  CHECK(result.changed);
  int releases = 0;
  for (const Row& row : result.plan.rows) releases += row.release ? 1 : 0;
  CHECK(releases == 6);
  CHECK(bench.record().settings.empty());
  auto now = bench.everything();
  now.erase("/etc/tunekeeper/generation.json");
  now.erase("/etc/tunekeeper");
  CHECK(now == found);
  CHECK_FALSE(bench.apply(std::vector<Desired>{}).changed);
}

TEST_CASE("the original is that of the first touch, however many generations ago") {
  EngineBench bench;
  bench.host.add_file(kSysctlLocal, "vm.swappiness=30 \n");
  for (const char* value : {"1", "2", "3", "4"}) bench.apply({sysctl("vm.swappiness", value)});
  CHECK(bench.record().generation == 4);
  CHECK(bench.record().find("sysctl:vm.swappiness")->live == RecordedLive{"60", "4"});
  bench.apply(std::vector<Desired>{});
  CHECK(bench.bytes(kSwappiness) == "60\n");
  CHECK(bench.bytes(kSysctlLocal) == "vm.swappiness=30 \n");
}

TEST_CASE("a release shows the value that comes back as the owner reads it, not the raw statement") {
  EngineBench bench;
  bench.host.add_file(kSysctlLocal, "vm.swappiness=30 \n");
  bench.apply({sysctl("vm.swappiness", "1"), mysql("max_connections", "500"), http("keepalive_timeout", "75"),
               http("server_tokens", "off"), kernel_token("transparent_hugepage", "never")});
  const Plan plan = make_plan(bench.session("diff"), EngineBench::whole({}), {});
  std::map<std::string, std::string> back;
  for (const Row& row : plan.rows) back[row.desired.id] = describe(row.desired);
  CHECK(back == std::map<std::string, std::string>{{"sysctl:vm.swappiness", "60"},
                                                   {"mysql:max_connections", "100"},
                                                   {"nginx:http.keepalive_timeout", "65"},
                                                   {"nginx:http.server_tokens", "(absent)"},
                                                   {"grub:transparent_hugepage", "(absent)"}});
  const auto swappiness = std::find_if(plan.rows.begin(), plan.rows.end(), [](const Row& row) {
    return row.desired.id == "sysctl:vm.swappiness";
  });
  CHECK(swappiness->seen.live == Plane::of("1"));
  CHECK(swappiness->reason == "no longer in tuned: back to its original; on disk then 30");
}

TEST_CASE("a release and a change in the same drop-in merge into one write") {
  EngineBench bench;
  bench.apply(kBoth);
  bench.host.forget_records();
  bench.apply({sysctl("vm.dirty_ratio", "15")});
  int writes = 0;
  for (const std::string& write : bench.host.writes()) writes += write == "put " + kSysctlDropIn ? 1 : 0;
  CHECK(writes == 1);
  CHECK(bench.bytes(kSysctlDropIn) == kHeader + "vm.dirty_ratio = 15\n");
  CHECK(bench.bytes(kSwappiness) == "60\n");
  CHECK(bench.bytes(kDirtyRatio) == "15\n");
  CHECK_FALSE(is_managed(bench, "sysctl:vm.swappiness"));
  bench.rollback();
  CHECK(bench.bytes(kSysctlDropIn) == kHeader + "vm.swappiness = 1\nvm.dirty_ratio = 10\n");
  CHECK(bench.bytes(kSwappiness) == "1\n");
}

TEST_CASE("on_release: leave lets a setting go as it is") {
  EngineBench bench;
  const auto found = bench.everything();
  Desired left = sysctl("vm.swappiness", "1");
  left.restore_on_release = false;
  bench.apply({left, sysctl("vm.dirty_ratio", "10")});
  bench.apply(std::vector<Desired>{});
  CHECK(bench.bytes(kSwappiness) == "1\n");
  CHECK(bench.bytes(kSysctlDropIn) == kHeader + "vm.swappiness = 1\n");
  CHECK(bench.bytes(kDirtyRatio) == "20\n");
  CHECK_FALSE(is_managed(bench, "sysctl:vm.swappiness"));
  bench.rollback_to(0);
  CHECK(bench.host.exists(kSysctlDropIn) == false);
  CHECK(found.at("/etc/sysctl.d/10-local.conf") == bench.everything().at("/etc/sysctl.d/10-local.conf"));
}

TEST_CASE("a profile applied by name is extra: a bare apply leaves it, dropping it lets it go") {
  EngineBench bench;
  bench.apply({sysctl("vm.swappiness", "1")});
  bench.apply(EngineBench::named("trial", {sysctl("vm.dirty_ratio", "10", "trial")}));
  CHECK(bench.record().extra_profiles == std::vector<std::string>{"trial"});
  CHECK(bench.bytes(kSwappiness) == "1\n");
  CHECK_FALSE(bench.apply({sysctl("vm.swappiness", "1")}).changed);
  CHECK(bench.bytes(kDirtyRatio) == "10\n");

  Wishes nothing = EngineBench::named("trial", {});
  nothing.profiles.clear();
  CHECK(bench.apply(nothing, {.drop = {"trial"}}).changed);
  CHECK(bench.bytes(kDirtyRatio) == "20\n");
  CHECK(bench.bytes(kSwappiness) == "1\n");
  CHECK(bench.record().extra_profiles.empty());
  CHECK(bench.commits().front().subject == "Generation 3: without trial");
}

TEST_CASE("a named profile lets go only what it itself once set") {
  EngineBench bench;
  bench.apply({sysctl("vm.swappiness", "1")});
  bench.apply(EngineBench::named(
      "trial", {sysctl("vm.dirty_ratio", "10", "trial"), sysctl("vm.page-cluster", "0", "trial")}));
  bench.apply(EngineBench::named("trial", {sysctl("vm.page-cluster", "0", "trial")}));
  CHECK(bench.bytes(kDirtyRatio) == "20\n");
  CHECK(bench.bytes(kSwappiness) == "1\n");
  CHECK(bench.bytes("/proc/sys/vm/page-cluster") == "0\n");
}

TEST_CASE("what cannot be decided, --only and a host without profiles let nothing go") {
  EngineBench bench;
  bench.apply(kBoth);
  const auto before = bench.everything();
  Wishes undecided = EngineBench::whole({sysctl("vm.dirty_ratio", "10")});
  Row row;
  row.desired = sysctl("vm.page-cluster", "");
  row.state = State::unsupported;
  row.reason = "a fact is missing";
  undecided.undecided.push_back(row);
  CHECK_FALSE(bench.apply(undecided).changed);
  CHECK_FALSE(bench.apply(std::vector<Desired>{}, {.only = {"sysctl:*"}}).changed);
  Wishes empty = EngineBench::whole({});
  empty.profiles.clear();
  empty.host_profiles.clear();
  CHECK_FALSE(bench.apply(empty).changed);
  CHECK(bench.everything() == before);
  CHECK(is_managed(bench, "sysctl:vm.swappiness"));
}

TEST_CASE("a release on one plane keeps the originals of the others") {
  EngineBench bench;
  bench.apply(kBoth);
  bench.apply({sysctl("vm.dirty_ratio", "10")},
              {.planes = {.live = true, .persisted = false, .boot = false}});
  CHECK(bench.bytes(kSwappiness) == "60\n");
  CHECK(bench.bytes(kSysctlDropIn) == kHeader + "vm.swappiness = 1\nvm.dirty_ratio = 10\n");
  REQUIRE(is_managed(bench, "sysctl:vm.swappiness"));
  CHECK_FALSE(bench.record().find("sysctl:vm.swappiness")->live);
  bench.apply({sysctl("vm.dirty_ratio", "10")});
  CHECK(bench.bytes(kSysctlDropIn) == kHeader + "vm.dirty_ratio = 10\n");
  CHECK_FALSE(is_managed(bench, "sysctl:vm.swappiness"));
}

TEST_CASE("a release into a file that does not parse is failed, and refuses the apply") {
  EngineBench bench;
  bench.apply({http("keepalive_timeout", "75"), sysctl("vm.swappiness", "1")});
  bench.host.add_file(kNginx, "http {\n");
  const auto before = bench.everything();
  try {
    bench.apply({sysctl("vm.swappiness", "2")});
    FAIL("the run ended well");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find(kNginx) != std::string::npos);
    CHECK(error.status() == ExitStatus::error);
  }
  CHECK(bench.everything() == before);
}

TEST_CASE("a release that the kernel does not take back fails the apply, and all is undone") {
  EngineBench bench;
  bench.apply(kBoth);
  const auto before = bench.everything();
  bench.host.clamp_on_write(kSwappiness, 0, 50);
  try {
    bench.apply({sysctl("vm.dirty_ratio", "15")});
    FAIL("the run ended well");
  } catch (const Error& error) {
    CHECK(error.status() == ExitStatus::undone);
    CHECK(std::string(error.what()).find("vm.swappiness reads back 50") != std::string::npos);
  }
  CHECK(bench.everything() == before);
}

TEST_CASE("a folder of ours goes with the last of our files in it") {
  EngineBench bench;
  bench.host.remove("/etc/tmpfiles.d");
  bench.apply({huge_pages("never"), sysctl("vm.swappiness", "1")});
  CHECK(bench.host.exists(kTmpfilesDropIn));
  bench.apply({sysctl("vm.swappiness", "1")});
  CHECK_FALSE(bench.host.exists("/etc/tmpfiles.d"));
  bench.rollback();
  CHECK(bench.host.exists(kTmpfilesDropIn));
  bench.rollback_to(0);
  CHECK_FALSE(bench.host.exists("/etc/tmpfiles.d"));
}

TEST_CASE("a release of a key that was edited since is refused and named, unless by force") {
  EngineBench bench;
  bench.apply({sysctl("vm.swappiness", "1"), sysctl("vm.dirty_ratio", "10")});
  const std::string path = "/etc/sysctl.d/zz-tunekeeper.conf";
  std::string edited = bench.host.bytes(path);
  edited.replace(edited.find("vm.swappiness = 1"), 17, "vm.swappiness = 7");
  bench.host.add_file(path, edited);
  try {
    bench.apply({sysctl("vm.dirty_ratio", "10")});
    FAIL("the edit was thrown away");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("sysctl:vm.swappiness: no longer in") == 0);
    CHECK(std::string(error.what()).find("edited since in " + path) != std::string::npos);
  }
  CHECK(bench.host.bytes(path) == edited);
  RunOptions force;
  force.force = true;
  CHECK(bench.apply({sysctl("vm.dirty_ratio", "10")}, force).changed);
  CHECK(bench.host.bytes(path).find("vm.swappiness") == std::string::npos);
}
