#include "engine/releases.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/secret.hpp"
#include "core/splice.hpp"
#include "engine/survey.hpp"
#include "host/edited_view.hpp"

namespace tunekeeper {
namespace {

bool contains(const std::vector<std::string>& list, const std::string& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

std::string_view section_of(std::string_view id) {
  return id.substr(0, id.find(':'));
}

/// Whether this run speaks for the setting's profile, so that its silence means that the setting left.
bool speaks_for(const GenerationRecord& record, const ReleaseQuestion& question,
                const RecordedSetting& setting) {
  if (contains(question.drop, setting.profile)) return true;
  if (!question.wishes.whole) return contains(question.wishes.profiles, setting.profile);
  return contains(question.wishes.host_profiles, setting.profile) ||
         !contains(record.extra_profiles, setting.profile);
}

/// Asks for nothing, so that what is seen is shown as the owner reads it.
Desired no_wish(const RecordedSetting& setting) {
  return {.id = setting.id,
          .path = setting.path,
          .want = Want::absent,
          .value = {},
          .profile = setting.profile,
          .at = {},
          .why = {},
          .source = {}};
}

Observation observe(const Context& context, const Desired& wish) {
  return provider_of(wish.id).observe(context, std::span(&wish, 1)).front();
}

/// What the files give the setting once these actions have put its original statements back.
Plane persisted_after(const Context& context, const Desired& wish, const std::vector<Action>& actions) {
  std::map<std::string, std::optional<std::string>> files;
  for (const Action& action : actions) {
    const auto* edit = std::get_if<EditFile>(&action.deed);
    if (edit == nullptr) continue;
    files[edit->path] = std::nullopt;
    if (!edit->remove) files[edit->path] = splice(context.host.read(edit->path).bytes, edit->splices);
  }
  const EditedView view(context.host, files);
  Context then{.host = view, .facts = context.facts, .bus = context.bus, .server = context.server};
  return observe(then, wish).persisted;
}

const WriteLive* live_write(const std::vector<Action>& actions) {
  for (const Action& action : actions) {
    if (const auto* write = std::get_if<WriteLive>(&action.deed)) return write;
  }
  return nullptr;
}

/// Fills the row with what is now and with what comes back: the live word where one is written, else what the
/// files then say.
void show_way_back(const Context& context, const std::vector<Action>& actions, Row& row) {
  const Desired blank = row.desired;
  const Plane files = persisted_after(context, blank, actions);
  const WriteLive* const live = live_write(actions);
  if (live != nullptr) {
    row.seen.live = Plane::of(live->original);
    row.desired.want = Want::equals;
    row.desired.value = Value::of(live->value);
  } else if (files.has_value()) {
    row.desired.want = Want::equals;
    row.desired.value = files.value;
  }
  const bool says_the_same = files.has_value() && files.value == row.desired.value;
  if (live == nullptr || says_the_same || files.kind == Plane::Kind::unknown) return;
  row.reason += fmt::format("; on disk then {}",
                            files.has_value() ? shown(row.desired.id, files.value) : std::string("not set"));
}

}  // namespace

std::vector<RecordedSetting> released_settings(const GenerationRecord& record,
                                               const ReleaseQuestion& question) {
  // Who names the settings of a run says nothing of the others, and a host without profiles wants nothing
  // changed.
  const bool silent = !question.only.empty() || (question.wishes.whole && question.wishes.profiles.empty());
  std::set<std::string> wanted(question.wanted_ids.begin(), question.wanted_ids.end());
  std::set<std::string_view> undecided_sections;
  for (const Row& row : question.wishes.undecided) {
    wanted.insert(row.desired.id);
    undecided_sections.insert(row.desired.section());
  }
  std::vector<RecordedSetting> released;
  for (const RecordedSetting& setting : record.settings) {
    const bool dropped = contains(question.drop, setting.profile);
    const bool stays =
        silent || wanted.contains(setting.id) || undecided_sections.contains(section_of(setting.id));
    if (stays && !dropped) continue;
    if (!selected_by(question.only, setting.id)) continue;
    if (speaks_for(record, question, setting)) released.push_back(setting);
  }
  return released;
}

std::vector<Restoration> release_restorations(const std::vector<RecordedSetting>& released, PlaneSet planes) {
  std::vector<Restoration> restorations;
  for (const RecordedSetting& setting : released) {
    if (!setting.restore_on_release) continue;
    Restoration& restoration = restorations.emplace_back(to_originals(setting));
    if (!planes.live) restoration.live_target.reset();
    if (!planes.persisted) restoration.files.clear();
  }
  return restorations;
}

std::vector<Row> release_rows(const Context& context, const std::vector<RecordedSetting>& released,
                              PlaneSet planes, bool force) {
  std::vector<Row> rows;
  for (const Restoration& restoration : release_restorations(released, planes)) {
    const RecordedSetting& setting = restoration.setting;
    const RestorationPlan plan = plan_restorations(context, {restoration}, force);
    if (plan.actions.empty() && plan.conflicts.empty()) continue;
    Desired wish = no_wish(setting);
    Observation seen = observe(context, wish);
    Row row{.desired = std::move(wish),
            .seen = std::move(seen),
            .state = State::differs,
            .reason = {},
            .release = true};
    row.reason = "no longer in " + setting.profile + ": back to its original";
    if (plan.conflicts.empty()) {
      show_way_back(context, plan.actions, row);
    } else {
      row.state = State::failed;
      const Conflict& conflict = plan.conflicts.front();
      row.reason = fmt::format(
          "no longer in {}, but {}: {}; --force takes it back all the same", setting.profile,
          conflict.unreadable ? "cannot be taken back" : "edited since in " + conflict.where, conflict.now);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace tunekeeper
