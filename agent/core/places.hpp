#pragma once

#include <string_view>

/// Where tunekeeper keeps what is its own, inside the root.
namespace tunekeeper::places {

/// The record of the current generation, kept in /etc so that a clone of its git is enough to roll back.
inline constexpr std::string_view kRecord = "/etc/tunekeeper/generation.json";
inline constexpr std::string_view kHostFile = "/etc/tunekeeper/host.yaml";
/// Live values beside /etc's files, for etckeeper's own commits; written by its hook.
inline constexpr std::string_view kLiveValues = "/etc/tunekeeper/live.yaml";
inline constexpr std::string_view kStateFolder = "/var/lib/tunekeeper";
inline constexpr std::string_view kJournal = "/var/lib/tunekeeper/journal";
/// /etc's history where etckeeper keeps /etc in something else than git.
inline constexpr std::string_view kOwnRepository = "/var/lib/tunekeeper/etc.git";
inline constexpr std::string_view kHold = "/var/lib/tunekeeper/hold";
/// What the installed database server said of its own options.
inline constexpr std::string_view kServerOptions = "/var/lib/tunekeeper/server-options";
inline constexpr std::string_view kRunFolder = "/run/tunekeeper";
inline constexpr std::string_view kLock = "/run/tunekeeper/lock";
inline constexpr std::string_view kLastRun = "/run/tunekeeper/last-run.json";

}  // namespace tunekeeper::places
