#include <cerrno>

#include "providers/fixture.hpp"
#include "providers/sysfs/sysfs_provider.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;

namespace {

struct SysfsBench : Bench {
  SysfsBench() : Bench(make_sysfs_provider()) {
    host.add_file("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    host.select_on_write("/sys/kernel/mm/transparent_hugepage/enabled");
    for (const std::string disk : {"sda", "sdb"}) {
      host.add_file("/sys/block/" + disk + "/queue/scheduler", "none [mq-deadline]\n");
      host.select_on_write("/sys/block/" + disk + "/queue/scheduler");
      host.add_file("/sys/block/" + disk + "/queue/nr_requests", "64\n");
      host.add_file("/sys/block/" + disk + "/queue/read_ahead_kb", "128\n");
    }
  }

  static Desired key(const std::string& key, const std::string& value, Want kind = Want::equals) {
    return want("sysfs:" + key, value, kind);
  }
};

const std::string thp = "kernel/mm/transparent_hugepage/enabled";
const std::string own = "/etc/tmpfiles.d/zz-tunekeeper.conf";
const std::string header =
    "# Written by tunekeeper from its profiles; changes to managed lines are reported as drift.\n";

}  // namespace

TEST_CASE("C8: a bracketed choice is its chosen word, on the plane and as the original") {
  SysfsBench bench;
  bench.host.add_file("/etc/tmpfiles.d/thp.conf", "w /sys/" + thp + " - - - - madvise\n");
  const auto row = bench.row(SysfsBench::key(thp, "madvise"));
  CHECK(row.state == State::in_sync);
  CHECK(row.seen.live == Plane::of("madvise"));
  CHECK(row.seen.decided_by == "etc/tmpfiles.d/thp.conf:1");
  const auto plan = bench.plan({SysfsBench::key(thp, "never")});
  REQUIRE(plan.size() == 2);
  CHECK(std::get<WriteLive>(plan[1].deed).original == "madvise");
}

TEST_CASE("a kernel value is set and kept, the second plan is empty, the original word comes back") {
  SysfsBench bench;
  const std::vector<Desired> wanted{SysfsBench::key(thp, "never")};
  CHECK(bench.apply(wanted).front().state == State::in_sync);
  CHECK(bench.bytes(own) == header + "w /sys/" + thp + " - - - - never\n");
  CHECK(bench.bytes("/sys/" + thp) == "always madvise [never]\n");
  CHECK(bench.plan(wanted).empty());
  bench.perform(*bench.provider->restore_live(bench.context, wanted[0].id, "madvise"));
  CHECK(bench.bytes("/sys/" + thp) == "always [madvise] never\n");
  CHECK_FALSE(bench.provider->restore_live(bench.context, wanted[0].id, "madvise"));
}

TEST_CASE("a choice that is not offered is unsupported, and what is offered is told") {
  SysfsBench bench;
  const auto row = bench.row(SysfsBench::key("block/sda/queue/scheduler", "kyber"));
  CHECK(row.state == State::unsupported);
  CHECK(row.reason == "kyber is not offered here (none [mq-deadline])");
}

TEST_CASE("a staged file without brackets refuses no choice") {
  SysfsBench bench;
  bench.host.set_other_root(true);
  bench.host.add_file("/sys/block/sdc/queue/scheduler", "none\n");
  CHECK(bench.apply({SysfsBench::key("block/sdc/queue/scheduler", "kyber")}).front().state == State::in_sync);
  CHECK(bench.bytes("/sys/block/sdc/queue/scheduler") == "kyber\n");
}

TEST_CASE("a glob becomes one setting for each path there is, without a match it stays, unsupported") {
  SysfsBench bench;
  const auto expanded =
      bench.provider->expand(bench.context, SysfsBench::key("block/sd*/queue/nr_requests", "128"));
  REQUIRE(expanded.size() == 2);
  CHECK(expanded[0].id == "sysfs:block/sda/queue/nr_requests");
  CHECK(expanded[1].id == "sysfs:block/sdb/queue/nr_requests");
  const auto none =
      bench.provider->expand(bench.context, SysfsBench::key("block/nvme*/queue/nr_requests", "128"));
  REQUIRE(none.size() == 1);
  CHECK(bench.row(none.front()).state == State::unsupported);
}

TEST_CASE("a partition has no queue of its own: its setting is the disk's") {
  SysfsBench bench;
  bench.host.add_file("/sys/devices/pci0/block/vda/vda1/partition", "1\n");
  bench.host.add_file("/sys/devices/pci0/block/vda/queue/read_ahead_kb", "128\n");
  bench.host.add_symlink("/sys/block/vda", "../devices/pci0/block/vda");
  bench.host.add_symlink("/sys/class/block/vda1", "../../devices/pci0/block/vda/vda1");
  const auto expanded =
      bench.provider->expand(bench.context, SysfsBench::key("block/vda1/queue/read_ahead_kb", "16"));
  REQUIRE(expanded.size() == 1);
  CHECK(expanded[0].id == "sysfs:block/vda/queue/read_ahead_kb");
  CHECK(bench.row(expanded[0]).seen.live == Plane::of("128"));
}

TEST_CASE("a link keeps the path as written and is not followed out of /sys") {
  SysfsBench bench;
  bench.host.add_file("/sys/devices/pci0/block/sdx/queue/nr_requests", "64\n");
  bench.host.add_symlink("/sys/block/sdx", "../devices/pci0/block/sdx");
  bench.host.add_symlink("/sys/block/sdy", "/etc");
  bench.host.add_file("/etc/queue/nr_requests", "64\n");
  const auto expanded =
      bench.provider->expand(bench.context, SysfsBench::key("block/sd[xy]/queue/nr_requests", "64"));
  REQUIRE(expanded.size() == 1);
  CHECK(expanded[0].id == "sysfs:block/sdx/queue/nr_requests");
  CHECK(bench.row(SysfsBench::key("block/sdy/queue/nr_requests", "64")).state == State::failed);
  bench.host.add_file("/etc/tmpfiles.d/a.conf",
                      "w /sys/devices/pci0/block/sdx/queue/nr_requests - - - - 32\n");
  CHECK(bench.row(expanded[0]).seen.persisted == Plane::of("32"));
}

TEST_CASE("the scheduler of a disk is written before its other settings, live and at boot") {
  SysfsBench bench;
  bench.host.add_file(own, header + "w /sys/block/sda/queue/read_ahead_kb - - - - 64\n");
  const auto plan = bench.plan({SysfsBench::key("block/sda/queue/nr_requests", "32"),
                                SysfsBench::key("block/sda/queue/scheduler", "none")});
  REQUIRE(plan.size() == 3);
  CHECK(std::get<WriteLive>(plan[1].deed).path == "/sys/block/sda/queue/scheduler");
  CHECK(std::get<WriteLive>(plan[2].deed).path == "/sys/block/sda/queue/nr_requests");
  bench.perform(plan[0]);
  CHECK(bench.bytes(own) == header + "w /sys/block/sda/queue/scheduler - - - - none\n" +
                                "w /sys/block/sda/queue/read_ahead_kb - - - - 64\n" +
                                "w /sys/block/sda/queue/nr_requests - - - - 32\n");
}

TEST_CASE("a setting that the scheduler's switch would reset is written again") {
  SysfsBench bench;
  bench.host.add_file("/etc/tmpfiles.d/a.conf", "w /sys/block/sda/queue/nr_requests - - - - 64\n");
  const auto plan = bench.plan({SysfsBench::key("block/sda/queue/nr_requests", "64"),
                                SysfsBench::key("block/sda/queue/scheduler", "none")});
  REQUIRE(plan.size() == 3);
  CHECK(std::get<WriteLive>(plan[2].deed).path == "/sys/block/sda/queue/nr_requests");
}

TEST_CASE("read_ahead_kb is kept in pages: a rounding by rule is in sync, and told") {
  SysfsBench bench;
  bench.host.add_file("/etc/tmpfiles.d/a.conf", "w /sys/block/sda/queue/read_ahead_kb - - - - 129\n");
  const auto row = bench.row(SysfsBench::key("block/sda/queue/read_ahead_kb", "129"));
  CHECK(row.state == State::in_sync);
  CHECK(row.seen.note == "the kernel rounds this down to whole pages: 129 becomes 128");
}

TEST_CASE("C10: a value that something reset is drift, a clamp is not in sync") {
  SysfsBench bench;
  bench.host.add_file("/sys/block/sda/queue/max_sectors_kb", "1280\n");
  bench.host.add_file("/etc/tmpfiles.d/a.conf", "w /sys/block/sda/queue/max_sectors_kb - - - - 256\n");
  CHECK(bench.row(SysfsBench::key("block/sda/queue/max_sectors_kb", "256")).state == State::differs);
}

TEST_CASE("of tmpfiles lines for one path the first one is edited, where it stands") {
  SysfsBench bench;
  bench.host.add_file("/etc/tmpfiles.d/a.conf", "# x\nw /sys/" + thp + "\t- - - -\talways \n");
  bench.host.add_file("/usr/lib/tmpfiles.d/b.conf", "w /sys/" + thp + " - - - - madvise\n");
  CHECK(bench.row(SysfsBench::key(thp, "never")).seen.persisted == Plane::of("always"));
  CHECK(bench.apply({SysfsBench::key(thp, "never")}).front().state == State::in_sync);
  CHECK(bench.bytes("/etc/tmpfiles.d/a.conf") == "# x\nw /sys/" + thp + "\t- - - -\tnever \n");
  CHECK_FALSE(bench.host.exists(own));
}

TEST_CASE("a pattern is told, and outranked by a later line of its own for the path") {
  SysfsBench bench;
  bench.host.add_file("/etc/tmpfiles.d/a.conf", "w /sys/block/*/queue/nr_requests - - - - 256\n");
  const auto desired = SysfsBench::key("block/sda/queue/nr_requests", "32");
  CHECK(bench.row(desired).seen.note == "decided by the pattern /sys/block/*/queue/nr_requests");
  CHECK(bench.apply({desired}).front().state == State::in_sync);
  CHECK(bench.bytes(own) == header + "w /sys/block/sda/queue/nr_requests - - - - 32\n");
  bench.host.add_file("/etc/tmpfiles.d/zzz.conf", "w /sys/block/sd?/queue/nr_requests - - - - 8\n");
  CHECK(bench.apply({desired}).front().state == State::in_sync);
  CHECK(bench.row(SysfsBench::key("block/sdb/queue/nr_requests", "8")).seen.persisted == Plane::of("8"));
}

TEST_CASE("absence is asked of the files: the lines go, and our file with its last one") {
  SysfsBench bench;
  bench.apply({SysfsBench::key(thp, "never")});
  const auto row = bench.apply({SysfsBench::key(thp, "", Want::absent)}).front();
  CHECK(row.state == State::in_sync);
  CHECK_FALSE(bench.host.exists(own));
  CHECK(bench.bytes("/sys/" + thp) == "always madvise [never]\n");
}

TEST_CASE("files that give or take no value are told with the reason") {
  SysfsBench bench;
  bench.host.add_file("/sys/class/net/eth0/speed", "");
  bench.host.deny_read("/sys/class/net/eth0/speed", EINVAL);
  bench.host.add_file("/sys/block/sda/device/rescan", "", 0200);
  bench.host.deny_read("/sys/block/sda/device/rescan", EACCES);
  bench.host.add_file("/sys/block/sda/queue/wbt", "1\n");
  bench.host.deny_read("/sys/block/sda/queue/wbt", EACCES);
  bench.host.add_file("/sys/block/sda/queue/hw_sector_size", "512\n", 0444);
  CHECK(bench.row(SysfsBench::key("class/net/eth0/speed", "1000")).state == State::unsupported);
  CHECK(bench.row(SysfsBench::key("block/sda/device/rescan", "1")).state == State::failed);
  CHECK(bench.row(SysfsBench::key("block/sda/queue/wbt", "0")).state == State::failed);
  CHECK(bench.row(SysfsBench::key("block/sda/queue/hw_sector_size", "4096")).state == State::unsupported);
}

TEST_CASE("types of kernel files: masks, lists, module booleans") {
  SysfsBench bench;
  bench.host.add_file("/sys/class/net/eth0/queues/rx-0/rps_cpus", "00000000,0000000f\n");
  bench.host.add_file("/sys/module/x/parameters/on", "Y\n");
  bench.host.add_file(
      "/etc/tmpfiles.d/a.conf",
      "w /sys/class/net/eth0/queues/rx-0/rps_cpus - - - - f\nw /sys/module/x/parameters/on - - - - 1\n");
  CHECK(bench.row(SysfsBench::key("class/net/eth0/queues/rx-0/rps_cpus", "f")).state == State::in_sync);
  CHECK(bench.row(SysfsBench::key("module/x/parameters/on", "1")).state == State::in_sync);
}

TEST_CASE("a sysfs key cannot leave /sys, and may be written with or without it") {
  const auto provider = make_sysfs_provider();
  const std::vector<std::string> bad{"kernel/../../etc/passwd"}, good{"/sys/kernel/mm/x"};
  CHECK(provider->section().key_problem(bad).has_value());
  CHECK_FALSE(provider->section().key_problem(good).has_value());
  CHECK(provider->section().join(good) == "kernel/mm/x");
}

TEST_CASE(
    "a package's file that outranks ours and a masked drop-in of ours make the row failed, nothing edited") {
  SysfsBench bench;
  const std::string vendor = "/usr/lib/tmpfiles.d/aaa.conf";
  bench.host.add_file(vendor, "w /sys/" + thp + " - - - - always\n");
  for (const Want kind : {Want::equals, Want::absent}) {
    const auto wish = SysfsBench::key(thp, "never", kind);
    CHECK(bench.row(wish).state == State::failed);
    CHECK(bench.row(wish).reason.find(vendor + " is what decides, and only files in /etc are edited") == 0);
    CHECK(bench.plan({wish}).empty());
  }
  bench.host.remove(vendor);
  bench.host.add_symlink(own, "/dev/null");
  CHECK(bench.row(SysfsBench::key(thp, "never")).reason.find(own + " is masked by a link to /dev/null") == 0);
}

TEST_CASE("a link out of /sys is not restored") {
  SysfsBench bench;
  bench.host.add_file("/etc/passwd", "root\n");
  bench.host.add_symlink("/sys/kernel/evil", "/etc/passwd");
  CHECK(bench.row(SysfsBench::key("kernel/evil", "3")).state == State::failed);
  CHECK_FALSE(bench.provider->restore_live(bench.context, "sysfs:kernel/evil", "3"));
}
