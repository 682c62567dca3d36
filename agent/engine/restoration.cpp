#include "engine/restoration.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

#include "core/compare.hpp"
#include "core/old_place.hpp"
#include "core/secret.hpp"
#include "core/splice.hpp"
#include "engine/planner.hpp"
#include "engine/survey.hpp"

namespace tunekeeper {
namespace {

std::string in_words(const std::vector<std::string>& statements) {
  return statements.empty() ? "not stated" : fmt::format("{}", fmt::join(statements, " | "));
}

/// The file with the target's statements: at their old places where that can be told, else where the provider
/// puts new ones.
std::string restated(const Provider& provider, const std::string& now, const std::string& id,
                     const FileTarget& target) {
  const std::vector<Splice> splices = provider.restate(id, target.path, now, target.target);
  if (target.model) {
    std::string moved = splice(now, at_old_places(now, splices, *target.model));
    // A neighbour may have moved to another section since.
    if (provider.statements(id, target.path, moved) == target.target) return moved;
  }
  return splice(now, splices);
}

/// Works on one file after the other; each setting is restated on the bytes that the one before it left.
class FileRestorer {
 public:
  FileRestorer(const Context& context, bool force, RestorationPlan& plan)
      : context_(context), force_(force), plan_(plan) {}

  void restate(const std::string& id, const FileTarget& target) {
    try {
      restate_in(load(target.path), id, target);
    } catch (const Error& error) {
      plan_.conflicts.push_back({id, target.path, error.what(), true});
    }
  }

  void finish() {
    std::map<const Provider*, std::vector<std::string>> touched;
    for (auto& [path, file] : files_) {
      if (file.provider == nullptr) continue;
      EditFile edit{.path = path, .splices = {difference(file.before, file.after)}, .remove = false};
      edit.remove = file.provider->is_spent(path, file.after);
      replace_base_edit(path);
      plan_.actions.push_back({.phase = Phase::files,
                               .plane = PlaneKind::persisted,
                               .deed = std::move(edit),
                               .settings = file.ids});
      touched[file.provider].push_back(path);
    }
    for (const auto& [provider, paths] : touched) {
      for (Action& action : provider->after_files(context_, paths))
        plan_.actions.push_back(std::move(action));
    }
  }

 private:
  struct File {
    std::string before;
    std::string after;
    const Provider* provider = nullptr;
    std::vector<std::string> ids;
  };

  void restate_in(File& file, const std::string& id, const FileTarget& target) {
    const Provider& provider = provider_of(id);
    const std::vector<std::string> now = provider.statements(id, target.path, file.after);
    if (now == target.target) return;
    if (now != target.expected && !force_) {
      plan_.conflicts.push_back({id, target.path, in_words(now), false});
      return;
    }
    file.after = restated(provider, file.after, id, target);
    file.provider = &provider;
    file.ids.push_back(id);
  }

  File& load(const std::string& path) {
    const auto [found, is_new] = files_.try_emplace(path);
    File& file = found->second;
    if (!is_new) return file;
    file.before = file.after = context_.host.read(path).bytes;
    for (const Action& action : plan_.actions) {
      const auto* edit = std::get_if<EditFile>(&action.deed);
      if (edit == nullptr || edit->path != path) continue;
      file.after = edit->remove ? std::string() : splice(file.after, edit->splices);
      file.ids.insert(file.ids.end(), action.settings.begin(), action.settings.end());
    }
    return file;
  }

  /// The base's own edit of a file gives way to the one that holds both.
  void replace_base_edit(const std::string& path) {
    std::erase_if(plan_.actions, [&path](const Action& action) {
      const auto* edit = std::get_if<EditFile>(&action.deed);
      return edit != nullptr && edit->path == path;
    });
  }

  const Context& context_;
  bool force_;
  RestorationPlan& plan_;
  std::map<std::string, File> files_;
};

/// The live word now; nothing where the kernel no longer has the value. Of an exclusive pair it is the other
/// key that is in force, which the action's own undo names.
std::optional<std::string> live_word(const Context& context, const Action& write) {
  const auto* live = std::get_if<WriteLive>(&write.deed);
  if (live == nullptr) return std::nullopt;
  if (!live->undo.empty()) return live->undo.front().second;
  const ReadResult now = context.host.read(live->path);
  if (!now.ok()) return std::nullopt;
  return std::string(selected(now.bytes));
}

void restore_live(const Context& context, const Restoration& restoration, bool force, RestorationPlan& plan) {
  if (!restoration.live_target) return;
  const std::string& id = restoration.setting.id;
  std::optional<Action> action = provider_of(id).restore_live(context, id, *restoration.live_target);
  if (!action) return;
  const std::optional<std::string> now = live_word(context, *action);
  if (!now || same(ValueType::words, *now, *restoration.live_target)) return;
  const bool as_left = restoration.live_expected && same(ValueType::words, *now, *restoration.live_expected);
  if (!as_left && !force) {
    plan.conflicts.push_back({id, "live", *now, false});
    return;
  }
  plan.actions.push_back(std::move(*action));
}

}  // namespace

RestorationPlan plan_restorations(const Context& context, const std::vector<Restoration>& restorations,
                                  bool force, std::vector<Action> base) {
  RestorationPlan plan;
  plan.actions = arrange(context.host, std::move(base));
  FileRestorer files(context, force, plan);
  for (const Restoration& restoration : restorations) {
    for (const FileTarget& target : restoration.files) files.restate(restoration.setting.id, target);
  }
  files.finish();
  for (const Restoration& restoration : restorations) restore_live(context, restoration, force, plan);

  std::set<std::string> changes;
  for (const Action& action : plan.actions) changes.insert(action.settings.begin(), action.settings.end());
  plan.changes.assign(changes.begin(), changes.end());
  return plan;
}

std::string not_restored(const Context& context, const std::vector<Restoration>& restorations) {
  std::string words;
  for (const Restoration& restoration : restorations) {
    const std::string& id = restoration.setting.id;
    const Provider& provider = provider_of(id);
    for (const FileTarget& file : restoration.files) {
      const std::string bytes = context.host.read(file.path).bytes;
      if (provider.statements(id, file.path, bytes) == file.target) continue;
      words += fmt::format("{}{} in {} did not come back", words.empty() ? "" : "\n", id, file.path);
    }
    if (!restoration.live_target) continue;
    const std::optional<Action> action = provider.restore_live(context, id, *restoration.live_target);
    const std::optional<std::string> now = action ? live_word(context, *action) : std::nullopt;
    if (!now || same(ValueType::words, *now, *restoration.live_target)) continue;
    words += fmt::format("{}{} reads back {} after {} was written", words.empty() ? "" : "\n", id,
                         shown(id, Value::of(*now)), shown(id, Value::of(*restoration.live_target)));
  }
  return words;
}

Restoration to_originals(const RecordedSetting& setting) {
  Restoration restoration{.setting = setting, .files = {}, .live_expected = {}, .live_target = {}};
  for (const RecordedFile& file : setting.files)
    restoration.files.push_back({file.path, file.left, file.original});
  if (setting.live) {
    restoration.live_expected = setting.live->left;
    restoration.live_target = setting.live->original;
  }
  return restoration;
}

}  // namespace tunekeeper
