#include "engine/rollback_target.hpp"

#include <algorithm>
#include <set>

#include "engine/survey.hpp"

namespace tunekeeper {
namespace {

const RecordedFile* file_of(const RecordedSetting* setting, const std::string& path) {
  if (setting == nullptr) return nullptr;
  for (const RecordedFile& file : setting->files) {
    if (file.path == path) return &file;
  }
  return nullptr;
}

/// How a file stated the setting under one record; where that record does not know it, the original of the
/// other, and where neither does, not at all.
std::vector<std::string> statements_under(const RecordedFile* here, const RecordedFile* there) {
  if (here != nullptr) return here->left;
  return there != nullptr ? there->original : std::vector<std::string>();
}

Restoration between(const RecordedSetting* from, const RecordedSetting* to) {
  Restoration restoration{
      .setting = to != nullptr ? *to : *from, .files = {}, .live_expected = {}, .live_target = {}};
  std::set<std::string> paths;
  for (const RecordedSetting* setting : {from, to}) {
    if (setting == nullptr) continue;
    for (const RecordedFile& file : setting->files) paths.insert(file.path);
  }
  for (const std::string& path : paths) {
    const RecordedFile* now = file_of(from, path);
    const RecordedFile* then = file_of(to, path);
    FileTarget target{path, statements_under(now, then), statements_under(then, now)};
    // What both generations state alike is not this rollback's business, whoever edited it since.
    if (target.expected != target.target) restoration.files.push_back(std::move(target));
  }
  const std::optional<RecordedLive> now = from != nullptr ? from->live : std::nullopt;
  const std::optional<RecordedLive> then = to != nullptr ? to->live : std::nullopt;
  if (now) restoration.live_expected = now->left;
  if (!now && then) restoration.live_expected = then->original;
  if (then) restoration.live_target = then->left;
  if (!then && now) restoration.live_target = now->original;
  if (restoration.live_expected == restoration.live_target) restoration.live_target.reset();
  return restoration;
}

/// The generations above `low` up to `high`, the newest first; nothing when `high` does not come from `low`.
std::optional<std::vector<Generation>> descent(const Generations& generations, int low, int high) {
  std::vector<Generation> chain;
  for (int number = high; number != low; number = chain.back().record.parent) {
    std::optional<Generation> generation = number > low ? generations.find(number) : std::nullopt;
    if (!generation || generation->record.parent >= number) return std::nullopt;
    chain.push_back(std::move(*generation));
  }
  return chain;
}

/// The generations between two states, and which way they are gone through.
struct Way {
  std::vector<Generation> chain;  ///< the newest first
  bool back = true;
};

std::optional<Way> way_between(const Generations& generations, int from, int to) {
  if (auto chain = descent(generations, to, from)) return Way{std::move(*chain), true};
  if (auto chain = descent(generations, from, to)) return Way{std::move(*chain), false};
  return std::nullopt;
}

/// Where a path can go back whole, the bytes that it gets (nothing: it goes): it is as the state that is left
/// has it, and each generation on the way began with the bytes that the one below it left, so that only
/// tunekeeper changed it.
bool exact_bytes(const HostView& host, const Generations& generations, const Way& way,
                 const std::string& path, std::optional<std::string>& bytes) {
  const std::string target = host.resolve(path);
  const auto before = [&](const Generation& generation) {
    return generations.bytes_at(generation.commit.parent, target);
  };
  const auto after = [&](const Generation& generation) {
    return generations.bytes_at(generation.commit.id, target);
  };
  if (way.chain.empty() || !target.starts_with("/etc/")) return false;
  const auto lowest = before(way.chain.back());
  const auto highest = after(way.chain.front());
  const ReadResult now = host.read(path);
  const auto& left = way.back ? highest : lowest;
  if (left ? !now.ok() || now.bytes != *left : !now.absent()) return false;
  for (std::size_t i = 0; i + 1 < way.chain.size(); ++i) {
    if (before(way.chain[i]) != after(way.chain[i + 1])) return false;
  }
  bytes = way.back ? lowest : highest;
  return true;
}

/// Whether these bytes state every setting as the wanted generation left it. Bytes that do not parse are
/// taken as they are: they are what stood there.
bool states_targets(const std::vector<Restoration>& restorations, const std::string& path,
                    const std::string& bytes) {
  for (const Restoration& restoration : restorations) {
    const std::string& id = restoration.setting.id;
    for (const FileTarget& file : restoration.files) {
      if (file.path != path) continue;
      try {
        if (provider_of(id).statements(id, path, bytes) != file.target) return false;
      } catch (const Error&) {
        return true;
      }
    }
  }
  return true;
}

}  // namespace

std::optional<std::string> bytes_under(const HostView& host, const Generations& generations,
                                       const Generation& generation, const std::string& path) {
  return generations.bytes_at(generation.commit.id, host.resolve(path));
}

std::optional<std::string> bytes_before_first_touch(const HostView& host, const Generations& generations,
                                                    const GenerationRecord& record, const std::string& id,
                                                    const std::string& path) {
  std::optional<Generation> first;
  for (int number = record.generation; number > 0; number = first->record.parent) {
    std::optional<Generation> generation = generations.find(number);
    if (!generation || generation->record.parent >= number) break;
    if (file_of(generation->record.find(id), path) == nullptr) break;
    first = std::move(generation);
  }
  if (!first) return std::nullopt;
  return generations.bytes_at(first->commit.parent, host.resolve(path));
}

RollbackTarget rollback_target(const HostView& host, const Generations& generations,
                               const GenerationRecord& from, const Generation& to) {
  RollbackTarget target;
  std::set<std::string> ids;
  for (const RecordedSetting& setting : from.settings) ids.insert(setting.id);
  for (const RecordedSetting& setting : to.record.settings) ids.insert(setting.id);
  for (const std::string& id : ids) target.restorations.push_back(between(from.find(id), to.record.find(id)));

  for (Restoration& restoration : target.restorations) {
    for (FileTarget& file : restoration.files) file.model = bytes_under(host, generations, to, file.path);
  }

  const std::optional<Way> way = way_between(generations, from.generation, to.number);
  if (!way) return target;
  std::set<std::string> paths;
  for (const auto& [path, left] : from.paths) paths.insert(path);
  for (const auto& [path, left] : to.record.paths) paths.insert(path);
  for (const std::string& path : paths) {
    std::optional<std::string> bytes;
    if (!exact_bytes(host, generations, *way, path, bytes)) continue;
    if (states_targets(target.restorations, path, bytes.value_or(""))) target.exact[path] = std::move(bytes);
  }
  return target;
}

}  // namespace tunekeeper
