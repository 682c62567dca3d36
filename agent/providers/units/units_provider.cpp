#include "providers/units/units_provider.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

#include <fmt/format.h>

#include "core/judge.hpp"
#include "formats/unit_file.hpp"
#include "providers/units/known_names.hpp"
#include "providers/units/unit_live.hpp"
#include "providers/units/unit_places.hpp"

namespace tunekeeper {
namespace {

constexpr std::string_view mysql_alias = "mysql";

bool is_group(std::span<const std::string> path) {
  return path.size() < 3;
}

std::string joined_key(std::span<const std::string> path) {
  std::string key = path.empty() ? std::string() : unit_name(path.front());
  for (std::size_t i = 1; i < path.size(); ++i) key += (i == 1 ? ":" : ".") + path[i];
  return key;
}

std::optional<std::string> key_problem(std::span<const std::string> path) {
  constexpr std::array<const char*, 3> parts{"unit", "section", "key"};
  if (path.size() > parts.size()) return "units hold UNIT: { Section: { Key: value } }";
  for (std::size_t i = 0; i < path.size(); ++i) {
    if (!path[i].empty() && path[i].find_first_of("/ \t\n[]=#;") == std::string::npos) continue;
    return fmt::format("\"{}\" is no name of a {}: it has no blanks and none of / [ ] = # ;", path[i],
                       parts[i]);
  }
  if (path.size() > 1) {
    if (auto problem = unit_section_problem(path[1])) return problem;
  }
  return path.size() > 2 ? unit_key_problem(path[2]) : std::nullopt;
}

/// The server's unit: the one that is there, else what the facts say; the alias itself when neither knows.
std::string server_unit(const Context& context) {
  for (const char* unit : {"mariadb.service", "mysql.service", "mysqld.service"}) {
    if (!find_unit_file(context.host, unit).empty()) return unit;
  }
  const auto fact = context.facts.fact("mysql.unit");
  const auto* name = std::get_if<std::string>(&fact.value);
  return fact.kind == FactValue::Kind::value && name != nullptr ? *name : unit_name(mysql_alias);
}

bool holds_cpus_or_nodes(std::string_view key) {
  return key == "AllowedCPUs" || key == "AllowedMemoryNodes" || key == "CPUAffinity" || key == "NUMAMask" ||
         key == "StartupAllowedCPUs" || key == "StartupAllowedMemoryNodes";
}

ValueType type_of(const UnitKey& key, std::string_view value) {
  const bool ranges = value.find_first_not_of("0123456789,-") == std::string_view::npos;
  if (holds_cpus_or_nodes(key.key) && ranges) return ValueType::cpu_list;
  return is_unit_list(key.section, key.key) ? ValueType::words : ValueType::option;
}

Effect effect_of(const UnitKey& key) {
  if (is_taken_at_reload(key)) return {Effect::Kind::now, {}};
  const std::string_view suffix = ".service";
  auto service = key.unit;
  if (service.size() > suffix.size() &&
      service.compare(service.size() - suffix.size(), suffix.size(), suffix) == 0) {
    service.resize(service.size() - suffix.size());
  }
  return {Effect::Kind::restart, service};
}

/// A unit's file and its drop-ins, read once for all its settings.
struct UnitFiles {
  std::string unsupported;
  std::vector<ConfFile> files;
};

UnitFiles read_unit_files(const HostView& host, const std::string& unit) {
  const auto path = find_unit_file(host, unit);
  if (path.empty()) return {fmt::format("no unit {} here", unit), {}};
  if (is_masked_unit(host, path))
    return {fmt::format("{} is masked ({} links to /dev/null)", unit, path), {}};
  auto read = host.read(path);
  UnitFiles found;
  found.files.push_back({path, std::move(read.bytes), read.error});
  for (auto& file : read_conf_files(host, dropin_folders(host, unit))) found.files.push_back(std::move(file));
  return found;
}

void see_persisted(const UnitFiles& unit, const UnitKey& key, Observation& seen) {
  std::vector<std::string_view> views;
  for (const auto& file : unit.files) {
    if (file.error != 0) {
      seen.persisted =
          Plane::unknown(fmt::format("cannot read {}: {}", file.path, std::strerror(file.error)));
      return;
    }
    views.emplace_back(file.bytes);
  }
  const auto decision = decide_unit(views, key.section, key.key);
  seen.persisted = decision.stated ? Plane::of(decision.value) : Plane::absent();
  if (decision.mentioned) seen.decided_by = place_of(unit.files[decision.file], decision.line);
}

void see_live(LiveUnits& live, const UnitKey& key, const Desired& desired, std::int64_t files_mtime_ns,
              Observation& seen) {
  try {
    live.observe(key, desired, files_mtime_ns, seen);
  } catch (const Error& error) {
    seen.live = Plane::unknown(error.what());
  }
}

std::string value_problem(const Desired& desired) {
  if (desired.want == Want::absent) return {};
  const auto value = desired.value.items.empty() ? std::string() : desired.value.items.front();
  if (value.empty()) return "an empty value resets the key; say ~ for that";
  if (value.find_first_of("\n\r") != std::string::npos || value.back() == '\\') return "a value is one line";
  return {};
}

/// Whether the files are right, and the service manager has not read them yet.
bool is_behind(const Context& context, const Row& row) {
  const bool open = row.state == State::differs || row.state == State::pending;
  if (!open || !persisted_right(row) || live_right(row)) return false;
  const auto sample = row.desired.value.items.empty() ? std::string() : row.desired.value.items.front();
  const auto loaded = LiveUnits(context).loaded(unit_key(row.desired.id), sample);
  return loaded && !satisfies(row.desired, Plane::of(*loaded), row.seen.type);
}

Action reload_action(std::vector<std::string> ids) {
  Action action;
  action.phase = Phase::daemon_reload;
  action.deed = DaemonReload{};
  action.settings = std::move(ids);
  return action;
}

}  // namespace

const SectionSpec& UnitsProvider::section() const {
  static const SectionSpec spec = [] {
    SectionSpec made;
    made.name = "units";
    made.id_prefix = "unit";
    made.is_group = is_group;
    made.join = joined_key;
    made.key_problem = key_problem;
    return made;
  }();
  return spec;
}

std::vector<Desired> UnitsProvider::expand(const Context& context, Desired desired) const {
  if (desired.path.empty()) return {std::move(desired)};
  auto& unit = desired.path.front();
  unit = unit == mysql_alias ? server_unit(context) : unit_name(unit);
  desired.id = "unit:" + joined_key(desired.path);
  return {std::move(desired)};
}

std::vector<Observation> UnitsProvider::observe(const Context& context,
                                                std::span<const Desired> wanted) const {
  std::map<std::string, UnitFiles> units;
  LiveUnits live(context);
  std::vector<Observation> found;
  for (const auto& desired : wanted) {
    const auto key = unit_key(desired.id);
    auto at = units.find(key.unit);
    if (at == units.end()) at = units.emplace(key.unit, read_unit_files(context.host, key.unit)).first;
    Observation seen;
    seen.boot = Plane::not_applicable("units have no such plane");
    seen.takes_effect = effect_of(key);
    seen.unsupported = at->second.unsupported;
    seen.failed = seen.unsupported.empty() ? value_problem(desired) : std::string();
    if (seen.unsupported.empty()) see_persisted(at->second, key, seen);
    const auto sample = desired.value.items.empty() ? std::string() : desired.value.items.front();
    seen.type = type_of(key, sample);
    if (seen.unsupported.empty()) {
      const auto decider = context.host.info("/" + seen.decided_by.substr(0, seen.decided_by.rfind(':')));
      see_live(live, key, desired, seen.decided_by.empty() || !decider ? 0 : decider->mtime_ns, seen);
    }
    if (const auto wrong = wrong_on_disk(desired, seen)) {
      seen.unwritable = unit_obstacle(context.host, key.unit, at->second.files, *wrong);
    }
    found.push_back(std::move(seen));
  }
  return found;
}

std::vector<Action> UnitsProvider::plan(const Context& context, std::span<const Row> rows) const {
  std::map<std::string, std::vector<const Row*>> by_unit;
  std::vector<std::string> ids;
  for (const auto& row : rows) {
    const bool open = row.state == State::differs || row.state == State::pending;
    if (!open || persisted_right(row)) continue;
    by_unit[unit_key(row.desired.id).unit].push_back(&row);
    ids.push_back(row.desired.id);
  }
  std::vector<Action> actions;
  for (const auto& [unit, wrong] : by_unit) {
    for (auto& action : plan_unit_files(context.host, unit, wrong)) actions.push_back(std::move(action));
  }
  for (const auto& row : rows) {
    if (!is_behind(context, row)) continue;
    ids.push_back(row.desired.id);
  }
  if (!ids.empty() && !context.host.is_other_root()) actions.push_back(reload_action(std::move(ids)));
  return actions;
}

std::vector<std::string> UnitsProvider::statements(const std::string& id, const std::string&,
                                                   std::string_view bytes) const {
  const auto key = unit_key(id);
  return unit_statements(bytes, key.section, key.key);
}

std::vector<Splice> UnitsProvider::restate(const std::string& id, const std::string&, std::string_view bytes,
                                           const std::vector<std::string>& statements) const {
  const auto key = unit_key(id);
  return restate_unit(bytes, key.section, key.key, statements);
}

std::vector<Action> UnitsProvider::after_files(const Context& context,
                                               std::span<const std::string> paths) const {
  const auto is_unit_path = [](const std::string& path) {
    return path.find("/systemd/system/") != std::string::npos ||
           path.find("/systemd/system.") != std::string::npos;
  };
  if (context.host.is_other_root() || std::none_of(paths.begin(), paths.end(), is_unit_path)) return {};
  return {reload_action({})};
}

bool UnitsProvider::is_spent(const std::string& path, std::string_view bytes) const {
  const std::string_view start = "/etc/systemd/system/", end = ".d/zz-tunekeeper.conf";
  return path.compare(0, start.size(), start) == 0 && path.size() > start.size() + end.size() &&
         path.compare(path.size() - end.size(), end.size(), end) == 0 && is_only_header(bytes);
}

UnitKey unit_key(std::string_view id) {
  const auto first = id.find(':');
  const auto last = id.rfind(':');
  const auto dot = id.find('.', last);
  if (first == last || dot == std::string_view::npos) return {std::string(id.substr(first + 1)), {}, {}};
  return {std::string(id.substr(first + 1, last - first - 1)),
          std::string(id.substr(last + 1, dot - last - 1)), std::string(id.substr(dot + 1))};
}

std::unique_ptr<Provider> make_units_provider() {
  return std::make_unique<UnitsProvider>();
}

}  // namespace tunekeeper
