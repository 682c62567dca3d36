#pragma once

#include <map>
#include <optional>
#include <string>

#include "providers/mysql/server_files.hpp"

namespace tunekeeper::mysql {

/// The installed server's program; nothing where there is none.
std::optional<std::string> server_program(const HostView& host, const Server& server);

/// What the installed program says of its own options in --help --verbose.
class ProgramOptions {
 public:
  /// What an option takes, as far as the listing tells: `--max-connections=#`.
  enum class Takes { whole_number, other };

  /// Runs the program, so only a planned write may ask. Nothing where it gives no listing.
  static std::optional<ProgramOptions> ask(const HostView& host, const std::string& program);
  /// What to_text() gave.
  static ProgramOptions from_text(std::string_view text);

  explicit ProgramOptions(std::string_view help);

  /// A line an option, by name: `max_connections #` for a whole number, else only the name.
  std::string to_text() const;
  /// Whether it has the option, by its own name or by the form that turns it off.
  bool has(std::string_view name) const;
  /// Why the option's own reader would refuse this value, or read it otherwise; empty where it takes it.
  std::string problem(std::string_view name, const Value& value) const;
  /// `, did you mean "x"?`, or nothing at all.
  std::string suggestion(std::string_view name) const;
  bool empty() const { return options_.empty(); }

 private:
  ProgramOptions() = default;

  std::map<std::string, Takes, std::less<>> options_;  ///< by folded name
};

}  // namespace tunekeeper::mysql
