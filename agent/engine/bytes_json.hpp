#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace tunekeeper {

/// Keeps the order in which keys are set, as every document of ours does.
using Json = nlohmann::ordered_json;

/// Raw bytes in a JSON document: a string where they are UTF-8, else {"hex": "…"}.
Json bytes_to_json(std::string_view bytes);

/// The inverse. Throws nlohmann::json::exception or std::invalid_argument when it is neither.
std::string bytes_from_json(const Json& json);

}  // namespace tunekeeper
