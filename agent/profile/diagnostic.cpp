#include "profile/diagnostic.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tunekeeper {
namespace {

std::string all_lines(const std::vector<Diagnostic>& diagnostics) {
  std::string lines;
  for (const auto& diagnostic : diagnostics) {
    if (!lines.empty()) lines += '\n';
    lines += to_string(diagnostic);
  }
  return lines;
}

}  // namespace

std::string to_string(const Diagnostic& diagnostic) {
  if (diagnostic.at.file.empty()) return diagnostic.message;
  return fmt::format("{}: {}", to_string(diagnostic.at), diagnostic.message);
}

InvalidProfile::InvalidProfile(std::vector<Diagnostic> diagnostics)
    : Error(all_lines(diagnostics), ExitStatus::invalid), diagnostics_(std::move(diagnostics)) {}

void require_none(std::vector<Diagnostic> diagnostics) {
  put_in_order(diagnostics);
  if (!diagnostics.empty()) throw InvalidProfile(std::move(diagnostics));
}

void put_in_order(std::vector<Diagnostic>& diagnostics) {
  std::sort(diagnostics.begin(), diagnostics.end());
  diagnostics.erase(std::unique(diagnostics.begin(), diagnostics.end()), diagnostics.end());
}

}  // namespace tunekeeper
