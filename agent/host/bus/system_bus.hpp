#pragma once

#include "host/bus/bus.hpp"

namespace tunekeeper {

/// Connects to the bus at a D-Bus address ("unix:path=/run/dbus/system_bus_socket"), on which systemd is
/// looked for; null with the reason in `why`. Gives up after 3 s, then and at each question.
std::unique_ptr<Bus> connect_bus(const std::string& address, std::string& why);

/// The system bus, connected to at the first question, so that who asks nothing loads nothing. A bus that
/// failed once is not waited for again.
class LazyBus : public Bus {
 public:
  std::string absence() const override;
  std::optional<std::string> unit_property(const std::string& unit, const std::string& interface,
                                           const std::string& property) const override;

 private:
  const Bus* connected() const;

  mutable bool asked_ = false;
  mutable std::unique_ptr<Bus> bus_;
  mutable std::string why_;
};

}  // namespace tunekeeper
