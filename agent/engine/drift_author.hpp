#pragma once

#include <vector>

#include "core/row.hpp"
#include "engine/session.hpp"

namespace tunekeeper {

/// Adds to the note of each managed row that differs on disk who changed the file that decides it since the
/// last generation: the commit of /etc's history that brought it, with its date, author and subject; or,
/// where no commit has it yet, when the file was written. Opens the history only where there is such a row. A
/// history that cannot be read takes nothing from the diff: its words are the note.
void name_drift_authors(const Session& session, std::vector<Row>& rows);

}  // namespace tunekeeper
