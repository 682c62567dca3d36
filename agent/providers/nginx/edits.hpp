#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/action.hpp"
#include "core/row.hpp"
#include "providers/nginx/config.hpp"

namespace tunekeeper::nginx {

/// What holds new settings of the http block, where that block includes it.
inline constexpr std::string_view drop_in = "/etc/nginx/conf.d/zz-tunekeeper.conf";
inline constexpr std::string_view header =
    "# Written by tunekeeper from its profiles; changes to managed lines are reported as drift.\n";

/// Whether our drop-in says nothing: only our header is left.
bool says_nothing(std::string_view bytes);

/// The file edits that make `persisted` right for these rows, one a file. A directive that stands is edited
/// there; else main and events ones go into their block, http ones into our drop-in if http includes it and
/// its folder is there, else into the http block. Requires a configuration without fault. A row whose block
/// does not exist gets no edit.
std::vector<Action> file_actions(const HostView& host, const Config& config,
                                 std::span<const Row* const> rows);

/// The directives of a setting in one file seen alone: in its http or events block, else (a file that http or
/// events includes) among its outermost ones.
std::vector<NginxConf::Id> standing_in(const NginxConf& conf, const std::string& path,
                                       std::span<const std::string> key);

/// The block of one file that a setting's directive is added to; nothing when the main file lacks the block.
std::optional<NginxConf::Id> home_in(const NginxConf& conf, const std::string& path, Level level);

/// Removals cut and insertions moved so that no two splices touch the same bytes.
std::vector<Splice> disentangled(std::vector<Splice> splices);

/// Whether new settings of the http block go into our drop-in rather than into the block itself.
bool uses_drop_in(const HostView& host, const Config& config);

}  // namespace tunekeeper::nginx
