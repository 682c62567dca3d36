#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>

#include "support/catch.hpp"

namespace tunekeeper::test {

/// What differs from run to run (times, commits, process ids, the tree's path) under a fixed name.
inline std::string normalised(std::string text, const std::string& tree) {
  for (std::size_t at = text.find(tree); at != std::string::npos; at = text.find(tree))
    text.replace(at, tree.size(), "TREE");
  text = std::regex_replace(text, std::regex("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ"), "TIME");
  text = std::regex_replace(text, std::regex("\\b[0-9a-f]{40}\\b"), "COMMIT");
  text = std::regex_replace(text, std::regex("\\b[0-9a-f]{12}\\b"), "COMMIT");
  return std::regex_replace(text, std::regex("pid \\d+"), "pid PID");
}

/// Compares with tests/golden/NAME; TUNEKEEPER_ACCEPT=1 takes what the program prints as right, for a person
/// to read in the diff.
inline void check_golden(const std::string& name, const std::string& text) {
  const std::filesystem::path path = std::filesystem::path(TUNEKEEPER_SOURCE_DIR) / "tests/golden" / name;
  if (std::getenv("TUNEKEEPER_ACCEPT") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream golden;
  golden << file.rdbuf();
  INFO("golden file " << name << "; accept a wanted change with TUNEKEEPER_ACCEPT=1");
  CHECK(text == golden.str());
}

}  // namespace tunekeeper::test
