#pragma once

#include <string>
#include <string_view>

namespace tunekeeper {

/// A short mark of some bytes, to notice that they changed: 64-bit FNV-1a and the length, as
/// "fnv1a:HEX-LENGTH". It guards against accidents, not against forgery.
/// http://www.isthe.com/chongo/tech/comp/fnv/
std::string digest(std::string_view bytes);

}  // namespace tunekeeper
