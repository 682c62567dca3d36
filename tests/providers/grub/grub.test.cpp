#include "providers/fixture.hpp"
#include "providers/grub/grub_provider.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;

namespace {

const std::string defaults = "/etc/default/grub";
const std::string own = "/etc/default/grub.d/zz-tunekeeper.cfg";
const std::string header =
    "# Written by tunekeeper from its profiles; changes to managed lines are reported as drift.\n";

std::string entry(const std::string& id, const std::string& arguments) {
  return "menuentry 'Linux " + id + "' $menuentry_id_option 'gnulinux-" + id +
         "' {\n\tlinux /boot/vmlinuz-6.1 root=UUID=u ro " + arguments + "\n}\n";
}

struct GrubBench : Bench {
  GrubBench() : Bench(make_grub_provider()) {
    facts.set("os.id", std::string("debian"));
    host.add_directory("/etc/default/grub.d");
    host.add_file(defaults,
                  "GRUB_DEFAULT=0\nGRUB_CMDLINE_LINUX_DEFAULT=\"quiet\"\nGRUB_CMDLINE_LINUX=\"\"\n");
    host.add_file("/boot/vmlinuz-6.1", "");
    host.add_file("/proc/stat", "cpu 1 2\nbtime 1000\n");
    host.add_file("/proc/cmdline", "BOOT_IMAGE=/boot/vmlinuz-6.1 root=UUID=u ro quiet\n");
    menu("quiet");
  }

  void menu(const std::string& arguments) {
    host.add_file("/boot/grub/grub.cfg", "set default=\"0\"\n" + entry("simple", arguments) +
                                             entry("advanced", arguments) + entry("x-recovery-u", "single"));
    host.set_mtime("/boot/grub/grub.cfg", 2'000'000'000'000);
  }

  /// Applies, then generates the menu from what is persisted: as one wish sees it.
  std::string after(const Desired& desired, const std::string& path = own) {
    apply({desired});
    CHECK(edits({desired}) == 0);
    return host.exists(path) ? bytes(path) : "(none)";
  }

  std::size_t edits(const std::vector<Desired>& wanted) const {
    std::size_t count = 0;
    for (const Action& action : plan(wanted)) count += std::holds_alternative<EditFile>(action.deed) ? 1 : 0;
    return count;
  }
};

Desired flag(const std::string& id) {
  Desired desired = Bench::want(id, "");
  desired.value = Value::flag();
  return desired;
}

Desired list(const std::string& id, std::vector<std::string> items) {
  Desired desired = Bench::want(id, "");
  desired.value = Value::list(std::move(items));
  return desired;
}

Desired none(const std::string& id) {
  return Bench::want(id, "", Want::absent);
}

std::string line(const std::string& raw) {
  return "GRUB_CMDLINE_LINUX_DEFAULT=\"$GRUB_CMDLINE_LINUX_DEFAULT " + raw + "\"\n";
}

}  // namespace

TEST_CASE("grub: a new parameter goes into our drop-in, and the menu is generated") {
  GrubBench bench;
  const auto actions = bench.plan({Bench::want("grub:transparent_hugepage", "never")});
  REQUIRE(actions.size() == 2);
  CHECK(std::get<EditFile>(actions[0].deed).path == own);
  const auto& generate = std::get<GenerateFile>(actions[1].deed);
  CHECK(generate.path == "/boot/grub/grub.cfg");
  CHECK(generate.generator == std::vector<std::string>{"grub-mkconfig"});
  CHECK(generate.checker == std::vector<std::string>{"grub-script-check"});
  CHECK(actions[1].phase == Phase::generate);
  CHECK(actions[1].plane == PlaneKind::boot);
  CHECK(bench.after(Bench::want("grub:transparent_hugepage", "never")) ==
        header + line("transparent_hugepage=never"));
}

TEST_CASE("grub: planes are told, and a reboot is pending only when persisted and boot are right") {
  GrubBench bench;
  const Desired wish = Bench::want("grub:numa_balancing", "disable");
  bench.apply({wish});
  CHECK(bench.row(wish).state == State::differs);
  CHECK(bench.row(wish).seen.boot == Plane::absent());
  bench.menu("quiet numa_balancing=disable");
  const Row row = bench.row(wish);
  CHECK(row.state == State::pending);
  CHECK(row.seen.decided_by == "etc/default/grub.d/zz-tunekeeper.cfg:2");
  CHECK(row.seen.takes_effect.kind == Effect::Kind::reboot);
  CHECK(bench.plan({wish}).empty());
  bench.host.add_file("/proc/stat", "btime 3000\n");
  const Row younger = bench.row(wish);
  CHECK(younger.state == State::differs);
  CHECK(younger.reason == "this boot did not use it (another entry, or a boot loader that is not GRUB)");
  bench.host.add_file("/proc/cmdline", "numa-balancing=disable\n");
  CHECK(bench.row(wish).state == State::in_sync);
}

TEST_CASE("grub: right on disk and a stale menu is generated again, without an edit") {
  GrubBench bench;
  bench.host.add_file(own, header + line("a=b"));
  const auto actions = bench.plan({Bench::want("grub:a", "b")});
  REQUIRE(actions.size() == 1);
  CHECK(std::holds_alternative<GenerateFile>(actions[0].deed));
}

TEST_CASE("grub: on another root the generator is named, not run") {
  GrubBench bench;
  bench.host.set_other_root(true);
  const Desired wish = Bench::want("grub:a", "b");
  for (const Action& action : bench.plan({wish})) CHECK(std::holds_alternative<EditFile>(action.deed));
  const Row row = bench.apply({wish}).front();
  CHECK(row.state == State::pending);
  CHECK(row.seen.boot_command == "update-grub");
}

TEST_CASE("G1: a drop-in that overwrites the main file decides, and is named") {
  GrubBench bench;
  bench.host.add_file(defaults, "GRUB_CMDLINE_LINUX_DEFAULT=\"quiet a=b\"\n");
  bench.host.add_file("/etc/default/grub.d/50-cloudimg-settings.cfg",
                      "# x\nGRUB_CMDLINE_LINUX_DEFAULT=\"console=ttyS0\"\n");
  const Row row = bench.row(Bench::want("grub:a", "b"));
  CHECK(row.seen.persisted == Plane::absent());
  CHECK(row.seen.decided_by == "etc/default/grub.d/50-cloudimg-settings.cfg:2");
  CHECK(bench.after(Bench::want("grub:a", "b")) == header + line("a=b"));
}

TEST_CASE("G2: a parameter stands once in every normal entry, those that disagree are listed") {
  GrubBench bench;
  bench.host.add_file(own, header + line("a=b"));
  bench.host.add_file("/boot/grub/grub.cfg", "set default=\"1\"\n" + entry("old", "a=c") +
                                                 entry("new", "a=b") +
                                                 "menuentry 'mine' {\n linux /boot/vmlinuz-6.1 quiet\n}\n");
  const Row row = bench.row(Bench::want("grub:a", "b"));
  CHECK(row.seen.boot == Plane::of("b"));
  CHECK(row.seen.boot_entries == std::vector<std::string>{"Linux old: c"});
  CHECK(row.seen.note == "an entry made by hand differs: mine: absent");
  CHECK(row.state == State::differs);
}

TEST_CASE("G3: without GRUB_CMDLINE_LINUX_DEFAULT nothing is copied from GRUB_CMDLINE_LINUX") {
  GrubBench bench;
  bench.host.add_file(defaults, "GRUB_CMDLINE_LINUX=\"console=ttyS0\"\n");
  CHECK(bench.after(Bench::want("grub:a", "b")) == header + line("a=b"));
  CHECK(bench.bytes(defaults) == "GRUB_CMDLINE_LINUX=\"console=ttyS0\"\n");
  GrubBench other;
  other.facts.set("os.id", std::string("arch"));
  other.host.remove("/etc/default/grub.d");
  other.host.add_file(defaults, "GRUB_CMDLINE_LINUX=\"console=ttyS0\"");
  CHECK(other.after(Bench::want("grub:a", "b"), defaults) ==
        "GRUB_CMDLINE_LINUX=\"console=ttyS0\"\nGRUB_CMDLINE_LINUX_DEFAULT=\"a=b\"");
}

TEST_CASE("G4: the entries are checked, not only the variable, boot loader specification hosts are told") {
  GrubBench bench;
  bench.host.add_file(own, header + line("a=b"));
  CHECK(bench.row(Bench::want("grub:a", "b")).state == State::differs);
  bench.host.add_file("/boot/loader/entries/x.conf", "options a=b\n");
  CHECK(bench.row(Bench::want("grub:a", "b")).state == State::unsupported);
}

TEST_CASE("G5: quotes inside a value are read and written right") {
  GrubBench bench;
  bench.host.add_file(defaults,
                      "GRUB_CMDLINE_LINUX_DEFAULT=\"\\\"rhgb quiet\\\" acpi_osi=\\\"!Windows 2012\\\"\"\n");
  CHECK(bench.row(Bench::want("grub:acpi_osi", "!Windows 2012")).seen.persisted ==
        Plane::of("!Windows 2012"));
  CHECK(bench.row(flag("grub:quiet")).seen.persisted == Plane::absent());
  CHECK(bench.after(Bench::want("grub:k", "a b")) == header + line("k='a b'"));
  bench.menu("quiet \"k=a b\"");
  bench.host.add_file("/proc/cmdline", "quiet \"k=a b\"\n");
  CHECK(bench.row(Bench::want("grub:k", "a b")).state == State::in_sync);
}

TEST_CASE("G6: huge page sizes keep their order and their counts") {
  GrubBench bench;
  const Desired wish = list("grub:hugepagesz", {"hugepagesz=2M hugepages=64", "hugepagesz=1G hugepages=4"});
  const std::string raw = "hugepagesz=2M hugepages=64 hugepagesz=1G hugepages=4";
  CHECK(bench.after(wish) == header + line(raw));
  bench.menu("quiet " + raw);
  CHECK(bench.row(wish).state == State::pending);
  bench.host.add_file("/proc/cmdline", "hugepages=64 hugepagesz=1G hugepagesz=2M hugepages=4\n");
  CHECK(bench.row(wish).seen.live == Plane::of(Value::list({"hugepagesz=1G", "hugepagesz=2M hugepages=4"})));
  bench.host.add_file("/proc/cmdline", raw + "\n");
  CHECK(bench.row(wish).state == State::in_sync);
}

TEST_CASE("G6: a size that stands elsewhere with another count is changed where it stands") {
  GrubBench bench;
  bench.host.add_file(defaults, "GRUB_CMDLINE_LINUX_DEFAULT=\"hugepagesz=2M hugepages=32 quiet\"\n");
  CHECK(bench.after(list("grub:hugepagesz", {"hugepagesz=2M hugepages=64"}), defaults) ==
        "GRUB_CMDLINE_LINUX_DEFAULT=\"hugepagesz=2M hugepages=64 quiet\"\n");
}

TEST_CASE("G7: a second plan is empty, and a changed value keeps its place") {
  GrubBench bench;
  const std::vector<Desired> first = {Bench::want("grub:a", "1"), Bench::want("grub:b", "2"), flag("grub:c")};
  bench.apply(first);
  CHECK(bench.bytes(own) == header + line("a=1") + line("b=2") + line("c"));
  CHECK(bench.edits(first) == 0);
  bench.apply({Bench::want("grub:a", "9"), first[1], first[2]});
  CHECK(bench.bytes(own) == header + line("a=9") + line("b=2") + line("c"));
}

TEST_CASE("G8: a parameter of unknown value is removed by name, wherever it stands") {
  GrubBench bench;
  bench.host.add_file(defaults,
                      "GRUB_CMDLINE_LINUX_DEFAULT='a=1 quiet a=2'\nGRUB_CMDLINE_LINUX=\"x a\" # keep\n");
  bench.host.add_file(own, header + line("a=3"));
  const Desired wish = none("grub:a");
  const auto actions = bench.plan({wish});
  CHECK(std::get<EditFile>(actions[1].deed).remove);
  bench.apply({wish});
  CHECK(bench.bytes(defaults) == "GRUB_CMDLINE_LINUX_DEFAULT='quiet'\nGRUB_CMDLINE_LINUX=\"x\" # keep\n");
  CHECK_FALSE(bench.host.exists(own));
  CHECK(bench.edits({wish}) == 0);
}

TEST_CASE("G9: looking and planning write nothing and run nothing") {
  GrubBench bench;
  bench.host.forget_records();
  bench.plan({Bench::want("grub:a", "b"), none("grub:quiet")});
  CHECK(bench.host.write_count() == 0);
  for (const std::string& record : bench.host.reads()) CHECK(record.compare(0, 5, "probe") != 0);
}

TEST_CASE("G10: grubenv is read and never written") {
  GrubBench bench;
  bench.host.add_file("/boot/grub/grubenv", "# GRUB Environment Block\n" + std::string(999, '#'));
  for (const Action& action : bench.plan({Bench::want("grub:a", "b")})) {
    const auto* edit = std::get_if<EditFile>(&action.deed);
    CHECK((edit == nullptr || edit->path != "/boot/grub/grubenv"));
  }
}

TEST_CASE("G11: /etc/default/grub stays as the package has it where a drop-in does") {
  GrubBench bench;
  const std::string before = bench.bytes(defaults);
  CHECK(bench.after(Bench::want("grub:mitigations", "auto")) == header + line("mitigations=auto"));
  CHECK(bench.bytes(defaults) == before);
}

TEST_CASE("grub: a parameter with another value is replaced where it stands, in either spelling, and once") {
  const std::string vendor = "/etc/default/grub.d/50-vendor.cfg";
  GrubBench bench;
  bench.host.add_file(vendor, line("transparent-hugepage=always x"));
  const auto thp = Bench::want("grub:transparent_hugepage", "never");
  CHECK(bench.after(thp, vendor) == line("transparent_hugepage=never x"));
  CHECK_FALSE(bench.host.exists(own));
  CHECK(bench.row(thp).seen.decided_by == "etc/default/grub.d/50-vendor.cfg:1");

  GrubBench twice;
  twice.host.add_file(defaults, "GRUB_CMDLINE_LINUX=\"a-b=1\"\nGRUB_CMDLINE_LINUX_DEFAULT=\"quiet a_b=2\"\n");
  twice.host.add_file(own, header + line("a_b=3"));
  twice.apply({Bench::want("grub:a_b", "4")});
  CHECK(twice.bytes(defaults) == "GRUB_CMDLINE_LINUX=\"a_b=4\"\nGRUB_CMDLINE_LINUX_DEFAULT=\"quiet\"\n");
  CHECK_FALSE(twice.host.exists(own));
}

TEST_CASE("grub: a value that another variable gives stays, and ours comes after it") {
  GrubBench bench;
  const std::string bytes = "MINE=\"a=1\"\nGRUB_CMDLINE_LINUX_DEFAULT=\"quiet $MINE\"\n";
  bench.host.add_file(defaults, bytes);
  CHECK(bench.after(Bench::want("grub:a", "2")) == header + line("a=2"));
  CHECK(bench.bytes(defaults) == bytes);
}

TEST_CASE("grub: a replacement and an addition in one value without quotes are one edit") {
  GrubBench bench;
  bench.facts.set("os.id", std::string("arch"));
  bench.host.remove("/etc/default/grub.d");
  bench.host.add_file(defaults, "GRUB_CMDLINE_LINUX_DEFAULT=a=1 # mine\n");
  const std::vector<Desired> wanted = {Bench::want("grub:a", "2"), Bench::want("grub:b", "3")};
  bench.apply(wanted);
  CHECK(bench.bytes(defaults) == "GRUB_CMDLINE_LINUX_DEFAULT=\"a=2 b=3\" # mine\n");
  CHECK(bench.edits(wanted) == 0);
  const std::string bytes = "GRUB_CMDLINE_LINUX_DEFAULT=a=1\n";
  CHECK(splice(bytes, bench.provider->restate("grub:a", defaults, bytes, {"a=5", "a=6"})) ==
        "GRUB_CMDLINE_LINUX_DEFAULT=\"a=5 a=6\"\n");
}

TEST_CASE("grub: a file that sh cannot read states nothing, and restating it is refused with the place") {
  GrubBench bench;
  const std::string bytes = "A=1\nGRUB_CMDLINE_LINUX_DEFAULT=\"quiet\n";
  CHECK(bench.provider->statements("grub:quiet", defaults, bytes).empty());
  try {
    bench.provider->restate("grub:quiet", defaults, bytes, {"quiet"});
    FAIL("restated");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("/etc/default/grub:2:28: sh cannot read it: ") == 0);
  }
}

TEST_CASE("grub: a masked drop-in of ours is told before anything is written") {
  GrubBench bench;
  bench.host.add_symlink(own, "/dev/null");
  CHECK(bench.row(Bench::want("grub:a", "b")).reason.find(own + " is masked by a link to /dev/null") == 0);
  CHECK(bench.plan({Bench::want("grub:a", "b")}).empty());
  bench.host.add_file(defaults, "GRUB_CMDLINE_LINUX_DEFAULT=\"a=1\"\n");
  CHECK(bench.after(Bench::want("grub:a", "2"), defaults) == "GRUB_CMDLINE_LINUX_DEFAULT=\"a=2\"\n");
}

TEST_CASE("C7: of two values the last one wins") {
  GrubBench bench;
  bench.host.add_file("/proc/cmdline", "mitigations=off mitigations=auto\n");
  CHECK(bench.row(Bench::want("grub:mitigations", "off")).seen.live == Plane::of("auto"));
}

TEST_CASE("grub: where the kernel does not take the last one, the earlier value is changed where it stands") {
  GrubBench bench;
  bench.host.add_file(
      defaults,
      "GRUB_CMDLINE_LINUX=\"isolcpus=1 x\"\nGRUB_CMDLINE_LINUX_DEFAULT=\"hugepages=8 quiet hugepages=4\"\n");
  const std::vector<Desired> wanted = {Bench::want("grub:isolcpus", "2,3"),
                                       Bench::want("grub:hugepages", "4")};
  bench.apply(wanted);
  CHECK(bench.bytes(defaults) ==
        "GRUB_CMDLINE_LINUX=\"isolcpus=2,3 x\"\nGRUB_CMDLINE_LINUX_DEFAULT=\"quiet hugepages=4\"\n");
  CHECK_FALSE(bench.host.exists(own));
  CHECK(bench.edits(wanted) == 0);
}

TEST_CASE("grub: repeated consoles keep their order") {
  GrubBench bench;
  bench.host.add_file(defaults, "GRUB_CMDLINE_LINUX_DEFAULT=\"console=ttyS0 quiet console=tty1\"\n");
  const Desired wish = list("grub:console", {"tty1", "ttyS1,115200"});
  bench.apply({wish});
  CHECK(bench.bytes(defaults) == "GRUB_CMDLINE_LINUX_DEFAULT=\"console=tty1 quiet console=ttyS1,115200\"\n");
  CHECK(bench.edits({wish}) == 0);
}

TEST_CASE("grub: a file that is read after our drop-in is edited where it stands") {
  const std::string later = "/etc/default/grub.d/zzz-vendor.cfg";
  GrubBench overwritten;
  overwritten.host.add_file(later, "GRUB_CMDLINE_LINUX_DEFAULT='splash'\n");
  CHECK(overwritten.after(Bench::want("grub:k", "a b"), later) ==
        "GRUB_CMDLINE_LINUX_DEFAULT='splash k=\"a b\"'\n");
  CHECK_FALSE(overwritten.host.exists(own));
  GrubBench appended;
  appended.host.add_file(later, line("a=1"));
  CHECK(appended.after(Bench::want("grub:a", "2"), later) == line("a=2"));
}

TEST_CASE("grub: what only the shell can compute is unsupported") {
  GrubBench bench;
  bench.host.add_file(defaults, "GRUB_CMDLINE_LINUX_DEFAULT=\"quiet $(cat /x)\"\n");
  const Row row = bench.row(Bench::want("grub:a", "b"));
  CHECK(row.state == State::unsupported);
  CHECK(row.reason == "computed by the shell (etc/default/grub: $(...) in line 1)");
}

TEST_CASE("grub: a file that sh cannot read makes the rows failed, with the place, and is not edited") {
  GrubBench bench;
  bench.host.add_file(defaults, "A=1\nGRUB_CMDLINE_LINUX_DEFAULT=\"quiet\n");
  const Row row = bench.row(Bench::want("grub:a", "b"));
  CHECK(row.state == State::failed);
  CHECK(row.reason.find("etc/default/grub:2:28: ") == 0);
  CHECK(bench.plan({Bench::want("grub:a", "b")}).empty());
}

TEST_CASE("grub: a bare semicolon cuts the line, and nothing is added where it would be lost") {
  GrubBench bench;
  bench.host.add_file(defaults, "GRUB_CMDLINE_LINUX_DEFAULT=\"quiet x=a;b c=d\"\n");
  CHECK(bench.row(flag("grub:quiet")).seen.persisted == Plane::of(Value::flag()));
  CHECK(bench.row(Bench::want("grub:c", "d")).seen.persisted == Plane::absent());
  CHECK(bench.row(Bench::want("grub:c", "d")).state == State::failed);
}

TEST_CASE("grub: hosts without GRUB, without a menu, and unreadable files are told apart") {
  GrubBench bench;
  const Desired wish = Bench::want("grub:a", "b");
  bench.host.deny_read("/boot/grub/grub.cfg", 13);
  CHECK(bench.row(wish).state == State::failed);
  bench.host.remove("/boot/grub/grub.cfg");
  CHECK(bench.row(wish).seen.boot.kind == Plane::Kind::not_applicable);
  bench.host.deny_read(defaults, 13);
  CHECK(bench.row(wish).state == State::failed);
  bench.host.remove(defaults);
  CHECK(bench.row(wish).reason == "GRUB is not installed here");
}

TEST_CASE("grub: parameters that decide whether the host boots, and bytes that GRUB eats, need --force") {
  GrubBench bench;
  const auto guarded = [&](const Desired& desired) {
    return !bench.provider->guard(bench.context, bench.row(desired)).empty();
  };
  for (const std::string name : {"root", "init", "ro", "mem", "maxcpus"})
    CHECK(guarded(Bench::want("grub:" + name, "x")));
  CHECK(guarded(none("grub:root")));
  CHECK(guarded(Bench::want("grub:a", "b;c")));
  CHECK(guarded(Bench::want("grub:a", "$b")));
  CHECK(guarded(list("grub:a", {"a=1 mem=1G"})));
  CHECK_FALSE(guarded(Bench::want("grub:a", "b,c")));
}

TEST_CASE("grub: a statement put back by its bytes is the statement that was there") {
  GrubBench bench;
  const Provider& grub = *bench.provider;
  const auto round = [&](const std::string& id, const std::string& path, const std::string& bytes,
                         const std::vector<std::string>& statements) {
    const std::string after = splice(bytes, grub.restate(id, path, bytes, statements));
    CHECK(grub.statements(id, path, after) == statements);
    return after;
  };
  const std::string bytes =
      "GRUB_CMDLINE_LINUX_DEFAULT=\"quiet acpi_osi=\\\"a b\\\" hugepagesz=2M hugepages=4\"\n";
  CHECK(grub.statements("grub:acpi_osi", defaults, bytes) ==
        std::vector<std::string>{"acpi_osi=\\\"a b\\\""});
  CHECK(grub.statements("grub:hugepagesz", defaults, bytes) ==
        std::vector<std::string>{"hugepagesz=2M hugepages=4"});
  CHECK(grub.statements("grub:hugepages", defaults, bytes).empty());
  CHECK(round("grub:acpi_osi", defaults, bytes, {"acpi_osi=\\\"a b\\\""}) == bytes);
  CHECK(round("grub:acpi_osi", defaults, bytes, {}) ==
        "GRUB_CMDLINE_LINUX_DEFAULT=\"quiet hugepagesz=2M hugepages=4\"\n");
  CHECK(round("grub:new", defaults, bytes, {"new=1", "new=2"}) ==
        "GRUB_CMDLINE_LINUX_DEFAULT=\"quiet acpi_osi=\\\"a b\\\" hugepagesz=2M hugepages=4 new=1 new=2\"\n");
  const std::string ours = header + line("a=1") + line("run=2 with=3");
  CHECK(grub.statements("grub:run", own, ours) == std::vector<std::string>{"run=2 with=3"});
  CHECK(round("grub:a", own, ours, {}) == header + line("run=2 with=3"));
  CHECK(round("grub:run", own, ours, {"run=9"}) == header + line("a=1") + line("run=9"));
  CHECK(round("grub:a", own, "", {"a=1"}) == header + line("a=1"));
  CHECK(grub.is_spent(own, round("grub:a", own, header + line("a=1"), {})));
  CHECK_FALSE(grub.is_spent(own, ours));
  CHECK_FALSE(grub.is_spent(defaults, ""));
}

TEST_CASE("grub: the menu is generated again after its inputs were put back") {
  GrubBench bench;
  CHECK(bench.provider->after_files(bench.context, std::vector<std::string>{"/etc/mysql/my.cnf"}).empty());
  CHECK(bench.provider->after_files(bench.context, std::vector<std::string>{own}).size() == 1);
  bench.host.set_other_root(true);
  CHECK(bench.provider->after_files(bench.context, std::vector<std::string>{own}).empty());
}
