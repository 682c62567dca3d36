#include "providers/units/unit_places.hpp"

#include <algorithm>
#include <array>

#include "formats/conf_dirs.hpp"

namespace tunekeeper {
namespace {

std::string_view type_of(std::string_view unit) {
  return unit.substr(unit.rfind('.') + 1);
}

/// The name of an instance's template: "x@.service" of "x@1.service"; empty for all others.
std::string template_of(const std::string& unit) {
  const auto at = unit.find('@');
  const auto dot = unit.rfind('.');
  if (at == std::string::npos || dot <= at + 1) return {};
  return unit.substr(0, at + 1) + unit.substr(dot);
}

/// "a-b-.service" and "a-.service" of "a-b-c.service".
std::vector<std::string> prefixes_of(const std::string& unit) {
  std::vector<std::string> prefixes;
  const auto dot = unit.rfind('.');
  for (auto dash = unit.rfind('-', dot); dash != std::string::npos && dash > 0;
       dash = unit.rfind('-', dash - 1)) {
    if (dash + 1 != dot) prefixes.push_back(unit.substr(0, dash + 1) + unit.substr(dot));
  }
  return prefixes;
}

/// Other names that links give the unit.
std::vector<std::string> aliases_of(const HostView& host, const std::string& unit) {
  std::vector<std::string> aliases;
  for (const char* folder : {"/etc/systemd/system", "/run/systemd/system"}) {
    for (const auto& name : host.list(folder)) {
      if (type_of(name) != type_of(unit) || name == unit) continue;
      const auto target = host.read_link(std::string(folder) + "/" + name);
      if (target && base_name(*target) == unit) aliases.push_back(name);
    }
  }
  return aliases;
}

std::string find_exactly(const HostView& host, const std::string& unit) {
  for (const auto& folder : unit_folders()) {
    auto path = folder + "/" + unit;
    if (host.info(path, false)) return path;
  }
  return {};
}

}  // namespace

const std::vector<std::string>& unit_folders() {
  static const std::vector<std::string> folders{
      "/etc/systemd/system.control",   "/run/systemd/system.control",  "/run/systemd/transient",
      "/run/systemd/generator.early",  "/etc/systemd/system",          "/etc/systemd/system.attached",
      "/run/systemd/system",           "/run/systemd/system.attached", "/run/systemd/generator",
      "/usr/local/lib/systemd/system", "/usr/lib/systemd/system",      "/lib/systemd/system",
      "/run/systemd/generator.late"};
  return folders;
}

std::string unit_name(std::string_view written) {
  static constexpr std::array<std::string_view, 11> types{"service", "socket",    "target", "timer",
                                                          "mount",   "automount", "swap",   "path",
                                                          "slice",   "scope",     "device"};
  const auto dot = written.rfind('.');
  const bool typed = dot != std::string_view::npos &&
                     std::find(types.begin(), types.end(), written.substr(dot + 1)) != types.end();
  return std::string(written) + (typed ? "" : ".service");
}

std::string find_unit_file(const HostView& host, const std::string& unit) {
  auto found = find_exactly(host, unit);
  const auto pattern = template_of(unit);
  return found.empty() && !pattern.empty() ? find_exactly(host, pattern) : found;
}

bool is_masked_unit(const HostView& host, const std::string& unit_file) {
  return host.read_link(unit_file) == "/dev/null";
}

std::vector<std::string> dropin_folders(const HostView& host, const std::string& unit) {
  std::vector<std::string> names{unit};
  for (auto& alias : aliases_of(host, unit)) names.push_back(std::move(alias));
  if (auto pattern = template_of(unit); !pattern.empty()) names.push_back(std::move(pattern));
  for (auto& prefix : prefixes_of(unit)) names.push_back(std::move(prefix));
  names.emplace_back(type_of(unit));
  std::vector<std::string> folders;
  for (const auto& name : names) {
    for (const auto& folder : unit_folders()) folders.push_back(folder + "/" + name + ".d");
  }
  return folders;
}

std::string own_dropin(const std::string& unit) {
  return "/etc/systemd/system/" + unit + ".d/zz-tunekeeper.conf";
}

}  // namespace tunekeeper
