#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/generations.hpp"
#include "engine/restoration.hpp"

namespace tunekeeper {

/// From the generation in force to the wanted one, as restorations and whole files.
struct RollbackTarget {
  std::vector<Restoration> restorations;
  /// Files that can go back byte for byte, with the bytes they get; nothing: they go.
  std::map<std::string, std::optional<std::string>> exact;
};

/// The bytes that a path had when the generation stood, whatever else was edited in it; nothing when it was
/// absent.
std::optional<std::string> bytes_under(const HostView& host, const Generations& generations,
                                       const Generation& generation, const std::string& path);

/// The bytes that a path had before tunekeeper first wrote this setting into it; nothing where the history
/// does not tell. `record` is that of the generation in force.
std::optional<std::string> bytes_before_first_touch(const HostView& host, const Generations& generations,
                                                    const GenerationRecord& record, const std::string& id,
                                                    const std::string& path);

/// What each setting and file of both generations must become. Requires that both exist.
RollbackTarget rollback_target(const HostView& host, const Generations& generations,
                               const GenerationRecord& from, const Generation& to);

}  // namespace tunekeeper
