#include <chrono>

#include <sys/stat.h>

#include "host/bus/bus_value.hpp"
#include "host/bus/memory_bus.hpp"
#include "host/bus/system_bus.hpp"
#include "support/catch.hpp"
#include "support/dumb_listener.hpp"
#include "support/temp_dir.hpp"

namespace tunekeeper {

TEST_CASE("bus: without systemd the system bus is a null with the reason") {
  struct stat status {};
  std::string why;
  const auto bus = connect_system_bus(why);
  if (lstat("/run/systemd/system", &status) != 0) {
    CHECK(bus == nullptr);
    CHECK(why == "systemd does not run here");
  } else {
    CHECK((bus != nullptr || !why.empty()));
  }
}

TEST_CASE("bus: an absent socket is told") {
  const test::TempDir folder;
  std::string why;
  CHECK(connect_bus("unix:path=" + folder.inside("/absent"), why) == nullptr);
  CHECK(why.find("No such file or directory") != std::string::npos);
}

TEST_CASE("bus: a bus that never answers is given up after 3 s") {
  const test::TempDir folder;
  const test::DumbListener listener(folder.inside("/bus"));
  std::string why;
  const auto start = std::chrono::steady_clock::now();
  CHECK(connect_bus("unix:path=" + folder.inside("/bus"), why) == nullptr);
  const auto took = std::chrono::steady_clock::now() - start;
  CHECK(took >= std::chrono::milliseconds(2500));
  CHECK(took < std::chrono::seconds(5));
  CHECK(why.find("timed out") != std::string::npos);
}

TEST_CASE("bus: masks are ranges of bits") {
  CHECK(render_bit_ranges({}).empty());
  CHECK(render_bit_ranges({0, 0}).empty());
  CHECK(render_bit_ranges({0x0f}) == "0-3");
  CHECK(render_bit_ranges({0x81, 0x81}) == "0 7-8 15");
}

TEST_CASE("bus: the twin answers what was staged and nothing else") {
  MemoryBus bus;
  bus.set_property("mariadb.service", "org.freedesktop.systemd1.Service", "LimitNOFILE", "32768");
  CHECK(bus.unit_property("mariadb.service", "org.freedesktop.systemd1.Service", "LimitNOFILE") == "32768");
  CHECK(bus.unit_property("mariadb.service", "org.freedesktop.systemd1.Service", "Nice") == std::nullopt);
  CHECK(bus.unit_property("mysql.service", "org.freedesktop.systemd1.Service", "LimitNOFILE") ==
        std::nullopt);
}

}  // namespace tunekeeper
