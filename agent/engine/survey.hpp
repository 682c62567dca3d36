#pragma once

#include <string>
#include <vector>

#include "core/judge.hpp"
#include "providers/provider.hpp"

namespace tunekeeper {

/// The provider of a setting by its id's prefix. Throws Error when there is none.
const Provider& provider_of(std::string_view id);

/// Whether the id is among those that `--only` asks for: any of the globs matches (all do when there are
/// none), and no glob that begins with `!`.
bool selected_by(const std::vector<std::string>& only, std::string_view id);

/// Expands globs and aliases to what this host has, in order; of one id asked for twice the later wish
/// counts.
std::vector<Desired> expand(const Context& context, const std::vector<Desired>& wishes);

/// Asks each provider once for all of its settings and judges every row; rows in the order of the wishes.
std::vector<Row> survey(const Context& context, std::vector<Desired> wishes, PlaneSet planes = {});

}  // namespace tunekeeper
