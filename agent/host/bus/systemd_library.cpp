#include "host/bus/systemd_library.hpp"

#include "host/dynamic_library.hpp"

namespace tunekeeper {

const SystemdLibrary& systemd() {
  static const SystemdLibrary table = [] {
    const DynamicLibrary file("the system bus", {"libsystemd.so.0"});
    SystemdLibrary loaded;
#define TUNEKEEPER_SD_BUS_BIND(name) file.bind(loaded.bus_##name, "sd_bus_" #name);
    TUNEKEEPER_SD_BUS_FUNCTIONS(TUNEKEEPER_SD_BUS_BIND)
#undef TUNEKEEPER_SD_BUS_BIND
    return loaded;
  }();
  return table;
}

}  // namespace tunekeeper
