#include <fmt/format.h>

#include "cli/json_document.hpp"
#include "cli/report.hpp"
#include "core/secret.hpp"

namespace tunekeeper {
namespace {

Document value_json(const Value& value) {
  if (value.is_flag()) return true;
  if (value.repeated) return value.items;
  return value.items.front();
}

void add_plane(Document& json, const std::string& name, const Plane& plane) {
  if (plane.has_value()) {
    json[name] = value_json(plane.value);
    return;
  }
  json[name] = nullptr;
  switch (plane.kind) {
    case Plane::Kind::absent:
      json[name + "_reason"] = "absent";
      break;
    case Plane::Kind::not_applicable:
      json[name + "_reason"] = plane.reason.empty() ? "n/a" : "n/a: " + plane.reason;
      break;
    default:
      json[name + "_reason"] = "unknown: " + plane.reason;
      break;
  }
}

Document desired_json(const Desired& desired) {
  switch (desired.want) {
    case Want::absent:
      return nullptr;
    case Want::at_least:
      return {{"at_least", value_json(desired.value)}};
    case Want::at_most:
      return {{"at_most", value_json(desired.value)}};
    case Want::equals:
      break;
  }
  return value_json(desired.value);
}

std::string profile_at(const Position& at) {
  return fmt::format("{}:{}", at.file.substr(at.file.rfind('/') + 1), at.line);
}

Document row_json(const Row& row) {
  Document json;
  json["id"] = row.desired.id;
  json["state"] = to_string(row.state);
  json["desired"] = desired_json(row.desired);
  add_plane(json, "live", row.seen.live);
  add_plane(json, "persisted", row.seen.persisted);
  add_plane(json, "boot", row.seen.boot);
  if (!row.seen.boot_entries.empty()) json["boot_entries"] = row.seen.boot_entries;
  json["decided_by"] = row.seen.decided_by.empty() ? Document(nullptr) : Document(row.seen.decided_by);
  json["takes_effect"] = to_string(row.seen.takes_effect);
  json["profile_at"] = row.desired.at.file.empty() ? Document(nullptr) : Document(profile_at(row.desired.at));
  json["why"] = row.desired.why;
  json["note"] = row.seen.note;
  if (!row.reason.empty()) json["reason"] = row.reason;
  if (row.release) json["release"] = true;
  return json;
}

}  // namespace

std::string print(const Document& document) {
  return document.dump(2, ' ', false, Document::error_handler_t::replace) + "\n";
}

void add_skipped_checks(Document& json, const std::vector<CheckFiles>& checks) {
  json["skipped_checks"] = Document::array();
  for (const CheckFiles& check : checks) {
    json["skipped_checks"].push_back(
        {{"owner", check.owner}, {"command", fmt::format("{}", fmt::join(check.argv, " "))}});
  }
}

std::string diff_json(const ReportHead& head, const std::vector<Row>& rows, std::string_view schema) {
  const Summary summary = summarize(rows);
  Document json;
  json["schema"] = schema;
  json["host"] = head.host;
  json["profiles"] = head.profiles;
  json["summary"] = {{"in_sync", summary.in_sync},
                     {"differs", summary.differs},
                     {"pending", summary.pending},
                     {"unsupported", summary.unsupported},
                     {"failed", summary.failed}};
  json["settings"] = Document::array();
  for (const Row& row : rows) json["settings"].push_back(row_json(without_secrets(row)));
  return print(json);
}

std::string check_json(const ReportHead& head, const std::vector<Row>& rows, std::string_view schema) {
  Document json = Document::parse(diff_json(head, rows, schema));
  json["extra"] = head.extra;
  return print(json);
}

}  // namespace tunekeeper
