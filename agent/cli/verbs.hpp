#pragma once

#include <functional>

#include <CLI/CLI.hpp>

#include "cli/globals.hpp"
#include "core/exit_status.hpp"
#include "core/judge.hpp"

namespace tunekeeper {

// Each verb adds its own flags to the parser and returns what runs it; verb_NAME.cpp defines it.
std::function<ExitStatus()> prepare_apply(CLI::App& parser, const Globals& globals);
std::function<ExitStatus()> prepare_check(CLI::App& parser, const Globals& globals);
std::function<ExitStatus()> prepare_diff(CLI::App& parser, const Globals& globals);
std::function<ExitStatus()> prepare_explain(CLI::App& parser, const Globals& globals);
std::function<ExitStatus()> prepare_facts(CLI::App& parser, const Globals& globals);
std::function<ExitStatus()> prepare_history(CLI::App& parser, const Globals& globals);
std::function<ExitStatus()> prepare_hold(CLI::App& parser, const Globals& globals);
std::function<ExitStatus()> prepare_init(CLI::App& parser, const Globals& globals);
std::function<ExitStatus()> prepare_list(CLI::App& parser, const Globals& globals);
std::function<ExitStatus()> prepare_rollback(CLI::App& parser, const Globals& globals);
std::function<ExitStatus()> prepare_show(CLI::App& parser, const Globals& globals);
std::function<ExitStatus()> prepare_status(CLI::App& parser, const Globals& globals);
std::function<ExitStatus()> prepare_unhold(CLI::App& parser, const Globals& globals);
std::function<ExitStatus()> prepare_verify(CLI::App& parser, const Globals& globals);

/// The planes that `--runtime` and `--next-boot` leave.
PlaneSet planes_for(bool runtime, bool next_boot);

}  // namespace tunekeeper
