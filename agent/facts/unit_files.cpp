#include "facts/unit_files.hpp"

#include <array>
#include <map>

#include "facts/text.hpp"

namespace tunekeeper {

namespace {

/// High to low. /lib is there for roots whose /usr is not merged.
constexpr std::array<std::string_view, 5> unit_folders = {"/etc/systemd/system", "/run/systemd/system",
                                                          "/usr/local/lib/systemd/system",
                                                          "/usr/lib/systemd/system", "/lib/systemd/system"};

std::string joined(std::string_view folder, std::string_view name, std::string_view ending = {}) {
  std::string path(folder);
  path += '/';
  path += name;
  path += ending;
  return path;
}

void read_key(std::string_view text, std::string_view key, std::optional<std::string>& value) {
  bool in_service = false;
  std::string_view line;
  while (next_line(text, line)) {
    line = trimmed(line);
    if (line.starts_with('[')) in_service = line == "[Service]";
    if (!in_service || !line.starts_with(key)) continue;
    const auto rest = trimmed(line.substr(key.size()));
    if (!rest.starts_with('=')) continue;
    const auto given = trimmed(rest.substr(1));
    value = given.empty() ? std::nullopt : std::optional<std::string>(given);
  }
}

}  // namespace

bool has_unit_file(const HostView& host, std::string_view unit) {
  for (const auto folder : unit_folders) {
    const auto info = host.info(joined(folder, unit), false);
    if (info && info->kind == FileKind::regular) return true;
  }
  return false;
}

std::optional<std::string> service_value(const HostView& host, std::string_view unit, std::string_view key) {
  std::optional<std::string> value;
  for (const auto folder : unit_folders) {
    const auto file = host.read(joined(folder, unit));
    if (!file.ok()) continue;
    read_key(file.bytes, key, value);
    break;
  }
  std::map<std::string, std::string> drop_ins;  // name -> path; the highest folder comes first and stays
  for (const auto folder : unit_folders) {
    const auto below = joined(folder, unit, ".d");
    for (const auto& name : host.list(below)) {
      if (name.ends_with(".conf")) drop_ins.emplace(name, joined(below, name));
    }
  }
  for (const auto& [name, path] : drop_ins) read_key(host.read(path).bytes, key, value);
  return value;
}

}  // namespace tunekeeper
