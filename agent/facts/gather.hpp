#pragma once

#include <span>
#include <string_view>

#include "facts/host_facts.hpp"

namespace tunekeeper {

/// One fact's gatherer. It may ask for other facts, never for its own.
using Gatherer = Found (*)(const HostFacts& facts);

enum class FactType { text, number, boolean, list };

struct FactSpec {
  std::string_view name;
  FactType type;
  Gatherer gather;
  std::span<const std::string_view> values = {};  ///< every one that a text can have; empty where it is open
};

inline Found have(Scalar value, std::string note = {}) {
  return {{FactValue::Kind::value, std::move(value), {}}, std::move(note)};
}
inline Found have_number(std::uint64_t value, std::string note = {}) {
  return have(static_cast<std::int64_t>(value), std::move(note));
}
inline Found lack(std::string reason) {
  return {{FactValue::Kind::missing, {}, std::move(reason)}, {}};
}

/// A fact's text, empty where it is missing or no text.
std::string text_of(const HostFacts& facts, std::string_view name);

// memory.cpp
Found memory_total(const HostFacts& facts);
Found memory_hugepages(const HostFacts& facts);
Found memory_available_to_service(const HostFacts& facts);

// machine.cpp
Found cpu_count(const HostFacts& facts);
Found cpu_vendor(const HostFacts& facts);
Found cpu_model(const HostFacts& facts);
Found numa_nodes(const HostFacts& facts);
Found os_id(const HostFacts& facts);
Found os_version(const HostFacts& facts);
Found os_codename(const HostFacts& facts);
Found os_like(const HostFacts& facts);
Found kernel_release(const HostFacts& facts);
Found kernel_version(const HostFacts& facts);

// virt.cpp
Found virt_type(const HostFacts& facts);
Found virt_container(const HostFacts& facts);

// disk_facts.cpp
Found root_storage(const HostFacts& facts);
Found root_disks(const HostFacts& facts);
Found root_mounted_device(const HostFacts& facts);
Found mysql_storage(const HostFacts& facts);
Found mysql_disks(const HostFacts& facts);
Found mysql_mounted_device(const HostFacts& facts);
Found mysql_free(const HostFacts& facts);

// software.cpp
Found mysql_flavor(const HostFacts& facts);
Found mysql_version(const HostFacts& facts);
Found mysql_datadir(const HostFacts& facts);
Found mysql_role(const HostFacts& facts);
Found mysql_unit(const HostFacts& facts);
Found nginx_version(const HostFacts& facts);

}  // namespace tunekeeper
