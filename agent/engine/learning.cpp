#include "engine/learning.hpp"

#include "core/places.hpp"

namespace tunekeeper {
namespace {

/// Owned like the folder: in a tree that an unprivileged caller works on it is theirs.
void keep(Host& host, const Lesson& lesson) {
  host.make_directory(places::kStateFolder, 0700);
  FileImage image{.absent = false, .bytes = lesson.bytes, .mode = 0600, .xattrs = {}};
  if (const auto folder = host.info(places::kStateFolder)) {
    image.uid = folder->uid;
    image.gid = folder->gid;
  }
  host.put(lesson.path, image);
}

}  // namespace

bool learn(Session& session, const std::vector<Row>& rows) {
  bool is_new = false;
  for (const auto& provider : all_providers()) {
    std::vector<Row> to_write;
    for (const Row& row : rows) {
      const bool wrong = row.state == State::differs || row.state == State::pending;
      if (wrong && !row.release && row.desired.section() == provider->section().id_prefix)
        to_write.push_back(row);
    }
    if (to_write.empty()) continue;
    auto lesson = provider->learn(session.context, to_write);
    if (!lesson) continue;
    keep(session.host, *lesson);
    session.context.lessons.push_back(std::move(*lesson));
    is_new = true;
  }
  return is_new;
}

}  // namespace tunekeeper
