#pragma once

#include <cstdint>
#include <string>

namespace tunekeeper {

/// Seconds since the epoch as RFC 3339 in UTC: "2026-03-01T12:00:00Z".
std::string rfc3339(std::int64_t seconds);

/// The inverse; 0 when the text is none.
std::int64_t parse_rfc3339(const std::string& text);

}  // namespace tunekeeper
