// Where another version control keeps /etc: what etckeeper is told, and a repository of our own elsewhere.
#include "host/memory_host.hpp"
#include "snapshot/etckeeper_conf.hpp"
#include "snapshot/git_oracle.hpp"
#include "snapshot/git_snapshot.hpp"
#include "support/catch.hpp"
#include "support/temp_dir.hpp"

namespace tunekeeper {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr const char* kConf = "/etc/etckeeper/etckeeper.conf";

}  // namespace

TEST_CASE("etckeeper.conf: without it there is no etckeeper") {
  MemoryHost host;
  host.add_directory("/etc/.git");
  CHECK_FALSE(read_etckeeper_conf(host).installed);
  CHECK(read_etckeeper_conf(host).vcs.empty());
}

TEST_CASE("etckeeper.conf: the folder in /etc decides over the file, as etckeeper itself has it") {
  MemoryHost host;
  host.add_file(kConf, "#VCS=\"hg\"\nVCS=\"git\"\nVCS=bzr\n");
  CHECK(read_etckeeper_conf(host).vcs == "bzr");
  host.add_directory("/etc/.hg");
  CHECK(read_etckeeper_conf(host).vcs == "hg");
  host.add_directory("/etc/.git");
  CHECK(read_etckeeper_conf(host).vcs == "git");
}

TEST_CASE("etckeeper.conf: remotes are words, and what only a shell can tell is not guessed") {
  MemoryHost host;
  host.add_file(kConf, "PUSH_REMOTE=\"origin  backup\"\n");
  CHECK(read_etckeeper_conf(host).push_remotes == Words{"origin", "backup"});
  host.add_file(kConf, "PUSH_REMOTE=\"\"\n");
  CHECK(read_etckeeper_conf(host).push_remotes.empty());
  host.add_file(kConf, "PUSH_REMOTE=$(cat /etc/remote)\n");
  CHECK(read_etckeeper_conf(host).push_remotes.empty());
  CHECK(read_etckeeper_conf(host).problem.find("PUSH_REMOTE") != std::string::npos);
  host.add_file(kConf, "PUSH_REMOTE=\"origin\n");
  CHECK_FALSE(read_etckeeper_conf(host).problem.empty());
}

TEST_CASE("a repository elsewhere keeps /etc and leaves nothing in it") {
  const test::TempDir root;
  const std::string etc = root.inside("/etc"), repository = root.inside("/state/etc.git");
  write_file(etc + "/motd", "hello\n", 0640);
  write_file(etc + "/.hg/store/data", "theirs");
  write_file(etc + "/.etckeeper", "# theirs\n");
  GitSnapshot snapshot(etc, repository, "/var/lib/tunekeeper/etc.git");
  CHECK(snapshot.init());
  const auto first = snapshot.commit({"first", "", {}});
  REQUIRE(first);
  write_file(etc + "/motd", "bye\n", 0640);
  CHECK(snapshot.changed() == Words{"motd"});
  REQUIRE(snapshot.commit({"second", "", {}}));
  CHECK_FALSE(snapshot.commit({"nothing", "", {}}));
  CHECK(snapshot.file(*first, "motd") == "hello\n");
  CHECK(snapshot.file(*first, ".etckeeper").value_or("").find("maybe chmod 0640") != std::string::npos);
  CHECK_FALSE(snapshot.file(*first, ".hg/store/data"));
  CHECK_FALSE(fs::exists(etc + "/.git"));
  CHECK(shell("cat '" + etc + "/.etckeeper'").out == "# theirs\n");
  struct stat status {};
  REQUIRE(stat(repository.c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0700);
  CHECK(shell("git --git-dir='" + repository + "' fsck --strict --no-dangling --no-progress").out.empty());
  snapshot.remove();
  CHECK_FALSE(fs::exists(repository));
  CHECK(fs::exists(etc + "/.etckeeper"));
}

}  // namespace tunekeeper
