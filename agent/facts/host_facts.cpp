#include "facts/host_facts.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/compare.hpp"
#include "facts/gather.hpp"
#include "facts/text.hpp"

namespace tunekeeper {

namespace {

constexpr std::array<std::string_view, 4> storage_classes = {"hdd", "nvme", "ssd", "virtual"};
constexpr std::array<std::string_view, 2> flavors = {"mariadb", "mysql"};
constexpr std::array<std::string_view, 3> roles = {"galera", "primary", "replica"};

/// In byte order, which names() promises.
constexpr std::array specs = {
    FactSpec{"cpu.count", FactType::number, cpu_count},
    FactSpec{"cpu.model", FactType::text, cpu_model},
    FactSpec{"cpu.vendor", FactType::text, cpu_vendor},
    FactSpec{"kernel.release", FactType::text, kernel_release},
    FactSpec{"kernel.version", FactType::text, kernel_version},
    FactSpec{"memory.available_to_service", FactType::number, memory_available_to_service},
    FactSpec{"memory.hugepages", FactType::number, memory_hugepages},
    FactSpec{"memory.total", FactType::number, memory_total},
    FactSpec{"mysql.datadir", FactType::text, mysql_datadir},
    FactSpec{"mysql.disks", FactType::list, mysql_disks},
    FactSpec{"mysql.flavor", FactType::text, mysql_flavor, flavors},
    FactSpec{"mysql.free", FactType::number, mysql_free},
    FactSpec{"mysql.mounted_device", FactType::text, mysql_mounted_device},
    FactSpec{"mysql.role", FactType::text, mysql_role, roles},
    FactSpec{"mysql.storage", FactType::text, mysql_storage, storage_classes},
    FactSpec{"mysql.unit", FactType::text, mysql_unit},
    FactSpec{"mysql.version", FactType::text, mysql_version},
    FactSpec{"nginx.version", FactType::text, nginx_version},
    FactSpec{"numa.nodes", FactType::number, numa_nodes},
    FactSpec{"os.codename", FactType::text, os_codename},
    FactSpec{"os.id", FactType::text, os_id},
    FactSpec{"os.like", FactType::text, os_like},
    FactSpec{"os.version", FactType::text, os_version},
    FactSpec{"root.disks", FactType::list, root_disks},
    FactSpec{"root.mounted_device", FactType::text, root_mounted_device},
    FactSpec{"root.storage", FactType::text, root_storage, storage_classes},
    FactSpec{"virt.container", FactType::boolean, virt_container},
    FactSpec{"virt.type", FactType::text, virt_type},
};

const FactSpec* spec_of(std::string_view name) {
  const auto spec =
      std::lower_bound(specs.begin(), specs.end(), name,
                       [](const FactSpec& left, std::string_view right) { return left.name < right; });
  return spec != specs.end() && spec->name == name ? &*spec : nullptr;
}

Found misfit(const FactSpec& spec, const Scalar& given, std::string_view wanted) {
  return lack(
      fmt::format("host.yaml gives {} as \"{}\", which is no {}", spec.name, to_string(given), wanted));
}

std::vector<std::string> texts(std::span<const std::string_view> views) {
  return {views.begin(), views.end()};
}

Found overridden_text(const FactSpec& spec, const Scalar& given, const char* note) {
  if (std::holds_alternative<std::vector<std::string>>(given)) return misfit(spec, given, "single value");
  std::string text = to_string(given);
  if (!spec.values.empty() && std::find(spec.values.begin(), spec.values.end(), text) == spec.values.end()) {
    return lack(fmt::format("host.yaml gives {} as \"{}\", which is none of {}", spec.name, text,
                            fmt::join(spec.values, ", ")));
  }
  return have(std::move(text), note);
}

/// An override as the fact's type.
Found overridden(const FactSpec& spec, const Scalar& given) {
  constexpr const char* note = "host.yaml";
  const auto* text = std::get_if<std::string>(&given);
  switch (spec.type) {
    case FactType::text:
      return overridden_text(spec, given, note);
    case FactType::number:
      if (std::holds_alternative<std::int64_t>(given)) return have(given, note);
      if (const auto size = text ? parse_size(*text) : std::nullopt) return have_number(*size, note);
      return misfit(spec, given, "number");
    case FactType::boolean:
      if (std::holds_alternative<bool>(given)) return have(given, note);
      if (text && same(ValueType::boolean, *text, "1")) return have(true, note);
      if (text && same(ValueType::boolean, *text, "0")) return have(false, note);
      return misfit(spec, given, "boolean");
    case FactType::list:
      if (std::holds_alternative<std::vector<std::string>>(given)) return have(given, note);
      return have(words_of(to_string(given)), note);
  }
  return misfit(spec, given, "value");
}

}  // namespace

std::string text_of(const HostFacts& facts, std::string_view name) {
  const auto fact = facts.fact(name);
  const auto* text = std::get_if<std::string>(&fact.value);
  return fact.kind == FactValue::Kind::value && text ? *text : std::string();
}

HostFacts::HostFacts(const HostView& host, const ServerConnector* server, FactOverrides overrides)
    : host_(host), server_(server), overrides_(std::move(overrides)) {}

const Found& HostFacts::found(std::string_view name) const {
  if (const auto known = gathered_.find(name); known != gathered_.end()) return known->second;
  const FactSpec* spec = spec_of(name);
  if (spec == nullptr) {
    static const Found unknown;
    return unknown;
  }
  const auto given = overrides_.find(name);
  Found result = given != overrides_.end() ? overridden(*spec, given->second) : spec->gather(*this);
  return gathered_.emplace(name, std::move(result)).first->second;
}

FactValue HostFacts::fact(std::string_view name) const {
  return found(name).value;
}

std::string HostFacts::note(std::string_view name) const {
  return found(name).note;
}

const std::vector<std::string>& HostFacts::names() const {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> made;
    for (const auto& spec : specs) made.emplace_back(spec.name);
    return made;
  }();
  return names;
}

std::vector<std::string> HostFacts::values(std::string_view name) const {
  const FactSpec* spec = spec_of(name);
  return spec == nullptr ? std::vector<std::string>{} : texts(spec->values);
}

const InstalledVersions& HostFacts::installed() const {
  if (!installed_) installed_ = installed_versions(host_);
  return *installed_;
}

std::vector<HostFacts::Entry> HostFacts::all() const {
  std::vector<Entry> entries;
  for (const auto& name : names()) entries.push_back({name, fact(name), note(name)});
  return entries;
}

}  // namespace tunekeeper
