#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/exit_status.hpp"

namespace tunekeeper {

/// A surprise, in the words a user meets it: what happened and where, while doing what, how the host stands
/// now, and what to do next. Expected outcomes (absent, unsupported, read-only) are values, not errors.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what, ExitStatus status = ExitStatus::error)
      : std::runtime_error(what), status_(status) {}

  Error& with_status(ExitStatus status) { return status_ = status, *this; }
  Error& with_state(std::string state) { return state_ = std::move(state), *this; }
  Error& with_next(std::string next) { return next_ = std::move(next), *this; }
  /// An outer frame adds what it was doing ("setting grub transparent_hugepage (mysql-oltp.yaml:22)").
  Error& with_frame(std::string frame) { return frames_.push_back(std::move(frame)), *this; }

  ExitStatus status() const { return status_; }
  const std::string& state() const { return state_; }
  const std::string& next() const { return next_; }
  /// Innermost first.
  const std::vector<std::string>& frames() const { return frames_; }

 private:
  ExitStatus status_;
  std::string state_;
  std::string next_;
  std::vector<std::string> frames_;
};

/// The whole message as main prints it: "tunekeeper: …" and the indented while, state and next lines.
std::string format_error(const Error& error);

}  // namespace tunekeeper
