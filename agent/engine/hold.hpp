#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/action.hpp"
#include "host/host.hpp"

namespace tunekeeper {

/// Stops every apply until a person ends it: set by a rollback, by a person, or by an unattended apply that
/// failed.
struct Hold {
  enum class By { person, rollback, failed_apply };

  By by = By::person;
  std::string message = {};
  std::int64_t since = 0;        ///< seconds since the epoch
  std::string plan_digest = {};  ///< failed_apply: of the wishes that failed; the hold ends when they change
  int generation = -1;           ///< rollback: the one it went to
};

std::string_view to_string(Hold::By by);

/// The hold in force; nothing when there is none. A damaged file counts as a person's hold and says so.
std::optional<Hold> read_hold(const HostView& host);
/// The same as actions of a run, so that they are undone with it.
Action hold_action(const HostView& host, const Hold& hold);
Action no_hold_action();

void write_hold(Host& host, const Hold& hold);
/// True when there was one.
bool end_hold(Host& host);

}  // namespace tunekeeper
