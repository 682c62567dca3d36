#include "cli/last_run.hpp"

#include <set>

#include "core/places.hpp"
#include "engine/time_text.hpp"

namespace tunekeeper {

LastRun::LastRun(Session& session, const std::vector<std::string>& profiles) : session_(session) {
  json_["schema"] = "tunekeeper.last-run/1";
  json_["verb"] = session.verb;
  json_["time"] = rfc3339(session.now());
  json_["profiles"] = profiles;
  json_["exit"] = static_cast<int>(ExitStatus::error);
}

void LastRun::ended(ExitStatus status, int generation, const std::vector<Row>& rows) {
  json_["exit"] = static_cast<int>(status);
  json_["generation"] = generation;
  std::set<std::string> waits;
  for (const Row& row : rows) {
    if (row.state == State::pending) waits.insert(to_string(row.seen.takes_effect));
  }
  json_["pending"] = waits;
}

LastRun::~LastRun() {
  // A run that could not even write here (no root, a full disk) has told its own error already.
  try {
    session_.host.make_directory(places::kRunFolder);
    FileImage image;
    image.absent = false;
    image.mode = 0644;
    image.bytes = print(json_);
    if (const auto folder = session_.host.info(places::kRunFolder)) {
      image.uid = folder->uid;
      image.gid = folder->gid;
    }
    session_.host.put(places::kLastRun, image);
  } catch (const std::exception&) {
    return;
  }
}

std::optional<Document> read_last_run(const HostView& host) {
  const ReadResult file = host.read(places::kLastRun);
  if (!file.ok()) return std::nullopt;
  Document json = Document::parse(file.bytes, nullptr, false);
  if (json.is_discarded()) return std::nullopt;
  return json;
}

}  // namespace tunekeeper
