#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/action.hpp"

namespace tunekeeper {

using Document = nlohmann::ordered_json;

/// The document as it is printed: indented by two, a final newline, bytes that are no UTF-8 replaced.
std::string print(const Document& document);

/// `skipped_checks`: owners' checks that were not run, each with its `owner` and `command`.
void add_skipped_checks(Document& json, const std::vector<CheckFiles>& checks);

}  // namespace tunekeeper
