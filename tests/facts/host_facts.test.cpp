#include "facts/host_facts.hpp"

#include <algorithm>

#include "host/memory_host.hpp"
#include "host/real_host.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;

namespace {

constexpr std::int64_t MiB = 1 << 20;
constexpr std::int64_t GiB = 1 << 30;

class FakeServer : public ServerConnector {
 public:
  ServerVariables answer;
  std::string role_text;
  mutable int asked = 0;
  const ServerVariables& variables() const override { return ++asked, answer; }
  const std::string& role() const override { return role_text; }
};

std::string text(const HostFacts& facts, std::string_view name) {
  const auto fact = facts.fact(name);
  if (fact.kind == FactValue::Kind::value) return to_string(fact.value);
  return fact.kind == FactValue::Kind::missing ? "missing: " + fact.reason : "unknown";
}

std::int64_t number(const HostFacts& facts, std::string_view name) {
  const auto fact = facts.fact(name);
  INFO(fact.reason);
  REQUIRE(fact.kind == FactValue::Kind::value);
  return std::get<std::int64_t>(fact.value);
}

bool was_read(const MemoryHost& host, const std::string& record) {
  return std::find(host.reads().begin(), host.reads().end(), record) != host.reads().end();
}

void add_memory(MemoryHost& host, std::int64_t bytes, std::int64_t huge_bytes = 0) {
  host.add_file("/proc/meminfo",
                "MemTotal:       " + std::to_string(bytes / 1024) +
                    " kB\nMemFree: 1 kB\nHugePages_Total: " + std::to_string(huge_bytes / (2 * MiB)) +
                    "\nHugepagesize:    2048 kB\nHugetlb: " + std::to_string(huge_bytes / 1024) + " kB\n");
}

void add_os(MemoryHost& host, const std::string& id, const std::string& version,
            const std::string& like = "") {
  host.add_file("/etc/os-release", "PRETTY_NAME=\"x y\"\nID=" + id + "\nVERSION_ID=\"" + version + "\"\n" +
                                       (like.empty() ? "" : "ID_LIKE=\"" + like + "\"\n"));
}

/// A disk as /sys shows it: the folder among the devices, and the link to it.
void add_disk(MemoryHost& host, const std::string& name, const std::string& model, int rotational,
              const std::string& number) {
  const std::string folder = "/sys/devices/bus/block/" + name;
  host.add_file(folder + "/queue/rotational", std::to_string(rotational) + "\n");
  host.add_file(folder + "/device/model", model + "\n");
  host.add_directory(folder + "/slaves");
  host.add_symlink("/sys/class/block/" + name, "../../devices/bus/block/" + name);
  host.add_symlink("/sys/dev/block/" + number, "../../devices/bus/block/" + name);
}

void add_partition(MemoryHost& host, const std::string& disk, const std::string& name,
                   const std::string& number) {
  const std::string folder = "/sys/devices/bus/block/" + disk + "/" + name;
  host.add_file(folder + "/partition", "1\n");
  host.add_symlink("/sys/class/block/" + name, "../../devices/bus/block/" + disk + "/" + name);
  host.add_symlink("/sys/dev/block/" + number, "../../devices/bus/block/" + disk + "/" + name);
}

void add_stacked(MemoryHost& host, const std::string& name, const std::vector<std::string>& slaves,
                 const std::string& number) {
  const std::string folder = "/sys/devices/virtual/block/" + name;
  host.add_file(folder + "/queue/rotational", "0\n");
  for (const auto& slave : slaves) host.add_symlink(folder + "/slaves/" + slave, "/sys/class/block/" + slave);
  host.add_symlink("/sys/class/block/" + name, "../../devices/virtual/block/" + name);
  host.add_symlink("/sys/dev/block/" + number, "../../devices/virtual/block/" + name);
}

std::string mount_line(const std::string& number, const std::string& point, const std::string& source,
                       const std::string& type = "ext4") {
  return "36 35 " + number + " / " + point + " rw,relatime shared:1 - " + type + " " + source + " rw\n";
}

std::string dpkg(const std::string& package, const std::string& version,
                 const std::string& status = "install ok installed") {
  return "Package: " + package + "\nStatus: " + status + "\nPriority: optional\nVersion: " + version + "\n\n";
}

}  // namespace

TEST_CASE("every name is known, in byte order, and no other") {
  const MemoryHost host;
  const HostFacts facts(host);
  CHECK(std::is_sorted(facts.names().begin(), facts.names().end()));
  for (const auto& name : facts.names()) CHECK(facts.fact(name).kind != FactValue::Kind::unknown);
  CHECK(facts.fact("mysql").kind == FactValue::Kind::unknown);
  CHECK(facts.fact("mysql.versio").kind == FactValue::Kind::unknown);
}

TEST_CASE("on an empty root every missing fact has a reason in words") {
  const MemoryHost host;
  const HostFacts facts(host);
  for (const auto& entry : facts.all()) {
    INFO(entry.name);
    CHECK((entry.value.kind == FactValue::Kind::value || !entry.value.reason.empty()));
  }
  CHECK(text(facts, "memory.total") == "missing: /proc/meminfo has no MemTotal to read");
  CHECK(text(facts, "memory.available_to_service") == text(facts, "memory.total"));
  CHECK(text(facts, "mysql.storage") == "missing: no table of mounts tells what / is on");
  CHECK(text(facts, "mysql.role") == "missing: no server is asked here");
}

TEST_CASE("facts are gathered when asked for, once, and read nothing that nobody asked for") {
  MemoryHost host;
  add_memory(host, 8 * GiB);
  const HostFacts facts(host);
  CHECK(host.reads().empty());
  CHECK(number(facts, "memory.total") == 8 * GiB);
  CHECK(number(facts, "memory.total") == 8 * GiB);
  CHECK(host.reads() == std::vector<std::string>{"read /proc/meminfo"});
}

TEST_CASE("host.yaml overrides a fact, in the fact's own type") {
  MemoryHost host;
  add_memory(host, 8 * GiB);
  const HostFacts facts(host, nullptr,
                        {{"memory.total", std::string("4G")},
                         {"mysql.disks", std::string("sda sdb")},
                         {"mysql.version", 11.8},
                         {"virt.container", std::string("yes")},
                         {"cpu.count", std::string("many")}});
  CHECK(number(facts, "memory.total") == 4 * GiB);
  CHECK(facts.note("memory.total") == "host.yaml");
  CHECK(std::get<std::vector<std::string>>(facts.fact("mysql.disks").value) ==
        std::vector<std::string>{"sda", "sdb"});
  CHECK(text(facts, "mysql.version") == "11.8");
  CHECK(text(facts, "virt.container") == "true");
  CHECK(text(facts, "cpu.count") == "missing: host.yaml gives cpu.count as \"many\", which is no number");
  CHECK(number(facts, "memory.available_to_service") == 4 * GiB);
}

TEST_CASE("facts with few values name them all, so that a profile's cases can be checked") {
  const MemoryHost host;
  const HostFacts facts(host);
  using Values = std::vector<std::string>;
  CHECK(facts.values("mysql.storage") == Values{"hdd", "nvme", "ssd", "virtual"});
  CHECK(facts.values("root.storage") == facts.values("mysql.storage"));
  CHECK(facts.values("mysql.flavor") == Values{"mariadb", "mysql"});
  CHECK(facts.values("mysql.role") == Values{"galera", "primary", "replica"});
  CHECK(facts.values("cpu.model").empty());
  CHECK(facts.values("mysql.sotrage").empty());
  CHECK(host.reads().empty());
}

TEST_CASE("host.yaml gives a fact with few values no other one") {
  const MemoryHost host;
  const HostFacts facts(host, nullptr,
                        {{"mysql.storage", std::string("sdd")}, {"mysql.role", std::string("replica")}});
  CHECK(text(facts, "mysql.storage") ==
        "missing: host.yaml gives mysql.storage as \"sdd\", which is none of hdd, nvme, ssd, virtual");
  CHECK(text(facts, "mysql.role") == "replica");
}

TEST_CASE("memory for the service is the least of machine, unit and cgroup, less huge pages") {
  MemoryHost host;
  add_memory(host, 64 * GiB, 4 * GiB);
  host.add_file("/usr/lib/systemd/system/mariadb.service",
                "[Unit]\nMemoryMax=1\n[Service]\nMemoryMax=infinity\n");
  const std::string drop_ins = "/etc/systemd/system/mariadb.service.d/";

  SECTION("nothing limits it") {
    CHECK(number(HostFacts(host), "memory.available_to_service") == 60 * GiB);
    CHECK(HostFacts(host).note("memory.available_to_service").empty());
    CHECK(number(HostFacts(host), "memory.hugepages") == 4 * GiB);
  }
  SECTION("the unit's last drop-in by name decides, wherever it is") {
    host.add_file(drop_ins + "50-limit.conf", "[Service]\nMemoryMax = 48G\n");
    host.add_file("/run/systemd/system/mariadb.service.d/60-limit.conf", "[Service]\nMemoryMax=32G\n");
    host.add_file("/run/systemd/system/mariadb.service.d/50-limit.conf", "[Service]\nMemoryMax=1G\n");
    CHECK(number(HostFacts(host), "memory.available_to_service") == 28 * GiB);
    CHECK(HostFacts(host).note("memory.available_to_service") == "limited by MemoryMax of mariadb.service");
  }
  SECTION("an empty value lifts the limit; a share is one of the machine's memory") {
    host.add_file(drop_ins + "50-limit.conf", "[Service]\nMemoryMax=48G\n");
    host.add_file(drop_ins + "60-lift.conf", "[Service]\nMemoryMax=\n");
    CHECK(number(HostFacts(host), "memory.available_to_service") == 60 * GiB);
    host.add_file(drop_ins + "70-share.conf", "[Service]\nMemoryMax=50%\n");
    CHECK(number(HostFacts(host), "memory.available_to_service") / MiB == 28 * 1024 - 1);
  }
  SECTION("a container's cgroup (v2) limits it") {
    host.add_file("/sys/fs/cgroup/cgroup.controllers", "memory\n");
    host.add_file("/sys/fs/cgroup/memory.max", "17179869184\n");
    host.add_file("/sys/fs/cgroup/system.slice/memory.max", "max\n");
    CHECK(number(HostFacts(host), "memory.available_to_service") == 12 * GiB);
    CHECK(HostFacts(host).note("memory.available_to_service") == "limited by /sys/fs/cgroup/memory.max");
  }
  SECTION("a cgroup (v1) limits it, its way of saying no limit does not") {
    host.add_file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    CHECK(number(HostFacts(host), "memory.available_to_service") == 60 * GiB);
    host.add_file("/sys/fs/cgroup/memory/system.slice/mariadb.service/memory.limit_in_bytes", "8589934592\n");
    CHECK(number(HostFacts(host), "memory.available_to_service") == 4 * GiB);
  }
  SECTION("more huge pages than the limit leave nothing, not less") {
    host.add_file(drop_ins + "50-limit.conf", "[Service]\nMemoryMax=1G\n");
    CHECK(number(HostFacts(host), "memory.available_to_service") == 0);
  }
}

TEST_CASE("LVM over md over partitions of two NVMe disks: the leaves are the disks, once each") {
  MemoryHost host;
  add_disk(host, "nvme0n1", "SAMSUNG MZQL23T8HCLS", 0, "259:0");
  add_disk(host, "nvme1n1", "SAMSUNG MZQL23T8HCLS", 0, "259:1");
  add_partition(host, "nvme0n1", "nvme0n1p2", "259:2");
  add_partition(host, "nvme1n1", "nvme1n1p2", "259:3");
  add_stacked(host, "md0", {"nvme0n1p2", "nvme1n1p2"}, "9:0");
  add_stacked(host, "dm-0", {"md0"}, "253:0");
  host.add_directory("/var/lib/mysql");
  host.add_file("/proc/self/mountinfo",
                mount_line("259:2", "/", "/dev/nvme0n1p1") +
                    mount_line("253:0", "/var/lib/mysql", "/dev/mapper/vg-data", "xfs") +
                    mount_line("0:50", "/var/lib/mysql-files", "tmpfs", "tmpfs"));
  const HostFacts facts(host);
  CHECK(text(facts, "mysql.mounted_device") == "dm-0");
  CHECK(text(facts, "mysql.disks") == "nvme0n1 nvme1n1");
  CHECK(text(facts, "mysql.storage") == "nvme");
  CHECK(text(facts, "root.mounted_device") == "nvme0n1p2");
  CHECK(text(facts, "root.disks") == "nvme0n1");
}

TEST_CASE("a data directory behind a link and not made yet is where its folder is") {
  MemoryHost host;
  add_disk(host, "sda", "ST4000", 1, "8:0");
  add_disk(host, "sdb", "INTEL SSDSC2", 0, "8:16");
  host.add_file("/etc/mysql/my.cnf", "[mysqld]\ndatadir=/srv/db\n");
  host.add_symlink("/srv", "/data\\disk");
  host.add_directory("/data\\disk");
  host.add_file("/proc/self/mountinfo",
                mount_line("8:0", "/", "/dev/sda") + mount_line("8:16", "/data\\134disk", "/dev/sdb"));
  const HostFacts facts(host);
  CHECK(text(facts, "mysql.disks") == "sdb");
  CHECK(text(facts, "mysql.storage") == "ssd");
  CHECK(text(facts, "root.storage") == "hdd");
  CHECK(number(facts, "mysql.free") == 64 * GiB);
}

TEST_CASE("a mount over another one of the same point is the one in force") {
  MemoryHost host;
  add_disk(host, "sda", "ST4000", 1, "8:0");
  add_disk(host, "sdb", "ST4000", 1, "8:16");
  host.add_file("/proc/self/mountinfo",
                mount_line("8:0", "/", "/dev/sda") + mount_line("8:16", "/", "/dev/sdb"));
  CHECK(text(HostFacts(host), "root.disks") == "sdb");
}

TEST_CASE("cloud and hypervisor volumes are virtual, a cloud's local NVMe is NVMe") {
  struct Row {
    const char *disk, *model, *storage;
    int rotational;
  };
  const auto row =
      GENERATE(Row{"nvme1n1", "Amazon Elastic Block Store              ", "virtual", 0},
               Row{"nvme1n1", "Amazon EC2 NVMe Instance Storage        ", "nvme", 0},
               Row{"sda", "PersistentDisk  ", "virtual", 0}, Row{"sda", "Virtual disk    ", "virtual", 1},
               Row{"sda", "QEMU HARDDISK   ", "virtual", 1}, Row{"sda", "VBOX HARDDISK   ", "virtual", 1},
               Row{"sda", "Volume          ", "virtual", 0}, Row{"vda", "", "virtual", 1},
               Row{"xvda", "", "virtual", 0}, Row{"sda", "LOGICAL VOLUME  ", "hdd", 1},
               Row{"sda", "INTEL SSDSC2KB96", "ssd", 0});
  MemoryHost host;
  add_disk(host, row.disk, row.model, row.rotational, "8:0");
  host.add_file("/proc/self/mountinfo", mount_line("8:0", "/", std::string("/dev/") + row.disk));
  INFO(row.disk << " " << row.model);
  CHECK(text(HostFacts(host), "mysql.storage") == row.storage);
}

TEST_CASE("of mixed disks the slowest class counts") {
  MemoryHost host;
  add_disk(host, "sda", "ST4000", 1, "8:0");
  add_disk(host, "nvme0n1", "SAMSUNG", 0, "259:0");
  add_stacked(host, "dm-0", {"nvme0n1", "sda"}, "253:0");
  host.add_file("/proc/self/mountinfo", mount_line("253:0", "/", "/dev/mapper/vg-root"));
  CHECK(text(HostFacts(host), "root.storage") == "hdd");
}

TEST_CASE("btrfs has no device number of its own: its source tells") {
  MemoryHost host;
  add_disk(host, "sda", "INTEL", 0, "8:0");
  add_partition(host, "sda", "sda2", "8:2");
  host.add_file("/dev/sda2", "");
  host.add_file("/proc/self/mountinfo", mount_line("0:33", "/", "/dev/sda2", "btrfs"));
  CHECK(text(HostFacts(host), "root.disks") == "sda");
}

TEST_CASE("a root that is not running tells its mounts by fstab, a mapper name by /sys") {
  MemoryHost host;
  host.set_other_root(true);
  host.set_staged(true);
  add_disk(host, "sda", "ST4000", 1, "8:0");
  add_stacked(host, "dm-3", {"sda"}, "253:3");
  host.add_file("/sys/devices/virtual/block/dm-3/dm/name", "vg-data\n");
  host.add_file("/etc/fstab",
                "# comment / ext4\nUUID=1234 / ext4 defaults 0 1\n/dev/mapper/vg-data\t/var/lib/mysql xfs\n");
  host.add_directory("/var/lib/mysql");
  const HostFacts facts(host);
  CHECK(text(facts, "mysql.mounted_device") == "dm-3");
  CHECK(text(facts, "mysql.disks") == "sda");
  CHECK(text(facts, "root.storage") ==
        "missing: / is on ext4 (UUID=1234 of /etc/fstab), and /sys has no block device for it");
}

TEST_CASE("in a container the overlay has no disk, and that is said") {
  MemoryHost host;
  add_memory(host, 16 * GiB);
  host.add_file("/.dockerenv", "");
  host.add_file("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor\n");
  host.add_file("/proc/self/mountinfo", mount_line("0:44", "/", "overlay", "overlay"));
  const HostFacts facts(host);
  CHECK(text(facts, "virt.container") == "true");
  CHECK(text(facts, "virt.type") == "docker");
  CHECK(text(facts, "mysql.storage") ==
        "missing: / is on overlay (overlay of /proc/self/mountinfo), and /sys has no block device for it");
}

TEST_CASE("the kind of virtual machine is told by DMI, clock, and the CPU's own flag") {
  MemoryHost host;
  const auto dmi = [&](const std::string& field, const std::string& value) {
    host.add_file("/sys/class/dmi/id/" + field, value + "\n");
  };
  const std::string clock = "/sys/devices/system/clocksource/clocksource0/available_clocksource";
  host.add_file("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor sse\n");
  CHECK(text(HostFacts(host), "virt.container") == "false");

  SECTION("VMware") {
    dmi("sys_vendor", "VMware, Inc.");
    CHECK(text(HostFacts(host), "virt.type") == "vmware");
  }
  SECTION("Hyper-V, but not Microsoft's hardware") {
    dmi("sys_vendor", "Microsoft Corporation");
    dmi("product_name", "Virtual Machine");
    CHECK(text(HostFacts(host), "virt.type") == "hyperv");
  }
  SECTION("QEMU with KVM, and without") {
    dmi("sys_vendor", "QEMU");
    CHECK(text(HostFacts(host), "virt.type") == "qemu");
    host.add_file(clock, "tsc kvm-clock acpi_pm\n");
    CHECK(text(HostFacts(host), "virt.type") == "kvm");
  }
  SECTION("a machine without DMI (Firecracker)") {
    CHECK(text(HostFacts(host), "virt.type") == "vm-other");
    host.add_file(clock, "kvm-clock tsc\n");
    CHECK(text(HostFacts(host), "virt.type") == "kvm");
  }
  SECTION("a cloud's bare metal has the cloud's name and no hypervisor") {
    dmi("sys_vendor", "Amazon EC2");
    CHECK(text(HostFacts(host), "virt.type") == "kvm");
    host.add_file("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu sse\n");
    CHECK(text(HostFacts(host), "virt.type") == "none");
  }
  SECTION("systemd-nspawn says so") {
    host.add_file("/run/systemd/container", "systemd-nspawn\n");
    CHECK(text(HostFacts(host), "virt.type") == "systemd-nspawn");
  }
  SECTION("LXC says so to its first process") {
    host.add_file("/proc/1/environ", std::string("TERM=linux\0container=lxc\0", 25));
    CHECK(text(HostFacts(host), "virt.type") == "lxc");
    CHECK(text(HostFacts(host), "virt.container") == "true");
  }
}

TEST_CASE("CPU, NUMA, OS and kernel") {
  MemoryHost host;
  host.add_file("/sys/devices/system/cpu/online", "0-3,8-11\n");
  host.add_file("/proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Xeon X5650\n\n");
  host.add_file("/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
  add_os(host, "ubuntu", "24.04", "debian");
  const HostFacts facts(host);
  CHECK(number(facts, "cpu.count") == 8);
  CHECK(text(facts, "cpu.vendor") == "GenuineIntel");
  CHECK(text(facts, "cpu.model") == "Xeon X5650");
  CHECK(number(facts, "numa.nodes") == 1);
  CHECK(facts.note("numa.nodes") == "assumed: the kernel lists no nodes");
  CHECK(text(facts, "os.id") == "ubuntu");
  CHECK(text(facts, "os.version") == "24.04");
  CHECK(text(facts, "os.codename") == "missing: /etc/os-release has no VERSION_CODENAME");
  CHECK(text(facts, "os.like") == "debian");
  CHECK(text(facts, "kernel.release") == "6.1.0-18-amd64");
  CHECK(text(facts, "kernel.version") == "6.1.0");
  host.add_file("/sys/devices/system/node/online", "0-1\n");
  CHECK(number(HostFacts(host), "numa.nodes") == 2);
}

TEST_CASE("the running server tells flavour, version, data directory and role") {
  MemoryHost host;
  FakeServer server;
  server.answer.status = ServerVariables::Status::answered;
  server.answer.variables = {
      {"version", "10.11.6-MariaDB-0+deb12u1"}, {"version_comment", "Debian 12"}, {"datadir", "/data/"}};
  server.role_text = "galera";
  host.add_file("/var/lib/dpkg/status", dpkg("mysql-server-8.0", "8.0.36-1"));
  const HostFacts facts(host, &server);
  CHECK(text(facts, "mysql.flavor") == "mariadb");
  CHECK(text(facts, "mysql.version") == "10.11.6");
  CHECK(text(facts, "mysql.datadir") == "/data");
  CHECK(text(facts, "mysql.role") == "galera");
  CHECK(facts.note("mysql.version") == "the running server");
  CHECK_FALSE(was_read(host, "read /var/lib/dpkg/status"));
}

TEST_CASE("without a server the package database tells, read once for all packages") {
  MemoryHost host;
  FakeServer server;
  server.answer.reason = "no socket";
  add_os(host, "debian", "12");
  host.add_file("/var/lib/dpkg/status",
                dpkg("adduser", "3.134") + dpkg("mariadb-server-core", "1:9.9.9") +
                    dpkg("mysql-server", "5.7.1", "deinstall ok config-files") +
                    dpkg("mariadb-server", "1:10.11.6-0+deb12u1", "hold ok installed") +
                    dpkg("nginx", "1.22.1-9"));
  const HostFacts facts(host, &server);
  CHECK(text(facts, "mysql.flavor") == "mariadb");
  CHECK(text(facts, "mysql.version") == "10.11.6");
  CHECK(facts.note("mysql.version").empty());
  CHECK(text(facts, "nginx.version") == "1.22.1");
  CHECK(text(facts, "mysql.role") == "missing: the server does not answer: no socket");
  CHECK(std::count(host.reads().begin(), host.reads().end(), "read /var/lib/dpkg/status") == 1);
}

TEST_CASE("a package that is the first or the last of the database is found") {
  MemoryHost host;
  const std::string first = dpkg("mysql-community-server", "8.0.36-1debian12");
  host.add_file("/var/lib/dpkg/status", first + dpkg("zlib", "1") + dpkg("nginx-core", "1.18.0-6ubuntu14"));
  const HostFacts facts(host);
  CHECK(text(facts, "mysql.flavor") == "mysql");
  CHECK(text(facts, "mysql.version") == "8.0.36");
  CHECK(text(facts, "nginx.version") == "1.18.0");
}

TEST_CASE("the package database is read in pieces, and a stanza that is cut anywhere is whole again") {
  struct PieceHost : MemoryHost {
    std::size_t size = 1;
    int read_pieces(std::string_view path, const std::function<bool(std::string_view)>& take) const override {
      const auto file = read(path);
      for (std::size_t at = 0; at < file.bytes.size(); at += size)
        take(std::string_view(file.bytes).substr(at, size));
      return file.error;
    }
  };
  PieceHost host;
  host.add_file("/var/lib/dpkg/status", dpkg("adduser", "3") + dpkg("mariadb-server", "1:10.11.6-0+deb12u1") +
                                            dpkg("mawk", "1.3") + dpkg("nginx", "1.22.1-9"));
  for (host.size = 1; host.size < 400; ++host.size) {
    const HostFacts facts(host);
    INFO(host.size);
    REQUIRE(text(facts, "mysql.version") == "10.11.6");
    REQUIRE(text(facts, "nginx.version") == "1.22.1");
  }
}

TEST_CASE("before a server is installed, what the OS release ships is assumed, and said so") {
  struct Row {
    const char *id, *version, *flavor, *mysql, *nginx, *unit;
  };
  const auto row = GENERATE(Row{"debian", "12", "mariadb", "10.11", "1.22.1", "mariadb.service"},
                            Row{"debian", "13", "mariadb", "11.8", "1.26.3", "mariadb.service"},
                            Row{"ubuntu", "22.04", "mysql", "8.0", "1.18.0", "mysql.service"},
                            Row{"ubuntu", "24.04", "mysql", "8.0", "1.24.0", "mysql.service"},
                            Row{"rocky", "9.4", "mariadb", "10.5", "1.20.1", "mariadb.service"});
  MemoryHost host;
  add_os(host, row.id, row.version, std::string(row.id) == "ubuntu" ? "debian" : "");
  host.add_directory("/var/lib/rpm");
  const HostFacts facts(host);
  INFO(row.id);
  CHECK(text(facts, "mysql.flavor") == row.flavor);
  CHECK(text(facts, "mysql.version") == row.mysql);
  CHECK(text(facts, "nginx.version") == row.nginx);
  CHECK(text(facts, "mysql.unit") == row.unit);
  CHECK(text(facts, "mysql.datadir") == "/var/lib/mysql");
  CHECK(facts.note("mysql.version") ==
        std::string("assumed: as ") + row.id + " " + row.version + " ships it; the RPM database is not read");
}

TEST_CASE("an unknown release assumes nothing") {
  MemoryHost host;
  add_os(host, "plan9", "4");
  CHECK(text(HostFacts(host), "mysql.flavor") ==
        "missing: no database server runs or is installed, and what plan9 4 ships is not known; set it in "
        "host.yaml's facts");
}

TEST_CASE("a MariaDB that no package database knows of is still one") {
  MemoryHost host;
  add_os(host, "ubuntu", "24.04", "debian");
  host.add_file("/usr/sbin/mariadbd", "", 0755);
  CHECK(text(HostFacts(host), "mysql.flavor") == "mariadb");
  CHECK(text(HostFacts(host), "mysql.version") == "10.11");
}

TEST_CASE("the unit is the one whose file is there, not its aliases, and costs no question") {
  MemoryHost host;
  FakeServer server;
  host.add_file("/usr/lib/systemd/system/mysqld.service", "[Service]\n");
  host.add_symlink("/etc/systemd/system/mysql.service", "/usr/lib/systemd/system/mysqld.service");
  CHECK(text(HostFacts(host, &server), "mysql.unit") == "mysqld.service");
  CHECK(server.asked == 0);
}

TEST_CASE(
    "the data directory of the option files: the last group that this server reads decides, over includes") {
  MemoryHost host;
  add_os(host, "debian", "12");
  host.add_file("/etc/mysql/my.cnf",
                "[client]\ndatadir=/wrong\n[mysqld]\ndatadir = \"/first\"\n!includedir /etc/mysql/conf.d\n");
  host.add_directory("/etc/mysql/conf.d");
  CHECK(text(HostFacts(host), "mysql.datadir") == "/first");
  host.add_file("/etc/mysql/conf.d/a.cnf",
                "[mariadb-10.11]\ndatadir=/second/ # here\n[mariadb-10.6]\ndatadir=/wrong\n");
  host.add_file("/etc/mysql/conf.d/b.cnf.bak", "[mysqld]\ndatadir=/wrong\n");
  host.add_file("/etc/mysql/conf.d/c.cnf", "[mysqld]\ndatadir=/wrong\n", 0666);
  CHECK(text(HostFacts(host), "mysql.datadir") == "/second");
}

TEST_CASE("on this very machine the facts are plausible") {
  const RealHost host;
  const HostFacts facts(host);
  CHECK(number(facts, "memory.total") > 64 * MiB);
  CHECK(number(facts, "memory.available_to_service") <= number(facts, "memory.total"));
  CHECK(number(facts, "cpu.count") >= 1);
  CHECK(number(facts, "numa.nodes") >= 1);
  CHECK(text(facts, "kernel.version").find_first_not_of("0123456789.") == std::string::npos);
  CHECK(text(facts, "os.id").find("missing") == std::string::npos);
  for (const auto& entry : facts.all()) {
    UNSCOPED_INFO(entry.name << " = " << text(facts, entry.name) << "   " << entry.note);
    CHECK(entry.value.kind != FactValue::Kind::unknown);
  }
}
