#include "engine/journal.hpp"

#include "core/digest.hpp"
#include "core/places.hpp"
#include "engine/bytes_json.hpp"
#include "engine/time_text.hpp"

namespace tunekeeper {
namespace {

Json image_to_json(const FileImage& image) {
  if (image.absent) return nullptr;
  Json json{
      {"bytes", bytes_to_json(image.bytes)}, {"mode", image.mode}, {"uid", image.uid}, {"gid", image.gid}};
  json["xattrs"] = Json::array();
  for (const auto& [name, value] : image.xattrs)
    json["xattrs"].push_back({bytes_to_json(name), bytes_to_json(value)});
  if (image.is_link) json["link"] = true;
  return json;
}

FileImage image_from_json(const Json& json) {
  FileImage image;
  if (json.is_null()) return image;
  image.absent = false;
  image.bytes = bytes_from_json(json.at("bytes"));
  image.mode = json.at("mode").get<std::uint32_t>();
  image.uid = json.at("uid").get<std::uint32_t>();
  image.gid = json.at("gid").get<std::uint32_t>();
  for (const Json& xattr : json.at("xattrs")) {
    image.xattrs[bytes_from_json(xattr.at(0))] = bytes_from_json(xattr.at(1));
  }
  image.is_link = json.contains("link");
  return image;
}

struct StepToJson {
  Json operator()(const UndoFile& step) const {
    return {{"undo", "file"},
            {"path", bytes_to_json(step.path)},
            {"original", image_to_json(step.original)},
            {"written", step.written},
            {"generated", step.generated},
            {"entry", step.entry},
            {"next", bytes_to_json(step.next)}};
  }
  Json operator()(const UndoLive& step) const {
    Json writes = Json::array();
    for (const auto& [path, value] : step.writes)
      writes.push_back({bytes_to_json(path), bytes_to_json(value)});
    return {{"undo", "live"}, {"writes", std::move(writes)}};
  }
  Json operator()(const UndoFolder& step) const {
    return {{"undo", "folder"}, {"path", bytes_to_json(step.path)}};
  }
  Json operator()(const UndoFolderRemoval& step) const {
    return {{"undo", "folder-removal"}, {"path", bytes_to_json(step.path)}, {"mode", step.mode}};
  }
  Json operator()(const UndoJob& step) const {
    return {{"undo", "job"},
            {"kind", step.job.kind == ServiceJob::Kind::reload ? "reload" : "restart"},
            {"service", step.job.service},
            {"unit", step.job.unit},
            {"by_hand", step.job.by_hand}};
  }
  Json operator()(const UndoDaemonReload&) const { return {{"undo", "daemon-reload"}}; }
};

UndoStep step_from_json(const Json& json) {
  const auto kind = json.at("undo").get<std::string>();
  if (kind == "file") {
    return UndoFile{bytes_from_json(json.at("path")),
                    image_from_json(json.at("original")),
                    json.at("written").get<std::string>(),
                    json.at("generated").get<bool>(),
                    json.contains("next") ? bytes_from_json(json["next"]) : std::string(),
                    json.value("entry", false)};
  }
  if (kind == "live") {
    UndoLive live;
    for (const Json& write : json.at("writes")) {
      live.writes.emplace_back(bytes_from_json(write.at(0)), bytes_from_json(write.at(1)));
    }
    return live;
  }
  if (kind == "folder") return UndoFolder{bytes_from_json(json.at("path"))};
  if (kind == "folder-removal")
    return UndoFolderRemoval{bytes_from_json(json.at("path")), json.at("mode").get<std::uint32_t>()};
  if (kind == "daemon-reload") return UndoDaemonReload{};
  if (kind != "job") throw Error("an unknown kind of step: " + kind);
  return UndoJob{{json.at("kind") == "reload" ? ServiceJob::Kind::reload : ServiceJob::Kind::restart,
                  json.at("service").get<std::string>(), json.at("unit").get<std::string>(),
                  json.at("by_hand").get<std::vector<std::string>>()}};
}

/// One line: what it holds after a digest of that, so that a damaged byte is never taken for an original.
std::string line_of(const Json& json) {
  const std::string text = json.dump();
  return digest(text) + " " + text + "\n";
}

Json parse_line(const std::string& line) {
  const std::size_t blank = line.find(' ');
  const std::string text = blank == std::string::npos ? line : line.substr(blank + 1);
  if (line.substr(0, blank) != digest(text)) throw Error("a line of it is not as it was written");
  return Json::parse(text);
}

/// The lines that are whole: a torn last one was not yet acted on.
std::vector<std::string> whole_lines(const std::string& bytes) {
  std::vector<std::string> lines;
  std::size_t start = 0;
  for (std::size_t end = bytes.find('\n'); end != std::string::npos; end = bytes.find('\n', start)) {
    lines.push_back(bytes.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

UnfinishedRun parse_run(const std::vector<std::string>& lines) {
  const Json head = parse_line(lines.front());
  if (head.at("schema") != "tunekeeper.journal/1") throw Error("it is of an unknown schema");
  UnfinishedRun run;
  run.verb = head.at("verb").get<std::string>();
  run.run = head.at("run").get<std::string>();
  run.since = parse_rfc3339(head.at("since").get<std::string>());
  for (std::size_t i = 1; i < lines.size(); ++i) run.steps.push_back(step_from_json(parse_line(lines[i])));
  return run;
}

}  // namespace

void Journal::begin(const std::string& verb, const std::string& run, std::int64_t now) {
  host_.make_directory(places::kStateFolder, 0700);
  const Json head{{"schema", "tunekeeper.journal/1"}, {"verb", verb}, {"run", run}, {"since", rfc3339(now)}};
  try {
    host_.append_durably(places::kJournal, line_of(head));
  } catch (const HostError&) {
    end_if_possible();  // half a first line would stand for a run that never began
    throw;
  }
}

void Journal::end_if_possible() {
  try {
    end();
  } catch (const HostError&) {
    // The next run sees that this one did nothing.
  }
}

void Journal::intend(const std::vector<UndoStep>& steps) {
  std::string lines;
  for (const UndoStep& step : steps) lines += line_of(std::visit(StepToJson{}, step));
  if (!lines.empty()) host_.append_durably(places::kJournal, lines);
}

void Journal::end() {
  host_.put(places::kJournal, FileImage{});
}

std::optional<UnfinishedRun> Journal::unfinished(const HostView& host) {
  const ReadResult file = host.read(places::kJournal);
  if (file.absent()) return std::nullopt;
  if (!file.ok()) throw HostError("read", places::kJournal, file.error);
  const std::vector<std::string> lines = whole_lines(file.bytes);
  if (lines.empty()) return UnfinishedRun{.verb = "apply", .run = {}, .since = 0, .steps = {}};
  try {
    return parse_run(lines);
  } catch (const std::exception& error) {
    throw Error(std::string("the journal ") + std::string(places::kJournal) + " is damaged: " + error.what());
  }
}

std::string Journal::set_aside(Host& host, std::int64_t now) {
  std::string aside = std::string(places::kJournal) + ".damaged-" + std::to_string(now);
  host.put(aside, host.image(places::kJournal));
  host.put(places::kJournal, FileImage{});
  return aside;
}

}  // namespace tunekeeper
