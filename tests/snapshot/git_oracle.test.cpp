#include "snapshot/git_oracle.hpp"

#include <chrono>
#include <iostream>

#include <fcntl.h>
#include <sys/wait.h>

#include "core/error.hpp"
#include "snapshot/git_snapshot.hpp"
#include "support/catch.hpp"
#include "support/temp_dir.hpp"

// What libgit2 wrote, judged by the real git.
namespace tunekeeper {
namespace {

using Paths = std::vector<std::string>;

class Etc {
 public:
  Etc() { std::filesystem::create_directory(path); }

  void put(const std::string& name, const std::string& bytes, mode_t mode = 0644) const {
    write_file(path + "/" + name, bytes, mode);
  }
  /// Git sees a sound repository whose index and work tree agree with HEAD.
  void check_sound() const {
    CHECK(git.out({"fsck", "--strict", "--no-dangling"}).empty());
    CHECK(git.out({"status", "--porcelain"}).empty());
  }
  std::string subjects() const { return git.out({"log", "--format=%s"}); }

  test::TempDir root;
  std::string path = root.path() + "/etc";
  GitSnapshot snapshot{path, {"tester", "tester@host"}};
  GitOracle git{path};
};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

template <typename Work>
Error error_of(Work work) {
  try {
    work();
  } catch (const Error& error) {
    return error;
  }
  throw std::runtime_error("no error");
}

}  // namespace

TEST_CASE("git: the repository is private, on branch main and bears our mark") {
  const Etc etc;
  GitSnapshot(etc.path).init();
  struct stat status {};
  REQUIRE(stat((etc.path + "/.git").c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0700);
  CHECK(etc.git.out({"symbolic-ref", "HEAD"}) == "refs/heads/main\n");
  CHECK(etc.git.out({"config", "--bool", "tunekeeper.made"}) == "true\n");
  CHECK(etc.git.out({"remote"}).empty());
  CHECK(etc.git.out({"status", "--porcelain"}).empty());
}

TEST_CASE("git: commits are sound, with identity, message and trailers") {
  Etc etc;
  etc.snapshot.init();
  etc.put("a/b/c.conf", "1\n");
  etc.put("run.sh", "#!/bin/sh\n", 0755);
  std::filesystem::create_symlink("a/b/c.conf", etc.path + "/link");
  std::filesystem::create_directory(etc.path + "/empty");
  REQUIRE(mkfifo((etc.path + "/pipe").c_str(), 0600) == 0);
  const auto id = etc.snapshot.commit({"generation 1", "By hand.", {{"Tunekeeper-Generation", "1"}}});
  etc.check_sound();
  CHECK(etc.git.out({"log", "--format=%H %an <%ae> %cn <%ce>"}) ==
        *id + " tester <tester@host> tester <tester@host>\n");
  CHECK(etc.git.out({"log", "--format=%(trailers:key=Tunekeeper-Generation,valueonly)"}) == "1\n\n");
  CHECK(etc.git.out({"log", "--format=%b"}) == "By hand.\n\nTunekeeper-Generation: 1\n\n");
  CHECK(etc.git.out({"ls-tree", "-r", "--format=%(objectmode) %(path)", "HEAD"}) ==
        "100755 .etckeeper\n100644 a/b/c.conf\n120000 link\n100755 run.sh\n");
}

TEST_CASE("git: hostile file names are kept as they are") {
  Etc etc;
  etc.snapshot.init();
  const Paths names = {"new\nline", "  blanks ", "quo\"te's", "caf\xe9", "-rf", "run-a\\x2db.mount",
                       "*",         ":(top)x",   "a.b",       "a/x",     "a-b", "tilde~1"};
  for (const std::string& name : names) etc.put(name, name);
  const auto id = etc.snapshot.commit({"names", "", {}});
  etc.check_sound();
  for (const std::string& name : names) {
    CHECK(etc.git.out({"show", "HEAD:" + name}) == name);
    CHECK(etc.snapshot.file(*id, name) == name);
  }
  for (const std::string& name : names) etc.put(name, "changed");
  CHECK(etc.snapshot.changed().size() == names.size());
  for (const std::string& name : names) REQUIRE(etc.snapshot.commit({"one", "", {}}, {name}));
  etc.check_sound();
}

TEST_CASE("git: no attribute, filter or line-end rule changes a byte") {
  Etc etc;
  etc.snapshot.init();
  const std::string bytes = "one\r\ntwo\n$Id$\r\n\xff";
  etc.put(".gitattributes", "* text=auto ident\n*.txt text eol=lf\n");
  etc.put("crlf.txt", bytes);
  etc.put("crlf.conf", "a\r\nb\r\n");
  etc.git.out({"config", "core.autocrlf", "true"});
  etc.snapshot.commit({"raw", "", {}});
  etc.check_sound();
  CHECK(etc.git.out({"cat-file", "blob", "HEAD:crlf.txt"}) == bytes);
  CHECK(etc.git.out({"cat-file", "blob", "HEAD:crlf.conf"}) == "a\r\nb\r\n");
  CHECK(etc.snapshot.changed().empty());
  CHECK_FALSE(etc.snapshot.commit({"again", "", {}}));
}

TEST_CASE("git: no one's configuration, hooks or environment are heard") {
  Etc etc;
  const test::TempDir home;
  home.write("/.gitconfig", "[user]\n name = evil\n[core]\n excludesFile = " + home.inside("/ignore") +
                                "\n autocrlf = input\n[this is broken\n");
  home.write("/ignore", "*\n");
  home.write("/git/ignore", "*\n");
  for (const char* name : {"HOME", "XDG_CONFIG_HOME"}) setenv(name, home.path().c_str(), 1);
  setenv("GIT_DIR", "/nonexistent", 1);
  setenv("GIT_AUTHOR_NAME", "evil", 1);
  etc.snapshot.init();
  for (const char* hook : {"pre-commit", "post-commit", "reference-transaction"}) {
    etc.put(std::string(".git/hooks/") + hook, "#!/bin/sh\ntouch " + etc.root.inside("/ran") + "\nexit 1\n",
            0755);
  }
  etc.put("file", "a\r\n");
  const auto id = etc.snapshot.commit({"x", "", {}});
  for (const char* name : {"HOME", "XDG_CONFIG_HOME", "GIT_DIR", "GIT_AUTHOR_NAME"}) unsetenv(name);
  REQUIRE(id);
  CHECK(etc.snapshot.file(*id, "file") == "a\r\n");
  CHECK(etc.git.out({"log", "--format=%an"}) == "tester\n");
  CHECK_FALSE(std::filesystem::exists(etc.root.inside("/ran")));
}

TEST_CASE("R8: a commit has an identity without any environment") {
  Etc etc;
  unsetenv("SUDO_USER");
  GitSnapshot cron(etc.path);
  cron.init();
  etc.put("a", "1");
  cron.commit({"x", "", {}});
  CHECK(contains(etc.git.out({"log", "--format=%an <%ae>"}), geteuid() == 0 ? "root <root@" : "@"));
  setenv("SUDO_USER", "ali<ce>\n", 1);
  CHECK(caller_identity().name == (geteuid() == 0 ? "alice" : caller_identity().name));
  unsetenv("SUDO_USER");
}

TEST_CASE("git: a repository that was there keeps its branch, its ignore rules and its existence") {
  Etc etc;
  etc.git.out({"init", "-q"});
  etc.put(".gitignore",
          "# begin section managed by etckeeper\n*.dpkg-*\n/cache/\nkept.dpkg-old\n# end section\n");
  etc.put("hosts", "1");
  etc.put("kept.dpkg-old", "forced");
  etc.git.out({"add", "-A"});
  etc.git.out({"add", "-f", "kept.dpkg-old"});
  etc.git.out({"commit", "-qm", "Initial commit"});
  CHECK_FALSE(etc.snapshot.init());
  CHECK(etc.snapshot.changed().empty());

  etc.put("hosts", "2");
  etc.put("x.dpkg-new", "ignored");
  etc.put("cache/deep/file", "ignored");
  etc.put("kept.dpkg-old", "tracked although ignored");
  CHECK(etc.snapshot.changed() == Paths{"hosts", "kept.dpkg-old"});
  REQUIRE(etc.snapshot.commit({"ours", "", {}}));
  etc.check_sound();
  CHECK(etc.git.out({"symbolic-ref", "HEAD"}) == "refs/heads/master\n");
  CHECK(etc.git.out({"ls-files"}) == ".gitignore\nhosts\nkept.dpkg-old\n");
  etc.put("hosts", "3");
  etc.git.out({"commit", "-qam", "theirs"});
  etc.put("hosts", "4");
  REQUIRE(etc.snapshot.commit({"ours again", "", {}}));
  CHECK(etc.subjects() == "ours again\ntheirs\nours\nInitial commit\n");
  etc.snapshot.remove();
  CHECK(etc.snapshot.exists());
}

TEST_CASE("git: what others staged stays staged and out of a commit of named paths") {
  Etc etc;
  etc.snapshot.init();
  etc.put("a", "1");
  etc.put("b", "1");
  etc.put("d", "1");
  etc.snapshot.commit({"first", "", {}});
  etc.put("a", "2");
  etc.put("c", "new");
  etc.git.out({"add", "a", "c"});
  etc.git.out({"rm", "-q", "d"});
  etc.put("b", "2");
  const auto id = etc.snapshot.commit({"only b", "", {}}, {"b"});
  REQUIRE(id);
  CHECK(etc.git.out({"show", "--format=", "--name-only", "HEAD"}) == ".etckeeper\nb\n");
  CHECK(etc.git.out({"status", "--porcelain"}) == "M  a\nA  c\nD  d\n");
  CHECK(etc.snapshot.changed() == Paths{"a", "c", "d"});
  REQUIRE(etc.snapshot.commit({"staged a", "", {}}, {"a"}));
  CHECK(etc.git.out({"show", "--format=", "--name-only", "HEAD"}) == "a\n");
  REQUIRE(etc.snapshot.commit({"the rest", "", {}}));
  etc.check_sound();
}

TEST_CASE("git: what was staged and put back is no change") {
  Etc etc;
  etc.snapshot.init();
  etc.put("a", "1");
  etc.snapshot.commit({"first", "", {}});
  etc.put("a", "2");
  etc.git.out({"add", "a"});
  etc.put("a", "1");
  CHECK(etc.snapshot.changed().empty());
  CHECK_FALSE(etc.snapshot.commit({"nothing", "", {}}));
  etc.check_sound();
}

TEST_CASE("git: a change of the same size within the clock's tick is seen") {
  Etc etc;
  etc.snapshot.init();
  for (int round = 0; round < 50; ++round) {
    etc.put("a", std::to_string(1000 + round));
    REQUIRE(etc.snapshot.commit({"x", "", {}}));
    etc.put("a", std::to_string(2000 + round));
    REQUIRE(etc.snapshot.changed() == Paths{"a"});
  }
}

TEST_CASE("git: a file becomes a folder, a folder a file, a file a link") {
  Etc etc;
  etc.snapshot.init();
  etc.put("one", "1");
  etc.put("two/deep", "2");
  etc.put("three", "3");
  etc.snapshot.commit({"first", "", {}});
  std::filesystem::remove(etc.path + "/one");
  etc.put("one/deep", "1");
  std::filesystem::remove_all(etc.path + "/two");
  etc.put("two", "2");
  std::filesystem::remove(etc.path + "/three");
  std::filesystem::create_symlink("one", etc.path + "/three");
  CHECK(etc.snapshot.changed() == Paths{"one", "one/deep", "three", "two", "two/deep"});
  REQUIRE(etc.snapshot.commit({"second", "", {}}));
  etc.check_sound();
  CHECK(etc.git.out({"ls-files"}) == ".etckeeper\none/deep\nthree\ntwo\n");
}

TEST_CASE("git: a detached HEAD moves, no branch does") {
  Etc etc;
  etc.snapshot.init();
  etc.put("a", "1");
  const auto first = etc.snapshot.commit({"first", "", {}});
  etc.git.out({"checkout", "-q", "--detach"});
  etc.put("a", "2");
  const auto second = etc.snapshot.commit({"second", "", {}});
  CHECK(etc.git.out({"rev-parse", "HEAD", "main"}) == *second + "\n" + *first + "\n");
  etc.check_sound();
}

TEST_CASE("git: a repository inside is left out, its files too") {
  Etc etc;
  etc.snapshot.init();
  etc.put("nested/file", "1");
  GitOracle(etc.path + "/nested").out({"init", "-q"});
  etc.put("a", "1");
  REQUIRE(etc.snapshot.commit({"x", "", {}}));
  CHECK(etc.git.out({"ls-files"}) == ".etckeeper\na\n");
  CHECK(etc.snapshot.changed().empty());
}

TEST_CASE("git: another program's index.lock is respected and told") {
  Etc etc;
  etc.snapshot.init();
  etc.put("a", "1");
  etc.put(".git/index.lock", "");
  const Error error = error_of([&] { etc.snapshot.commit({"x", "", {}}); });
  CHECK(error.status() == ExitStatus::busy);
  CHECK(contains(error.what(), "index.lock"));
  CHECK(contains(error.next(), "index.lock"));
  CHECK(etc.snapshot.changed() == Paths{"a"});
  CHECK(std::filesystem::exists(etc.path + "/.git/index.lock"));
}

TEST_CASE("git: the index.lock of a killed tunekeeper is taken over") {
  Etc etc;
  etc.snapshot.init();
  etc.put("a", "1");
  etc.put(".git/index.lock", "tunekeeper\n");
  etc.put(".git/index.tunekeeper-tmp", "half an index");
  REQUIRE(etc.snapshot.commit({"x", "", {}}));
  etc.check_sound();
  CHECK_FALSE(std::filesystem::exists(etc.path + "/.git/index.lock"));
}

TEST_CASE("git: nothing changed writes nothing, not even a time stamp") {
  Etc etc;
  etc.snapshot.init();
  etc.put("a", "1");
  etc.put("d/b", "1");
  etc.snapshot.commit({"first", "", {}});
  etc.put("a", "1");  // touched, same bytes
  const auto stamps = [&] {
    std::string all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(etc.path + "/.git")) {
      struct stat status {};
      stat(entry.path().c_str(), &status);
      all += entry.path().string() + " " + std::to_string(status.st_mtim.tv_sec) + "." +
             std::to_string(status.st_mtim.tv_nsec) + " " + std::to_string(status.st_ctim.tv_nsec) + "\n";
    }
    return all;
  };
  const std::string before = stamps();
  CHECK_FALSE(etc.snapshot.commit({"again", "", {}}));
  CHECK(etc.snapshot.changed().empty());
  CHECK(stamps() == before);
}

TEST_CASE("git: a repository of a foreign owner is an error, not trusted and not ignored") {
  if (geteuid() != 0) return;
  Etc etc;
  etc.snapshot.init();
  etc.put("a", "1");
  REQUIRE(chown((etc.path + "/.git").c_str(), 65534, 65534) == 0);
  const Error error = error_of([&] { etc.snapshot.commit({"x", "", {}}); });
  CHECK(contains(error.what(), "65534"));
  CHECK(contains(error.next(), "chown"));
  CHECK_THROWS_AS(etc.snapshot.changed(), Error);
  REQUIRE(chown((etc.path + "/.git").c_str(), 0, 0) == 0);
  REQUIRE(chown(etc.path.c_str(), 65534, 65534) == 0);
  CHECK(contains(error_of([&] { etc.snapshot.changed(); }).what(), "another user"));
}

TEST_CASE("git: a link in the place of the repository or of the folder is not followed") {
  Etc etc;
  const test::TempDir elsewhere;
  GitOracle(elsewhere.path()).out({"init", "-q"});
  std::filesystem::create_symlink(elsewhere.path() + "/.git", etc.path + "/.git");
  CHECK_THROWS_AS(etc.snapshot.commit({"x", "", {}}), Error);
  std::filesystem::create_symlink(elsewhere.path(), etc.root.inside("/link"));
  CHECK_THROWS_AS(GitSnapshot(etc.root.inside("/link/sub")).init(), Error);
}

TEST_CASE("git: a damaged repository is an error with the library's words") {
  Etc etc;
  etc.snapshot.init();
  etc.put("a", "1");
  etc.snapshot.commit({"x", "", {}});
  etc.put(".git/index", "DIRCgarbage");
  const Error error = error_of([&] { etc.snapshot.changed(); });
  CHECK(contains(error.what(), "git_index_open"));
  std::filesystem::remove(etc.path + "/.git/HEAD");
  CHECK_THROWS_AS(etc.snapshot.commit({"x", "", {}}), Error);
}

TEST_CASE("git: a core.worktree that names another folder is not followed") {
  Etc etc;
  etc.snapshot.init();
  etc.git.out({"config", "core.worktree", etc.root.path()});
  write_file(etc.root.path() + "/.gitignore", "a\n");
  etc.put("a", "1\n");
  const std::optional<std::string> commit = etc.snapshot.commit({"base", "", {}});
  REQUIRE(commit);
  CHECK(etc.snapshot.file(*commit, "a") == "1\n");
}

TEST_CASE("git: an unfinished merge is not committed") {
  Etc etc;
  etc.snapshot.init();
  etc.put("a", "1\n");
  etc.snapshot.commit({"base", "", {}});
  etc.git.out({"checkout", "-qb", "side"});
  etc.put("a", "2\n");
  etc.snapshot.commit({"side", "", {}});
  etc.git.out({"checkout", "-q", "main"});
  etc.put("a", "3\n");
  etc.snapshot.commit({"main", "", {}});
  CHECK(etc.git.run({"merge", "side"}).status != 0);
  const Error error = error_of([&] { etc.snapshot.commit({"x", "", {}}); });
  CHECK(contains(error.what(), "unfinished merge"));
}

TEST_CASE("git: a file that cannot be read is named") {
  if (geteuid() != 0) return;
  Etc etc;
  etc.snapshot.init();
  etc.put("secret", "1", 0);
  const pid_t child = fork();
  if (child == 0) {
    // The tree and the process belong to nobody, for whom mode 0 is a refusal.
    const std::string command = "chown -R 65534:65534 '" + etc.root.path() + "'";
    if (system(command.c_str()) != 0 || setgid(65534) != 0 || setuid(65534) != 0) _exit(2);
    try {
      etc.snapshot.commit({"x", "", {}});
    } catch (const Error& error) {
      _exit(contains(error.what(), "secret") && error.status() == ExitStatus::denied ? 0 : 3);
    }
    _exit(4);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WEXITSTATUS(status) == 0);
}

TEST_CASE("git: three changes among 10,000 files cost no more than git itself") {
  Etc etc;
  etc.snapshot.init();
  for (int i = 0; i < 10'000; ++i) {
    etc.put("d" + std::to_string(i / 100) + "/f" + std::to_string(i), "content " + std::to_string(i) + "\n");
  }
  const auto timed = [](auto work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  };
  const auto change = [&](int round) {
    for (const char* name : {"d1/f100", "d50/f5000", "d99/f9999"})
      etc.put(name, "round " + std::to_string(round));
  };
  const double whole = timed([&] { etc.snapshot.commit({"all", "", {}}); });
  double ours = 1e9;
  double theirs = 1e9;
  for (int round = 0; round < 3; ++round) {
    change(2 * round);
    ours = std::min(ours, timed([&] { REQUIRE(etc.snapshot.commit({"three", "", {}})); }));
    change(2 * round + 1);
    theirs = std::min(theirs, timed([&] {
                        etc.git.out({"add", "-A"});
                        etc.git.out({"commit", "-q", "--no-verify", "-m", "three"});
                      }));
  }
  const double quiet = timed([&] { CHECK(etc.snapshot.changed().empty()); });
  std::cout << "10,000 files: all " << whole << " ms; three changed " << ours << " ms (git: " << theirs
            << " ms); none changed " << quiet << " ms\n";
  etc.check_sound();
  CHECK(ours < 5 * theirs);
}

}  // namespace tunekeeper
