#pragma once

#include <string_view>
#include <vector>

#include "core/splice.hpp"

namespace tunekeeper {

/// Insertions of whole lines into `now`, each moved to where that line stood in `then`, an older text of the
/// same file: after or before its nearest neighbour there that still stands. Only neighbours that both texts
/// have once count, and the nearer one, of two the upper one, wins. A line that is not in `then` once, or has
/// no such neighbour, goes where the splice has it; so does every other splice.
std::vector<Splice> at_old_places(std::string_view now, const std::vector<Splice>& splices,
                                  std::string_view then);

}  // namespace tunekeeper
