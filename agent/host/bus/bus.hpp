#pragma once

#include <memory>
#include <optional>
#include <string>

namespace tunekeeper {

/// The system bus, as far as tunekeeper needs systemd on it: properties of units, jobs, daemon-reload.
class Bus {
 public:
  virtual ~Bus() = default;

  /// Why no systemd answers here; empty when one does.
  virtual std::string absence() const { return {}; }
  /// A property of a loaded unit as text; nothing when the unit or the property does not exist, or no systemd
  /// answers. Throws Error for a bus that fails in the middle.
  virtual std::optional<std::string> unit_property(const std::string& unit, const std::string& interface,
                                                   const std::string& property) const = 0;
};

/// Connects to the real bus by libsystemd, opened at first use; null with the reason in `why` where no
/// systemd answers. Never hangs for longer than 3 s.
std::unique_ptr<Bus> connect_system_bus(std::string& why);

}  // namespace tunekeeper
