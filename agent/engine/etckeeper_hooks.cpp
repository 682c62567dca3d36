#include "engine/etckeeper_hooks.hpp"

#include "core/places.hpp"

namespace tunekeeper {
namespace {

constexpr std::uint32_t kScriptMode = 0755;

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

bool is_folder(const HostView& host, const std::string& path) {
  const auto info = host.info(path);
  return info && info->kind == FileKind::directory;
}

}  // namespace

HookChanges install_hooks(Host& host) {
  HookChanges changes;
  for (const EtckeeperHook& hook : etckeeper_hooks()) {
    if (!is_folder(host, folder_of(hook.path))) continue;
    FileImage image = host.image(hook.path, false);
    if (!image.absent && (image.is_link || image.bytes != hook.text)) {
      changes.edited.push_back(hook.path);
      continue;
    }
    if (!image.absent && (image.mode & 0111) != 0) continue;
    const auto above = host.info(folder_of(hook.path));
    image = {.absent = false,
             .bytes = hook.text,
             .mode = kScriptMode,
             .uid = above->uid,
             .gid = above->gid,
             .xattrs = {}};
    host.put(hook.path, image, false);
    changes.changed.push_back(hook.path);
  }
  return changes;
}

HookChanges remove_hooks(Host& host) {
  HookChanges changes;
  for (const EtckeeperHook& hook : etckeeper_hooks()) {
    const FileImage image = host.image(hook.path, false);
    if (image.absent) continue;
    if (image.is_link || image.bytes != hook.text) {
      changes.edited.push_back(hook.path);
      continue;
    }
    host.put(hook.path, FileImage{}, false);
    changes.changed.push_back(hook.path);
  }
  const std::string live(places::kLiveValues);
  if (host.image(live, false).absent) return changes;
  host.put(live, FileImage{}, false);
  changes.changed.push_back(live);
  return changes;
}

}  // namespace tunekeeper
