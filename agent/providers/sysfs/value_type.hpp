#pragma once

#include <string>
#include <string_view>

#include "core/compare.hpp"

namespace tunekeeper {

/// Whether a content of a sysfs file is a choice with one word in brackets: "none [mq-deadline] kyber".
bool is_selection(std::string_view content);

/// The value of a content: the selected word of a choice, else all of it.
std::string sysfs_word(std::string_view content);

/// How values of a sysfs file compare, by its name and by what it holds now.
ValueType sysfs_type(std::string_view key, std::string_view content);

}  // namespace tunekeeper
