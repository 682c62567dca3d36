#include "support/golden.hpp"

#include <nlohmann/json.hpp>

#include "cli/bench.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;
using namespace tunekeeper::test;

namespace {

/// Runs the words, holds the page against its golden file and returns the exit status.
int golden(const CliBench& bench, const std::string& name, const std::vector<std::string>& words) {
  const CommandResult result = bench.run(words);
  check_golden(name, page(bench, result));
  return result.status;
}

/// The same for a JSON document, whose first key names its schema.
int golden_json(const CliBench& bench, const std::string& name, std::vector<std::string> words) {
  words.emplace_back("--json");
  const CommandResult result = bench.run(words);
  const auto json = nlohmann::ordered_json::parse(result.out);
  CHECK(json.begin().key() == "schema");
  CHECK(json.begin().value() == "tunekeeper." + words.front() + "/1");
  check_golden(name, page(bench, result));
  return result.status;
}

}  // namespace

TEST_CASE("a diff tells what differs, on which plane, and when a change would take effect") {
  const CliBench bench;
  CHECK(golden(bench, "diff.txt", {"diff", "db"}) == 2);
  CHECK(golden(bench, "diff-verbose.txt", {"diff", "db", "-v"}) == 2);
  CHECK(golden(bench, "diff-only.txt", {"diff", "db", "--only", "sysctl:*", "--only", "!*no_such*"}) == 2);
  CHECK(golden_json(bench, "diff.json", {"diff", "db"}) == 2);
}

TEST_CASE("an apply says what it did, a second one that there is nothing to do, a rollback takes all back") {
  const CliBench bench;
  const auto before = bench.state();
  CHECK(golden(bench, "apply.txt", {"apply", "db", "--yes"}) == 0);
  CHECK(golden(bench, "apply-again.txt", {"apply", "db", "--yes"}) == 0);
  CHECK(golden_json(bench, "apply-again.json", {"apply", "db", "--yes"}) == 0);
  CHECK(golden(bench, "diff-pending.txt", {"diff", "db"}) == 3);
  CHECK(golden(bench, "diff-strict.txt", {"diff", "db", "--strict"}) == 2);
  CHECK(golden(bench, "history.txt", {"history"}) == 0);
  CHECK(golden_json(bench, "history.json", {"history"}) == 0);
  CHECK(golden(bench, "show.txt", {"show", "1"}) == 0);
  CHECK(golden_json(bench, "show.json", {"show", "1"}) == 0);
  CHECK(golden(bench, "status.txt", {"status"}) == 0);
  CHECK(golden_json(bench, "status.json", {"status"}) == 0);
  CHECK(golden(bench, "rollback.txt", {"rollback", "--yes"}) == 0);
  CHECK(golden(bench, "rollback-again.txt", {"rollback", "--yes"}) == 0);
  CHECK(golden_json(bench, "rollback-again.json", {"rollback", "--yes"}) == 0);
  CHECK(golden(bench, "apply-held.txt", {"apply", "db", "--yes"}) == 75);
  CHECK(golden(bench, "unhold.txt", {"unhold"}) == 0);

  auto after = bench.state();
  for (auto& [path, bytes] : after) {
    if (path == "/sys/kernel/mm/transparent_hugepage/enabled") {
      CHECK(bytes == "madvise\n");  // a staged value comes back as the word that was selected
      bytes = "always [madvise] never\n";
    }
  }
  CHECK(after == before);
}

TEST_CASE("verify speaks to people, to monitoring plugins and to Prometheus") {
  const CliBench bench;
  CHECK(golden(bench, "verify-nagios-differs.txt", {"verify", "db", "--nagios"}) == 2);
  CHECK(bench.run({"apply", "db", "--yes"}).status == 0);
  CHECK(golden(bench, "verify-nagios-pending.txt", {"verify", "db", "--nagios"}) == 1);
  CHECK(golden(bench, "verify-metrics.txt", {"verify", "db", "--metrics"}) == 3);
  CHECK(golden_json(bench, "verify.json", {"verify", "db"}) == 3);
  CHECK(golden(bench, "verify-only.txt", {"verify", "db", "--only", "mysql:*", "-q"}) == 0);
  const CommandResult to_file = bench.run({"verify", "db", "--metrics=" + bench.tree() + "/m.prom", "-q"});
  CHECK(to_file.status == 3);
  CHECK(bench.read("/m.prom").find("tunekeeper_generation 1\n") != std::string::npos);
  CHECK(golden(bench, "verify-nagios-error.txt", {"verify", "nosuch", "--nagios"}) == 3);
}

TEST_CASE("a hold says who holds and why") {
  const CliBench bench;
  CHECK(golden(bench, "hold.txt", {"hold", "benchmark", "until", "noon"}) == 0);
  CHECK(golden(bench, "status-held.txt", {"status"}) == 0);
  CHECK(golden(bench, "unhold.txt", {"unhold"}) == 0);
  CHECK(golden(bench, "unhold-none.txt", {"unhold"}) == 0);
}

TEST_CASE("profiles can be listed, checked and explained") {
  const CliBench bench;
  CHECK(golden(bench, "check-good.txt", {"check", "db"}) == 0);
  bench.write_profile("bad", R"(summary: b
vars: { a: 1, a: 2 }
sysclt: { vm.swappiness: 1 }
sysctl:
  vm.swappiness: "${ memory.totl }"
  vm.dirty_ratio:
  vm.laptop_mode: { value: 1, at_lest: 2 }
sysfs: { "../etc/passwd": x }
)");
  CHECK(golden(bench, "check-bad.txt", {"check", "bad"}) == 65);
  CHECK(golden_json(bench, "check-bad.json", {"check", "bad"}) == 65);
  CHECK(golden(bench, "list.txt", {"list"}) == 0);
  CHECK(golden_json(bench, "list.json", {"list"}) == 0);
  bench.write("/etc/tunekeeper/host.yaml", "profiles: [db]\n");
  CHECK(golden(bench, "explain-setting.txt", {"explain", "sysctl:vm.swappiness"}) == 0);
  CHECK(golden_json(bench, "explain-setting.json", {"explain", "sysctl:vm.swappiness"}) == 0);
  CHECK(golden(bench, "explain-profile.txt", {"explain", "db"}) == 0);
  CHECK(golden(bench, "explain-unknown.txt", {"explain", "sysctl:vm.swapines"}) == 64);
}

TEST_CASE("facts are told with where they come from, and why one is missing") {
  const CliBench bench;
  bench.write("/etc/tunekeeper/host.yaml", "facts: { mysql.free: 1000000000 }\n");
  CHECK(golden(bench, "facts.txt", {"facts"}) == 0);
  CHECK(golden_json(bench, "facts.json", {"facts"}) == 0);
}

TEST_CASE("init makes the repository once and takes its own away again") {
  const CliBench bench;
  CHECK(golden(bench, "init.txt", {"init"}) == 0);
  CHECK(golden(bench, "init-again.txt", {"init"}) == 0);
  CHECK(golden(bench, "init-remove.txt", {"init", "--remove", "--yes"}) == 0);
}

TEST_CASE("mistakes on the command line are told with the nearest right name") {
  const CliBench bench;
  CHECK(golden(bench, "error-verb.txt", {"aply"}) == 64);
  CHECK(golden(bench, "error-flag.txt", {"apply", "db", "--yess"}) == 64);
  CHECK(golden(bench, "error-profile.txt", {"diff", "dbb"}) == 65);
  CHECK(golden(bench, "error-no-profile.txt", {"diff"}) == 64);
  CHECK(golden(bench, "error-no-terminal.txt", {"apply", "db"}) == 64);
  CHECK(golden(bench, "error-only.txt", {"verify", "db", "--only", "zzz"}) == 64);
  CHECK(golden(bench, "error-drop.txt", {"apply", "--drop", "nosuch", "--yes"}) == 64);
  CHECK(golden(bench, "error-generation.txt", {"rollback", "7", "--yes"}) == 1);
  CHECK(golden(bench, "error-show.txt", {"show", "x"}) == 64);
}

TEST_CASE("help and version") {
  const CliBench bench;
  CHECK(golden(bench, "help.txt", {"--help"}) == 0);
  for (const std::string verb : {"diff", "apply", "verify", "status", "history", "show", "rollback", "hold",
                                 "unhold", "list", "check", "explain", "facts", "init"}) {
    CHECK(golden(bench, "help-" + verb + ".txt", {verb, "--help"}) == 0);
  }
}
