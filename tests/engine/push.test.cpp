// Commits go where etckeeper pushes its own.
#include <algorithm>

#include "engine/bench.hpp"

using namespace tunekeeper;
using namespace tunekeeper::test;

namespace {

constexpr const char* kConf = "/etc/etckeeper/etckeeper.conf";

std::vector<std::string> pushes(const EngineBench& bench) {
  std::vector<std::string> found;
  for (const std::string& write : bench.host.writes()) {
    if (write.starts_with("run git")) found.push_back(write);
  }
  return found;
}

std::vector<Desired> wishes() {
  return {sysctl("vm.swappiness", "1")};
}

}  // namespace

TEST_CASE("apply and rollback push where PUSH_REMOTE says, and a run that changes nothing does not") {
  EngineBench bench;
  bench.snapshot.begin_as_foreign();
  bench.host.add_directory("/etc/.git");
  bench.host.add_file(kConf, "VCS=git\nPUSH_REMOTE=\"origin backup\"\n");
  bench.host.on_command({"git"}, {0, false, "", ""});
  bench.apply(wishes());
  const std::vector<std::string> both = {"run git -C /etc push --quiet -- origin",
                                         "run git -C /etc push --quiet -- backup"};
  CHECK(pushes(bench) == both);
  bench.host.forget_records();
  bench.apply(wishes());
  CHECK(pushes(bench).empty());
  bench.rollback();
  CHECK(pushes(bench) == both);
}

TEST_CASE("a remote that refuses, or hangs, is told and stops nothing") {
  EngineBench bench;
  bench.snapshot.begin_as_foreign();
  bench.host.add_directory("/etc/.git");
  bench.host.add_file(kConf, "PUSH_REMOTE=\"origin backup\"\n");
  bench.host.on_command({"git"}, {128, false, "", "fatal: no such remote\n"});
  bench.host.on_command({"git", "-C", "/etc", "push", "--quiet", "--", "backup"}, {-1, true, "", ""});
  CHECK(bench.apply(wishes()).changed);
  const auto& told = bench.dialogue.told;
  CHECK(std::count(told.begin(), told.end(), "the commit was not pushed to origin: fatal: no such remote") ==
        1);
  CHECK(std::count(told.begin(), told.end(), "the commit was not pushed to backup: no answer within 30 s") ==
        1);
}

TEST_CASE("nothing is pushed from another root, without etckeeper, or beside another version control") {
  for (const std::string kind : {"other root", "no etckeeper", "hg"}) {
    INFO(kind);
    EngineBench bench;
    bench.host.on_command({"git"}, {0, false, "", ""});
    if (kind != "no etckeeper") bench.host.add_file(kConf, "PUSH_REMOTE=origin\n");
    if (kind == "hg") bench.host.add_directory("/etc/.hg");
    if (kind == "other root") {
      bench.host.add_directory("/etc/.git");
      bench.host.set_other_root(true);
    }
    bench.apply(wishes());
    CHECK(pushes(bench).empty());
  }
}
