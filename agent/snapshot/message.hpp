#pragma once

#include <string>
#include <string_view>

#include "snapshot/snapshot.hpp"

namespace tunekeeper {

/// A commit message's text: subject, body and trailers as paragraphs. Line breaks within the subject and the
/// trailers become blanks, so that what is written is what is read back.
std::string compose_message(const CommitMessage& message);

/// Sets subject, body and trailers of the commit from a message's text. Trailers are the last paragraph, when
/// it is not the first and every line of it is `Token: value` or, indented, goes on with the line above.
void parse_message(std::string_view text, Commit& commit);

}  // namespace tunekeeper
