#include "profile/node_reader.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "core/nearest.hpp"

namespace tunekeeper {
namespace {

bool is_identifier(std::string_view name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && !(name[0] >= '0' && name[0] <= '9') && std::all_of(name.begin(), name.end(), fits);
}

bool looks_decimal(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  const bool leading_zero = text.size() > 1 && text[0] == '0' && text[1] != '.';
  return !text.empty() && text[0] >= '0' && text[0] <= '9' && !leading_zero;
}

template <typename Number>
std::optional<Number> parse_whole(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

void NodeReader::fault(const YamlNode& node, std::string message) const {
  faults_.push_back({document_.at(node), std::move(message)});
}

void NodeReader::unknown_key(const YamlNode& key, const std::vector<std::string>& known) const {
  fault(key, fmt::format("unknown key \"{}\"{}", key.text, did_you_mean(key.text, known)));
}

void NodeReader::wrong_shape(const YamlEntry& entry, std::string_view wanted) const {
  const bool nothing = entry.value.kind == YamlNode::Kind::empty;
  fault(nothing ? entry.key : entry.value,
        fmt::format("\"{}\" {}takes {}", entry.key.text, nothing ? "has no value: it " : "", wanted));
}

bool NodeReader::is_map(const YamlEntry& entry) const {
  if (entry.value.kind == YamlNode::Kind::map) return true;
  wrong_shape(entry, "a map of keys and values");
  return false;
}

std::optional<std::string> NodeReader::scalar(const YamlEntry& entry) const {
  if (entry.value.kind == YamlNode::Kind::scalar) return entry.value.text;
  wrong_shape(entry, "a single text");
  return std::nullopt;
}

std::optional<Text> NodeReader::text(const YamlEntry& entry) const {
  if (entry.value.kind == YamlNode::Kind::scalar) return text(entry.value);
  wrong_shape(entry, "a single text");
  return std::nullopt;
}

std::optional<Text> NodeReader::expression(const YamlEntry& entry) const {
  if (entry.value.kind == YamlNode::Kind::scalar) return read_expression(document_, entry.value, faults_);
  wrong_shape(entry, "an expression");
  return std::nullopt;
}

std::vector<NamedAt> NodeReader::names(const YamlEntry& entry) const {
  if (entry.value.kind == YamlNode::Kind::scalar) return {{entry.value.text, at(entry.value)}};
  std::vector<NamedAt> names;
  if (entry.value.kind != YamlNode::Kind::list) {
    wrong_shape(entry, "a list of names");
    return names;
  }
  for (const auto& item : entry.value.items) {
    if (item.kind == YamlNode::Kind::scalar) {
      names.push_back({item.text, at(item)});
    } else {
      fault(item, fmt::format("\"{}\" takes a list of names", entry.key.text));
    }
  }
  return names;
}

Scalar NodeReader::typed(const YamlNode& scalar) {
  const std::string& text = scalar.text;
  if (scalar.quoted) return text;
  if (text == "true" || text == "false") return text == "true";
  if (!looks_decimal(text)) return text;
  if (const auto integer = parse_whole<std::int64_t>(text)) return *integer;
  if (const auto number = parse_whole<double>(text)) return *number;
  return text;
}

std::optional<Var> NodeReader::var(const YamlEntry& entry) const {
  Var var;
  var.at = at(entry.key);
  switch (entry.value.kind) {
    case YamlNode::Kind::absent:
      return var;
    case YamlNode::Kind::scalar: {
      Text text = this->text(entry.value);
      if (!text.has_expressions()) {
        var.value = text.raw == text.literal() ? typed(entry.value) : Scalar(text.literal());
      } else {
        var.text = std::move(text);
      }
      return var;
    }
    case YamlNode::Kind::list: {
      std::vector<std::string> items;
      for (const auto& item : entry.value.items) {
        if (item.kind != YamlNode::Kind::scalar)
          return wrong_shape(entry, "a list of single texts"), std::nullopt;
        items.push_back(item.text);
      }
      var.value = std::move(items);
      return var;
    }
    case YamlNode::Kind::empty:
      fault(entry.key,
            fmt::format("variable \"{}\" has no value: write ~ for unset by default", entry.key.text));
      return std::nullopt;
    case YamlNode::Kind::map:
      break;
  }
  wrong_shape(entry, "a single value or a list");
  return std::nullopt;
}

Vars NodeReader::vars(const YamlEntry& entry) const {
  Vars vars;
  if (!is_map(entry)) return vars;
  for (const auto& each : entry.value.entries) {
    if (!is_identifier(each.key.text)) {
      fault(each.key,
            fmt::format("a variable cannot be named \"{}\": letters, digits and _ only", each.key.text));
    } else if (auto read = var(each)) {
      vars.emplace(each.key.text, std::move(*read));
    }
  }
  return vars;
}

}  // namespace tunekeeper
