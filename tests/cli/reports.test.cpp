#include <nlohmann/json.hpp>

#include "cli/bench.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"

// Pages beyond those of golden.test.cpp: the web server's rows, releases, profiles that are not looked at,
// narrow terminals, quiet runs.

using namespace tunekeeper;
using namespace tunekeeper::test;

namespace {

void golden(const CliBench& bench, const std::string& name, const CommandResult& result, int status) {
  CHECK(result.status == status);
  check_golden(name, page(bench, result));
}

/// A host with a web server and one kernel value whose profile has much to explain.
class WebServer : public CliBench {
 public:
  WebServer() {
    write("/etc/nginx/nginx.conf",
          "worker_processes 2;\nevents {\n\tworker_connections 768;\n}\nhttp {\n\tkeepalive_timeout "
          "65;\n}\n");
    write("/proc/sys/vm/vfs_cache_pressure", "300\n");
    write_profile("web", R"(summary: a web server
nginx:
  worker_processes: auto
  events: { worker_connections: 8192 }
  http: { keepalive_timeout: 75, server_tokens: off }
)");
    write_profile("cache", R"(summary: keeps names in memory
sysctl:
  vm.vfs_cache_pressure:
    value: 50
    why: >-
      A server that opens the same files again and again wants their names and attributes kept in
      memory, rather than read from the disk once more.
)");
  }
};

std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\n', start);
    longest = std::max(longest, end - start);
    start = end + 1;
  }
  return longest;
}

}  // namespace

TEST_CASE("explanations are wrapped at the terminal's width, with their indent") {
  const WebServer bench;
  golden(bench, "diff-wrapped.txt", bench.run({"diff", "cache"}), 2);
  const CommandResult narrow = bench.run({"diff", "cache"}, {"COLUMNS=60"});
  golden(bench, "diff-narrow.txt", narrow, 2);
  CHECK(longest_line(narrow.out) <= 60);
}

TEST_CASE("what host.yaml lets go is shown as a release, and the next step is the apply that does it") {
  const WebServer bench;
  bench.write("/etc/tunekeeper/host.yaml", "profiles: [web, cache]\n");
  REQUIRE(bench.run({"apply", "--yes"}).status == 0);
  bench.write("/etc/tunekeeper/host.yaml", "profiles: [cache]\n");
  golden(bench, "diff-release.txt", bench.run({"diff"}), 2);
  CHECK(bench.run({"diff", "--only", "sysctl:*"}).status == 0);  // a narrowed run lets nothing go
  golden(bench, "apply-release.txt", bench.run({"apply", "--yes"}), 0);
  CHECK(bench.read("/etc/nginx/nginx.conf").find("worker_processes 2;") == 0);
}

TEST_CASE("a profile applied by name is told as extra where host.yaml's set is looked at") {
  const WebServer bench;
  bench.write("/etc/tunekeeper/host.yaml", "profiles: [cache]\n");
  REQUIRE(bench.run({"apply", "web", "--yes"}).status == 0);
  REQUIRE(bench.run({"apply", "--yes"}).status == 0);
  golden(bench, "diff-extra.txt", bench.run({"diff"}), 0);
  golden(bench, "diff-drop.txt", bench.run({"diff", "--drop", "web"}), 2);
  bench.write("/proc/sys/vm/vfs_cache_pressure", "200\n");  // of host.yaml's: dropping web leaves it alone
  CHECK(bench.run({"diff", "--drop", "web"}).out.find("vfs_cache_pressure") == std::string::npos);
  const std::string plan = bench.profiles() + "/drop.json";
  REQUIRE(bench.run({"diff", "--drop", "web", "-o", plan}).status == 2);
  CHECK(nlohmann::json::parse(bench.run({"diff", "--json"}).out)["extra"] == nlohmann::json({"web"}));
  CHECK(nlohmann::json::parse(bench.run({"verify", "--json"}).out)["extra"] == nlohmann::json({"web"}));
  CHECK(bench.run({"diff", "web"}).out.find("extra") == std::string::npos);
  REQUIRE(bench.run({"apply", plan, "--yes"}).status == 0);
  CHECK(bench.read("/proc/sys/vm/vfs_cache_pressure") == "200\n");
  CHECK(bench.read("/etc/nginx/nginx.conf").find("worker_processes 2;") == 0);
}

TEST_CASE("quiet leaves out what needs no attention") {
  const CliBench bench;
  golden(bench, "diff-quiet.txt", bench.run({"diff", "db", "-q"}), 2);
  REQUIRE(bench.run({"apply", "db", "--yes", "-q"}).status == 0);
  golden(bench, "apply-quiet-again.txt", bench.run({"apply", "db", "--yes", "-q"}), 0);
}

TEST_CASE("the JSON of an apply lists what it did, and every document names its schema in snake_case") {
  const CliBench bench;
  bench.write("/etc/tunekeeper/host.yaml", "profiles: [db]\n");
  golden(bench, "apply.json", bench.run({"apply", "--yes", "--json"}), 0);
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"diff"},
                                             {"apply", "--yes"},
                                             {"verify"},
                                             {"status"},
                                             {"history"},
                                             {"show", "1"},
                                             {"list"},
                                             {"check", "db"},
                                             {"explain", "db"},
                                             {"explain", "sysctl:vm.swappiness"},
                                             {"facts"},
                                             {"init"},
                                             {"rollback", "--yes"},
                                             {"hold"},
                                             {"unhold"}}) {
    std::vector<std::string> asked = words;
    asked.emplace_back("--json");
    const CommandResult result = bench.run(asked);
    INFO(words.front() << ": " << result.out << result.err);
    const auto json = nlohmann::ordered_json::parse(result.out, nullptr, false);
    REQUIRE(json.is_object());
    CHECK(json.begin().key() == "schema");
    CHECK(json.begin().value() == "tunekeeper." + words.front() + "/1");
    for (const auto& item : json.items()) {
      CHECK(item.key().find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos);
    }
  }
}

TEST_CASE("a flag for colours is stronger than NO_COLOR") {
  const CliBench bench;
  CHECK(bench.run({"diff", "db", "--color=always"}, {"NO_COLOR=1"}).out.find('\033') != std::string::npos);
  CHECK(bench.run({"diff", "db", "--color=auto"}, {"NO_COLOR=1"}).out.find('\033') == std::string::npos);
}

TEST_CASE("the version is one line") {
  const CommandResult result = run_command({TUNEKEEPER_PROGRAM, "--version"}, {});
  CHECK(result.status == 0);
  CHECK(result.out.starts_with("tunekeeper "));
  CHECK(result.out.find('\n') == result.out.size() - 1);
}
