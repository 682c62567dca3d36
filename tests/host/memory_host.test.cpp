#include "host/memory_host.hpp"

#include <cerrno>

#include "support/catch.hpp"

using namespace tunekeeper;

namespace {

FileImage image_of(std::string bytes) {
  return {false, std::move(bytes), 0644, 0, 0, {}};
}

}  // namespace

TEST_CASE("a kernel selection moves its brackets, and refuses a word that is not on offer") {
  MemoryHost host;
  host.add_file("/sys/thp", "always [madvise] never\n");
  host.select_on_write("/sys/thp");
  CHECK(host.write_live("/sys/thp", "never").error == 0);
  CHECK(host.bytes("/sys/thp") == "always madvise [never]\n");
  CHECK(host.write_live("/sys/thp", "sometimes").error == EINVAL);
  CHECK(host.bytes("/sys/thp") == "always madvise [never]\n");
}

TEST_CASE("a kernel value can be clamped, denied, or answer as the test says") {
  MemoryHost host;
  host.add_file("/proc/sys/a", "1\n");
  host.clamp_on_write("/proc/sys/a", 0, 10);
  CHECK(host.write_live("/proc/sys/a", "99").error == 0);
  CHECK(host.bytes("/proc/sys/a") == "10\n");
  host.deny_live_write("/proc/sys/a", EROFS);
  CHECK(host.write_live("/proc/sys/a", "1").error == EROFS);
  host.on_live_write("/proc/sys/a", [](MemoryHost& h, std::string_view) {
    h.add_file("/proc/sys/b", "zeroed\n");
    return LiveWriteResult{0, true};
  });
  CHECK(host.write_live("/proc/sys/a", "1 2").short_write);
  CHECK(host.bytes("/proc/sys/b") == "zeroed\n");
}

TEST_CASE("on a staged /sys the value replaces the whole content") {
  MemoryHost host;
  host.add_file("/sys/thp", "always [madvise] never\n");
  host.select_on_write("/sys/thp");
  CHECK_FALSE(host.is_staged("/sys/thp"));
  host.set_staged(true);
  CHECK(host.is_staged("/sys/thp"));
  CHECK(host.write_live("/sys/thp", "never").error == 0);
  CHECK(host.bytes("/sys/thp") == "never\n");
}

TEST_CASE("a kernel file without write bits is denied to root") {
  MemoryHost host;
  host.add_file("/sys/hw_sector_size", "512\n", 0444);
  CHECK(host.write_live("/sys/hw_sector_size", "1").error == EACCES);
  CHECK(host.write_count() == 0);
}

TEST_CASE("the n-th write from now fails once, and the next one works") {
  MemoryHost host;
  host.fail_after(2, ENOSPC);
  host.put("/a", image_of("1"));
  CHECK_THROWS_AS(host.put("/b", image_of("2")), HostError);
  host.put("/c", image_of("3"));
  CHECK_FALSE(host.exists("/b"));
  CHECK(host.writes() == std::vector<std::string>{"put /a", "put /c"});
}

TEST_CASE("a process that died writes nothing more until another one starts") {
  MemoryHost host;
  auto lock = host.lock("/lock", "1");
  host.die_after(1);
  CHECK_THROWS_AS(host.put("/a", image_of("1")), HostDied);
  CHECK_THROWS_AS(host.put("/a", image_of("1")), HostDied);
  CHECK_FALSE(host.exists("/a"));
  host.revive();
  host.put("/a", image_of("1"));
  CHECK(host.exists("/a"));
  CHECK(host.lock("/lock", "2") != nullptr);
}

TEST_CASE("a torn append leaves its first half") {
  MemoryHost host;
  host.append_durably("/journal", "one\n");
  host.die_after(1, true);
  CHECK_THROWS_AS(host.append_durably("/journal", "four"), HostDied);
  host.revive();
  CHECK(host.bytes("/journal") == "one\nfo");
}

TEST_CASE("a read-only tree refuses files and values") {
  MemoryHost host;
  host.add_file("/etc/x", "old");
  host.deny_write("/etc", EROFS);
  try {
    host.put("/etc/x", image_of("new"));
    FAIL("put worked");
  } catch (const HostError& error) {
    CHECK(std::string(error.what()) == "cannot write /etc/x: Read-only file system");
    CHECK(error.error_number() == EROFS);
  }
  CHECK(host.bytes("/etc/x") == "old");
}

TEST_CASE("scripted commands answer by prefix, the last one first, others cannot be started") {
  MemoryHost host;
  host.on_command({"nginx"}, {0, false, "ok", ""});
  host.on_command({"nginx", "-t"}, {1, false, "", "[emerg]"});
  CHECK(host.probe({"nginx", "-t", "-q"}).status == 1);
  CHECK(host.run({"nginx", "-s", "reload"}).out == "ok");
  CHECK(host.probe({"mysqld"}).status == -1);
  CHECK(host.reads().back() == "probe mysqld");
  CHECK(host.writes() == std::vector<std::string>{"run nginx -s reload"});
  host.set_other_root(true);
  CHECK(host.probe({"nginx"}).status == -1);
  CHECK(host.probe({"nginx"}, {std::chrono::seconds(1), 100, true}).ok());
}
