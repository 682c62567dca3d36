#include "host/edited_view.hpp"

#include "host/memory_host.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;

TEST_CASE("an edited view shows other bytes, a new file and a missing one, and leaves the host alone") {
  MemoryHost host;
  host.add_file("/etc/a.d/one.conf", "1\n");
  host.add_file("/etc/a.d/two.conf", "2\n");
  host.add_symlink("/etc/link.conf", "/etc/a.d/one.conf");
  const EditedView view(
      host, {{"/etc/link.conf", "uno\n"}, {"/etc/a.d/two.conf", std::nullopt}, {"/etc/a.d/new.conf", "new"}});
  CHECK(view.read("/etc/a.d/one.conf").bytes == "uno\n");
  CHECK(view.read("/etc/link.conf", 2).bytes == "un");
  CHECK(view.info("/etc/a.d/one.conf")->size == 4);
  CHECK(view.read("/etc/a.d/two.conf").absent());
  CHECK_FALSE(view.exists("/etc/a.d/two.conf"));
  CHECK(view.exists("/etc/a.d/new.conf"));
  CHECK(view.list("/etc/a.d") == std::vector<std::string>{"new.conf", "one.conf"});
  CHECK(view.glob("/etc/a.d/*.conf") == std::vector<std::string>{"/etc/a.d/new.conf", "/etc/a.d/one.conf"});
  CHECK(host.read("/etc/a.d/one.conf").bytes == "1\n");
}
