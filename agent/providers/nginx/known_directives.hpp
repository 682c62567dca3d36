#pragma once

#include <span>
#include <string_view>

#include "providers/nginx/directives.hpp"

namespace tunekeeper::nginx {

/// What a directive's argument is to nginx.
enum class Kind { flag, number, size, duration, words };

struct KnownDirective {
  Level level;
  std::string_view name;
  Kind kind;
};

/// Directives that stand at most once in their block. Source: http://nginx.org/en/docs/dirindex.html
std::span<const KnownDirective> known_directives();

/// Directives that may be repeated in one block, so that no single statement is their value.
std::span<const std::string_view> additive_directives();

/// Directives that open a block.
std::span<const std::string_view> block_directives();

}  // namespace tunekeeper::nginx
