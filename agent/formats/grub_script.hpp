#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tunekeeper {

/// One word of a GRUB script command.
struct GrubWord {
  std::size_t begin = 0;  ///< of the raw word in the text that was cut
  std::size_t end = 0;
  std::string text;      ///< without quotes; a variable leaves nothing, as GRUB does for one that is not set
  std::string variable;  ///< the first variable named in it: "menuentry_id_option"
};

/// The words of one GRUB command, and where it stops.
struct GrubCommand {
  std::vector<GrubWord> words;
  std::size_t end =
      0;  ///< offset of what ended it: the text's end, a line end, or `;`, `{`, `}`, `|`, `&`, `<`, `>`
};

/// Cuts one command into words as GRUB's script parser does: quotes, backslashes, `$name`, comments. An open
/// quote lasts to the text's end.
GrubCommand grub_command(std::string_view text, std::size_t from = 0);

/// A kernel parameter so written that GRUB's script parser makes one word of it with exactly this text.
/// `inner` is the quote to use where one is needed: a single one, or a double one where the shell's own are
/// single.
std::string grub_quoted(std::string_view parameter, char inner = '\'');

}  // namespace tunekeeper
