#include "host/bus/system_bus.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <string_view>

#include <fmt/format.h>
#include <sys/stat.h>

#include "core/error.hpp"
#include "host/bus/bus_value.hpp"
#include "host/bus/systemd_library.hpp"

namespace tunekeeper {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::microseconds patience = std::chrono::seconds(3);
constexpr const char* system_bus_address = "unix:path=/run/dbus/system_bus_socket";
constexpr const char* systemd_name = "org.freedesktop.systemd1";

/// The error of a call, freed with its owner.
class CallError {
 public:
  CallError() = default;
  ~CallError() { systemd().bus_error_free(&error_); }
  CallError(const CallError&) = delete;
  CallError& operator=(const CallError&) = delete;

  sd_bus_error* get() { return &error_; }
  std::string_view name() const { return error_.name != nullptr ? error_.name : ""; }
  std::string message(int result) const {
    return error_.message != nullptr ? error_.message : std::strerror(-result);
  }

 private:
  sd_bus_error error_{nullptr, nullptr, 0};
};

bool means_absent(std::string_view name) {
  constexpr std::array<std::string_view, 4> absent{
      "org.freedesktop.DBus.Error.UnknownProperty", "org.freedesktop.DBus.Error.UnknownInterface",
      "org.freedesktop.DBus.Error.UnknownObject", "org.freedesktop.systemd1.NoSuchUnit"};
  return std::find(absent.begin(), absent.end(), name) != absent.end();
}

/// systemd asked over sd-bus.
class SystemBus : public Bus {
 public:
  explicit SystemBus(BusHandle bus) : bus_(std::move(bus)) {}

  std::optional<std::string> unit_property(const std::string& unit, const std::string& interface,
                                           const std::string& property) const override {
    const std::string path = unit_path(unit);
    // Asking for an object loads the unit; one that does not exist answers too, with defaults.
    const auto load_state = get(path, "org.freedesktop.systemd1.Unit", "LoadState");
    if (!load_state || *load_state == "not-found") return std::nullopt;
    return get(path, interface, property);
  }

 private:
  static std::string unit_path(const std::string& unit) {
    char* encoded = nullptr;
    const int result = systemd().bus_path_encode("/org/freedesktop/systemd1/unit", unit.c_str(), &encoded);
    if (result < 0) throw Error(fmt::format("sd_bus_path_encode {}: {}", unit, std::strerror(-result)));
    const std::unique_ptr<char, decltype(&std::free)> owner(encoded, &std::free);
    return encoded;
  }

  std::optional<std::string> get(const std::string& path, const std::string& interface,
                                 const std::string& property) const {
    CallError error;
    sd_bus_message* answer = nullptr;
    const int result =
        systemd().bus_call_method(bus_.get(), systemd_name, path.c_str(), "org.freedesktop.DBus.Properties",
                                  "Get", error.get(), &answer, "ss", interface.c_str(), property.c_str());
    const BusMessageHandle owner(answer);
    if (result < 0 && means_absent(error.name())) return std::nullopt;
    if (result < 0) {
      throw Error(fmt::format("cannot ask systemd for {} of {}: {}", property, path, error.message(result)));
    }
    return read_bus_value(answer);
  }

  BusHandle bus_;
};

/// Sees the bus through its greeting; 0, or a negative errno.
int await_ready(sd_bus* bus) {
  const Clock::time_point deadline = Clock::now() + patience;
  for (;;) {
    const int ready = systemd().bus_is_ready(bus);
    if (ready != 0) return std::min(ready, 0);
    const auto left = std::chrono::duration_cast<std::chrono::microseconds>(deadline - Clock::now());
    if (left.count() <= 0) return -ETIMEDOUT;
    const int done = systemd().bus_process(bus, nullptr);
    if (done < 0) return done;
    if (done > 0) continue;
    const int waited = systemd().bus_wait(bus, static_cast<std::uint64_t>(left.count()));
    if (waited < 0 && waited != -EINTR) return waited;
  }
}

int start(BusHandle& bus, const std::string& address) {
  sd_bus* made = nullptr;
  int result = systemd().bus_new(&made);
  bus.reset(made);
  if (result >= 0) result = systemd().bus_set_address(made, address.c_str());
  if (result >= 0) result = systemd().bus_set_bus_client(made, 1);
  if (result >= 0) {
    result = systemd().bus_set_method_call_timeout(made, static_cast<std::uint64_t>(patience.count()));
  }
  if (result >= 0) result = systemd().bus_start(made);
  return result >= 0 ? await_ready(made) : result;
}

}  // namespace

std::unique_ptr<Bus> connect_bus(const std::string& address, std::string& why) {
  try {
    BusHandle bus;
    const int result = start(bus, address);
    if (result >= 0) return std::make_unique<SystemBus>(std::move(bus));
    why = fmt::format("cannot connect to the bus at {}: {}", address, std::strerror(-result));
  } catch (const Error& error) {
    why = error.what();
  }
  return nullptr;
}

std::unique_ptr<Bus> connect_system_bus(std::string& why) {
  // As sd_booted() decides it, before anything is loaded.
  struct stat status {};
  if (lstat("/run/systemd/system", &status) != 0 || !S_ISDIR(status.st_mode)) {
    why = "systemd does not run here";
    return nullptr;
  }
  return connect_bus(system_bus_address, why);
}

const Bus* LazyBus::connected() const {
  if (!asked_) bus_ = connect_system_bus(why_);
  asked_ = true;
  return bus_.get();
}

std::string LazyBus::absence() const {
  return connected() == nullptr ? why_ : std::string();
}

std::optional<std::string> LazyBus::unit_property(const std::string& unit, const std::string& interface,
                                                  const std::string& property) const {
  if (connected() == nullptr) return std::nullopt;
  try {
    return bus_->unit_property(unit, interface, property);
  } catch (const Error& error) {
    bus_.reset();
    why_ = error.what();
    throw;
  }
}

}  // namespace tunekeeper
