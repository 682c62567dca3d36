// A managed secret is written where it belongs, and told nowhere (DESIGN guarantee 9).

#include "cli/bench.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;
using namespace tunekeeper::test;

namespace {

constexpr std::string_view kKey = "11112222-33334444-55556666-77778888";
constexpr std::string_view kOldKey = "aaaabbbb-ccccdddd-eeeeffff-00009999";
constexpr std::string_view kAuth = "sst:Hunter2Hunter2";
constexpr std::string_view kOldAuth = "sst:OldHunter1";
constexpr std::string_view kLive = "/proc/sys/net/ipv4/tcp_fastopen_key";

void add_secrets(const CliBench& bench) {
  bench.write(std::string(kLive), std::string(kOldKey) + "\n");
  bench.append("/etc/mysql/my.cnf", "\n[mysqld]\nwsrep_sst_auth = " + std::string(kOldAuth) + "\n");
  bench.write_profile("hidden",
                      "summary: secrets\nsysctl:\n  net.ipv4.tcp_fastopen_key: " + std::string(kKey) +
                          "\nmysql:\n  wsrep_sst_auth: " + std::string(kAuth) + "\n");
}

bool tells(const std::string& text) {
  for (const std::string_view secret : {kKey, kOldKey, kAuth, kOldAuth})
    if (text.find(secret) != std::string::npos) return true;
  return false;
}

/// Runs the verb and returns all that it said, which must hold no secret.
std::string said(const CliBench& bench, const std::vector<std::string>& words) {
  const CommandResult result = bench.run(words);
  INFO(words.front() << "\n" << result.out << result.err);
  CHECK_FALSE(tells(result.out + result.err));
  return result.out + result.err;
}

std::string git_log(const CliBench& bench) {
  return run_command({"git", "-c", "safe.directory=*", "-C", bench.tree() + "/etc", "log", "--format=%B"}, {})
      .out;
}

}  // namespace

TEST_CASE("no verb tells a managed secret") {
  const CliBench bench;
  add_secrets(bench);
  const std::string diff = said(bench, {"diff", "hidden", "-v"});
  INFO(diff);
  CHECK(diff.find("(redacted) -> (redacted)") != std::string::npos);
  said(bench, {"diff", "hidden", "--json"});
  said(bench, {"explain", "sysctl:net.ipv4.tcp_fastopen_key"});
  said(bench, {"explain", "mysql:wsrep_sst_auth", "--json"});
  said(bench, {"apply", "hidden", "--yes", "-v"});
  REQUIRE(bench.read(std::string(kLive)) == std::string(kKey) + "\n");
  REQUIRE(bench.read("/etc/mysql/my.cnf").find(kAuth) != std::string::npos);

  said(bench, {"verify", "hidden", "-v"});
  CHECK(said(bench, {"show", "1"}).find("(redacted)") != std::string::npos);
  said(bench, {"show", "1", "--json"});
  said(bench, {"history"});
  said(bench, {"status"});

  bench.write(std::string(kLive), "12121212-34343434-56565656-78787878\n");
  said(bench, {"rollback", "--yes"});
  said(bench, {"rollback", "--yes", "--force", "--json"});
  CHECK(bench.read(std::string(kLive)) == std::string(kOldKey) + "\n");
  const std::string log = git_log(bench);
  CHECK(log.find("hidden") != std::string::npos);
  CHECK_FALSE(tells(log));
}

TEST_CASE("a secret that the kernel refuses is not in the error") {
  const CliBench bench;
  add_secrets(bench);
  bench.write_profile("wrong", "summary: a line break\nsysctl:\n  net.ipv4.tcp_fastopen_key: \"" +
                                   std::string(kKey) + "\\n1\"\n");
  said(bench, {"apply", "wrong", "--yes"});
}
