#include <iostream>
#include <random>

#include <grp.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.hpp"
#include "snapshot/git_oracle.hpp"
#include "snapshot/git_snapshot.hpp"
#include "support/catch.hpp"
#include "support/temp_dir.hpp"

// Our commits beside a real etckeeper: what it would write into .etckeeper, we write, byte for byte.
namespace tunekeeper {
namespace {

/// Debian's etckeeper, unpacked: installed, it would take this machine's /etc under git.
const std::string& etckeeper_files() {
  static const std::string folder = [] {
    GitAnswer answer = shell(std::string(TUNEKEEPER_SOURCE_DIR) + "/scripts/unpack etckeeper");
    if (answer.status != 0) throw std::runtime_error(answer.out);
    return answer.out.substr(0, answer.out.find('\n'));
  }();
  return folder;
}

/// A verb of etckeeper's and its other words, on a folder.
GitAnswer run_etckeeper(const std::string& folder, const std::string& words) {
  const std::string& files = etckeeper_files();
  const std::size_t verb = words.find(' ');
  return shell("cd / && env -i HOME=/nonexistent PATH=" + files + "/usr/bin:/usr/sbin:/usr/bin:/sbin:/bin " +
               "ETCKEEPER_CONF_DIR=" + files + "/etc/etckeeper GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=k " +
               "GIT_AUTHOR_EMAIL=k@x GIT_COMMITTER_NAME=k GIT_COMMITTER_EMAIL=k@x etckeeper " +
               words.substr(0, verb) + " -d '" + folder + "'" +
               (verb == std::string::npos ? "" : words.substr(verb)));
}

/// A folder that etckeeper looks after; one of ours that it takes over, or its own from the first.
class KeptEtc {
 public:
  explicit KeptEtc(bool ours_first = false) {
    std::filesystem::create_directory(path);
    for (const char* names : {"passwd", "group"})
      std::filesystem::copy_file(std::string("/etc/") + names, path + "/" + names);
    put("motd", "hello\n");
    if (ours_first) {
      snapshot.init();
      snapshot.commit({"ours", "", {}});
      REQUIRE(std::filesystem::exists(path + "/.etckeeper"));
    }
    must("init");
    must("commit first");
  }

  void put(const std::string& name, const std::string& bytes, mode_t mode = 0644) const {
    write_file(path + "/" + name, bytes, mode);
  }
  void make_folder(const std::string& name, mode_t mode = 0755) const {
    std::filesystem::create_directories(path + "/" + name);
    REQUIRE(chmod((path + "/" + name).c_str(), mode) == 0);
  }
  /// Only root can give a file away: others check the rest.
  void give(const std::string& name, const char* user, const char* group) const {
    if (geteuid() != 0) return;
    REQUIRE(lchown((path + "/" + name).c_str(), getpwnam(user)->pw_uid, getgrnam(group)->gr_gid) == 0);
  }
  GitAnswer etckeeper(const std::string& words) const { return run_etckeeper(path, words); }
  void must(const std::string& words) const {
    const GitAnswer answer = etckeeper(words);
    INFO(answer.out);
    REQUIRE(answer.status == 0);
  }
  std::string metadata() const { return git.out({"show", "HEAD:.etckeeper"}); }
  std::string head() const { return git.out({"rev-parse", "HEAD"}); }

  /// What etckeeper says after our commit: clean, the metadata is what it would write, nothing to commit.
  void check_agreement() const {
    CHECK(etckeeper("unclean").status != 0);
    const std::string ours = metadata();
    must("pre-commit");
    CHECK(git.out({"status", "--porcelain"}).empty());
    const std::ifstream file(path + "/.etckeeper", std::ios::binary);
    std::ostringstream theirs;
    theirs << file.rdbuf();
    CHECK(theirs.str() == ours);
    const std::string before = head();
    etckeeper("commit second");
    CHECK(head() == before);
  }

  test::TempDir root;
  std::string path = root.path() + "/etc";
  GitSnapshot snapshot{path, {"tester", "tester@host"}};
  GitOracle git{path};
};

}  // namespace

TEST_CASE(
    "etckeeper: after our commit it is clean, has nothing to commit and would write the same metadata") {
  KeptEtc etc;
  etc.put("mysql/my.cnf", "[mysqld]\n", 0640);
  etc.make_folder("empty");
  etc.make_folder("a/deep/empty", 01777);
  etc.put("suid", "x", 04755);
  etc.give("mysql/my.cnf", "root", "www-data");
  etc.give("suid", "www-data", "root");
  std::filesystem::create_symlink("mysql/my.cnf", etc.path + "/link");
  REQUIRE(mkfifo((etc.path + "/pipe").c_str(), 0600) == 0);
  REQUIRE(etc.snapshot.commit({"ours", "", {}}));
  etc.check_agreement();
}

TEST_CASE("R9: etckeeper: a change of mode or owner alone is a change, and its metadata says so") {
  KeptEtc etc;
  etc.make_folder("motd.d");
  REQUIRE(etc.snapshot.commit({"a folder", "", {}}));
  REQUIRE(chmod((etc.path + "/motd").c_str(), 0640) == 0);
  REQUIRE(etc.snapshot.commit({"a mode", "", {}}));
  CHECK(etc.metadata().find("maybe chmod 0640 './motd'\n") != std::string::npos);
  etc.check_agreement();
  etc.give("motd.d", "www-data", "www-data");
  CHECK(etc.snapshot.commit({"an owner", "", {}}).has_value() == (geteuid() == 0));
  etc.check_agreement();
  CHECK_FALSE(etc.snapshot.commit({"nothing", "", {}}));
}

TEST_CASE("etckeeper: ignored files are left out as its own filter leaves them out") {
  KeptEtc etc;
  etc.put(".gitignore", "*.bak\nhidden/\nkept/\n");
  etc.put("kept/tracked", "1\n");
  etc.git.out({"add", "-f", "kept/tracked"});
  etc.put("x.bak", "1\n");
  etc.put("caf\xc3\xa9.bak", "1\n");
  etc.put("blank name.bak", "1\n");
  etc.put("hidden/a/b", "1\n");
  etc.make_folder("hidden/nothing");
  etc.put("kept/untracked", "1\n");
  etc.put("-dash", "1\n");
  etc.put("+plus", "1\n");
  REQUIRE(etc.snapshot.commit({"ours", "", {}}));
  CHECK(etc.metadata().find("x.bak") == std::string::npos);
  etc.check_agreement();
}

TEST_CASE("etckeeper: no ignore file, and one that ignores only an empty folder") {
  KeptEtc etc;
  etc.put(".gitignore", "void/\n");
  etc.make_folder("void");
  REQUIRE(etc.snapshot.commit({"an empty folder ignored", "", {}}));
  etc.check_agreement();
  std::filesystem::remove(etc.path + "/.gitignore");
  REQUIRE(etc.snapshot.commit({"no rules", "", {}}));
  etc.check_agreement();
}

TEST_CASE("etckeeper: a commit of named paths carries the metadata too") {
  KeptEtc etc;
  etc.put("ours.conf", "1\n", 0600);
  REQUIRE(etc.snapshot.commit({"ours", "", {}}, {"ours.conf"}));
  CHECK(etc.git.out({"show", "--format=", "--name-only", "HEAD"}) == ".etckeeper\nours.conf\n");
  etc.check_agreement();
}

TEST_CASE("R10: etckeeper: a name with a line break has whole lines here, which its own hook breaks") {
  KeptEtc etc;
  etc.put("two\nlines's", "1\n", 0604);
  REQUIRE(etc.snapshot.commit({"ours", "", {}}));
  CHECK(etc.git.out({"log", "-1", "--format=%b"}).find("a name with a line break") != std::string::npos);
  REQUIRE(chmod((etc.path + "/two\nlines's").c_str(), 0644) == 0);
  const GitAnswer ran = shell("cd '" + etc.path + "' && sh -c 'maybe() { \"$@\"; }; . ./.etckeeper'");
  INFO(ran.out);
  CHECK(ran.status == 0);
  struct stat status {};
  REQUIRE(stat((etc.path + "/two\nlines's").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0604);
}

TEST_CASE(
    "etckeeper: without it our repository carries the same metadata, and installed later it takes it over") {
  KeptEtc etc(true);
  etc.put("motd", "hello again\n", 0600);
  REQUIRE(etc.snapshot.commit({"ours again", "", {}}));
  etc.check_agreement();
  CHECK(etc.git.out({"log", "--format=%s"}) == "ours again\nfirst\nours\n");
  struct stat status {};
  REQUIRE(stat((etc.path + "/.git").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0700);
}

TEST_CASE("etckeeper: a commit that fails leaves its metadata as it was") {
  KeptEtc etc;
  const std::string before = etc.metadata();
  etc.put("motd", "hello again\n", 0600);
  etc.put(".git/index.lock", "another git\n");
  CHECK_THROWS_AS(etc.snapshot.commit({"ours", "", {}}), Error);
  std::filesystem::remove(etc.path + "/.git/index.lock");
  std::ifstream file(etc.path + "/.etckeeper", std::ios::binary);
  CHECK(std::string(std::istreambuf_iterator<char>(file), {}) == before);
}

TEST_CASE("etckeeper: it writes what we write, whatever the names and modes") {
  const unsigned seed = std::random_device{}();
  std::cout << "etckeeper's metadata: seed " << seed << "\n";
  std::mt19937 random(seed);
  const auto pick = [&random](const std::vector<std::string>& from) { return from[random() % from.size()]; };
  for (int round = 0; round < 12; ++round) {
    INFO("seed " << seed << ", round " << round);
    KeptEtc etc;
    if (random() % 2 == 0)
      etc.put(".gitignore", pick({"*.o\n", "d/\n", "/a\n", "!x\n*\n", "# none\n", "a*\nb/\n"}));
    for (int i = 0; i < 30; ++i) {
      std::string name;
      for (unsigned depth = random() % 3 + 1; depth > 0; --depth) {
        const std::string part =
            pick({"a",  "b", "d",   "it's", "x y", " lead", "\xe9", "q\"q", "back\\", "$v",
                  "-r", "+", "a.b", "a-b",  "#",   "~",     "*",    "[x]",  "f.o",    "x"});
        name += part + (depth > 1 ? "/" : "");
      }
      std::error_code clash;
      if (random() % 5 == 0) {
        std::filesystem::create_directories(etc.path + "/" + name, clash);
        continue;
      }
      std::filesystem::create_directories(std::filesystem::path(etc.path + "/" + name).parent_path(), clash);
      if (clash || std::filesystem::is_directory(etc.path + "/" + name)) continue;
      etc.put(name, "1\n", static_cast<mode_t>(random() & 0777) | 0400);
    }
    etc.snapshot.commit({"ours", "", {}});
    etc.check_agreement();
  }
}

}  // namespace tunekeeper
