#pragma once

#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/position.hpp"

namespace tunekeeper {

/// One fault of a profile, of host.yaml or of a template.
struct Diagnostic {
  Position at;
  std::string message;

  auto operator<=>(const Diagnostic&) const = default;
};

/// "mysql-oltp.yaml:3:5: unknown key …"; just the message of what was said on the command line.
std::string to_string(const Diagnostic& diagnostic);

/// Files that cannot be used, with every fault that was found in them, in the order of their places.
class InvalidProfile : public Error {
 public:
  explicit InvalidProfile(std::vector<Diagnostic> diagnostics);

  const std::vector<Diagnostic>& diagnostics() const { return diagnostics_; }

 private:
  std::vector<Diagnostic> diagnostics_;
};

/// Throws InvalidProfile unless there is no fault.
void require_none(std::vector<Diagnostic> diagnostics);

/// Sorts by place, and drops what is said twice of the same place.
void put_in_order(std::vector<Diagnostic>& diagnostics);

}  // namespace tunekeeper
