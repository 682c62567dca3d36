#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/splice.hpp"
#include "formats/systemd_lines.hpp"

namespace tunekeeper {

/// One line of a tmpfiles.d file (tmpfiles.d(5)): type, path, mode, user, group, age, argument.
struct TmpfilesLine {
  SystemdLine line;
  char type = 0;                    ///< 'w' writes its argument
  std::string modifiers;            ///< of `w+!`: "+!"
  std::string path;                 ///< the pattern, unquoted, specifiers replaced, slashes simplified
  std::string argument;             ///< decoded
  std::size_t argument_offset = 0;  ///< of the argument as written
  std::size_t argument_length = 0;
  std::string fields;  ///< mode, user, group and age as written, `-` where one is missing
  /// A specifier, credential or encoding is used, whose value is not known from the file alone.
  bool path_computed = false;
  bool argument_computed = false;

  bool appends() const { return modifiers.find('+') != std::string::npos; }
};

/// The lines that systemd-tmpfiles understands, in order; what it rejects is left out.
std::vector<TmpfilesLine> read_tmpfiles(std::string_view bytes);

/// What decides the value that is written to a path at boot.
struct TmpfilesDecision {
  bool stated = false;
  bool computed = false;  ///< by a specifier or a credential: the value is not known here
  std::string value;
  std::size_t file = 0;  ///< index of the file in the list given
  int line = 0;
  std::string pattern;  ///< the path of the deciding line, where that is a glob
  /// The first file with a line for exactly this path: later lines for it are ignored by systemd-tmpfiles.
  std::optional<std::size_t> claimed_in;
};

/// Decides each path over files in the order read. Of several lines with the same path or pattern the first
/// counts (but `w+` lines and repetitions all do); lines that match by different patterns are all performed,
/// in the order of the first mention of their pattern, so that the last one prevails.
std::vector<TmpfilesDecision> decide_tmpfiles(std::span<const std::string_view> files,
                                              std::span<const std::string> paths);

/// The `w` lines for exactly this path, without their line ends.
std::vector<std::string> tmpfiles_statements(std::string_view bytes, std::string_view path);

std::vector<Splice> restate_tmpfiles(std::string_view bytes, std::string_view path,
                                     const std::vector<std::string>& statements);

/// Makes the file's `w` line for exactly this path write this value; the first one where several stand there.
/// A value that no argument can hold (empty, or with a NUL) throws std::invalid_argument.
std::vector<Splice> set_tmpfiles(std::string_view bytes, std::string_view path, std::string_view value);

/// Removes the `w` lines for exactly this path.
std::vector<Splice> unset_tmpfiles(std::string_view bytes, std::string_view path);

/// A value as an argument: backslashes and percent signs doubled, blanks at its ends and control bytes
/// escaped.
std::string tmpfiles_argument(std::string_view value);

/// A path as a field that matches nothing else: percent signs, blanks, quotes, backslashes and glob
/// characters escaped.
std::string tmpfiles_path_field(std::string_view path);

}  // namespace tunekeeper
