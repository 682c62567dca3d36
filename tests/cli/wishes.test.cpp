#include "cli/workbench.hpp"
#include "profile/diagnostic.hpp"
#include "support/catch.hpp"
#include "support/temp_dir.hpp"

using namespace tunekeeper;

namespace {

/// Another root with two profiles; host.yaml names the first one.
struct Tree {
  test::TempDir dir;
  Globals globals;

  explicit Tree(const std::string& vars) {
    dir.write("/etc/tunekeeper/profiles/first.yaml",
              "vars: { connections: 5 }\nsysctl: { fs.file-max: 1 }\n");
    dir.write("/etc/tunekeeper/profiles/second.yaml", "vars: { share: 1 }\nsysctl: { vm.swappiness: 1 }\n");
    dir.write("/etc/tunekeeper/host.yaml", "profiles: [first]\nvars: " + vars + "\n");
    globals.root = dir.path();
  }
  Wishes wishes(const std::vector<std::string>& profiles) { return Workbench(globals).wishes(profiles); }
};

}  // namespace

TEST_CASE(
    "a variable of host.yaml that none of its profiles declares stops a bare run, with the right name") {
  Tree tree("{ conections: 7 }");
  try {
    tree.wishes({});
    FAIL("the mistyped variable was taken");
  } catch (const InvalidProfile& invalid) {
    CHECK(invalid.status() == ExitStatus::invalid);
    REQUIRE(invalid.diagnostics().size() == 1);
    CHECK(invalid.diagnostics()[0].message ==
          "no profile of this host declares a variable \"conections\", did you mean \"connections\"?");
    CHECK(invalid.diagnostics()[0].at.line == 2);
  }
}

TEST_CASE("a bare run takes host.yaml's profiles as the whole, with its variables") {
  const Wishes wishes = Tree("{ connections: 7 }").wishes({});
  CHECK(wishes.whole);
  CHECK(wishes.profiles == std::vector<std::string>{"first"});
  REQUIRE(wishes.desired.size() == 1);
  CHECK(wishes.desired[0].profile == "first");
}

TEST_CASE("a profile that is named need not declare the variables of the host's others") {
  const Wishes wishes = Tree("{ connections: 7 }").wishes({"second"});
  CHECK_FALSE(wishes.whole);
  CHECK(wishes.profiles == std::vector<std::string>{"second"});
}
