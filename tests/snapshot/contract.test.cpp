#include <memory>

#include "core/error.hpp"
#include "host/memory_host.hpp"
#include "snapshot/git_oracle.hpp"
#include "snapshot/git_snapshot.hpp"
#include "snapshot/memory_snapshot.hpp"
#include "support/catch.hpp"
#include "support/temp_dir.hpp"

namespace tunekeeper {
namespace {

// The same promises for the real snapshot and its twin.
struct RealEtc {
  test::TempDir root;
  std::string etc = root.path() + "/etc";
  GitSnapshot snapshot{etc, {"tester", "tester@host"}};

  RealEtc() { std::filesystem::create_directory(etc); }
  void put(const std::string& path, const std::string& bytes, std::uint32_t mode = 0644) {
    write_file(etc + "/" + path, bytes, mode);
  }
  void link(const std::string& path, const std::string& target) {
    std::filesystem::create_symlink(target, etc + "/" + path);
  }
  void remove(const std::string& path) { std::filesystem::remove_all(etc + "/" + path); }
};

struct MemoryEtc {
  MemoryHost host;
  MemorySnapshot snapshot{host};

  MemoryEtc() { host.add_directory("/etc"); }
  void put(const std::string& path, const std::string& bytes, std::uint32_t mode = 0644) {
    host.add_file("/etc/" + path, bytes, mode);
  }
  void link(const std::string& path, const std::string& target) { host.add_symlink("/etc/" + path, target); }
  void remove(const std::string& path) { host.remove("/etc/" + path); }
};

using Paths = std::vector<std::string>;

std::vector<Commit> history(const Snapshot& snapshot) {
  std::vector<Commit> commits;
  snapshot.walk([&](const Commit& commit) { return commits.push_back(commit), true; });
  return commits;
}

}  // namespace

TEMPLATE_TEST_CASE("snapshot: init makes a repository once", "", RealEtc, MemoryEtc) {
  TestType etc;
  CHECK_FALSE(etc.snapshot.exists());
  CHECK(etc.snapshot.init());
  CHECK(etc.snapshot.exists());
  CHECK_FALSE(etc.snapshot.init());
  CHECK(history(etc.snapshot).empty());
}

TEMPLATE_TEST_CASE("snapshot: a commit is there by its id and as HEAD, another name is not", "", RealEtc,
                   MemoryEtc) {
  TestType etc;
  etc.snapshot.init();
  CHECK_FALSE(etc.snapshot.commit_id("HEAD"));
  etc.put("a", "1");
  const auto made = etc.snapshot.commit({"x", "", {}});
  REQUIRE(made);
  CHECK(etc.snapshot.commit_id(*made) == *made);
  CHECK(etc.snapshot.commit_id("HEAD") == *made);
  CHECK_FALSE(etc.snapshot.commit_id("0123456789012345678901234567890123456789"));
  CHECK_FALSE(etc.snapshot.commit_id("no such"));
}

TEMPLATE_TEST_CASE("snapshot: without a repository a commit says what to do", "", RealEtc, MemoryEtc) {
  TestType etc;
  try {
    etc.snapshot.commit({"x", "", {}});
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("not under git") != std::string::npos);
    CHECK(error.next() == "tunekeeper init");
  }
}

TEMPLATE_TEST_CASE("snapshot: a commit keeps every change, and nothing changed makes none", "", RealEtc,
                   MemoryEtc) {
  TestType etc;
  etc.snapshot.init();
  CHECK_FALSE(etc.snapshot.commit({"empty", "", {}}));
  etc.put("mysql/my.cnf", "[mysqld]\n");
  etc.put("hosts", "127.0.0.1\n");
  CHECK(etc.snapshot.changed() == Paths{"hosts", "mysql/my.cnf"});
  const auto first = etc.snapshot.commit({"first", "", {}});
  REQUIRE(first);
  CHECK(first->size() == 40);
  CHECK(etc.snapshot.changed().empty());
  CHECK_FALSE(etc.snapshot.commit({"again", "", {}}));

  etc.put("hosts", "127.0.0.2\n");
  etc.remove("mysql");
  etc.put("new", "");
  CHECK(etc.snapshot.changed() == Paths{"hosts", "mysql/my.cnf", "new"});
  const auto second = etc.snapshot.commit({"second", "", {}});
  REQUIRE(second);
  CHECK(etc.snapshot.file(*first, "hosts") == "127.0.0.1\n");
  CHECK(etc.snapshot.file(*second, "hosts") == "127.0.0.2\n");
  CHECK(etc.snapshot.file(*first, "mysql/my.cnf") == "[mysqld]\n");
  CHECK(etc.snapshot.file(*second, "mysql/my.cnf") == std::nullopt);
  CHECK(etc.snapshot.file(*second, "new") == "");
  CHECK(etc.snapshot.changed_between(*first, *second) == Paths{"hosts", "mysql/my.cnf", "new"});
  CHECK(etc.snapshot.changed_between("", *second) == Paths{"hosts", "new"});
  CHECK(etc.snapshot.changed_between(*second, *second).empty());
}

TEMPLATE_TEST_CASE("snapshot: the executable bit and a link's target are changes", "", RealEtc, MemoryEtc) {
  TestType etc;
  etc.snapshot.init();
  etc.put("script", "x", 0644);
  etc.link("alias", "script");
  const auto first = etc.snapshot.commit({"first", "", {}});
  etc.put("script", "x", 0755);
  etc.remove("alias");
  etc.link("alias", "other");
  CHECK(etc.snapshot.changed() == Paths{"alias", "script"});
  const auto second = etc.snapshot.commit({"second", "", {}});
  CHECK(etc.snapshot.file(*second, "alias") == "other");
  CHECK(etc.snapshot.entry(*second, "alias")->is_link);
  CHECK_FALSE(etc.snapshot.entry(*first, "script")->is_executable);
  CHECK(etc.snapshot.entry(*second, "script")->is_executable);
  CHECK_FALSE(etc.snapshot.entry(*second, "none"));
  CHECK(etc.snapshot.changed_between(*first, *second) == Paths{"alias", "script"});
}

TEMPLATE_TEST_CASE("snapshot: with paths only those are committed", "", RealEtc, MemoryEtc) {
  TestType etc;
  etc.snapshot.init();
  etc.put("sysctl.d/a.conf", "1");
  etc.put("sysctl.d/b.conf", "1");
  etc.put("sysctl.dx", "1");
  etc.put("hosts", "1");
  REQUIRE(etc.snapshot.commit({"one", "", {}}, {"sysctl.d/a.conf"}));
  CHECK(etc.snapshot.changed() == Paths{"hosts", "sysctl.d/b.conf", "sysctl.dx"});
  REQUIRE(etc.snapshot.commit({"a folder", "", {}}, {"sysctl.d"}));
  CHECK(etc.snapshot.changed() == Paths{"hosts", "sysctl.dx"});
  CHECK_FALSE(etc.snapshot.commit({"nothing", "", {}}, {"sysctl.d/a.conf", "absent"}));
  etc.remove("sysctl.d");
  REQUIRE(etc.snapshot.commit({"gone", "", {}}, {"sysctl.d/a.conf"}));
  CHECK(etc.snapshot.changed() == Paths{"hosts", "sysctl.d/b.conf", "sysctl.dx"});
}

TEMPLATE_TEST_CASE("snapshot: our temporary files are not part of it", "", RealEtc, MemoryEtc) {
  TestType etc;
  etc.snapshot.init();
  etc.put("grub.tunekeeper-tmp", "1");
  CHECK(etc.snapshot.changed().empty());
  CHECK_FALSE(etc.snapshot.commit({"x", "", {}}));
}

TEMPLATE_TEST_CASE("snapshot: a walk is newest first, reads messages back and stops when told", "", RealEtc,
                   MemoryEtc) {
  TestType etc;
  etc.snapshot.init();
  etc.put("a", "1");
  const auto first = etc.snapshot.commit({"as found", "", {}});
  etc.put("a", "2");
  const auto second = etc.snapshot.commit({"generation\n1",
                                           "First line.\n\nNote: a body's own words\nmore",
                                           {{"Tunekeeper-Generation", "1"},
                                            {"Tunekeeper-Setting", "sysctl:vm.swappiness"},
                                            {"Tunekeeper-Setting", "two\nlines: x"}}});
  const auto commits = history(etc.snapshot);
  REQUIRE(commits.size() == 2);
  CHECK(commits[0].id == *second);
  CHECK(commits[0].parent == *first);
  CHECK(commits[0].subject == "generation 1");
  CHECK(commits[0].body == "First line.\n\nNote: a body's own words\nmore");
  CHECK(commits[0].trailers == std::map<std::string, std::string>{{"Tunekeeper-Generation", "1"},
                                                                  {"Tunekeeper-Setting", "two lines: x"}});
  CHECK(commits[1].id == *first);
  CHECK(commits[1].parent.empty());
  CHECK(commits[1].body.empty());
  CHECK(commits[1].trailers.empty());
  CHECK(commits[1].time > 0);

  int seen = 0;
  etc.snapshot.walk([&](const Commit&) { return ++seen, false; });
  CHECK(seen == 1);
}

TEMPLATE_TEST_CASE("snapshot: remove takes our own repository with its history", "", RealEtc, MemoryEtc) {
  TestType etc;
  etc.snapshot.remove();
  etc.snapshot.init();
  etc.put("a", "1");
  etc.snapshot.commit({"x", "", {}});
  etc.snapshot.remove();
  CHECK_FALSE(etc.snapshot.exists());
  CHECK(etc.snapshot.init());
  CHECK(etc.snapshot.changed() == Paths{"a"});
}

TEMPLATE_TEST_CASE("snapshot: an unknown commit is an error", "", RealEtc, MemoryEtc) {
  TestType etc;
  etc.snapshot.init();
  CHECK_THROWS_AS(etc.snapshot.file(std::string(40, 'f'), "a"), Error);
  CHECK_THROWS_AS(etc.snapshot.changed_between("", std::string(40, 'f')), Error);
}

}  // namespace tunekeeper
