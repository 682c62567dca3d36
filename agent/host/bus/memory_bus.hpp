#pragma once

#include <map>
#include <tuple>

#include "host/bus/bus.hpp"

namespace tunekeeper {

/// The in-memory twin of the system bus, for tests: units answer what was staged.
class MemoryBus : public Bus {
 public:
  void set_property(const std::string& unit, const std::string& interface, const std::string& property,
                    std::string value) {
    properties_[{unit, interface, property}] = std::move(value);
  }

  std::optional<std::string> unit_property(const std::string& unit, const std::string& interface,
                                           const std::string& property) const override {
    const auto found = properties_.find({unit, interface, property});
    if (found == properties_.end()) return std::nullopt;
    return found->second;
  }

 private:
  std::map<std::tuple<std::string, std::string, std::string>, std::string> properties_;
};

}  // namespace tunekeeper
