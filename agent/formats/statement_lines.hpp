#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/splice.hpp"
#include "formats/systemd_lines.hpp"

namespace tunekeeper {

/// Makes the lines of a setting read `statements` (without line ends): each in the place of one of `present`,
/// further ones after the last of these (at the end of the file where there is none), present ones left over
/// removed.
std::vector<Splice> restate_lines(std::string_view bytes, const std::vector<SystemdLine>& present,
                                  const std::vector<std::string>& statements);

/// Some lines in a row, with their line ends.
struct LineSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};

/// Removes these lines (in order, apart). Where they are the file's last ones and end without a line end, the
/// line end before them goes too: so what was added to a file without a final line end is gone without a
/// trace.
std::vector<Splice> removed_lines(std::string_view bytes, const std::vector<LineSpan>& lines);

/// A splice that puts this line at the end of the file, with the file's own line end; where the file has no
/// final line end, neither gets the new line.
Splice appended_line(std::string_view bytes, std::string_view text);

/// Whether only blank lines and comments (`#`, `;`) are left.
bool only_comments(std::string_view bytes);

}  // namespace tunekeeper
