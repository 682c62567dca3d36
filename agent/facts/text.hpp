#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tunekeeper {

/// Takes the next line (without its newline) off the front of `rest`; false at the end.
bool next_line(std::string_view& rest, std::string_view& line);

/// Without blanks at both ends.
std::string_view trimmed(std::string_view text);

std::vector<std::string> words_of(std::string_view text);

/// A decimal number that is the whole text, blanks apart.
std::optional<std::uint64_t> number_of(std::string_view text);

/// The numeric part of a package's or server's version: "10.11.6" of "1:10.11.6-0+deb12u1"; empty when there
/// is none.
std::string version_number(std::string_view text);

/// How many CPUs or nodes a kernel list names: 5 of "0-3,8"; nothing when it is no such list.
std::optional<std::uint64_t> count_of_list(std::string_view list);

/// The value of the first line "KEY<blanks>:<blanks>VALUE" of /proc/meminfo and /proc/cpuinfo.
std::optional<std::string_view> colon_field(std::string_view text, std::string_view key);

/// The value of NAME=VALUE in a file like os-release, the last one, without its quotes.
std::optional<std::string> assignment(std::string_view text, std::string_view name);

/// Whether the text contains a word, whatever the case of ASCII letters.
bool contains_nocase(std::string_view text, std::string_view word);

}  // namespace tunekeeper
