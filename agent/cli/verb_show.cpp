#include <memory>

#include <fmt/format.h>

#include "cli/console.hpp"
#include "cli/json_document.hpp"
#include "cli/verbs.hpp"
#include "cli/workbench.hpp"
#include "core/secret.hpp"
#include "engine/generations.hpp"
#include "engine/time_text.hpp"

namespace tunekeeper {
namespace {

/// What one generation changed in one place: statements or live words before and after.
struct Change {
  std::string id;
  std::string where;  ///< a path, or "live"
  std::vector<std::string> before;
  std::vector<std::string> after;
};

std::vector<std::string> left_in(const RecordedSetting* setting, const std::string& path,
                                 const std::vector<std::string>& otherwise) {
  if (setting == nullptr) return otherwise;
  for (const RecordedFile& file : setting->files) {
    if (file.path == path) return file.left;
  }
  return otherwise;
}

void add_changes(const RecordedSetting* before, const RecordedSetting* after, std::vector<Change>& changes) {
  const RecordedSetting& known = after != nullptr ? *after : *before;
  for (const RecordedFile& file : known.files) {
    Change change{known.id, file.path, left_in(before, file.path, file.original),
                  left_in(after, file.path, file.original)};
    if (change.before != change.after) changes.push_back(std::move(change));
  }
  if (!known.live) return;
  const std::string was = before != nullptr && before->live ? before->live->left : known.live->original;
  const std::string is = after != nullptr && after->live ? after->live->left : known.live->original;
  if (was != is) changes.push_back({known.id, "live", {was}, {is}});
}

void redact(Change& change) {
  for (std::vector<std::string>* lines : {&change.before, &change.after})
    for (std::string& line : *lines) line = shown(change.id, Value::of(line));
}

std::vector<Change> changes_between(const GenerationRecord& parent, const GenerationRecord& record) {
  std::vector<Change> changes;
  for (const RecordedSetting& setting : record.settings)
    add_changes(parent.find(setting.id), &setting, changes);
  for (const RecordedSetting& setting : parent.settings) {
    if (record.find(setting.id) == nullptr) add_changes(&setting, nullptr, changes);
  }
  for (Change& change : changes) redact(change);
  return changes;
}

/// Names of files that others changed between the parent's commit and this generation's start.
std::vector<std::string> foreign_files(const Snapshot& snapshot, const Generation& parent,
                                       const Generation& generation) {
  if (parent.commit.id.empty() || generation.commit.parent.empty()) return {};
  return snapshot.changed_between(parent.commit.id, generation.commit.parent);
}

std::string show_json(const Generation& generation, const std::vector<Change>& changes,
                      const std::vector<std::string>& foreign) {
  Document json;
  json["schema"] = "tunekeeper.show/1";
  json["generation"] = generation.number;
  json["parent"] = generation.record.parent;
  json["time"] = rfc3339(generation.commit.time);
  json["profiles"] = generation.record.profiles;
  json["commit"] = generation.commit.id;
  json["changes"] = Document::array();
  for (const Change& change : changes) {
    json["changes"].push_back(
        {{"id", change.id}, {"where", change.where}, {"before", change.before}, {"after", change.after}});
  }
  json["foreign_files"] = foreign;
  return print(json);
}

std::string show_text(const Generation& generation, const std::vector<Change>& changes,
                      const std::vector<std::string>& foreign) {
  std::string text =
      fmt::format("Generation {}, {}, after {}: {}\n", generation.number, rfc3339(generation.commit.time),
                  generation.record.parent, fmt::join(generation.record.profiles, ", "));
  std::string last;
  for (const Change& change : changes) {
    if (change.id != last) text += "\n" + change.id + "\n";
    last = change.id;
    text += "  " + change.where + "\n";
    for (const std::string& line : change.before) text += "    - " + line + "\n";
    for (const std::string& line : change.after) text += "    + " + line + "\n";
  }
  if (!foreign.empty()) text += "\nChanged by others before it:\n";
  for (const std::string& path : foreign) text += "  /etc/" + path + "\n";
  return text;
}

ExitStatus show(int number, const Globals& globals) {
  Workbench bench(globals, Workbench::HostFile::optional);
  const Generations generations(bench.snapshot());
  const std::optional<Generation> generation = generations.find(number);
  if (!generation) {
    throw Error(fmt::format("there is no generation {}", number))
        .with_next("see those that there are: tunekeeper history");
  }
  if (number == 0) {
    print_out(globals.json ? show_json(*generation, {}, {}) : "Generation 0: the host as it was found.\n");
    return ExitStatus::ok;
  }
  const Generation parent = generations.find(generation->record.parent).value_or(Generation{});
  const std::vector<Change> changes = changes_between(parent.record, generation->record);
  const std::vector<std::string> foreign = foreign_files(bench.snapshot(), parent, *generation);
  print_out(globals.json ? show_json(*generation, changes, foreign)
                         : show_text(*generation, changes, foreign));
  return ExitStatus::ok;
}

}  // namespace

std::function<ExitStatus()> prepare_show(CLI::App& parser, const Globals& globals) {
  auto number = std::make_shared<int>(0);
  parser.add_option("generation", *number, "Its number")->required()->check(CLI::Range(0, 999999999));
  return [number, &globals] { return show(*number, globals); };
}

}  // namespace tunekeeper
