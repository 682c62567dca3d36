// The repository stays small, and the real git finds it sound.
#include "snapshot/packer.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include "snapshot/git_oracle.hpp"
#include "snapshot/git_snapshot.hpp"
#include "support/catch.hpp"
#include "support/temp_dir.hpp"

namespace tunekeeper {
namespace {

namespace fs = std::filesystem;

/// A folder under git that packs after this many loose objects.
class SmallEtc {
 public:
  explicit SmallEtc(const std::string& threshold) {
    fs::create_directory(path);
    snapshot.init();
    git.out({"config", "gc.auto", threshold});
  }

  void edit(int round) {
    write_file(path + "/sysctl.d/local.conf", "vm.swappiness = " + std::to_string(round) + "\n");
    REQUIRE(snapshot.commit({"round " + std::to_string(round), "", {}}));
  }
  void edit_many(int rounds) {
    for (int i = 0; i < rounds; ++i) edit(next_++);
  }
  int count(const std::string& ending) const {
    int found = 0;
    for (const auto& entry : fs::directory_iterator(path + "/.git/objects/pack"))
      found += entry.path().extension() == ending ? 1 : 0;
    return found;
  }
  int loose() const { return std::stoi(git.out({"count-objects"})); }
  void check_sound() const {
    CHECK(git.out({"fsck", "--full", "--strict", "--no-dangling"}).empty());
    CHECK(git.out({"status", "--porcelain"}).empty());
    CHECK(std::stoi(git.out({"rev-list", "--count", "HEAD"})) == next_);
  }

  test::TempDir root;
  std::string path = root.path() + "/etc";
  GitSnapshot snapshot{path, {"tester", "tester@host"}};
  GitOracle git{path};
  int next_ = 0;
};

pid_t ended_process() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  return child;
}

std::string this_host() {
  return shell("uname -n").out;
}

}  // namespace

TEST_CASE("packing: many loose objects become a pack, and nothing of the history is lost") {
  SmallEtc etc("100");
  etc.edit_many(40);
  CHECK(etc.loose() <= 100);
  CHECK(etc.count(".pack") >= 1);
  CHECK_FALSE(fs::exists(etc.path + "/.git/gc.pid"));
  etc.check_sound();
  CHECK(etc.snapshot.file("HEAD~39", "sysctl.d/local.conf") == "vm.swappiness = 0\n");
}

TEST_CASE("packing: small packs of ours are merged, and those of others are left") {
  SmallEtc etc("4");
  etc.edit_many(5);
  etc.git.out({"gc", "-q"});
  const std::string listing = "ls '" + etc.path + "/.git/objects/pack' | grep idx";
  const std::string theirs = shell(listing).out;
  etc.edit_many(60);
  CHECK(etc.count(".pack") <= 11);
  CHECK(etc.count(".pack") == etc.count(".idx"));
  CHECK(shell(listing).out.find(theirs) != std::string::npos);
  etc.check_sound();
}

TEST_CASE("packing: git's own collector works on what we packed, and we on what it made") {
  SmallEtc etc("20");
  etc.edit_many(20);
  etc.git.out({"gc", "-q", "--prune=now"});
  etc.check_sound();
  etc.edit_many(20);
  etc.check_sound();
  etc.git.out({"repack", "-a", "-d", "-q"});
  etc.edit_many(20);
  etc.check_sound();
}

TEST_CASE("packing: gc.auto 0 means never") {
  SmallEtc etc("0");
  etc.edit_many(20);
  CHECK(etc.count(".pack") == 0);
}

TEST_CASE("packing: another collector at work is left alone, the lock of a dead one is not") {
  SmallEtc etc("4");
  write_file(etc.path + "/.git/gc.pid", std::to_string(getpid()) + " " + this_host());
  etc.edit_many(3);
  CHECK(etc.count(".pack") == 0);
  CHECK(fs::exists(etc.path + "/.git/gc.pid"));
  write_file(etc.path + "/.git/gc.pid", std::to_string(ended_process()) + " " + this_host());
  etc.edit_many(1);
  CHECK(etc.count(".pack") == 1);
  CHECK_FALSE(fs::exists(etc.path + "/.git/gc.pid"));
  etc.check_sound();
}

TEST_CASE("packing: a pack that is kept, or that an index over all packs knows, is never merged") {
  SmallEtc etc("4");
  etc.edit_many(4);
  REQUIRE(etc.count(".pack") >= 1);
  std::string kept;
  for (const auto& entry : fs::directory_iterator(etc.path + "/.git/objects/pack"))
    if (entry.path().extension() == ".pack") kept = entry.path().stem();
  write_file(etc.path + "/.git/objects/pack/" + kept + ".keep", "");
  etc.edit_many(60);
  CHECK(fs::exists(etc.path + "/.git/objects/pack/" + kept + ".pack"));
  etc.git.out({"multi-pack-index", "write"});
  const int before = etc.count(".pack");
  etc.edit_many(60);
  CHECK(etc.count(".pack") > before);
  etc.check_sound();
}

TEST_CASE("packing: what no commit leads to is packed too, never dropped") {
  SmallEtc etc("10");
  write_file(etc.path + "/draft", "a draft that was only staged\n");
  etc.git.out({"add", "draft"});
  const std::string blob = etc.git.out({"hash-object", "draft"});
  etc.git.out({"rm", "-q", "--cached", "draft"});
  fs::remove(etc.path + "/draft");
  etc.edit_many(20);
  CHECK(etc.git.out({"cat-file", "-p", blob.substr(0, 40)}) == "a draft that was only staged\n");
}

TEST_CASE("packing: what a packer that died left is removed by the next run") {
  SmallEtc etc("0");
  etc.edit_many(1);
  write_file(etc.path + "/.git/objects/pack/pack_git2_deadbeef", "half a pack");
  write_file(etc.path + "/.git/gc.pid", std::to_string(ended_process()) + " " + this_host());
  etc.snapshot.clear_leftovers();
  CHECK_FALSE(fs::exists(etc.path + "/.git/objects/pack/pack_git2_deadbeef"));
  CHECK_FALSE(fs::exists(etc.path + "/.git/gc.pid"));
  etc.check_sound();
}

}  // namespace tunekeeper
