#include "engine/record.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "core/error.hpp"
#include "engine/bytes_json.hpp"
#include "engine/time_text.hpp"

namespace tunekeeper {
namespace {

constexpr std::string_view kSchema = "tunekeeper.generation/1";

Json bytes_list(const std::vector<std::string>& items) {
  Json list = Json::array();
  for (const std::string& item : items) list.push_back(bytes_to_json(item));
  return list;
}

std::vector<std::string> bytes_list(const Json& json) {
  std::vector<std::string> items;
  for (const Json& item : json) items.push_back(bytes_from_json(item));
  return items;
}

Json setting_to_json(const RecordedSetting& setting) {
  Json json;
  json["id"] = bytes_to_json(setting.id);
  json["path"] = bytes_list(setting.path);
  json["profile"] = bytes_to_json(setting.profile);
  json["wanted"] = bytes_to_json(setting.wanted);
  json["on_release"] = setting.restore_on_release ? "restore" : "leave";
  if (setting.live) {
    json["live"] = {{"original", bytes_to_json(setting.live->original)},
                    {"left", bytes_to_json(setting.live->left)}};
  }
  json["files"] = Json::array();
  for (const RecordedFile& file : setting.files) {
    json["files"].push_back({{"path", bytes_to_json(file.path)},
                             {"original", bytes_list(file.original)},
                             {"left", bytes_list(file.left)}});
  }
  return json;
}

RecordedSetting setting_from_json(const Json& json) {
  RecordedSetting setting;
  setting.id = bytes_from_json(json.at("id"));
  setting.path = bytes_list(json.at("path"));
  setting.profile = bytes_from_json(json.at("profile"));
  setting.wanted = bytes_from_json(json.at("wanted"));
  setting.restore_on_release = json.at("on_release") != "leave";
  if (const auto live = json.find("live"); live != json.end()) {
    setting.live = RecordedLive{bytes_from_json(live->at("original")), bytes_from_json(live->at("left"))};
  }
  for (const Json& file : json.at("files")) {
    setting.files.push_back(
        {bytes_from_json(file.at("path")), bytes_list(file.at("original")), bytes_list(file.at("left"))});
  }
  return setting;
}

Json to_json(const GenerationRecord& record) {
  Json json;
  json["schema"] = kSchema;
  json["generation"] = record.generation;
  json["parent"] = record.parent;
  json["time"] = rfc3339(record.time);
  json["profiles"] = record.profiles;
  json["extra_profiles"] = record.extra_profiles;
  json["changed"] = bytes_list(record.changed);
  json["settings"] = Json::array();
  for (const RecordedSetting& setting : record.settings) json["settings"].push_back(setting_to_json(setting));
  json["paths"] = Json::array();
  for (const auto& [path, left] : record.paths) {
    json["paths"].push_back({{"path", bytes_to_json(path)},
                             {"digest", left.digest},
                             {"created", left.created},
                             {"folders", bytes_list(left.folders)}});
  }
  return json;
}

GenerationRecord from_json(const Json& json) {
  if (json.at("schema") != kSchema) throw Error("it is of an unknown schema: " + json.at("schema").dump());
  GenerationRecord record;
  record.generation = json.at("generation").get<int>();
  record.parent = json.at("parent").get<int>();
  record.time = parse_rfc3339(json.at("time").get<std::string>());
  record.profiles = json.at("profiles").get<std::vector<std::string>>();
  record.extra_profiles = json.at("extra_profiles").get<std::vector<std::string>>();
  record.changed = bytes_list(json.at("changed"));
  for (const Json& setting : json.at("settings")) record.settings.push_back(setting_from_json(setting));
  for (const Json& path : json.at("paths")) {
    record.paths[bytes_from_json(path.at("path"))] = {
        path.at("digest").get<std::string>(), path.at("created").get<bool>(), bytes_list(path.at("folders"))};
  }
  return record;
}

}  // namespace

const RecordedSetting* GenerationRecord::find(std::string_view id) const {
  const auto found =
      std::lower_bound(settings.begin(), settings.end(), id,
                       [](const RecordedSetting& setting, std::string_view key) { return setting.id < key; });
  return found != settings.end() && found->id == id ? &*found : nullptr;
}

std::vector<std::string> GenerationRecord::folders_left_by(const GenerationRecord& next) const {
  std::set<std::string> kept;
  for (const auto& [path, left] : next.paths) kept.insert(left.folders.begin(), left.folders.end());
  std::set<std::string, std::greater<>> left_over;  // a folder sorts before what is in it
  for (const auto& [path, left] : paths) {
    for (const std::string& folder : left.folders) {
      if (!kept.contains(folder)) left_over.insert(folder);
    }
  }
  return {left_over.begin(), left_over.end()};
}

std::string to_json_text(const GenerationRecord& record) {
  return to_json(record).dump(1) + "\n";
}

GenerationRecord parse_record(std::string_view text) {
  try {
    return from_json(Json::parse(text));
  } catch (const std::exception& error) {
    throw Error(std::string("cannot read the record of a generation: ") + error.what());
  }
}

}  // namespace tunekeeper
