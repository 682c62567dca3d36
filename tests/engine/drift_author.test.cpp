#include "engine/bench.hpp"

// Who brought a drift is told from /etc's own history.

using namespace tunekeeper;
using namespace tunekeeper::test;

namespace {

const Wishes kWish = EngineBench::whole({sysctl("vm.swappiness", "1")});

std::string note_of(EngineBench& bench) {
  return make_plan(bench.session("diff"), kWish, {}).rows.front().seen.note;
}

}  // namespace

TEST_CASE("a drift names the commit that brought it, with its date, author and subject") {
  EngineBench bench;
  bench.apply(kWish);
  bench.host.add_file(kSysctlLocal, "vm.swappiness = 60\n");
  const auto commit = bench.snapshot.commit({"committing changes in /etc made by apt", "", {}});
  REQUIRE(commit);
  const std::string note = note_of(bench);
  INFO(note);
  CHECK(note.find("etc/sysctl.d/zzz-local.conf was changed since generation 1, by ") != std::string::npos);
  CHECK(note.find(" in " + commit->substr(0, 12) + " (") != std::string::npos);
  CHECK(note.find(": committing changes in /etc made by apt)") != std::string::npos);
}

TEST_CASE("a drift that no commit has yet is told with the time of its file") {
  EngineBench bench;
  bench.apply(kWish);
  bench.host.add_file(kSysctlLocal, "vm.swappiness = 60\n");
  const std::string note = note_of(bench);
  INFO(note);
  CHECK(note.find("zzz-local.conf was changed since generation 1, at ") != std::string::npos);
  CHECK(note.find("not committed yet") != std::string::npos);
}

TEST_CASE("a drop-in of ours that somebody removed is told as removed") {
  EngineBench bench;
  bench.apply(kWish);
  bench.host.remove(kSysctlDropIn);
  const std::string note = note_of(bench);
  INFO(note);
  CHECK(note.find("etc/sysctl.d/zz-tunekeeper.conf was removed since generation 1, not committed yet") !=
        std::string::npos);
}

TEST_CASE("a commit before the generation, of another file, or of a setting never applied names nobody") {
  EngineBench bench;
  bench.host.add_file(kSysctlLocal, "vm.swappiness = 60\n");
  CHECK(note_of(bench).find("was changed since") == std::string::npos);
  bench.apply(kWish);
  bench.host.add_file("/etc/motd", "hello\n");
  bench.snapshot.commit({"a greeting", "", {}});
  bench.host.add_file(kSwappiness, "60\n");
  CHECK(note_of(bench).find("was changed since") == std::string::npos);
}

TEST_CASE("the search for an author ends after 500 commits of others, and says so") {
  EngineBench bench;
  bench.apply(kWish);
  bench.host.add_file(kSysctlLocal, "vm.swappiness = 60\n");
  bench.snapshot.commit({"the drift", "", {}});
  for (int i = 0; i < 500; ++i) {
    bench.host.add_file("/etc/motd", std::to_string(i) + "\n");
    bench.snapshot.commit({"daily autocommit", "", {}});
  }
  const std::string note = note_of(bench);
  INFO(note);
  CHECK(note.find("zzz-local.conf is as it was 500 commits ago") != std::string::npos);
}
