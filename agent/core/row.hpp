#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/compare.hpp"
#include "core/setting.hpp"

namespace tunekeeper {

enum class State { in_sync, differs, pending, unsupported, failed };

std::string_view to_string(State state);

/// When a change of a setting is in force.
struct Effect {
  /// `by_hand`: what decides the value is not written by this program, so no apply brings it into force.
  enum class Kind { now, reload, restart, reboot, by_hand };

  Kind kind = Kind::now;
  std::string service;  ///< for reload and restart: "nginx", "mariadb"

  bool operator==(const Effect&) const = default;
};

/// "now", "reload nginx", "restart mariadb", "reboot", "by hand".
std::string to_string(const Effect& effect);

/// What a provider found out about one setting. Only facts: core/judge.hpp makes the state of them.
struct Observation {
  ValueType type = ValueType::text;
  Plane live, persisted, boot;
  std::string
      decided_by;  ///< the file and line that decide `persisted`, without the leading slash: "etc/my.cnf:12"
  Effect takes_effect;

  /// Why this host cannot have the setting (knob absent, service not installed, value not offered).
  std::string unsupported;
  /// Why nothing can be decided (file does not parse, value out of the owner's range).
  std::string failed;
  /// Why its files must not be written (a vendor's drop-in outranks ours, a file does not parse): nothing to
  /// a run that works on the live plane alone.
  std::string unwritable;

  /// The owner (a process, the running kernel) started before what is persisted now was written, so that a
  /// reload, restart or reboot cures a wrong live value. Nothing where it is not known: it then counts as
  /// older.
  std::optional<bool> owner_is_older;
  /// The owner does not tell what it has taken of the files: `live` is not applicable or what it was told
  /// last, and an owner that is older than its files awaits its reload or restart.
  bool shows_age_alone = false;
  /// Why a younger owner is still wrong ("LimitNOFILE=16384 of mariadb.service caps it").
  std::string live_reason;
  /// The live value that the owner's own rounding makes of the desired one, with the rule in `note`.
  std::optional<Value> live_accepted;
  /// The generator that would right `boot` is not run here (another root): the row is pending, with this
  /// command.
  std::string boot_command;
  /// The kernel module that has to be loaded before the setting exists live: the row is pending once its
  /// files are right.
  std::string awaits_module;
  /// Boot entries whose value is not the default entry's: "title: value".
  std::vector<std::string> boot_entries;
  /// What the reader should know beside the state (rounding, a file that procps reads otherwise, an
  /// override).
  std::string note;
};

/// One setting joined over the planes: what the plan, the report and the exit status are made of.
struct Row {
  Desired desired;
  Observation seen;
  State state = State::in_sync;
  std::string reason;    ///< of unsupported, failed, and of a differs or pending that needs one
  bool release = false;  ///< the setting left its profile: `desired` is its recorded original
};

}  // namespace tunekeeper
