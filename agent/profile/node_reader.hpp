#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/profile_file.hpp"
#include "profile/yaml_tree.hpp"

namespace tunekeeper {

/// Takes typed things out of YAML nodes, and reports what is of another shape. Shared by profiles and
/// host.yaml.
class NodeReader {
 public:
  NodeReader(const YamlDocument& document, std::vector<Diagnostic>& faults)
      : document_(document), faults_(faults) {}

  void fault(const YamlNode& node, std::string message) const;
  Position at(const YamlNode& node) const { return document_.at(node); }

  /// Whether the value of this key is a map; a fault otherwise.
  bool is_map(const YamlEntry& entry) const;
  /// The scalar of this key; a fault and nothing otherwise.
  std::optional<std::string> scalar(const YamlEntry& entry) const;
  std::optional<Text> text(const YamlEntry& entry) const;
  Text text(const YamlNode& scalar) const { return read_text(document_, scalar, faults_); }
  std::optional<Text> expression(const YamlEntry& entry) const;
  /// A scalar, or a list of them.
  std::vector<NamedAt> names(const YamlEntry& entry) const;
  Vars vars(const YamlEntry& entry) const;
  /// A plain scalar as the number or truth value it spells, else as text. Only true and false are truth
  /// values, only decimal numbers without leading zeros are numbers.
  static Scalar typed(const YamlNode& scalar);
  void unknown_key(const YamlNode& key, const std::vector<std::string>& known) const;
  /// Reports a value of the wrong shape: "value" must be a text.
  void wrong_shape(const YamlEntry& entry, std::string_view wanted) const;

 private:
  std::optional<Var> var(const YamlEntry& entry) const;

  const YamlDocument& document_;
  std::vector<Diagnostic>& faults_;
};

}  // namespace tunekeeper
