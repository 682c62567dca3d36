#pragma once

#include <functional>
#include <span>
#include <string_view>

#include <CLI/CLI.hpp>

#include "cli/globals.hpp"
#include "core/exit_status.hpp"

namespace tunekeeper {

/// One verb of the command line. Its file defines it; nothing is built for the verbs that are not called.
struct Verb {
  std::string_view name;
  std::string_view summary;
  /// Adds the verb's own flags to the parser and returns what runs it.
  std::function<ExitStatus()> (*prepare)(CLI::App& parser, const Globals& globals);
};

/// Every verb, in the order in which help lists them.
std::span<const Verb> all_verbs();

/// The program: argument vector to exit status. Prints errors as core/error.hpp formats them; throws nothing.
int run_program(int argc, const char* const* argv);

}  // namespace tunekeeper
