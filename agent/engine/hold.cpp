#include "engine/hold.hpp"

#include <cerrno>

#include "core/places.hpp"
#include "engine/bytes_json.hpp"
#include "engine/time_text.hpp"

namespace tunekeeper {
namespace {

std::string to_json_text(const Hold& hold) {
  Json json;
  json["schema"] = "tunekeeper.hold/1";
  json["by"] = to_string(hold.by);
  json["message"] = bytes_to_json(hold.message);
  json["since"] = rfc3339(hold.since);
  json["plan_digest"] = hold.plan_digest;
  json["generation"] = hold.generation;
  return json.dump(1) + "\n";
}

Action edit_action(EditFile edit) {
  return {.phase = Phase::files, .plane = PlaneKind::persisted, .deed = std::move(edit), .settings = {}};
}

}  // namespace

std::string_view to_string(Hold::By by) {
  switch (by) {
    case Hold::By::person:
      return "person";
    case Hold::By::rollback:
      return "rollback";
    case Hold::By::failed_apply:
      return "failed apply";
  }
  return "person";
}

std::optional<Hold> read_hold(const HostView& host) {
  const ReadResult file = host.read(places::kHold);
  const bool hidden = file.error == EACCES || file.error == EPERM;  // from a caller who cannot apply either
  if (file.absent() || hidden) return std::nullopt;
  Hold hold;
  try {
    const Json json = Json::parse(file.bytes);
    const auto by = json.at("by").get<std::string>();
    if (by == to_string(Hold::By::rollback)) hold.by = Hold::By::rollback;
    if (by == to_string(Hold::By::failed_apply)) hold.by = Hold::By::failed_apply;
    hold.message = bytes_from_json(json.at("message"));
    hold.since = parse_rfc3339(json.at("since").get<std::string>());
    hold.plan_digest = json.at("plan_digest").get<std::string>();
    hold.generation = json.at("generation").get<int>();
  } catch (const std::exception&) {
    hold = Hold{};
    hold.message = "the hold's file is damaged; it still holds";
  }
  return hold;
}

Action hold_action(const HostView& host, const Hold& hold) {
  const std::size_t present = host.read(places::kHold).bytes.size();
  return edit_action({.path = std::string(places::kHold),
                      .splices = {{0, present, to_json_text(hold)}},
                      .remove = false,
                      .mode = 0600});
}

Action no_hold_action() {
  return edit_action({.path = std::string(places::kHold), .splices = {}, .remove = true});
}

void write_hold(Host& host, const Hold& hold) {
  host.make_directory(places::kStateFolder, 0700);
  host.put(places::kHold, {.absent = false, .bytes = to_json_text(hold), .mode = 0600, .xattrs = {}});
}

bool end_hold(Host& host) {
  if (!host.exists(places::kHold)) return false;
  host.put(places::kHold, FileImage{});
  return true;
}

}  // namespace tunekeeper
