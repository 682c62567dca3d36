#include "providers/sysfs/value_type.hpp"

#include <algorithm>

namespace tunekeeper {
namespace {

bool is_number(std::string_view text) {
  if (text.substr(0, 1) == "-") text.remove_prefix(1);
  if (text.substr(0, 2) == "0x") {
    text.remove_prefix(2);
    return !text.empty() && text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
  }
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

bool is_selection(std::string_view content) {
  const auto open = content.find('[');
  const auto close = content.find(']', open == std::string_view::npos ? 0 : open);
  if (open == std::string_view::npos || close == std::string_view::npos || close == open + 1) return false;
  const bool starts = open == 0 || content[open - 1] == ' ';
  const bool ends = close + 1 == content.size() || content[close + 1] == ' ';
  return starts && ends && content.substr(open, close - open).find(' ') == std::string_view::npos;
}

std::string sysfs_word(std::string_view content) {
  return std::string(is_selection(content) ? selected(content) : content);
}

ValueType sysfs_type(std::string_view key, std::string_view content) {
  const auto name = key.substr(key.rfind('/') + 1);
  if (name == "rps_cpus" || name == "xps_cpus" || name == "xps_rxqs" || name == "cpumask")
    return ValueType::cpu_mask;
  if (name.find("cpulist") != std::string_view::npos || name == "cpus") return ValueType::cpu_list;
  if (is_selection(content)) return ValueType::selection;
  if (content == "Y" || content == "N") return ValueType::boolean;
  if (is_number(content)) return ValueType::number;
  return content.find_first_of(" \t") == std::string_view::npos ? ValueType::text : ValueType::words;
}

}  // namespace tunekeeper
