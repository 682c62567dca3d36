#pragma once

#include "host/bus/bus.hpp"

namespace tunekeeper {

/// Connects to the bus at a D-Bus address ("unix:path=/run/dbus/system_bus_socket"), on which systemd is
/// looked for; null with the reason in `why`. Gives up after 3 s, then and at each question.
std::unique_ptr<Bus> connect_bus(const std::string& address, std::string& why);

}  // namespace tunekeeper
