#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/setting.hpp"

namespace tunekeeper {

/// How one file states a setting: raw statements as they were before tunekeeper first touched them, and as
/// the generation left them.
struct RecordedFile {
  std::string path;
  std::vector<std::string> original;
  std::vector<std::string> left;

  bool operator==(const RecordedFile&) const = default;
};

/// The live word of a setting, likewise.
struct RecordedLive {
  std::string original;
  std::string left;

  bool operator==(const RecordedLive&) const = default;
};

/// One setting that tunekeeper has touched and still manages.
struct RecordedSetting {
  std::string id;
  std::vector<std::string> path;  ///< the keys below its section, as providers take them
  std::string profile;            ///< that a person named, or host.yaml
  std::string wanted;             ///< for people
  bool restore_on_release = true;
  std::optional<RecordedLive> live;
  std::vector<RecordedFile> files;

  bool operator==(const RecordedSetting&) const = default;
};

/// What a generation left in a file, as a whole.
struct RecordedPath {
  std::string digest;                ///< of its bytes
  bool created = false;              ///< it was not there before tunekeeper made it
  std::vector<std::string> folders;  ///< that tunekeeper made for it, the highest first

  bool operator==(const RecordedPath&) const = default;
};

/// One generation: what tunekeeper manages, with raw originals ("tunekeeper.generation/1"). It never changes
/// once it is committed.
struct GenerationRecord {
  int generation = 0;
  int parent = 0;
  std::int64_t time = 0;  ///< seconds since the epoch
  std::vector<std::string> profiles;
  std::vector<std::string> extra_profiles;  ///< applied by name, not of host.yaml
  std::vector<std::string> changed;         ///< ids that this generation changed
  std::vector<RecordedSetting> settings;    ///< in byte order of their ids
  std::map<std::string, RecordedPath> paths;

  /// Folders that this record's files were made with and that no file of the next record keeps, the lowest
  /// first: to be removed when they are empty.
  std::vector<std::string> folders_left_by(const GenerationRecord& next) const;

  const RecordedSetting* find(std::string_view id) const;
};

/// The document, with a final newline.
std::string to_json_text(const GenerationRecord& record);

/// Reads the document. Throws Error when it is damaged or of an unknown schema.
GenerationRecord parse_record(std::string_view text);

}  // namespace tunekeeper
