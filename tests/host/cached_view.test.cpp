#include "host/cached_view.hpp"

#include <algorithm>
#include <cerrno>

#include "host/memory_host.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;

namespace {

using Records = std::vector<std::string>;

}  // namespace

TEST_CASE("a file is read once, however often it is asked for") {
  MemoryHost host;
  host.add_file("/etc/mysql/my.cnf", "[mysqld]\n");
  const CachedView view(host);
  for (int i = 0; i < 3; ++i) CHECK(view.read("/etc/mysql/my.cnf").bytes == "[mysqld]\n");
  CHECK(host.reads() == Records{"read /etc/mysql/my.cnf"});
}

TEST_CASE("kernel values too are seen as they were first, until they are forgotten") {
  MemoryHost host;
  host.add_file("/proc/sys/vm/swappiness", "60\n");
  CachedView view(host);
  CHECK(view.read("/proc/sys/vm/swappiness").bytes == "60\n");
  host.write_live("/proc/sys/vm/swappiness", "1");
  CHECK(view.read("/proc/sys/vm/swappiness").bytes == "60\n");
  view.forget();
  CHECK(view.read("/proc/sys/vm/swappiness").bytes == "1\n");
  CHECK(host.reads().size() == 2);
}

TEST_CASE("absence and denial are remembered as answers") {
  MemoryHost host;
  host.add_file("/etc/secret", "x");
  host.deny_read("/etc/secret", EACCES);
  const CachedView view(host);
  for (int i = 0; i < 2; ++i) {
    CHECK(view.read("/etc/none").absent());
    CHECK(view.read("/etc/secret").error == EACCES);
    CHECK_FALSE(view.exists("/etc/none"));
  }
  CHECK(host.reads() == Records{"read /etc/none", "read /etc/secret", "info /etc/none"});
}

TEST_CASE("a read of the beginning never stands for more of the file than it saw") {
  MemoryHost host;
  host.add_file("/f", "0123456789");
  const CachedView view(host);
  CHECK(view.read("/f", 4).bytes == "0123");
  CHECK(view.read("/f", 2).bytes == "01");
  CHECK(host.reads().size() == 1);
  CHECK(view.read("/f", 10).bytes == "0123456789");
  CHECK(host.reads().size() == 2);
  CHECK(view.read("/f").bytes == "0123456789");
  CHECK(host.reads().size() == 3);
  CHECK(view.read("/f", 3).bytes == "012");
  CHECK(host.reads().size() == 3);
}

TEST_CASE("a file that ended before the limit is known as a whole, an empty one too") {
  MemoryHost host;
  host.add_file("/short", "abc");
  host.add_file("/empty", "");
  const CachedView view(host);
  CHECK(view.read("/short", 64).bytes == "abc");
  CHECK(view.read("/short").bytes == "abc");
  CHECK(view.read("/empty", 64).ok());
  CHECK(view.read("/empty").bytes.empty());
  CHECK(host.reads().size() == 2);
}

TEST_CASE("folders, links and what stands at a path are asked for once") {
  MemoryHost host;
  host.add_file("/etc/sysctl.d/a.conf", "a=1\n");
  host.add_symlink("/etc/sysctl.d/b.conf", "a.conf");
  const CachedView view(host);
  for (int i = 0; i < 2; ++i) {
    CHECK(view.list("/etc/sysctl.d") == Records{"a.conf", "b.conf"});
    CHECK(view.read_link("/etc/sysctl.d/b.conf") == "a.conf");
    CHECK(view.info("/etc/sysctl.d/b.conf")->kind == FileKind::regular);
    CHECK(view.info("/etc/sysctl.d/b.conf", false)->kind == FileKind::symlink);
    CHECK(view.resolve("/etc/sysctl.d/b.conf") == "/etc/sysctl.d/a.conf");
    CHECK(view.is_staged("/etc/sysctl.d/a.conf"));
  }
  const Records once = host.reads();
  CHECK(once.size() <= 6);
  CHECK(view.glob("/etc/sysctl.d/*.conf").size() == 2);
  CHECK(view.list("/etc/sysctl.d").size() == 2);
  CHECK(std::count(host.reads().begin(), host.reads().end(), "list /etc/sysctl.d") == 1);
}

TEST_CASE("what a program answers, and free space, are asked for anew") {
  MemoryHost host;
  host.on_command({"nginx", "-v"}, {.status = 0, .timed_out = false, .out = "1.22", .err = {}});
  const CachedView view(host);
  CHECK(view.probe({"nginx", "-v"}).out == "1.22");
  host.on_command({"nginx", "-v"}, {.status = 0, .timed_out = false, .out = "1.26", .err = {}});
  CHECK(view.probe({"nginx", "-v"}).out == "1.26");
  host.set_free_space(1);
  CHECK(view.free_space("/") == 1U);
  host.set_free_space(2);
  CHECK(view.free_space("/") == 2U);
}

TEST_CASE("a big file taken in pieces is not kept") {
  MemoryHost host;
  host.add_file("/var/lib/dpkg/status", "Package: x\n");
  const CachedView view(host);
  for (int i = 0; i < 2; ++i) {
    std::string all;
    CHECK(view.read_pieces("/var/lib/dpkg/status", [&](std::string_view piece) {
      all += piece;
      return true;
    }) == 0);
    CHECK(all == "Package: x\n");
  }
  CHECK(host.reads().size() == 2);
}

TEST_CASE("the view is another root when its host is") {
  MemoryHost host;
  host.set_other_root(true);
  CHECK(CachedView(host).is_other_root());
}
