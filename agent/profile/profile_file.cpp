#include "profile/profile_file.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include <fmt/format.h>

#include "core/compare.hpp"
#include "core/nearest.hpp"
#include "profile/node_reader.hpp"

namespace tunekeeper {
namespace {

using Kind = YamlNode::Kind;

const std::vector<std::string> long_form_keys = {"value", "at_least", "at_most", "by",
                                                 "cases", "default",  "flag",    "template",
                                                 "why",   "source",   "when",    "on_release"};
const std::vector<std::string> value_keys = {"value", "at_least", "at_most", "by", "flag", "template"};

bool is_one_of(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Reads the settings of a profile's sections.
class SectionReader {
 public:
  SectionReader(const NodeReader& nodes, std::vector<Setting>& settings)
      : nodes_(nodes), settings_(settings) {}

  void read(const SectionSpec& spec, const YamlEntry& section) {
    spec_ = &spec;
    if (nodes_.is_map(section)) read_map(section.value);
  }

 private:
  void read_map(const YamlNode& map) {
    for (const auto& entry : map.entries) {
      keys_.push_back(nodes_.text(entry.key));
      path_.push_back(entry.key.text);
      if (spec_->is_group(path_)) {
        if (entry.value.kind == Kind::map) {
          read_map(entry.value);
        } else {
          nodes_.wrong_shape(entry, "a map: its settings stand below it");
        }
      } else {
        read_setting(entry);
      }
      keys_.pop_back();
      path_.pop_back();
    }
  }

  void read_setting(const YamlEntry& entry) {
    Setting setting;
    setting.section = spec_;
    setting.keys = keys_;
    setting.at = nodes_.at(entry.key);
    check_key(entry.key);
    const bool understood = entry.value.kind == Kind::map ? read_long_form(entry, setting)
                                                          : read_value(entry, entry.value, setting.value);
    if (!understood) return;
    const auto [first, is_new] = lines_.try_emplace(setting.raw_id(), entry.key.line);
    if (is_new) {
      settings_.push_back(std::move(setting));
    } else {
      nodes_.fault(entry.key,
                   fmt::format("{} is set twice, first in line {}", setting.raw_id(), first->second));
    }
  }

  void check_key(const YamlNode& key) const {
    const auto computed = [](const Text& text) { return text.has_expressions(); };
    if (!spec_->key_problem || std::any_of(keys_.begin(), keys_.end(), computed)) return;
    const auto problem = spec_->key_problem(path_);
    if (!problem) return;
    const std::vector<std::string> known(spec_->known_keys.begin(), spec_->known_keys.end());
    nodes_.fault(key, fmt::format("{}: {}{}", key.text, *problem, did_you_mean(key.text, known)));
  }

  /// A scalar, a list where the section has them, or `~`.
  bool read_value(const YamlEntry& entry, const YamlNode& node, StatedValue& value) const {
    switch (node.kind) {
      case Kind::absent:
        return value.absent = true;
      case Kind::scalar:
        value.items.push_back(nodes_.text(node));
        return true;
      case Kind::list:
        return read_list(entry, node, value);
      case Kind::empty:
        nodes_.fault(entry.key,
                     fmt::format("\"{}\" has no value: write ~ for \"must be absent\"", entry.key.text));
        return false;
      case Kind::map:
        nodes_.wrong_shape(entry, "a single value");
        return false;
    }
    return false;
  }

  bool read_list(const YamlEntry& entry, const YamlNode& node, StatedValue& value) const {
    if (!spec_->lists) {
      nodes_.fault(node, fmt::format("\"{}\" takes one value: {} has no lists", entry.key.text, spec_->name));
      return false;
    }
    value.repeated = true;
    for (const auto& item : node.items) {
      if (item.kind != Kind::scalar) {
        nodes_.fault(item, "an item of a list must be a single text");
        return false;
      }
      value.items.push_back(nodes_.text(item));
    }
    if (value.items.empty()) nodes_.fault(node, "the list is empty: write ~ for \"must be absent\"");
    return !value.items.empty();
  }

  bool read_long_form(const YamlEntry& entry, Setting& setting) {
    bool understood = true;
    const YamlNode* said = nullptr;
    for (const auto& each : entry.value.entries) {
      if (!is_one_of(long_form_keys, each.key.text)) {
        nodes_.unknown_key(each.key, long_form_keys);
        understood = false;
        continue;
      }
      understood = read_long_form_key(each, setting) && understood;
      if (!is_one_of(value_keys, each.key.text)) continue;
      if (said) {
        nodes_.fault(each.key,
                     fmt::format("\"{}\" and \"{}\" exclude each other", said->text, each.key.text));
        understood = false;
      }
      said = &each.key;
    }
    if (!understood) return false;
    if (!said) {
      nodes_.fault(
          entry.key,
          fmt::format("\"{}\" says no value: give value, at_least, at_most, by with cases{}{}",
                      entry.key.text, spec_->flags ? ", flag" : "", spec_->templates ? ", template" : ""));
    }
    return said && check_cases(entry, setting);
  }

  bool check_cases(const YamlEntry& entry, const Setting& setting) const {
    if (setting.by && setting.cases.empty()) {
      nodes_.fault(entry.key, "\"by\" needs \"cases\": a map from what it gives to values");
      return false;
    }
    if (setting.by || (setting.cases.empty() && !setting.default_value)) return true;
    nodes_.fault(entry.key, "\"cases\" and \"default\" need \"by\": the fact that chooses among them");
    return false;
  }

  bool read_long_form_key(const YamlEntry& entry, Setting& setting) {
    const std::string& key = entry.key.text;
    if (key == "value") return read_value(entry, entry.value, setting.value);
    if (key == "at_least") return read_bound(entry, setting, Want::at_least);
    if (key == "at_most") return read_bound(entry, setting, Want::at_most);
    if (key == "by") return static_cast<bool>(setting.by = nodes_.expression(entry));
    if (key == "when") return static_cast<bool>(setting.when = nodes_.expression(entry));
    if (key == "cases") return read_cases(entry, setting);
    if (key == "default") return read_default(entry, setting);
    if (key == "flag") return read_flag(entry, setting);
    if (key == "template") return read_template(entry, setting);
    if (key == "on_release") return read_on_release(entry, setting);
    const auto text = nodes_.scalar(entry);
    if (text) (key == "why" ? setting.why : setting.source) = *text;
    return text.has_value();
  }

  bool read_bound(const YamlEntry& entry, Setting& setting, Want want) const {
    const auto bound = nodes_.text(entry);
    if (!bound) return false;
    setting.want = want;
    setting.value.items = {*bound};
    const std::string literal = bound->literal();
    if (bound->has_expressions() || order(ValueType::size, literal, literal)) return true;
    nodes_.fault(entry.value, fmt::format("\"{}\" takes a number, not \"{}\"", entry.key.text, literal));
    return false;
  }

  bool read_cases(const YamlEntry& entry, Setting& setting) const {
    if (!nodes_.is_map(entry)) return false;
    bool understood = true;
    for (const auto& each : entry.value.entries) {
      if (each.key.text == "default") {
        understood = read_default(each, setting) && understood;
        continue;
      }
      Case chosen{each.key.text, nodes_.at(each.key), {}};
      understood = read_value(each, each.value, chosen.value) && understood;
      setting.cases.push_back(std::move(chosen));
    }
    if (setting.cases.empty()) nodes_.fault(entry.value, "\"cases\" is empty");
    return understood && !setting.cases.empty();
  }

  /// `default` may stand among the cases or beside them.
  bool read_default(const YamlEntry& entry, Setting& setting) const {
    if (!setting.default_value) return read_value(entry, entry.value, setting.default_value.emplace());
    nodes_.fault(entry.key, "\"default\" is given twice, beside the cases and among them");
    return false;
  }

  bool read_flag(const YamlEntry& entry, Setting& setting) const {
    if (!spec_->flags) {
      nodes_.fault(entry.key, fmt::format("{} has no flags: a value is needed", spec_->name));
    } else if (entry.value.kind != Kind::scalar || entry.value.text != "true") {
      nodes_.wrong_shape(entry, "only true: write ~ instead for \"must be absent\"");
    } else {
      return setting.value.flag = true;
    }
    return false;
  }

  bool read_template(const YamlEntry& entry, Setting& setting) const {
    if (spec_->templates) return static_cast<bool>(setting.template_name = nodes_.text(entry));
    nodes_.fault(entry.key, fmt::format("{} has no templates", spec_->name));
    return false;
  }

  bool read_on_release(const YamlEntry& entry, Setting& setting) const {
    const bool is_text = entry.value.kind == Kind::scalar;
    setting.restore_on_release = !is_text || entry.value.text != "leave";
    if (is_text && (entry.value.text == "leave" || entry.value.text == "restore")) return true;
    nodes_.wrong_shape(entry, "restore or leave");
    return false;
  }

  const NodeReader& nodes_;
  std::vector<Setting>& settings_;
  const SectionSpec* spec_ = nullptr;
  std::vector<Text> keys_;
  std::vector<std::string> path_;
  std::unordered_map<std::string, int> lines_;
};

std::vector<std::string> top_keys(const Sections& sections, bool is_drop_in) {
  std::vector<std::string> keys = {"summary", "vars"};
  if (!is_drop_in) keys.emplace_back("extends");
  for (const auto* section : sections) keys.emplace_back(section->name);
  return keys;
}

}  // namespace

ProfileFile read_profile_file(std::string path, std::string_view bytes, const Sections& sections,
                              bool is_drop_in, std::vector<Diagnostic>& faults) {
  ProfileFile file;
  file.path = path;
  const YamlDocument document = parse_yaml(std::move(path), bytes, faults);
  if (!document.root) {
    // A file cut short by a full disk must not pass for a profile that wants nothing.
    if (faults.empty() && !is_drop_in) faults.push_back({{file.path}, "the file says nothing"});
    return file;
  }
  const NodeReader nodes(document, faults);
  if (document.root->kind != Kind::map) {
    nodes.fault(*document.root, "a profile is a map: summary, extends, vars and sections");
    return file;
  }
  SectionReader section_reader(nodes, file.settings);
  for (const auto& entry : document.root->entries) {
    const std::string& key = entry.key.text;
    const auto section =
        std::find_if(sections.begin(), sections.end(), [&](const auto* each) { return each->name == key; });
    if (section != sections.end()) {
      section_reader.read(**section, entry);
    } else if (key == "summary") {
      file.summary = nodes.scalar(entry).value_or("");
    } else if (key == "vars") {
      file.vars = nodes.vars(entry);
    } else if (key == "extends" && !is_drop_in) {
      file.extends = nodes.names(entry);
    } else if (key == "extends") {
      nodes.fault(entry.key, "a drop-in extends nothing: only the profile itself does");
    } else {
      nodes.unknown_key(entry.key, top_keys(sections, is_drop_in));
    }
  }
  return file;
}

}  // namespace tunekeeper
