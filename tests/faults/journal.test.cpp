// The journal of a run that died, damaged at every byte: the next run is never blocked, and takes nothing
// that is damaged for an original.
#include <filesystem>
#include <regex>

#include "faults/points.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;
using namespace tunekeeper::faults;

namespace {

const Words kFirst = {"apply", "--yes", "db"};
const Words kSecond = {"@second", "apply", "--yes", "db"};
constexpr const char* kJournal = "/var/lib/tunekeeper/journal";

/// A host on which a second apply died at its end.
struct DeadRun {
  FaultBench bench;
  Tree before;
  std::string journal;

  DeadRun() {
    REQUIRE(bench.run(kFirst).ok());
    bench.keep();
    before = bench.state();
    const auto calls = bench.write_calls(kSecond);
    bench.reset();
    const auto last = std::find_if(calls.rbegin(), calls.rend(), [](const WriteCall& call) {
      return call.name == "renameat" && call.line.find("generation.json") != std::string::npos;
    });
    REQUIRE(last != calls.rend());
    REQUIRE(bench.run_with(kSecond, *last, {"signal=KILL"}).struck);
    journal = bench.read(kJournal);
    REQUIRE(journal.size() > 1000);
    bench.keep();
  }

  /// The next run on this host, whose journal is now this.
  CommandResult next_run(const std::string& damaged, const Words& words) const {
    bench.reset();
    bench.write(kJournal, damaged);
    const CommandResult result = bench.run(words);
    CHECK_FALSE(bench.has_journal());
    return result;
  }
};

bool is_set_aside(const FaultBench& bench) {
  for (const auto& entry : std::filesystem::directory_iterator(bench.tree() + "/var/lib/tunekeeper")) {
    if (entry.path().string().find("journal.damaged-") != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a journal with a damaged byte is set aside and told, and the next run goes on") {
  const DeadRun dead;
  int points = 0;
  for (std::size_t at = 0; at + 1 < dead.journal.size(); at += 1 + dead.journal.size() / 150) {
    INFO("byte " << at);
    std::string damaged = dead.journal;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x15);
    const CommandResult result = dead.next_run(damaged, kSecond);
    INFO(result.out << result.err);
    CHECK(result.ok());
    CHECK(result.err.find("is damaged") != std::string::npos);
    CHECK(is_set_aside(dead.bench));
    ++points;
  }
  tell_points("damaged journals", points);
}

TEST_CASE("a journal that is cut off anywhere never blocks the next run") {
  const DeadRun dead;
  int points = 0;
  for (std::size_t size = 0; size < dead.journal.size(); size += 1 + dead.journal.size() / 150) {
    INFO("cut to " << size);
    const CommandResult result = dead.next_run(dead.journal.substr(0, size), kSecond);
    INFO(result.out << result.err);
    CHECK(result.ok());
    ++points;
  }
  tell_points("journals cut off", points);
}

TEST_CASE("the commit that a damaged journal's note names brings the files back byte for byte") {
  const DeadRun dead;
  std::string damaged = dead.journal;
  damaged[damaged.size() / 2] ^= 0x15;
  const CommandResult told =
      dead.next_run(damaged, {"rollback", "--yes", "--files", "HEAD", "/etc/hostname"});
  std::smatch match;
  static const std::regex way(R"(rollback --files ([0-9a-f]+))");
  INFO(told.err);
  REQUIRE(std::regex_search(told.err, match, way));
  const CommandResult result = dead.bench.run({"rollback", "--yes", "--files", match[1]});
  INFO(result.out << result.err);
  CHECK(result.ok());
  Tree now = dead.bench.state();
  for (const auto& [path, content] : dead.before) {
    if (path.starts_with("/etc/") && path.find("/tunekeeper/") == std::string::npos)
      CHECK(now[path] == content);
  }
}
