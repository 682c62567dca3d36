// Several processes at work on one host: two runs, a run and a reader, a run and an editor; and a host that a
// run has nothing to do on.
#include <chrono>
#include <csignal>
#include <fstream>
#include <future>
#include <regex>
#include <thread>

#include "faults/points.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;
using namespace tunekeeper::faults;

namespace {

const Words kFirst = {"apply", "--yes", "db"};
const Words kSecond = {"@second", "apply", "--yes", "db"};
constexpr const char* kJournal = "/var/lib/tunekeeper/journal";

/// Without the record, whose number is another in each round.
Tree without_record(Tree tree) {
  tree.erase("/etc/tunekeeper/generation.json");
  return tree;
}

int generation(const FaultBench& bench) {
  std::smatch match;
  const std::string record = bench.read("/etc/tunekeeper/generation.json");
  static const std::regex number(R"("generation": *([0-9]+))");
  return std::regex_search(record, match, number) ? std::stoi(match[1]) : 0;
}

std::future<CommandResult> start(const FaultBench& bench, const Words& words) {
  return std::async(std::launch::async, [&bench, words] { return bench.run(words); });
}

/// The states that the two versions of the profile make, each applied alone.
struct Ends {
  Tree first;
  Tree second;

  explicit Ends(const FaultBench& bench) {
    REQUIRE(bench.run(kFirst).ok());
    first = without_record(bench.state());
    REQUIRE(bench.run(kSecond).ok());
    second = without_record(bench.state());
  }
};

template <typename Done>
bool wait_for(Done done) {
  for (int tries = 0; tries < 5000; ++tries) {
    if (done()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

/// An apply that stops for a second when its intents for the file are written and not yet performed.
std::future<CommandResult> start_slow_apply(const FaultBench& bench, const std::string& file) {
  auto run = std::async(std::launch::async, [&bench] {
    return bench.run_with(kFirst, {"fdatasync", 1, {}}, {"delay_enter=1000000", true}).result;
  });
  REQUIRE(wait_for([&] { return bench.read(kJournal).find(file) != std::string::npos; }));
  return run;
}

int holder_pid(const FaultBench& bench) {
  std::smatch match;
  const std::string lock = bench.read("/run/tunekeeper/lock");
  static const std::regex pid(R"(pid ([0-9]+))");
  return std::regex_search(lock, match, pid) ? std::stoi(match[1]) : 0;
}

bool writes_outside_run(const std::vector<WriteCall>& calls) {
  for (const WriteCall& call : calls) {
    if (call.line.find("/run/tunekeeper") == std::string::npos &&
        call.line.find("/run>") == std::string::npos) {
      UNSCOPED_INFO(call.line);
      return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE(
    "two applies at once: 100 rounds of the same wish, one does it and the other finds it done or waits for "
    "no one") {
  const FaultBench bench;
  const Ends ends(bench);
  int refused = 0;
  for (int round = 0; round < 100; ++round) {
    INFO("round " << round);
    const bool first = round % 2 == 0;
    const int before = generation(bench);
    auto one = start(bench, first ? kFirst : kSecond);
    const CommandResult other = bench.run(first ? kFirst : kSecond);
    const CommandResult result = one.get();
    INFO(result.err << other.err);
    CHECK((result.status == 0 || other.status == 0));
    for (const int status : {result.status, other.status}) {
      CHECK((status == 0 || status == 75));
      refused += status == 75 ? 1 : 0;
    }
    CHECK(without_record(bench.state()) == (first ? ends.first : ends.second));
    CHECK(generation(bench) == before + 1);
    CHECK_FALSE(bench.has_journal());
  }
  CHECK(refused > 0);
  tell_points("two applies at once", 100);
}

TEST_CASE("two applies at once: 100 rounds of opposed wishes end in one of them, never in a mix") {
  const FaultBench bench;
  const Ends ends(bench);
  for (int round = 0; round < 100; ++round) {
    INFO("round " << round);
    auto one = start(bench, kFirst);
    const CommandResult other = bench.run(kSecond);
    const CommandResult result = one.get();
    INFO(result.err << other.err);
    CHECK((result.status == 0 || result.status == 75));
    CHECK((other.status == 0 || other.status == 75));
    const Tree now = without_record(bench.state());
    CHECK((now == ends.first || now == ends.second));
    CHECK_FALSE(bench.has_journal());
  }
  CHECK(bench.repository_faults().empty());
  tell_points("two opposed applies at once", 100);
}

TEST_CASE("a lock names its holder, stops no reader, and ends with its process") {
  const FaultBench bench;
  auto slow = start_slow_apply(bench, "zzz-last.conf");
  const int holder = holder_pid(bench);
  REQUIRE(holder > 0);
  const CommandResult refused = bench.run(kFirst);
  CHECK(refused.status == 75);
  CHECK(refused.err.find("pid " + std::to_string(holder)) != std::string::npos);
  CHECK(std::regex_search(refused.err, std::regex(R"(apply, since [0-9]{4}-[0-9]{2}-[0-9]{2}T)")));
  CHECK(bench.run({"diff", "db"}).status == 2);
  CHECK(bench.run({"history"}).ok());
  CHECK_FALSE(bench.unfinished().empty());
  CHECK(slow.wait_for(std::chrono::seconds(0)) == std::future_status::timeout);
  ::kill(holder, SIGKILL);
  slow.get();
  const CommandResult next = bench.run(kFirst);
  INFO(next.out << next.err);
  CHECK(next.ok());
  CHECK(next.err.find("was undone") != std::string::npos);
}

TEST_CASE("a file that somebody edits in the middle of a run stops it with exit 1, and nothing is lost") {
  const FaultBench bench;
  const Tree before = bench.state();
  auto slow = start_slow_apply(bench, "zzz-last.conf");
  const std::string edited = bench.read("/etc/sysctl.d/zzz-last.conf") + "\nvm.laptop_mode = 5\n";
  std::ofstream(bench.tree() + "/etc/sysctl.d/zzz-last.conf", std::ios::binary) << edited;
  const CommandResult result = slow.get();
  INFO(result.err);
  CHECK(result.status == 1);
  CHECK(result.err.find("zzz-last.conf changed while tunekeeper was running") != std::string::npos);
  CHECK(bench.read("/etc/sysctl.d/zzz-last.conf") == edited);
  Tree now = bench.state();
  now["/etc/sysctl.d/zzz-last.conf"] = before.at("/etc/sysctl.d/zzz-last.conf");
  INFO(difference(before, now));
  CHECK(now == before);
  CHECK_FALSE(bench.has_journal());
  CHECK(bench.run(kFirst).ok());
  CHECK(bench.read("/etc/sysctl.d/zzz-last.conf").find("vm.laptop_mode = 5\n") != std::string::npos);
}

TEST_CASE("a second apply and a second rollback write nothing but the lock and the last run's record") {
  const FaultBench bench;
  REQUIRE(bench.run(kFirst).ok());
  const Tree applied = bench.state();
  CHECK_FALSE(writes_outside_run(bench.write_calls(kFirst)));
  CHECK(bench.state() == applied);
  REQUIRE(bench.run({"rollback", "--yes"}).ok());
  const Tree back = bench.state();
  CHECK_FALSE(writes_outside_run(bench.write_calls({"rollback", "--yes"})));
  CHECK(bench.state() == back);
}
