#include "profile/host_config.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include <fmt/format.h>

#include "core/nearest.hpp"
#include "host/trust.hpp"
#include "profile/node_reader.hpp"

namespace tunekeeper {
namespace {

using Kind = YamlNode::Kind;

ServicePolicy default_policy(std::string_view service) {
  ServicePolicy policy;
  if (service == "mysql" || service == "mariadb") policy.restart = ServicePolicy::Restart::never;
  return policy;
}

/// Reads one host.yaml.
class ConfigReader {
 public:
  ConfigReader(const NodeReader& nodes, const std::vector<std::string>& fact_names)
      : nodes_(nodes), fact_names_(fact_names) {}

  void read(const YamlEntry& entry, HostConfig& config) const {
    const std::string& key = entry.key.text;
    if (key == "profiles") {
      config.profiles = nodes_.names(entry);
    } else if (key == "vars") {
      config.vars = nodes_.vars(entry);
    } else if (key == "facts") {
      read_facts(entry, config);
    } else if (key == "services") {
      read_services(entry, config);
    } else {
      nodes_.unknown_key(entry.key, {"profiles", "vars", "facts", "services"});
    }
  }

 private:
  void read_facts(const YamlEntry& entry, HostConfig& config) const {
    if (!nodes_.is_map(entry)) return;
    for (const auto& fact : entry.value.entries) {
      const std::string& name = fact.key.text;
      if (!std::binary_search(fact_names_.begin(), fact_names_.end(), name)) {
        nodes_.fault(fact.key,
                     fmt::format("no fact is named \"{}\"{}", name, did_you_mean(name, fact_names_)));
      } else if (fact.value.kind == Kind::scalar) {
        config.facts[name] = fact_value(name, fact.value);
      } else if (fact.value.kind == Kind::list) {
        std::vector<std::string> items;
        for (const auto& item : nodes_.names(fact)) items.push_back(item.name);
        config.facts[name] = std::move(items);
      } else {
        nodes_.wrong_shape(fact, "a single value or a list");
      }
    }
  }

  /// A version is a text, although `10.11` spells a number.
  static Scalar fact_value(std::string_view name, const YamlNode& scalar) {
    return name.ends_with(".version") ? Scalar(scalar.text) : NodeReader::typed(scalar);
  }

  void read_services(const YamlEntry& entry, HostConfig& config) const {
    if (!nodes_.is_map(entry)) return;
    for (const auto& service : entry.value.entries) {
      ServicePolicy policy = default_policy(service.key.text);
      if (!nodes_.is_map(service)) continue;
      for (const auto& each : service.value.entries) read_policy(each, policy);
      config.services[service.key.text] = std::move(policy);
    }
  }

  void read_policy(const YamlEntry& entry, ServicePolicy& policy) const {
    if (entry.key.text == "restart") {
      read_restart(entry, policy);
    } else if (entry.key.text == "defaults_file") {
      policy.defaults_file = nodes_.scalar(entry).value_or("");
    } else if (entry.key.text == "unit") {
      policy.unit = nodes_.scalar(entry).value_or("");
    } else {
      nodes_.unknown_key(entry.key, {"restart", "defaults_file", "unit"});
    }
  }

  void read_restart(const YamlEntry& entry, ServicePolicy& policy) const {
    static const std::array<std::string_view, 3> words = {"never", "reload", "restart"};
    const auto word = std::find(words.begin(), words.end(), entry.value.text);
    if (entry.value.kind == Kind::scalar && word != words.end()) {
      policy.restart = static_cast<ServicePolicy::Restart>(word - words.begin());
    } else {
      nodes_.wrong_shape(entry, "never, reload or restart");
    }
  }

  const NodeReader& nodes_;
  const std::vector<std::string>& fact_names_;
};

}  // namespace

ServicePolicy HostConfig::policy(std::string_view service) const {
  const auto found = services.find(service);
  return found == services.end() ? default_policy(service) : found->second;
}

HostConfig read_host_config(std::string file, std::string_view bytes,
                            const std::vector<std::string>& fact_names, std::vector<Diagnostic>& faults) {
  HostConfig config;
  config.present = true;
  const YamlDocument document = parse_yaml(std::move(file), bytes, faults);
  if (!document.root) return config;
  const NodeReader nodes(document, faults);
  if (document.root->kind != Kind::map) {
    nodes.fault(*document.root, "host.yaml is a map: profiles, vars, facts and services");
    return config;
  }
  const ConfigReader reader(nodes, fact_names);
  for (const auto& entry : document.root->entries) reader.read(entry, config);
  return config;
}

HostConfig load_host_config(const HostView& root, const std::vector<std::string>& fact_names,
                            std::uint32_t caller_uid) {
  const std::string path(HostConfig::path);
  const auto content = root.read(path);
  if (content.absent()) return {};
  if (!content.ok())
    throw InvalidProfile({{{path}, fmt::format("cannot be read: {}", std::strerror(content.error))}});
  if (auto problem = Trust(root, caller_uid).problem(path))
    throw InvalidProfile({{{path}, std::move(*problem)}});
  std::vector<Diagnostic> faults;
  auto config = read_host_config(path, content.bytes, fact_names, faults);
  require_none(std::move(faults));
  return config;
}

}  // namespace tunekeeper
