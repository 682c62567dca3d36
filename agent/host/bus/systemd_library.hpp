#pragma once

#include <cstdlib>
#include <memory>

#include <systemd/sd-bus.h>

namespace tunekeeper {

// clang-format off
/// Every libsystemd function that is used, without its prefix.
#define TUNEKEEPER_SD_BUS_FUNCTIONS(F) \
  F(new) F(set_address) F(set_bus_client) F(start) F(close_unref) F(is_ready) F(process) F(wait) \
  F(set_method_call_timeout) F(path_encode) F(call_method) F(error_free) \
  F(message_unref) F(message_peek_type) F(message_read_basic) F(message_enter_container) \
  F(message_exit_container) F(message_at_end)
// clang-format on

/// sd-bus as a table of typed pointers.
struct SystemdLibrary {
#define TUNEKEEPER_SD_BUS_MEMBER(name) decltype(&::sd_bus_##name) bus_##name = nullptr;
  TUNEKEEPER_SD_BUS_FUNCTIONS(TUNEKEEPER_SD_BUS_MEMBER)
#undef TUNEKEEPER_SD_BUS_MEMBER
};

/// The table, opened at the first call; throws Error when libsystemd or a function of it is not there.
const SystemdLibrary& systemd();

struct BusCloser {
  void operator()(sd_bus* bus) const { systemd().bus_close_unref(bus); }
};
struct BusMessageReleaser {
  void operator()(sd_bus_message* message) const { systemd().bus_message_unref(message); }
};

using BusHandle = std::unique_ptr<sd_bus, BusCloser>;
using BusMessageHandle = std::unique_ptr<sd_bus_message, BusMessageReleaser>;

}  // namespace tunekeeper
