#include "engine/next_record.hpp"

#include <algorithm>
#include <set>

#include "core/compare.hpp"
#include "core/digest.hpp"
#include "core/places.hpp"
#include "engine/survey.hpp"

namespace tunekeeper {
namespace {

using Settings = std::map<std::string, RecordedSetting>;

/// The wish of each id, so that a touched setting is recorded with its profile and its words.
std::map<std::string, const Desired*> wishes_by_id(const Plan& plan) {
  std::map<std::string, const Desired*> wishes;
  for (const Row& row : plan.rows) {
    if (!row.release) wishes[row.desired.id] = &row.desired;
  }
  return wishes;
}

RecordedSetting& setting_for(Settings& settings, const Desired& wish) {
  RecordedSetting& setting = settings[wish.id];
  setting.id = wish.id;
  setting.path = wish.path;
  setting.profile = wish.profile;
  setting.wanted = describe(wish);
  setting.restore_on_release = wish.restore_on_release;
  return setting;
}

void note_file(RecordedSetting& setting, const std::string& path, const WrittenFile& written) {
  const Provider& provider = provider_of(setting.id);
  std::vector<std::string> before = provider.statements(setting.id, path, written.before);
  std::vector<std::string> left = provider.statements(setting.id, path, written.after);
  const auto known = std::find_if(setting.files.begin(), setting.files.end(),
                                  [&path](const RecordedFile& file) { return file.path == path; });
  if (known != setting.files.end()) {
    known->left = std::move(left);
  } else if (before != left) {
    setting.files.push_back({path, std::move(before), std::move(left)});
  }
}

void note_live(RecordedSetting& setting, const WriteLive& write, const HostView& host) {
  const ReadResult now = host.read(write.path);
  std::string left(now.ok() ? selected(now.bytes) : std::string_view(write.value));
  if (setting.live) {
    setting.live->left = std::move(left);
  } else {
    setting.live = RecordedLive{write.original, std::move(left)};
  }
}

void note_action(const Action& action, const NextRecord& run,
                 const std::map<std::string, const Desired*>& wishes, Settings& settings) {
  for (const std::string& id : action.settings) {
    const auto wish = wishes.find(id);
    if (wish == wishes.end()) continue;
    if (const auto* edit = std::get_if<EditFile>(&action.deed)) {
      note_file(setting_for(settings, *wish->second), edit->path, run.written.at(edit->path));
    } else if (const auto* write = std::get_if<WriteLive>(&action.deed)) {
      note_live(setting_for(settings, *wish->second), *write, run.context.host);
    }
  }
}

/// A folder that was made for a file which is gone stays ours while another file of ours is in it.
void hand_over_folders(GenerationRecord& record, const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    const auto heir = record.paths.lower_bound(folder + "/");
    if (heir == record.paths.end() || !heir->first.starts_with(folder + "/")) continue;
    std::vector<std::string>& theirs = heir->second.folders;
    if (std::find(theirs.begin(), theirs.end(), folder) == theirs.end()) theirs.push_back(folder);
    std::sort(theirs.begin(), theirs.end());
  }
}

void note_path(GenerationRecord& record, const std::string& path, const WrittenFile& file) {
  if (file.is_absent) {
    const auto gone = record.paths.extract(path);
    if (!gone.empty()) hand_over_folders(record, gone.mapped().folders);
    return;
  }
  RecordedPath& left = record.paths[path];
  left.digest = digest(file.after);
  left.created = left.created || file.was_absent;
  left.folders.insert(left.folders.end(), file.folders.begin(), file.folders.end());
  std::sort(left.folders.begin(), left.folders.end());
  left.folders.erase(std::unique(left.folders.begin(), left.folders.end()), left.folders.end());
}

void note_paths(GenerationRecord& record, const std::map<std::string, WrittenFile>& written) {
  for (const auto& [path, file] : written) {
    if (!file.generated && !file.is_absent) note_path(record, path, file);
  }
  for (const auto& [path, file] : written) {
    if (!file.generated && file.is_absent) note_path(record, path, file);
  }
}

/// Profiles that were applied by name and are not host.yaml's stay listed while a setting of theirs is
/// managed.
void note_profiles(GenerationRecord& record, const Wishes& wishes) {
  std::set<std::string> extra(record.extra_profiles.begin(), record.extra_profiles.end());
  if (!wishes.whole) extra.insert(wishes.profiles.begin(), wishes.profiles.end());
  for (const std::string& profile : wishes.host_profiles) extra.erase(profile);
  const auto without_settings = [&record](const std::string& profile) {
    return std::none_of(record.settings.begin(), record.settings.end(),
                        [&profile](const RecordedSetting& setting) { return setting.profile == profile; });
  };
  std::erase_if(extra, without_settings);
  record.extra_profiles.assign(extra.begin(), extra.end());
  // A run that only lets profiles go leaves the others in force.
  std::vector<std::string> in_force = wishes.profiles.empty() ? record.profiles : wishes.profiles;
  if (wishes.profiles.empty()) std::erase_if(in_force, without_settings);
  record.profiles = std::move(in_force);
}

}  // namespace

GenerationRecord next_record(const GenerationRecord& before, const NextRecord& run) {
  Settings settings;
  for (const RecordedSetting& setting : before.settings) settings[setting.id] = setting;
  for (const RecordedSetting& released : run.released) {
    RecordedSetting& setting = settings[released.id];
    if (run.planes.live) setting.live.reset();
    if (run.planes.persisted) setting.files.clear();
  }

  const std::map<std::string, const Desired*> wishes = wishes_by_id(run.plan);
  std::set<std::string> changed;
  for (const Action& action : run.plan.actions) {
    note_action(action, run, wishes, settings);
    changed.insert(action.settings.begin(), action.settings.end());
  }

  GenerationRecord record = before;
  record.changed.assign(changed.begin(), changed.end());
  record.settings.clear();
  for (auto& [id, setting] : settings) {
    if (setting.live || !setting.files.empty()) record.settings.push_back(std::move(setting));
  }
  note_paths(record, run.written);
  note_profiles(record, run.wishes);
  return record;
}

Action record_action(const HostView& host, const std::string& text) {
  const std::string present = host.read(places::kRecord).bytes;
  EditFile edit{.path = std::string(places::kRecord), .splices = {{0, present.size(), text}}};
  return {.phase = Phase::files, .plane = PlaneKind::persisted, .deed = std::move(edit), .settings = {}};
}

Action no_record_action() {
  return {.phase = Phase::files,
          .plane = PlaneKind::persisted,
          .deed = EditFile{.path = std::string(places::kRecord), .splices = {}, .remove = true},
          .settings = {}};
}

}  // namespace tunekeeper
