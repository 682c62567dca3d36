#pragma once

#include <string>

#include "cli/globals.hpp"
#include "cli/report.hpp"
#include "engine/apply.hpp"

namespace tunekeeper {

/// Whether a person can be asked: standard input and output are terminals.
bool is_interactive();

/// Asks at the terminal; only y and yes are a yes.
bool ask(const std::string& question);

/// How text is to look on standard output.
TextStyle style_for(const Globals& globals);

/// Writes to standard output as it is. What cannot be written is told by run_program at the end: a full disk
/// behind a redirection, or a reader that left, ends no run halfway.
void print_out(const std::string& text);
/// The same for standard error, where nothing tells of a failure.
void print_err(const std::string& text);

/// The person at the terminal, or the flags that answer for one.
class Console : public Dialogue {
 public:
  struct Answers {
    bool yes = false;  ///< --yes, --unattended
    bool unattended = false;
    std::string heading;  ///< shown above the plan
  };

  Console(const Globals& globals, Answers answers) : globals_(globals), answers_(std::move(answers)) {}

  /// Throws Error (usage) when nobody can be asked and no flag answers.
  bool confirm_plan(const Plan& plan) override;
  bool confirm(const std::string& question) override;
  /// Only a person at the terminal can: --yes does not.
  bool confirm_end_of_hold(const std::string& hold) override;
  void tell(const std::string& note) override;

 private:
  const Globals& globals_;
  Answers answers_;
};

}  // namespace tunekeeper
