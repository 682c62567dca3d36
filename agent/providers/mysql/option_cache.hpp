#pragma once

#include <optional>

#include "providers/mysql/server_program.hpp"

namespace tunekeeper::mysql {

/// What the installed program lists, as this run or an earlier one was told; no program is started. Nothing
/// where that was never asked, or the answer is not of the program as it is now, damaged, or in a file that
/// somebody else can write.
std::optional<ProgramOptions> known_listing(const Context& context, const Server& server);

/// Asks the program, which takes tens of milliseconds, and makes of its answer what known_listing() takes.
/// Nothing where no program is installed or it gives no listing.
std::optional<Lesson> ask_for_listing(const Context& context, const Server& server);

}  // namespace tunekeeper::mysql
