#include "engine/planner.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/digest.hpp"
#include "engine/survey.hpp"

namespace tunekeeper {
namespace {

bool wanted_plane(const Action& action, PlaneSet planes) {
  switch (action.plane) {
    case PlaneKind::live:
      return planes.live;
    case PlaneKind::persisted:
      return planes.persisted;
    case PlaneKind::boot:
      return planes.boot;
  }
  return true;
}

bool allowed(const Action& action, RestartPolicy restart,
             const std::map<std::string, RestartPolicy>& services) {
  const auto* job = std::get_if<ServiceJob>(&action.deed);
  if (job == nullptr) return true;
  const auto policy = services.find(job->service);
  if (policy != services.end()) restart = policy->second;
  return job->kind == ServiceJob::Kind::reload ? restart != RestartPolicy::never
                                               : restart == RestartPolicy::restart;
}

bool needs_work(const Row& row) {
  return row.state == State::differs || row.state == State::pending;
}

/// How long a start job may take: crash recovery of a large database is waited for, not cut off.
constexpr std::chrono::hours kStartPatience{2};

/// Whether a restart of its service brings the row into force: what it waits for, or will once its file is
/// written. An owner that is younger than its files and still wrong is not restarted for again.
bool wants_restart(const Row& row) {
  if (row.release || row.seen.takes_effect.kind != Effect::Kind::restart) return false;
  return row.state == State::pending || (row.state == State::differs && !persisted_right(row));
}

bool is_active(const Context& context, const std::string& unit) {
  return context.bus != nullptr &&
         context.bus->unit_property(unit, "org.freedesktop.systemd1.Unit", "ActiveState") == "active";
}

/// One restart a service, of those that systemd runs now: a stopped one is not started.
std::vector<Action> restarts(const Context& context, const std::vector<Row>& rows) {
  std::map<std::string, std::vector<std::string>> settings;
  for (const Row& row : rows) {
    if (wants_restart(row)) settings[row.seen.takes_effect.service].push_back(row.desired.id);
  }
  std::vector<Action> actions;
  for (auto& [service, ids] : settings) {
    const std::string unit = service + ".service";
    if (!is_active(context, unit)) continue;
    actions.push_back({.phase = Phase::restart,
                       .plane = PlaneKind::live,
                       .deed = ServiceJob{ServiceJob::Kind::restart, service, unit, {}},
                       .settings = std::move(ids),
                       .deadline = kStartPatience});
  }
  return actions;
}

/// Checks run on the candidate before anything else; one that stays in the plan runs right after the files.
int turn_of(const Action& action) {
  if (action.phase == Phase::check) return static_cast<int>(Phase::files) * 2 + 1;
  return static_cast<int>(action.phase) * 2;
}

void merge_edit(Action& into, const Action& from) {
  auto& edit = std::get<EditFile>(into.deed);
  const auto& more = std::get<EditFile>(from.deed);
  edit.splices.insert(edit.splices.end(), more.splices.begin(), more.splices.end());
  edit.remove = edit.remove && more.remove;
  into.settings.insert(into.settings.end(), from.settings.begin(), from.settings.end());
}

}  // namespace

std::vector<Action> arrange(const HostView& host, std::vector<Action> actions) {
  std::vector<Action> arranged;
  std::map<std::string, std::size_t> edits;
  std::set<std::string> done_once;
  for (Action& action : actions) {
    if (const auto* edit = std::get_if<EditFile>(&action.deed)) {
      const auto [found, is_new] = edits.emplace(edit->path, arranged.size());
      if (!is_new) {
        merge_edit(arranged[found->second], action);
        continue;
      }
    } else if (!std::holds_alternative<WriteLive>(action.deed) &&
               !done_once.insert(describe(action)).second) {
      continue;
    }
    arranged.push_back(std::move(action));
  }
  for (const auto& [path, place] : edits) {
    std::get<EditFile>(arranged[place].deed).base_digest = digest(host.read(path).bytes);
  }
  std::stable_sort(arranged.begin(), arranged.end(),
                   [](const Action& a, const Action& b) { return turn_of(a) < turn_of(b); });
  return arranged;
}

std::string apply_command(const std::vector<std::string>& words, const std::vector<std::string>& only) {
  std::string command = "tunekeeper apply";
  for (const std::string& word : words) command += " " + word;
  for (const std::string& glob : only) command += fmt::format(" --only '{}'", glob);
  return command;
}

std::vector<std::string> globs_without_failed(const std::vector<Row>& rows) {
  std::map<std::string_view, int> failed;
  std::map<std::string_view, int> all;
  for (const Row& row : rows) {
    ++all[row.desired.section()];
    failed[row.desired.section()] += row.state == State::failed ? 1 : 0;
  }
  std::vector<std::string> globs;
  if (failed == all) return globs;
  for (const Row& row : rows) {
    if (row.state != State::failed) continue;
    const std::string_view section = row.desired.section();
    const bool whole = all[section] > 1 && failed[section] == all[section];
    std::string glob = whole ? "!" + std::string(section) + ":*" : "!" + row.desired.id;
    if (std::find(globs.begin(), globs.end(), glob) == globs.end()) globs.push_back(std::move(glob));
  }
  return globs;
}

std::vector<Action> plan_rows(const Context& context, const std::vector<Row>& rows, PlaneSet planes,
                              RestartPolicy restart, const std::map<std::string, RestartPolicy>& services) {
  std::vector<Action> actions;
  for (const auto& provider : all_providers()) {
    std::vector<Row> theirs;
    for (const Row& row : rows) {
      if (row.release || row.desired.section() != provider->section().id_prefix) continue;
      const bool settled = row.state == State::in_sync && provider->plans_around_settled_rows();
      if (!needs_work(row) && !settled) continue;
      theirs.push_back(row);
      // A provider must not be asked to edit files that nothing can be written into.
      if (!planes.persisted) theirs.back().seen.persisted = Plane::not_applicable("not of this run");
    }
    if (std::none_of(theirs.begin(), theirs.end(), needs_work)) continue;
    for (Action& action : provider->plan(context, theirs)) {
      if (wanted_plane(action, planes) && allowed(action, restart, services))
        actions.push_back(std::move(action));
    }
  }
  const bool any_restart = restart == RestartPolicy::restart ||
                           std::any_of(services.begin(), services.end(), [](const auto& service) {
                             return service.second == RestartPolicy::restart;
                           });
  if (!any_restart || !planes.live) return actions;
  for (Action& action : restarts(context, rows)) {
    if (allowed(action, restart, services)) actions.push_back(std::move(action));
  }
  return actions;
}

}  // namespace tunekeeper
