#include "formats/mycnf_tree.hpp"

#include <map>
#include <set>

#include "support/catch.hpp"

using namespace tunekeeper;

namespace {

/// A few files in memory; a directory is there when it is named or a file lies in it.
struct Files {
  std::map<std::string, std::string> text;
  std::set<std::string> world_writable, unreadable, directories;

  MyCnfDoor door() const {
    return {[this](const std::string& path) { return read(path); },
            [this](const std::string& directory) { return list(directory); }};
  }

  MyCnfAnswer read(const std::string& path) const {
    if (world_writable.count(path) != 0) return {MyCnfAnswer::Status::world_writable, {}, {}};
    if (unreadable.count(path) != 0) return {MyCnfAnswer::Status::unreadable, {}, "permission denied"};
    const auto found = text.find(path);
    if (found == text.end()) return {};
    return {MyCnfAnswer::Status::read, found->second, {}};
  }

  std::optional<std::vector<std::string>> list(const std::string& directory) const {
    std::vector<std::string> names;
    for (const auto& [path, content] : text) {
      const std::size_t slash = path.rfind('/');
      if (path.substr(0, slash) == directory) names.push_back(path.substr(slash + 1));
    }
    if (names.empty() && directories.count(directory) == 0) return std::nullopt;
    return names;
  }
};

MyCnfTree resolve(const Files& files, std::vector<std::string> start = {"/etc/my.cnf", "/etc/mysql/my.cnf"}) {
  return MyCnfTree({std::move(start), server_groups("mariadb", "10.11.19"), {}, {}}, files.door());
}

std::string told(const MyCnfTree& tree, std::string_view name) {
  std::string text;
  for (const auto* found : tree.of(name)) {
    text += found->file->path + ":" + std::to_string(found->option.line) + "=" +
            found->name.value(found->option) + " ";
  }
  return text;
}

}  // namespace

TEST_CASE("every occurrence in a group of the server is found in the order of reading, the last decides") {
  const Files files{
      {{"/etc/mysql/my.cnf", "[client]\na=0\n[mysqld]\na=1\n!includedir /etc/mysql/d/\n[server]\nA=4\n"},
       {"/etc/mysql/d/50-x.cnf", "[mariadb-10.11]\na=2\n[mariadb-10.6]\na=9\n"},
       {"/etc/mysql/d/60-y.cnf", "[galera]\na=3\n"}},
      {},
      {},
      {}};
  CHECK(told(resolve(files), "a") ==
        "/etc/mysql/my.cnf:4=1 /etc/mysql/d/50-x.cnf:2=2 /etc/mysql/d/60-y.cnf:2=3 /etc/mysql/my.cnf:7=4 ");
}

TEST_CASE("an include does not change the group of the file that includes") {
  const Files files{
      {{"/etc/my.cnf", "[mysqld]\n!include /x.cnf\nb=1\n"}, {"/x.cnf", "[client]\nb=2\n"}}, {}, {}, {}};
  CHECK(told(resolve(files), "b") == "/etc/my.cnf:3=1 ");
}

TEST_CASE("an include directory is read in byte order, names that end in .cnf only") {
  Files files{{{"/etc/my.cnf", "!includedir /d\n"}}, {}, {}, {}};
  for (const char* name : {".hid.cnf", "10.cnf", "9.cnf", "B.cnf", "_u.cnf", "a-b.cnf", "a.cnf", "x.y.cnf",
                           "n.CNF", "n.cnf.bak", "n.ini", "cnf"}) {
    files.text[std::string("/d/") + name] = "[mysqld]\nwho=" + std::string(name) + "\n";
  }
  std::string order;
  const MyCnfTree tree = resolve(files);
  for (const auto* found : tree.of("who")) order += found->option.value() + " ";
  CHECK(order == ".hid.cnf 10.cnf 9.cnf B.cnf _u.cnf a-b.cnf a.cnf x.y.cnf ");
}

TEST_CASE("M8: a world-writable file is told as one that the server does not read") {
  Files files{
      {{"/etc/my.cnf", "[mysqld]\n!include /x.cnf\n"}, {"/x.cnf", "[mysqld]\na=1\n"}}, {"/x.cnf"}, {}, {}};
  const MyCnfTree tree = resolve(files);
  CHECK(tree.of("a").empty());
  REQUIRE(tree.notes().size() == 1);
  CHECK(tree.notes()[0] == "the server does not read /x.cnf: it is world-writable");
}

TEST_CASE("a file that we may not read is told, not taken for absent") {
  Files files{{{"/etc/my.cnf", "!include /x.cnf\n"}, {"/x.cnf", ""}}, {}, {"/x.cnf"}, {}};
  const MyCnfTree tree = resolve(files);
  REQUIRE(tree.unreadable().size() == 1);
  CHECK(tree.unreadable()[0] == "cannot read /x.cnf: permission denied");
}

TEST_CASE("a first file with a problem, or with an include directory that is not there, is fatal") {
  CHECK(resolve({{{"/etc/my.cnf", "a=1\n"}}, {}, {}, {}}).fatal() ==
        "/etc/my.cnf:1: an option before the first [group] header");
  CHECK(resolve({{{"/etc/my.cnf", "!includedir /no\n"}}, {}, {}, {}}).fatal() ==
        "/etc/my.cnf:1: there is no directory /no");
}

TEST_CASE("an included file stops at its problem, and only it") {
  const Files files{
      {{"/etc/my.cnf", "!include /x.cnf\n[mysqld]\nc=1\n"}, {"/x.cnf", "[mysqld]\na=1\n[b\nb=1\n"}},
      {},
      {},
      {}};
  const MyCnfTree tree = resolve(files);
  CHECK(tree.fatal().empty());
  CHECK(told(tree, "a") == "/x.cnf:2=1 ");
  CHECK(told(tree, "b").empty());
  CHECK(told(tree, "c") == "/etc/my.cnf:3=1 ");
  CHECK(tree.notes().at(0) == "the server stops reading at /x.cnf:3: a group header without `]`");
}

TEST_CASE("a file that includes itself is read again down to depth 10, and a flood of that is given up") {
  const MyCnfTree tree = resolve({{{"/etc/my.cnf", "[mysqld]\na=1\n!include /etc/my.cnf\n"}}, {}, {}, {}});
  CHECK(tree.of("a").size() == 11);
  CHECK(tree.notes().size() == 1);
  std::string many = "[mysqld]\n";
  for (int i = 0; i < 9; ++i) many += "!include /etc/my.cnf\n";
  CHECK_FALSE(resolve({{{"/etc/my.cnf", many}}, {}, {}, {}}).fatal().empty());
}

TEST_CASE("M3: each include directory tells what is read before our drop-in in it ends") {
  const Files files{{{"/etc/my.cnf", "[mysqld]\na=1\n!includedir /d1\n!includedir /d2/\nb=1\n"},
                     {"/d1/50.cnf", "[mysqld]\nc=1\n"},
                     {"/d1/zz-z.cnf", "[mysqld]\nd=1\n"}},
                    {},
                    {},
                    {"/d2"}};
  const MyCnfTree tree = resolve(files);
  REQUIRE(tree.slots().size() == 2);
  CHECK(tree.slots()[0].directory == "/d1");
  CHECK(tree.slots()[0].position == 2);
  CHECK(tree.slots()[1].directory == "/d2");
  CHECK(tree.slots()[1].position == 3);
}
