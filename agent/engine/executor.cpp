#include "engine/executor.hpp"

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

#include "core/digest.hpp"
#include "core/secret.hpp"
#include "core/splice.hpp"
#include "engine/jobs.hpp"

namespace tunekeeper {
namespace {

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == 0 || slash == std::string::npos ? "/" : path.substr(0, slash);
}

/// A new file belongs to whoever owns the nearest folder above it.
FileImage new_file(const HostView& host, const std::string& path, std::uint32_t mode) {
  FileImage image;
  image.absent = false;
  image.mode = mode;
  for (std::string folder = folder_of(path);; folder = folder_of(folder)) {
    if (const auto info = host.info(folder)) {
      image.uid = info->uid;
      image.gid = info->gid;
      return image;
    }
    if (folder == "/") return image;
  }
}

/// The folders above a path that do not exist yet, from the highest.
std::vector<std::string> missing_folders(const HostView& host, const std::string& path) {
  std::vector<std::string> missing;
  for (std::string folder = folder_of(path); folder != "/" && !host.exists(folder);
       folder = folder_of(folder)) {
    missing.insert(missing.begin(), folder);
  }
  return missing;
}

/// Beside the file that it is to replace, until it is checked.
std::string candidate_path(const GenerateFile& generate) {
  return generate.path + ".tunekeeper-new";
}

/// Actions of one phase are journaled together; jobs one by one, so that an undo asks only those services
/// again that this run asked.
bool journaled_together(const Action& one, const Action& other) {
  return one.phase == other.phase && !std::holds_alternative<ServiceJob>(one.deed);
}

/// "setting sysctl:vm.swappiness (db.yaml:11)", a few of several; empty for what no setting asked for.
std::string frame_of(const Action& action, const std::map<std::string, std::string>& places) {
  constexpr std::size_t kShown = 3;
  if (action.settings.empty()) return {};
  std::string words = "setting ";
  for (std::size_t i = 0; i < std::min(kShown, action.settings.size()); ++i) {
    const std::string& id = action.settings[i];
    const auto place = places.find(id);
    words += (i == 0 ? "" : ", ") + id;
    if (place != places.end()) words += " (" + place->second + ")";
  }
  if (action.settings.size() > kShown) words += fmt::format(" and {} more", action.settings.size() - kShown);
  return words;
}

/// Does it, and tells an error for which settings that was.
template <typename Work>
void framed(const Action& action, const std::map<std::string, std::string>& places, Work work) {
  try {
    work();
  } catch (Error& error) {
    const std::string frame = frame_of(action, places);
    if (!frame.empty()) error.with_frame(frame);
    throw;
  }
}

/// Nothing that a plan holds may be passed over in silence.
void require_performable(const Action& action) {
  if (!std::holds_alternative<SetGlobal>(action.deed)) return;
  throw Error(fmt::format("a plan asks to {}, which this program cannot do yet: a defect of tunekeeper",
                          describe(action)))
      .with_next("report it, and leave the setting out for now (--only)");
}

void write_live(Host& host, const WriteLive& write) {
  const LiveWriteResult result = host.write_live(write.path, write.value);
  const std::string value = shown(write.path, Value::of(write.value));
  if (result.error != 0) {
    HostError error(fmt::format("write {} to", value), write.path, result.error);
    if (result.error == EINVAL || result.error == ERANGE || result.error == EOPNOTSUPP)
      error.with_next("the kernel does not take this value here: change the profile");
    throw error;
  }
  if (result.short_write) {
    throw Error(fmt::format("the kernel took only the beginning of \"{}\" for {}", value, write.path));
  }
}

}  // namespace

FileChanged::FileChanged(const std::string& path) : Error(path + " changed while tunekeeper was running") {
  with_next("run the same command again: it then starts from the file as it is now");
}

FileImage image_after(const Host& host, const EditFile& edit) {
  const FileImage original = host.image(edit.path);
  if (!edit.base_digest.empty() && edit.base_digest != digest(original.bytes)) throw FileChanged(edit.path);
  if (edit.remove) return {};
  FileImage next = original.absent ? new_file(host, edit.path, edit.mode) : original;
  next.bytes = splice(original.bytes, edit.splices);
  return next;
}

FileImage image_after(const Host& host, const ReplaceEntry& entry) {
  if (entry.kind == ReplaceEntry::Kind::absent) return {};
  if (entry.kind == ReplaceEntry::Kind::link) return link_image(entry.content, entry.uid, entry.gid);
  FileImage next = host.image(entry.path, false);
  if (next.is_link) next = {};
  next.absent = false;
  next.bytes = entry.content;
  next.mode = entry.mode;
  next.uid = entry.uid;
  next.gid = entry.gid;
  return next;
}

void require_accepted(const CommandResult& result, const CheckFiles& check) {
  if (result.ok()) return;
  const std::string command = fmt::format("{}", fmt::join(check.argv, " "));
  if (result.timed_out) {
    throw Error(fmt::format("{}: the check of {} did not end in time", command, check.owner),
                ExitStatus::undone)
        .with_state("host as before");
  }
  const std::string& words = result.err.empty() ? result.out : result.err;
  throw Error(fmt::format("{} refuses the new configuration ({}, exit {}): {}", check.owner, command,
                          result.status, words),
              ExitStatus::undone)
      .with_state("host as before");
}

std::string generated_text(const HostView& host, const GenerateFile& generate,
                           std::chrono::seconds deadline) {
  CommandOptions options;
  options.deadline = deadline;
  const CommandResult result = host.probe(generate.generator, options);
  const std::string command = fmt::format("{}", fmt::join(generate.generator, " "));
  if (!result.ok()) throw Error(fmt::format("{} failed (exit {}): {}", command, result.status, result.err));
  if (result.out.empty()) throw Error(command + " printed nothing");
  return result.out;
}

void Executor::prepare_file(const std::string& path, FileImage next, bool generated,
                            std::vector<UndoStep>& steps) {
  const FileImage original = host_.image(path);
  std::vector<std::string> folders;
  if (!next.absent) folders = missing_folders(host_, path);
  for (const std::string& folder : folders) steps.emplace_back(UndoFolder{folder});
  steps.emplace_back(UndoFile{path, original, next.absent ? "" : digest(next.bytes), generated, next.bytes});
  written_[path] = {.before = original.bytes,
                    .was_absent = original.absent,
                    .after = next.bytes,
                    .is_absent = next.absent,
                    .folders = std::move(folders),
                    .generated = generated};
  next_[path] = std::move(next);
}

void Executor::prepare_entry(const ReplaceEntry& entry, std::vector<UndoStep>& steps) {
  const FileImage original = host_.image(entry.path, false);
  FileImage next = image_after(host_, entry);
  std::vector<std::string> folders;
  if (!next.absent) folders = missing_folders(host_, entry.path);
  for (const std::string& folder : folders) steps.emplace_back(UndoFolder{folder});
  steps.emplace_back(
      UndoFile{entry.path, original, next.absent ? "" : digest(next.bytes), false, next.bytes, true});
  written_[entry.path] = {.before = original.bytes,
                          .was_absent = original.absent,
                          .after = next.bytes,
                          .is_absent = next.absent,
                          .folders = std::move(folders),
                          .generated = false,
                          .entry = true,
                          .was_link = original.is_link};
  next_[entry.path] = std::move(next);
}

std::vector<UndoStep> Executor::prepare(const Action& action) {
  std::vector<UndoStep> steps;
  if (const auto* edit = std::get_if<EditFile>(&action.deed)) {
    prepare_file(edit->path, image_after(host_, *edit), false, steps);
  } else if (const auto* entry = std::get_if<ReplaceEntry>(&action.deed)) {
    prepare_entry(*entry, steps);
  } else if (const auto* generate = std::get_if<GenerateFile>(&action.deed)) {
    FileImage next = host_.image(generate->path);
    if (next.absent) next = new_file(host_, generate->path, 0444);
    next.bytes = generated_text(host_, *generate, action.deadline);
    steps.emplace_back(UndoFile{candidate_path(*generate), FileImage{}, digest(next.bytes), true});
    prepare_file(generate->path, std::move(next), true, steps);
  } else if (const auto* write = std::get_if<WriteLive>(&action.deed)) {
    auto undo = write->undo;
    if (undo.empty()) undo.emplace_back(write->path, write->original);
    steps.emplace_back(UndoLive{std::move(undo)});
  } else if (const auto* job = std::get_if<ServiceJob>(&action.deed)) {
    steps.emplace_back(UndoJob{*job});
  } else if (std::holds_alternative<DaemonReload>(action.deed)) {
    steps.emplace_back(UndoDaemonReload{});
  }
  return steps;
}

void Executor::perform_one(const Action& action) {
  if (const auto* edit = std::get_if<EditFile>(&action.deed)) {
    require_as_prepared(edit->path);
    if (!edit->remove) host_.make_directory(folder_of(edit->path));
    host_.put(edit->path, next_.at(edit->path));
  } else if (const auto* entry = std::get_if<ReplaceEntry>(&action.deed)) {
    require_as_prepared(entry->path);
    if (entry->kind != ReplaceEntry::Kind::absent) host_.make_directory(folder_of(entry->path));
    host_.put(entry->path, next_.at(entry->path), false);
  } else if (const auto* generate = std::get_if<GenerateFile>(&action.deed)) {
    put_generated(*generate, action.deadline);
  } else if (const auto* write = std::get_if<WriteLive>(&action.deed)) {
    write_live(host_, *write);
  } else if (const auto* check = std::get_if<CheckFiles>(&action.deed)) {
    CommandOptions options;
    options.deadline = action.deadline;
    require_accepted(host_.run(check->argv, options), *check);
  } else if (const auto* job = std::get_if<ServiceJob>(&action.deed)) {
    run_job(host_, *job, action.deadline);
  } else if (std::holds_alternative<DaemonReload>(action.deed)) {
    run_daemon_reload(host_);
  }
}

void Executor::require_as_prepared(const std::string& path) const {
  const WrittenFile& prepared = written_.at(path);
  if (prepared.entry) {
    const FileImage now = host_.image(path, false);
    if (now.absent != prepared.was_absent || now.is_link != prepared.was_link || now.bytes != prepared.before)
      throw FileChanged(path);
    return;
  }
  const ReadResult now = host_.read(path);
  const bool same = prepared.was_absent ? now.absent() : now.ok() && now.bytes == prepared.before;
  if (!same) throw FileChanged(path);
}

void Executor::put_generated(const GenerateFile& generate, std::chrono::seconds deadline) {
  const FileImage& next = next_.at(generate.path);
  if (!generate.checker.empty()) {
    const std::string candidate = candidate_path(generate);
    host_.put(candidate, next);
    std::vector<std::string> argv = generate.checker;
    argv.push_back(candidate);
    CommandOptions options;
    options.deadline = deadline;
    const CommandResult checked = host_.run(argv, options);
    host_.put(candidate, FileImage{});
    require_accepted(checked, {.argv = argv, .owner = generate.generator.front()});
  }
  require_as_prepared(generate.path);
  host_.put(generate.path, next);
}

void Executor::intend(std::vector<UndoStep> steps) {
  journal_.intend(steps);
  for (UndoStep& step : steps) steps_.push_back(std::move(step));
}

void Executor::remove_folders(const std::vector<std::string>& folders) {
  std::vector<UndoStep> steps;
  for (const std::string& folder : folders) {
    const auto info = host_.info(folder, false);
    if (info && info->kind == FileKind::directory) steps.emplace_back(UndoFolderRemoval{folder, info->mode});
  }
  // Undone in the reverse order: the highest folder comes back first.
  intend(steps);
  for (const UndoStep& step : steps) host_.remove_directory(std::get<UndoFolderRemoval>(step).path);
}

void Executor::perform(const std::vector<Action>& actions, const std::map<std::string, std::string>& places) {
  for (const Action& action : actions) require_performable(action);
  std::size_t begin = 0;
  while (begin < actions.size()) {
    std::size_t end = begin;
    std::vector<UndoStep> steps;
    do {
      const Action& action = actions[end++];
      framed(action, places, [&] {
        for (UndoStep& step : prepare(action)) steps.push_back(std::move(step));
      });
    } while (end < actions.size() && journaled_together(actions[begin], actions[end]));
    intend(std::move(steps));
    for (; begin < end; ++begin) {
      if (interrupted_()) throw Interrupted();
      const Action& action = actions[begin];
      framed(action, places, [&] { perform_one(action); });
    }
  }
}

}  // namespace tunekeeper
