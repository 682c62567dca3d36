#include "engine/undo.hpp"

#include <algorithm>

#include "core/compare.hpp"
#include "core/digest.hpp"
#include "core/secret.hpp"
#include "engine/jobs.hpp"

namespace tunekeeper {
namespace {

/// Whether the bytes are those of a rewrite in place that did not come to its end: the new ones up to some
/// point, the old ones from there on.
bool is_torn_rewrite(const std::string& now, const UndoFile& step) {
  const std::string& before = step.original.bytes;
  if (step.original.absent || step.next.empty()) return false;
  const auto parted = std::mismatch(now.begin(), now.end(), step.next.begin(), step.next.end()).first;
  const auto done = static_cast<std::size_t>(parted - now.begin());
  return now.substr(done) == before.substr(std::min(done, before.size()));
}

void undo_file(Host& host, const UndoFile& step, UndoResult& result) {
  host.remove_leftover(step.path, !step.entry);
  const FileImage now = host.image(step.path, !step.entry);
  if (now == step.original) return;
  const bool ours = now.absent ? step.written.empty() : digest(now.bytes) == step.written;
  const bool as_before = now.absent == step.original.absent && now.is_link == step.original.is_link &&
                         now.bytes == step.original.bytes;
  if (!ours && !as_before && !step.generated && (now.absent || !is_torn_rewrite(now.bytes, step))) {
    result.kept.push_back(step.path);
    return;
  }
  host.put(step.path, step.original, !step.entry);
  ++result.done;
}

void undo_live(Host& host, const UndoLive& step, UndoResult& result) {
  for (const auto& [path, value] : step.writes) {
    const ReadResult now = host.read(path);
    if (now.ok() && selected(now.bytes) == value) continue;
    const LiveWriteResult written = host.write_live(path, value);
    if (written.error != 0) throw HostError("write", path, written.error);
    if (written.short_write)
      throw Error("the kernel took only the beginning of \"" + shown(path, Value::of(value)) + "\" for " +
                  path);
    ++result.done;
  }
}

constexpr std::chrono::seconds kReloadPatience = std::chrono::minutes(1);
constexpr std::chrono::seconds kRestartPatience = std::chrono::hours(2);

/// Files, folders and live values; jobs come after all of them.
void undo_state(Host& host, const UndoStep& step, UndoResult& result) {
  if (const auto* file = std::get_if<UndoFile>(&step)) undo_file(host, *file, result);
  if (const auto* live = std::get_if<UndoLive>(&step)) undo_live(host, *live, result);
  if (const auto* folder = std::get_if<UndoFolder>(&step)) host.remove_directory(folder->path);
  if (const auto* folder = std::get_if<UndoFolderRemoval>(&step))
    host.make_directory(folder->path, folder->mode);
}

void undo_job(Host& host, const UndoStep& step) {
  if (std::holds_alternative<UndoDaemonReload>(step)) run_daemon_reload(host);
  if (const auto* job = std::get_if<UndoJob>(&step)) {
    const bool restarts = job->job.kind == ServiceJob::Kind::restart;
    run_job(host, job->job, restarts ? kRestartPatience : kReloadPatience);
  }
}

template <typename Step>
void attempt(UndoResult& result, Step step) {
  try {
    step();
  } catch (const std::exception& error) {
    result.failures.emplace_back(error.what());
  }
}

}  // namespace

UndoResult undo(Host& host, const std::vector<UndoStep>& steps) {
  UndoResult result;
  for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
    attempt(result, [&] { undo_state(host, *step, result); });
  }
  for (const UndoStep& step : steps) {
    attempt(result, [&] { undo_job(host, step); });
  }
  return result;
}

}  // namespace tunekeeper
