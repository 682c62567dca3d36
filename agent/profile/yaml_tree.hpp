#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "profile/diagnostic.hpp"

namespace tunekeeper {

struct YamlEntry;

/// One node of a YAML file, with the place where it begins. Scalars keep their own text; nothing is guessed
/// of types.
struct YamlNode {
  enum class Kind {
    scalar,
    absent,  ///< `~`
    empty,   ///< nothing at all: `key:`
    list,
    map,
  };

  Kind kind = Kind::empty;
  std::string text;     ///< of a scalar, decoded
  bool quoted = false;  ///< a scalar in quotes, or a block
  int line = 0, column = 0;
  std::size_t offset = 0;  ///< into the document's source
  std::vector<YamlNode> items;
  std::vector<YamlEntry> entries;
};

struct YamlEntry {
  YamlNode key;  ///< always a scalar
  YamlNode value;
};

/// A parsed file.
struct YamlDocument {
  std::string file;
  std::string source;  ///< without a byte order mark
  /// Nothing when the file is no YAML (then a fault was reported) or holds no document.
  std::optional<YamlNode> root;

  Position at(const YamlNode& node) const { return {file, node.line, node.column}; }
};

/// Reads one YAML document by yaml-cpp's events. Stricter than YAML: no alias, tag, second document, control
/// character, key that is no scalar, duplicate key, nesting beyond 32, file beyond 4 MiB. Faults are
/// appended.
YamlDocument parse_yaml(std::string file, std::string_view bytes, std::vector<Diagnostic>& faults);

}  // namespace tunekeeper
