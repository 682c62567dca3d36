#include <cerrno>

#include "providers/fixture.hpp"
#include "providers/sysctl/sysctl_provider.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;

namespace {

struct SysctlBench : Bench {
  SysctlBench() : Bench(make_sysctl_provider()) {
    host.add_file("/proc/sys/vm/swappiness", "60\n");
    host.add_file("/proc/sys/kernel/panic", "0\n");
  }

  static Desired key(const std::string& key, const std::string& value, Want kind = Want::equals) {
    return want("sysctl:" + key, value, kind);
  }
};

const std::string own = "/etc/sysctl.d/zz-tunekeeper.conf";
const std::string header =
    "# Written by tunekeeper from its profiles; changes to managed lines are reported as drift.\n";

}  // namespace

TEST_CASE("S9: file right and live wrong, live right and no file: both planes are told") {
  SysctlBench bench;
  bench.host.add_file("/etc/sysctl.d/a.conf", "vm.swappiness=1\n");
  const auto live_wrong = bench.row(SysctlBench::key("vm.swappiness", "1"));
  CHECK(live_wrong.state == State::differs);
  CHECK(live_wrong.seen.live == Plane::of("60"));
  CHECK(live_wrong.seen.persisted == Plane::of("1"));
  CHECK(live_wrong.seen.decided_by == "etc/sysctl.d/a.conf:1");
  const auto no_file = bench.row(SysctlBench::key("kernel.panic", "0"));
  CHECK(no_file.state == State::differs);
  CHECK(no_file.seen.persisted == Plane::absent());
  const auto plan =
      bench.plan({SysctlBench::key("vm.swappiness", "1"), SysctlBench::key("kernel.panic", "0")});
  REQUIRE(plan.size() == 2);
  CHECK(plan[0].settings == std::vector<std::string>{"sysctl:kernel.panic"});
  CHECK(plan[1].settings == std::vector<std::string>{"sysctl:vm.swappiness"});
}

TEST_CASE("a value is kept in our drop-in and set live, the second plan is empty") {
  SysctlBench bench;
  const std::vector<Desired> wanted{SysctlBench::key("vm.swappiness", "1"),
                                    SysctlBench::key("kernel.panic", "10")};
  for (const auto& row : bench.apply(wanted)) CHECK(row.state == State::in_sync);
  CHECK(bench.bytes(own) == header + "vm.swappiness = 1\nkernel.panic = 10\n");
  CHECK(bench.bytes("/proc/sys/vm/swappiness") == "1\n");
  CHECK(bench.plan(wanted).empty());
}

TEST_CASE(
    "nothing is written where the deciding line is right, and only what outranks us is edited in place") {
  SysctlBench bench;
  bench.host.add_file("/etc/sysctl.d/zzz.conf", "# mine\nvm/swappiness=10 \nkernel.panic = 3\n");
  bench.host.add_file("/etc/sysctl.d/10-a.conf", "kernel.panic = 2\n");
  bench.apply({SysctlBench::key("vm.swappiness", "1"), SysctlBench::key("kernel.panic", "3")});
  CHECK(bench.bytes("/etc/sysctl.d/zzz.conf") == "# mine\nvm/swappiness=1 \nkernel.panic = 3\n");
  CHECK_FALSE(bench.host.exists(own));
}

TEST_CASE("a line in a package's folder is outranked by our drop-in, and left alone") {
  SysctlBench bench;
  bench.host.add_file("/usr/lib/sysctl.d/50-default.conf", "vm.swappiness = 30\n");
  CHECK(bench.row(SysctlBench::key("vm.swappiness", "1")).seen.decided_by ==
        "usr/lib/sysctl.d/50-default.conf:1");
  CHECK(bench.apply({SysctlBench::key("vm.swappiness", "1")}).front().state == State::in_sync);
  CHECK(bench.bytes("/usr/lib/sysctl.d/50-default.conf") == "vm.swappiness = 30\n");
}

TEST_CASE("S1: the base name decides over all folders, and the winner is named") {
  SysctlBench bench;
  bench.host.add_file("/etc/sysctl.d/allow.conf", "kernel.panic=1\n");
  bench.host.add_file("/usr/lib/sysctl.d/protect-links.conf", "kernel.panic=2\n");
  CHECK(bench.row(SysctlBench::key("kernel.panic", "1")).seen.decided_by ==
        "usr/lib/sysctl.d/protect-links.conf:1");
  bench.host.add_symlink("/etc/sysctl.d/protect-links.conf", "/dev/null");
  CHECK(bench.row(SysctlBench::key("kernel.panic", "1")).seen.decided_by == "etc/sysctl.d/allow.conf:1");
}

TEST_CASE("S2: a setting in /etc/sysctl.conf that no link makes systemd read is told as not read") {
  SysctlBench bench;
  bench.host.add_file("/etc/sysctl.conf", "vm.swappiness=1\n");
  const auto row = bench.row(SysctlBench::key("vm.swappiness", "1"));
  CHECK(row.seen.persisted == Plane::absent());
  CHECK(row.seen.note.find("etc/sysctl.conf:1 says 1, which systemd does not read") != std::string::npos);
  bench.host.add_symlink("/etc/sysctl.d/99-sysctl.conf", "../sysctl.conf");
  const auto linked = bench.row(SysctlBench::key("vm.swappiness", "1"));
  CHECK(linked.seen.persisted == Plane::of("1"));
  CHECK(linked.seen.note.empty());
}

TEST_CASE("S3: an interface with a dot is one key however the profile spells it") {
  SysctlBench bench;
  const auto& spec = bench.provider->section();
  for (const std::string written : {"net.ipv6.conf.eth0.103.accept_ra", "net/ipv6/conf/eth0.103/accept_ra",
                                    "net.ipv6.conf.eth0/103.accept_ra"}) {
    const std::vector<std::string> path{written};
    CHECK(spec.join(path) == "net.ipv6.conf.eth0/103.accept_ra");
  }
  bench.host.add_file("/proc/sys/net/ipv6/conf/eth0.103/accept_ra", "1\n");
  bench.apply({SysctlBench::key("net.ipv6.conf.eth0/103.accept_ra", "0")});
  CHECK(bench.bytes("/proc/sys/net/ipv6/conf/eth0.103/accept_ra") == "0\n");
  CHECK(bench.bytes(own) == header + "net.ipv6.conf.eth0/103.accept_ra = 0\n");
}

TEST_CASE("S5: what a pattern decides is told, and an exclusion makes the key unset") {
  SysctlBench bench;
  bench.host.add_file("/etc/sysctl.d/a.conf", "vm.*=5\n");
  const auto row = bench.row(SysctlBench::key("vm.swappiness", "5"));
  CHECK(row.seen.persisted == Plane::of("5"));
  CHECK(row.seen.note.find("pattern") != std::string::npos);
  bench.host.add_file("/etc/sysctl.d/b.conf", "-vm.swappiness\n");
  CHECK(bench.row(SysctlBench::key("vm.swappiness", "5")).seen.persisted == Plane::absent());
}

TEST_CASE("S7: a key of a module that is not loaded is pending the module, once its file is right") {
  SysctlBench bench;
  const auto desired = SysctlBench::key("net.netfilter.nf_conntrack_max", "262144");
  CHECK(bench.row(desired).state == State::differs);
  const auto row = bench.apply({desired}).front();
  CHECK(row.state == State::pending);
  CHECK(row.reason == "awaits the kernel module nf_conntrack");
  CHECK(bench.plan({desired}).empty());
}

TEST_CASE("a key that this kernel does not have is unsupported") {
  SysctlBench bench;
  const auto row = bench.row(SysctlBench::key("vm.no_such_key", "1"));
  CHECK(row.state == State::unsupported);
  CHECK(row.reason == "this kernel has no vm.no_such_key");
}

TEST_CASE("S8: only the owned key is touched, and what rewrites others goes first") {
  SysctlBench bench;
  bench.host.add_file("/proc/sys/net/ipv4/ip_forward", "0\n");
  bench.host.add_file("/proc/sys/net/ipv4/conf/eth0/forwarding", "1\n");
  bench.host.add_file("/proc/sys/net/ipv4/conf/eth1/forwarding", "0\n");
  const auto plan = bench.plan(
      {SysctlBench::key("net.ipv4.conf.eth0.forwarding", "0"), SysctlBench::key("net.ipv4.ip_forward", "1")});
  std::vector<std::string> live;
  for (const auto& action : plan) {
    if (const auto* write = std::get_if<WriteLive>(&action.deed)) live.push_back(write->path);
  }
  CHECK(live ==
        std::vector<std::string>{"/proc/sys/net/ipv4/ip_forward", "/proc/sys/net/ipv4/conf/eth0/forwarding"});
}

TEST_CASE("C1: tabs of the kernel and blanks of the profile are one value") {
  SysctlBench bench;
  bench.host.add_file("/proc/sys/kernel/sem", "250\t32000\t100\t128\n");
  bench.host.add_file("/etc/sysctl.d/a.conf", "kernel.sem = 250  32000 100 128\n");
  CHECK(bench.row(SysctlBench::key("kernel.sem", "250 32000 100 128")).state == State::in_sync);
  CHECK(bench.row(SysctlBench::key("kernel.sem", "250")).state == State::failed);
}

TEST_CASE("C2, C3: 0x10 is not 10, 05 is 5") {
  SysctlBench bench;
  bench.host.add_file("/proc/sys/kernel/panic", "0x10\n");
  bench.host.add_file("/proc/sys/vm/swappiness", "5\n");
  bench.host.add_file("/etc/sysctl.d/a.conf", "kernel.panic = 10\nvm.swappiness = 05\n");
  CHECK(bench.row(SysctlBench::key("kernel.panic", "10")).state == State::differs);
  CHECK(bench.row(SysctlBench::key("vm.swappiness", "5")).state == State::in_sync);
}

TEST_CASE("C4: reserved ports are ranges") {
  SysctlBench bench;
  bench.host.add_file("/proc/sys/net/ipv4/ip_local_reserved_ports", "1-5,10-20\n");
  bench.host.add_file("/etc/sysctl.d/a.conf", "net.ipv4.ip_local_reserved_ports = 1,2-5,10-20\n");
  CHECK(bench.row(SysctlBench::key("net.ipv4.ip_local_reserved_ports", "1,2-5,10-20")).state ==
        State::in_sync);
}

TEST_CASE("C6: a core pattern that the kernel would cut is refused, S6: it may hold a number sign") {
  SysctlBench bench;
  bench.host.add_file("/proc/sys/kernel/core_pattern", "core\n");
  CHECK(bench.row(SysctlBench::key("kernel.core_pattern", std::string(128, 'x'))).state == State::failed);
  CHECK(bench.apply({SysctlBench::key("kernel.core_pattern", "|/bin/x # y")}).front().state ==
        State::in_sync);
  CHECK(bench.bytes(own) == header + "kernel.core_pattern = |/bin/x # y\n");
}

TEST_CASE("C9: an exclusive pair is undone by writing the other one back, and verifies on both planes") {
  SysctlBench bench;
  bench.host.add_file("/proc/sys/vm/dirty_bytes", "0\n");
  bench.host.add_file("/proc/sys/vm/dirty_ratio", "30\n");
  bench.host.on_live_write("/proc/sys/vm/dirty_bytes", [](MemoryHost& host, std::string_view value) {
    if (value == "0") return LiveWriteResult{EINVAL, false};
    host.add_file("/proc/sys/vm/dirty_bytes", std::string(value) + "\n");
    host.add_file("/proc/sys/vm/dirty_ratio", "0\n");
    return LiveWriteResult{};
  });
  bench.host.add_file("/etc/sysctl.d/10-old.conf", "vm.dirty_ratio = 40\n");
  auto bytes = SysctlBench::key("vm.dirty_bytes", "268435456");
  auto ratio = SysctlBench::key("vm.dirty_ratio", "40");
  bytes.at = {"b.yaml", 3, 1};
  ratio.at = {"a.yaml", 9, 1};

  const auto plan = bench.plan({ratio, bytes});
  REQUIRE(plan.size() == 2);
  const auto& write = std::get<WriteLive>(plan[1].deed);
  CHECK(write.undo == std::vector<std::pair<std::string, std::string>>{{"/proc/sys/vm/dirty_ratio", "30"}});
  const auto rows = bench.apply({ratio, bytes});
  CHECK(rows[0].state == State::in_sync);
  CHECK(rows[0].seen.note.find("vm.dirty_bytes is wanted instead") != std::string::npos);
  CHECK(rows[1].state == State::in_sync);

  const auto restored = bench.provider->restore_live(bench.context, bytes.id, write.original);
  REQUIRE(restored);
  CHECK(std::get<WriteLive>(restored->deed).path == "/proc/sys/vm/dirty_ratio");
  CHECK(std::get<WriteLive>(restored->deed).value == "30");
}

TEST_CASE("C9: a later line for the other key of the pair decides, and is taken away") {
  SysctlBench bench;
  bench.host.add_file("/proc/sys/vm/dirty_bytes", "268435456\n");
  bench.host.add_file("/proc/sys/vm/dirty_ratio", "0\n");
  bench.host.add_file("/etc/sysctl.d/zzz.conf", "vm.dirty_ratio = 40\n# end\n");
  bench.host.add_file("/etc/sysctl.d/a.conf", "vm.dirty_bytes = 268435456\n");
  const auto desired = SysctlBench::key("vm.dirty_bytes", "268435456");
  const auto before = bench.row(desired);
  CHECK(before.state == State::differs);
  CHECK(before.seen.decided_by == "etc/sysctl.d/zzz.conf:1");
  CHECK(bench.apply({desired}).front().state == State::in_sync);
  CHECK(bench.bytes("/etc/sysctl.d/zzz.conf") == "# end\n");
}

TEST_CASE("at_least is never lowered, and what the kernel has by itself needs no line") {
  SysctlBench bench;
  bench.host.add_file("/proc/sys/fs/file-max", "9223372036854775807\n");
  const auto desired = SysctlBench::key("fs.file-max", "500000", Want::at_least);
  CHECK(bench.row(desired).state == State::in_sync);
  bench.host.add_file("/proc/sys/fs/file-max", "1000\n");
  CHECK(bench.apply({desired}).front().state == State::in_sync);
  CHECK(bench.bytes("/proc/sys/fs/file-max") == "500000\n");
}

TEST_CASE("absence is asked of the files: ours and the administrator's lines go, a package's are excluded") {
  SysctlBench bench;
  const auto desired = SysctlBench::key("vm.swappiness", "", Want::absent);
  CHECK(bench.row(desired).state == State::in_sync);
  bench.host.add_file("/etc/sysctl.d/a.conf", "vm.swappiness=1\nkernel.panic=1\n");
  CHECK(bench.apply({desired}).front().state == State::in_sync);
  CHECK(bench.bytes("/etc/sysctl.d/a.conf") == "kernel.panic=1\n");
  CHECK_FALSE(bench.host.exists(own));
  bench.host.add_file("/usr/lib/sysctl.d/a.conf", "");
  bench.host.add_file("/usr/lib/sysctl.d/b.conf", "vm.swappiness=1\n");
  CHECK(bench.apply({desired}).front().state == State::in_sync);
  CHECK(bench.bytes(own) == header + "-vm.swappiness\n");
  CHECK(bench.bytes("/proc/sys/vm/swappiness") == "60\n");
}

TEST_CASE("triggers and one-way keys are refused") {
  SysctlBench bench;
  bench.host.add_file("/proc/sys/vm/drop_caches", "0\n");
  bench.host.add_file("/proc/sys/kernel/yama/ptrace_scope", "1\n");
  CHECK(bench.row(SysctlBench::key("vm.drop_caches", "3")).state == State::failed);
  CHECK(bench.row(SysctlBench::key("kernel.yama.ptrace_scope", "3")).state == State::failed);
  CHECK(bench.row(SysctlBench::key("kernel.yama.ptrace_scope", "2")).state == State::differs);
}

TEST_CASE("what cannot be read never looks right") {
  SysctlBench bench;
  bench.host.deny_read("/proc/sys/vm/swappiness", EACCES);
  bench.host.add_file("/etc/sysctl.d/a.conf", "vm.swappiness=1\n");
  CHECK(bench.row(SysctlBench::key("vm.swappiness", "1")).state == State::failed);
  bench.host.add_file("/etc/sysctl.d/zz.conf", "");
  bench.host.deny_read("/etc/sysctl.d/zz.conf", EACCES);
  CHECK(bench.row(SysctlBench::key("kernel.panic", "0")).state == State::failed);
}

TEST_CASE("on a root without a kernel only the files count") {
  Bench bench(make_sysctl_provider());
  bench.host.set_other_root(true);
  CHECK(bench.apply({SysctlBench::key("vm.swappiness", "1")}).front().state == State::in_sync);
  CHECK(bench.bytes(own) == header + "vm.swappiness = 1\n");
}

TEST_CASE("guard rails of kernel parameters") {
  SysctlBench bench;
  bench.facts.set("memory.total", std::int64_t{4} << 30);
  bench.host.add_file("/proc/loadavg", "0.1 0.2 0.3 2/345 6789\n");
  bench.host.add_file("/proc/sys/fs/file-nr", "2000\t0\t90000\n");
  bench.host.add_file("/proc/42/fd/0", "");
  bench.host.add_file("/proc/42/fd/1", "");
  const auto guarded = [&](const std::string& key, const std::string& value) {
    return !bench.provider->guard(bench.context, judge(SysctlBench::key(key, value), {})).empty();
  };
  CHECK(guarded("vm.min_free_kbytes", "1"));
  CHECK(guarded("vm.min_free_kbytes", "300000"));
  CHECK_FALSE(guarded("vm.min_free_kbytes", "67584"));
  CHECK(guarded("kernel.threads-max", "10"));
  CHECK_FALSE(guarded("kernel.threads-max", "345"));
  CHECK(guarded("kernel.pid_max", "41"));
  CHECK_FALSE(guarded("kernel.pid_max", "32768"));
  CHECK(guarded("fs.file-max", "1999"));
  CHECK(guarded("fs.nr_open", "1"));
  CHECK_FALSE(guarded("fs.nr_open", "1024"));
  CHECK(guarded("vm.overcommit_memory", "2"));
  CHECK_FALSE(guarded("vm.overcommit_memory", "1"));
}

TEST_CASE("a key cannot leave /proc/sys") {
  const auto provider = make_sysctl_provider();
  const auto problem = [&](const std::string& key) {
    const std::vector<std::string> path{key};
    return provider->section().key_problem(path).has_value();
  };
  CHECK(problem("../../etc/passwd"));
  CHECK(problem("net/../../x"));
  CHECK(problem("vm swappiness"));
  CHECK_FALSE(problem("vm.swappiness"));
  CHECK_FALSE(problem("net.ipv4.conf.eth0/100.rp_filter"));
}

TEST_CASE("a drop-in of ours that has only its header left is spent, and goes with its last line") {
  SysctlBench bench;
  CHECK(bench.provider->is_spent(own, header));
  CHECK_FALSE(bench.provider->is_spent(own, header + "# mine\n"));
  CHECK_FALSE(bench.provider->is_spent("/etc/sysctl.d/a.conf", header));
  bench.host.add_file(own, header + "vm.swappiness = 1\n");
  bench.apply({SysctlBench::key("vm.swappiness", "", Want::absent)});
  CHECK_FALSE(bench.host.exists(own));
}

TEST_CASE("the kernel's own rounding is in sync, with the rule told, another value is not") {
  SysctlBench bench;
  bench.host.add_file("/proc/sys/net/core/rps_sock_flow_entries", "1024\n");
  bench.host.add_file("/etc/sysctl.d/a.conf", "net.core.rps_sock_flow_entries = 1000\n");
  const auto row = bench.row(SysctlBench::key("net.core.rps_sock_flow_entries", "1000"));
  CHECK(row.state == State::in_sync);
  CHECK(row.seen.note == "the kernel rounds this up to a power of two: 1000 becomes 1024");
  bench.host.add_file("/proc/sys/net/core/rps_sock_flow_entries", "2048\n");
  CHECK(bench.row(SysctlBench::key("net.core.rps_sock_flow_entries", "1000")).state == State::differs);
}

TEST_CASE("a link out of /proc/sys is failed, not followed, and never restored") {
  SysctlBench bench;
  bench.host.add_file("/etc/passwd", "root:x:0:0\n");
  bench.host.add_symlink("/proc/sys/vm/evil", "/etc/passwd");
  const auto evil = SysctlBench::key("vm.evil", "3");
  const auto row = bench.row(evil);
  CHECK(row.state == State::failed);
  CHECK(row.reason == "/proc/sys/vm/evil leads out of /proc/sys");
  CHECK(bench.plan({evil}).empty());
  CHECK_FALSE(bench.provider->restore_live(bench.context, evil.id, "3"));
  for (const auto& one : bench.provider->expand(bench.context, SysctlBench::key("vm.*", "3")))
    CHECK(one.id != evil.id);
}

TEST_CASE("C9: a line of the other key that was taken away comes back key by key") {
  SysctlBench bench;
  const std::string path = "/etc/sysctl.d/zzz.conf";
  const std::string before = "# mine\nvm.dirty_bytes = 1000000\nkernel.panic = 1\n";
  bench.host.add_file("/proc/sys/vm/dirty_bytes", "1000000\n");
  bench.host.add_file("/proc/sys/vm/dirty_ratio", "0\n");
  bench.host.add_file(path, before);
  const auto ratio = SysctlBench::key("vm.dirty_ratio", "10");
  const auto recorded = bench.provider->statements(ratio.id, path, before);
  CHECK(recorded == std::vector<std::string>{"vm.dirty_bytes = 1000000"});
  bench.apply({ratio});
  const std::string edited = bench.bytes(path) + "vm.swappiness = 5\n";
  CHECK(bench.provider->statements(ratio.id, path, edited).empty());
  const auto back = splice(edited, bench.provider->restate(ratio.id, path, edited, recorded));
  CHECK(bench.provider->statements(ratio.id, path, back) == recorded);
  CHECK(back.find("vm.swappiness = 5\n") != std::string::npos);
  const std::string both = header + "vm.dirty_bytes = 1\nvm.dirty_ratio = 2\n";
  CHECK(bench.provider->statements(ratio.id, own, both) == std::vector<std::string>{"vm.dirty_ratio = 2"});
}

TEST_CASE("C9: in a staged tree each file of the pair goes back by itself, to 0 too") {
  SysctlBench bench;
  bench.host.set_staged(true);
  bench.host.add_file("/proc/sys/vm/dirty_bytes", "1000000\n");
  bench.host.add_file("/proc/sys/vm/dirty_ratio", "0\n");
  const auto ratio = SysctlBench::key("vm.dirty_ratio", "10");
  const auto plan = bench.plan({ratio});
  const auto& write = std::get<WriteLive>(plan.back().deed);
  CHECK(write.original == "0");
  CHECK(write.undo.empty());
  bench.apply({ratio});
  const auto restored = bench.provider->restore_live(bench.context, ratio.id, write.original);
  REQUIRE(restored);
  bench.perform(*restored);
  CHECK(bench.bytes("/proc/sys/vm/dirty_ratio") == "0\n");
  CHECK(bench.bytes("/proc/sys/vm/dirty_bytes") == "1000000\n");
}

TEST_CASE("a package's file that is read after our drop-in is never edited: the row is failed and names it") {
  SysctlBench bench;
  const std::string vendor = "/usr/lib/sysctl.d/zzzz.conf";
  bench.host.add_file(vendor, "vm.swappiness = 30\n");
  const auto desired = SysctlBench::key("vm.swappiness", "1");
  for (const Want kind : {Want::equals, Want::absent}) {
    const auto wish = SysctlBench::key("vm.swappiness", "1", kind);
    CHECK(bench.row(wish).state == State::failed);
    CHECK(bench.row(wish).reason ==
          "/usr/lib/sysctl.d/zzzz.conf is read after our drop-in, and only files in /etc are edited; "
          "override it in /etc");
    CHECK(bench.plan({wish}).empty());
  }
  bench.host.add_symlink("/etc/sysctl.d/zzzz.conf", vendor);
  CHECK(bench.row(desired).state == State::failed);
  bench.host.remove("/etc/sysctl.d/zzzz.conf");
  bench.host.add_file("/etc/sysctl.d/zzzz.conf", "vm.swappiness = 40\n");
  CHECK(bench.apply({desired}).front().state == State::in_sync);
  CHECK(bench.bytes(vendor) == "vm.swappiness = 30\n");
}

TEST_CASE("a drop-in of ours that is masked is told before anything is written") {
  SysctlBench bench;
  bench.host.add_symlink(own, "/dev/null");
  bench.host.add_file("/etc/sysctl.d/10-a.conf", "vm.swappiness = 30\n");
  for (const auto& key : {"vm.swappiness", "kernel.panic"}) {
    const auto row = bench.row(SysctlBench::key(key, "7"));
    CHECK(row.state == State::failed);
    CHECK(row.reason.find(own + " is masked by a link to /dev/null") == 0);
    CHECK(bench.plan({SysctlBench::key(key, "7")}).empty());
  }
}

TEST_CASE("guard rails hold to a safe floor where present use is not known") {
  SysctlBench bench;
  const auto guard = [&](const std::string& key, const std::string& value) {
    return bench.provider->guard(bench.context, judge(SysctlBench::key(key, value), {}));
  };
  CHECK(guard("kernel.threads-max", "500") ==
        "kernel.threads-max=500 is below 1000, and present use is not known here");
  CHECK(guard("kernel.threads-max", "1000").empty());
  CHECK_FALSE(guard("kernel.pid_max", "32767").empty());
  CHECK(guard("kernel.pid_max", "32768").empty());
  CHECK_FALSE(guard("fs.file-max", "100").empty());
  CHECK_FALSE(guard("fs.nr_open", "100").empty());
  for (const std::string task : {"42", "43", "44"}) bench.host.add_directory("/proc/42/task/" + task);
  CHECK(guard("kernel.threads-max", "2") == "kernel.threads-max=2 is below present use: 3 threads");
  CHECK(guard("kernel.threads-max", "3").empty());
}
