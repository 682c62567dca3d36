#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/plane.hpp"

namespace tunekeeper {

/// How two texts of a setting are compared: as their owner understands them, never byte by byte.
enum class ValueType {
  text,         ///< exact, but for surrounding blanks
  text_nocase,  ///< an enumeration whose case does not matter
  number,       ///< `05` = 5; `0x1` = 1, but `10` is not 0x10; a minus sign and a fraction are understood
  size,         ///< bytes or a count with one suffix K M G T P E, powers of 1024, any case: `8G` = 8589934592
  boolean,      ///< ON TRUE YES Y 1 = 1, OFF FALSE NO N 0 = 0, any case
  words,        ///< white-space lists: `250 32000` = `250<TAB>32000`, each word as a number where both are
  selection,    ///< one of a bracketed list: `always [madvise] never` = madvise; a bare word is itself
  cpu_list,     ///< `0-3` = `0,1,2,3`
  cpu_mask,     ///< hexadecimal with commas: `00000000,0000000f` = `f`
  duration,     ///< nginx times, or a list of them: `75` = `75s` = `1m15s`
  number_ranges,  ///< ports and the like: `1,2-5,10-20` = `1-5,10-20`
  option,  ///< a server option of unknown type: as size where both are sizes, else boolean where both are
           ///< (without YES and NO, which servers do not take), else text whose case does not matter
};

/// Whether two texts mean the same.
bool same(ValueType type, std::string_view left, std::string_view right);

/// Item by item; a repeated value equals a single one only when it has one item.
bool same(ValueType type, const Value& left, const Value& right);

/// left - right as a sign (-1, 0, 1) for numbers, fractions too, for sizes, and for nginx times where the
/// type is duration; nothing where either is none.
std::optional<int> order(ValueType type, std::string_view left, std::string_view right);

/// A size in bytes ("8G", "128k", "42"); nothing when it is no size or does not fit 64 bits.
std::optional<std::uint64_t> parse_size(std::string_view text);

/// The word that a selection has chosen: "madvise" of "always [madvise] never"; the whole text without
/// brackets.
std::string_view selected(std::string_view text);

/// Whether a bracketed selection offers this word. A text without brackets refuses nothing.
bool offers(std::string_view selection, std::string_view word);

}  // namespace tunekeeper
