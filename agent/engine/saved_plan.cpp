#include "engine/saved_plan.hpp"

#include "core/digest.hpp"
#include "engine/bytes_json.hpp"

namespace tunekeeper {
namespace {

constexpr std::string_view kSchema = "tunekeeper.plan/1";

std::string digest_of(const Plane& plane) {
  std::string text = std::to_string(static_cast<int>(plane.kind));
  for (const std::string& item : plane.value.items) text += "\n" + item;
  return text;
}

Json digests(const std::map<std::string, std::string>& entries) {
  Json list = Json::array();
  for (const auto& [name, mark] : entries) list.push_back({bytes_to_json(name), mark});
  return list;
}

std::map<std::string, std::string> digests(const Json& list) {
  std::map<std::string, std::string> entries;
  for (const Json& entry : list) entries[bytes_from_json(entry.at(0))] = entry.at(1).get<std::string>();
  return entries;
}

std::string first_difference(const std::map<std::string, std::string>& saved,
                             const std::map<std::string, std::string>& now) {
  for (const auto& [name, mark] : saved) {
    const auto found = now.find(name);
    if (found == now.end() || found->second != mark) return name;
  }
  for (const auto& [name, mark] : now) {
    if (!saved.contains(name)) return name;
  }
  return {};
}

/// Whether the text is JSON but for a missing end.
bool is_cut_short(std::string_view text) {
  try {
    return Json::parse(text).is_discarded();
  } catch (const Json::parse_error& error) {
    return error.byte > text.size();
  }
}

/// What keeps the document from being a plan, before its keys are looked at; empty where nothing does.
std::string why_no_plan(std::string_view text, const Json& json) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return "it is empty";
  if (json.is_discarded()) return is_cut_short(text) ? "it is cut short" : "it is not JSON";
  if (!json.is_object() || !json.contains("schema") || !json["schema"].is_string())
    return "it is JSON of something else (no \"schema\")";
  const std::string schema = json["schema"].get<std::string>();
  return schema == kSchema ? "" : "its schema is \"" + schema + "\", not \"" + std::string(kSchema) + "\"";
}

Error no_plan(const std::string& why) {
  Error error("this is no saved plan: " + why, ExitStatus::invalid);
  error.with_state("host unchanged").with_next("make one: tunekeeper diff -o FILE");
  return error;
}

}  // namespace

SavedPlan save_plan(const Wishes& wishes, const RunOptions& options, const Plan& plan) {
  SavedPlan saved{.profiles = wishes.whole ? std::vector<std::string>{} : wishes.profiles,
                  .only = options.only,
                  .drop = options.drop,
                  .planes = options.planes,
                  .wishes = digest_of(wishes),
                  .seen = {},
                  .files = {}};
  for (const Row& row : plan.rows) {
    saved.seen[row.desired.id] = digest(digest_of(row.seen.live) + "\n\n" + digest_of(row.seen.persisted) +
                                        "\n\n" + digest_of(row.seen.boot));
  }
  for (const Action& action : plan.actions) {
    const auto* edit = std::get_if<EditFile>(&action.deed);
    if (edit != nullptr) saved.files[edit->path] = edit->base_digest;
  }
  return saved;
}

std::string to_json_text(const SavedPlan& saved, const Plan& plan) {
  Json json;
  json["schema"] = kSchema;
  json["profiles"] = saved.profiles;
  json["only"] = saved.only;
  json["drop"] = saved.drop;
  json["planes"] = {
      {"live", saved.planes.live}, {"persisted", saved.planes.persisted}, {"boot", saved.planes.boot}};
  json["wishes"] = saved.wishes;
  json["seen"] = digests(saved.seen);
  json["files"] = digests(saved.files);
  json["actions"] = Json::array();
  for (const Action& action : plan.actions) json["actions"].push_back(bytes_to_json(describe(action)));
  return json.dump(1) + "\n";
}

SavedPlan parse_plan(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (const std::string why = why_no_plan(text, json); !why.empty()) throw no_plan(why);
  try {
    const Json& planes = json.at("planes");
    return {.profiles = json.at("profiles").get<std::vector<std::string>>(),
            .only = json.at("only").get<std::vector<std::string>>(),
            .drop = json.at("drop").get<std::vector<std::string>>(),
            .planes = {.live = planes.at("live").get<bool>(),
                       .persisted = planes.at("persisted").get<bool>(),
                       .boot = planes.at("boot").get<bool>()},
            .wishes = json.at("wishes").get<std::string>(),
            .seen = digests(json.at("seen")),
            .files = digests(json.at("files"))};
  } catch (const std::exception&) {
    throw no_plan("a key of it is missing, or is not what diff -o writes there");
  }
}

std::string changed_since(const SavedPlan& saved, const SavedPlan& now) {
  if (const std::string id = first_difference(saved.seen, now.seen); !id.empty())
    return id + " is no longer as it was";
  if (const std::string path = first_difference(saved.files, now.files); !path.empty())
    return path + " was edited";
  return saved.wishes == now.wishes ? "" : "the profiles or facts ask for something else now";
}

}  // namespace tunekeeper
