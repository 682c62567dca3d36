#include <filesystem>

#include <unistd.h>

#include "cli/bench.hpp"
#include "support/catch.hpp"

// What a check does to the host is what strace sees: nothing written, no process, no library of the writing
// side.

using namespace tunekeeper;
using namespace tunekeeper::test;

namespace {

/// The system calls of one run that a quiet check must not make; its own exec is left out.
std::vector<std::string> loud_calls(const CliBench& bench, const std::vector<std::string>& words) {
  const std::string log = bench.profiles() + "/calls";
  const CommandResult run = bench.run_under(
      {"strace", "-f", "-y", "-o", log, "-e", "trace=%file,%process,ftruncate,fchmod,fchown"}, words);
  REQUIRE(run.status != -1);
  REQUIRE(run.err.empty());
  const CommandResult found = run_command(
      {"grep", "-E",
       "O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|^[0-9]+ +(rename|unlink|mkdir|rmdir|link|symlink|f?truncate|f?chmod|"
       "[fl]?chown|mknod|execve|v?fork|clone)|lib(git2|mariadb|systemd)",
       log},
      {});
  std::vector<std::string> calls;
  for (std::size_t start = 0; start < found.out.size();) {
    const std::size_t end = found.out.find('\n', start);
    calls.push_back(found.out.substr(start, end - start));
    start = end + 1;
  }
  REQUIRE(!calls.empty());
  REQUIRE(calls.front().find("execve") != std::string::npos);
  calls.erase(calls.begin());
  return calls;
}

/// Gives the tree a database server's program that lists these options and counts its starts in /starts: a
/// script, with the shell that it needs.
void install_server(const CliBench& bench, const std::string& listing) {
  const auto copy = [&](const std::string& from, const std::string& to) {
    const std::filesystem::path target = bench.tree() + to;
    std::filesystem::create_directories(target.parent_path());
    std::filesystem::copy_file(from, target);
  };
  copy("/bin/dash", "/bin/sh");
  const std::string libraries = run_command({"ldd", "/bin/dash"}, {}).out;
  for (std::size_t at = libraries.find('/'); at != std::string::npos; at = libraries.find('/', at)) {
    const std::string path = libraries.substr(at, libraries.find(' ', at) - at);
    copy(path, path);
    at = libraries.find('\n', at);
  }
  bench.write("/usr/sbin/mariadbd", "#!/bin/sh\necho \"$1\" >>/starts\necho '" + listing + "'\n");
  std::filesystem::permissions(bench.tree() + "/usr/sbin/mariadbd", std::filesystem::perms(0755));
}

/// Runs as root, which alone can start a program inside the tree.
CommandResult run_as_root(const CliBench& bench, const std::vector<std::string>& words) {
  if (geteuid() == 0) return bench.run(words);
  return bench.run_under({"unshare", "--map-root-user"}, words);
}

}  // namespace

TEST_CASE("a check in sync opens nothing for writing, starts no process and loads no heavy library") {
  const CliBench bench;
  bench.write("/etc/tunekeeper/host.yaml", "profiles: [db]\n");
  REQUIRE(bench.run({"apply", "--yes"}).status == 0);
  const std::vector<std::string> none;
  CHECK(loud_calls(bench, {"verify"}) == none);
  CHECK(loud_calls(bench, {"diff"}) == none);
  CHECK(loud_calls(bench, {"verify", "--nagios"}) == none);
  CHECK(loud_calls(bench, {"verify", "--metrics"}) == none);
  CHECK(loud_calls(bench, {"status"}) == none);
}

TEST_CASE("a second apply writes its lock and its last-run record, and nothing else") {
  const CliBench bench;
  REQUIRE(bench.run({"apply", "db", "--yes"}).status == 0);
  for (const std::string& call : loud_calls(bench, {"apply", "db", "--yes"})) {
    INFO(call);
    CHECK(call.find("/run/tunekeeper") != std::string::npos);
  }
}

TEST_CASE("under --root the tree's own server is asked once by apply, and never by a check") {
  const CliBench bench;
  install_server(bench, "  --max-connections=#\n  --innodb-flush-method=name");
  bench.write("/etc/tunekeeper/host.yaml", "profiles: [db, more]\n");
  bench.write_profile("more", "mysql: { odd_option: 1, sysdate_is_now: 1 }\n");
  CHECK(loud_calls(bench, {"diff"}).empty());
  CHECK_FALSE(bench.exists("/var/lib/tunekeeper/server-options"));

  const CommandResult applied = run_as_root(bench, {"apply", "--yes"});
  INFO(applied.out << applied.err);
  REQUIRE(applied.status == 0);
  CHECK(applied.out.find("the installed MariaDB 10.11 has no option odd_option") != std::string::npos);
  const std::string starts = bench.read("/starts");
  CHECK(starts.find("--no-defaults\n") == starts.rfind("--no-defaults\n"));
  CHECK(bench.exists("/var/lib/tunekeeper/server-options"));

  // Options that are not in the files make a check look the listing up: still without a process or a write.
  const std::vector<std::string> none;
  CHECK(loud_calls(bench, {"verify"}) == none);
  CHECK(loud_calls(bench, {"diff"}) == none);
  CHECK(bench.run({"diff", "-v"}).out.find("has no option odd_option") != std::string::npos);
  CHECK(bench.read("/starts") == starts);
}
