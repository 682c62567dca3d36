// The real program on real files: it dies, or the kernel refuses, at every call that changes the disk.
// Afterwards the whole tree is as before, or as wanted, and nothing between. One test a shard, so that they
// run side by side.
#include "faults/points.hpp"
#include "support/catch.hpp"

using namespace tunekeeper::faults;

TEST_CASE("first apply: the process may die at any call") {
  tell_points("first apply, deaths", die_at_each_call("first apply"));
}

TEST_CASE("first apply: any one call may fail") {
  tell_points("first apply, failures", fail_at_each_call("first apply"));
}

TEST_CASE("first apply: the disk may be full from any call on") {
  tell_points("first apply, full disks", fill_disk_at_each_call("first apply"));
}

TEST_CASE("second apply: the process may die at any call") {
  tell_points("second apply, deaths", die_at_each_call("second apply"));
}

TEST_CASE("second apply: any one call may fail") {
  tell_points("second apply, failures", fail_at_each_call("second apply"));
}

TEST_CASE("second apply: the disk may be full from any call on") {
  tell_points("second apply, full disks", fill_disk_at_each_call("second apply"));
}

TEST_CASE("rollback to generation 0: the process may die at any call") {
  tell_points("rollback to generation 0, deaths", die_at_each_call("rollback to generation 0"));
}

TEST_CASE("rollback to generation 0: any one call may fail") {
  tell_points("rollback to generation 0, failures", fail_at_each_call("rollback to generation 0"));
}

TEST_CASE("rollback to generation 0: the disk may be full from any call on") {
  tell_points("rollback to generation 0, full disks", fill_disk_at_each_call("rollback to generation 0"));
}

TEST_CASE("rollback to generation 1: the process may die at any call") {
  tell_points("rollback to generation 1, deaths", die_at_each_call("rollback to generation 1"));
}

TEST_CASE("rollback to generation 1: any one call may fail") {
  tell_points("rollback to generation 1, failures", fail_at_each_call("rollback to generation 1"));
}

TEST_CASE("rollback to generation 1: the disk may be full from any call on") {
  tell_points("rollback to generation 1, full disks", fill_disk_at_each_call("rollback to generation 1"));
}

TEST_CASE("release: the process may die at any call") {
  tell_points("release, deaths", die_at_each_call("release"));
}

TEST_CASE("release: any one call may fail") {
  tell_points("release, failures", fail_at_each_call("release"));
}

TEST_CASE("release: the disk may be full from any call on") {
  tell_points("release, full disks", fill_disk_at_each_call("release"));
}

TEST_CASE("recovery of an apply: the process may die at any call") {
  tell_points("recovery of an apply, deaths", die_at_each_call("recovery of an apply"));
}

TEST_CASE("recovery of an apply: any one call may fail") {
  tell_points("recovery of an apply, failures", fail_at_each_call("recovery of an apply"));
}

TEST_CASE("recovery of an apply: the disk may be full from any call on") {
  tell_points("recovery of an apply, full disks", fill_disk_at_each_call("recovery of an apply"));
}

TEST_CASE("recovery of a rollback: the process may die at any call") {
  tell_points("recovery of a rollback, deaths", die_at_each_call("recovery of a rollback"));
}

TEST_CASE("recovery of a rollback: any one call may fail") {
  tell_points("recovery of a rollback, failures", fail_at_each_call("recovery of a rollback"));
}

TEST_CASE("recovery of a rollback: the disk may be full from any call on") {
  tell_points("recovery of a rollback, full disks", fill_disk_at_each_call("recovery of a rollback"));
}

TEST_CASE("bind-mounted files: the process may die at any call") {
  tell_points("bind-mounted files, deaths", die_at_each_call("bind-mounted files"));
}

TEST_CASE("bind-mounted files: any one call may fail") {
  tell_points("bind-mounted files, failures", fail_at_each_call("bind-mounted files"));
}

TEST_CASE("first apply: a signal at any sync ends it with 130 and the old state, or finds it done") {
  tell_points("first apply, signals", interrupt_at_each_sync("first apply"));
}

TEST_CASE("second apply: a signal at any sync ends it with 130 and the old state, or finds it done") {
  tell_points("second apply, signals", interrupt_at_each_sync("second apply"));
}

TEST_CASE(
    "rollback to generation 0: a signal at any sync ends it with 130 and the old state, or finds it done") {
  tell_points("rollback to generation 0, signals", interrupt_at_each_sync("rollback to generation 0"));
}

TEST_CASE(
    "rollback to generation 1: a signal at any sync ends it with 130 and the old state, or finds it done") {
  tell_points("rollback to generation 1, signals", interrupt_at_each_sync("rollback to generation 1"));
}

TEST_CASE("release: a signal at any sync ends it with 130 and the old state, or finds it done") {
  tell_points("release, signals", interrupt_at_each_sync("release"));
}

TEST_CASE("files of a commit: the process may die at any call") {
  tell_points("files of a commit, deaths", die_at_each_call("files of a commit"));
}

TEST_CASE("files of a commit: any one call may fail") {
  tell_points("files of a commit, failures", fail_at_each_call("files of a commit"));
}

TEST_CASE("files of a commit: the disk may be full from any call on") {
  tell_points("files of a commit, full disks", fill_disk_at_each_call("files of a commit"));
}

TEST_CASE("a commit that packs: the process may die at any call") {
  tell_points("a commit that packs, deaths", die_at_each_call("a commit that packs"));
}

TEST_CASE("a commit that packs: any one call may fail") {
  tell_points("a commit that packs, failures", fail_at_each_call("a commit that packs"));
}

TEST_CASE("a commit that packs: the disk may be full from any call on") {
  tell_points("a commit that packs, full disks", fill_disk_at_each_call("a commit that packs"));
}
