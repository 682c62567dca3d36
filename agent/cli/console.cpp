#include "cli/console.hpp"

#include <cstdio>
#include <cstdlib>
#include <iostream>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace tunekeeper {
bool ask(const std::string& question) {
  fmt::print("{} [y/N] ", question);
  std::fflush(stdout);
  std::string answer;
  std::getline(std::cin, answer);
  return answer == "y" || answer == "Y" || answer == "yes";
}

bool is_interactive() {
  return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
}

namespace {

/// COLUMNS as ls(1) and git take it, else the terminal's columns; 100 where neither is there.
std::size_t terminal_width() {
  if (const char* columns = std::getenv("COLUMNS")) {
    const int wanted = std::atoi(columns);
    if (wanted > 0) return static_cast<std::size_t>(wanted);
  }
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 100;
}

}  // namespace

TextStyle style_for(const Globals& globals) {
  TextStyle style;
  style.color = globals.color == "always";
  style.verbose = globals.verbose;
  style.quiet = globals.quiet;
  style.width = terminal_width();
  if (globals.color == "auto") style.color = isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
  return style;
}

void print_out(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

void print_err(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

bool Console::confirm_plan(const Plan& plan) {
  if (answers_.yes) return true;
  if (!is_interactive()) {
    throw Error("there is no terminal to ask at", ExitStatus::usage)
        .with_state("host unchanged")
        .with_next("look at it with tunekeeper diff, then add --yes");
  }
  print_out(answers_.heading + "\n" + actions_text(plan.actions) + "\n");
  return ask("Go on?");
}

bool Console::confirm(const std::string& question) {
  if (answers_.unattended) return false;
  return answers_.yes || (is_interactive() && ask(question));
}

bool Console::confirm_end_of_hold(const std::string& hold) {
  return !answers_.unattended && is_interactive() && ask(hold + ". End it and apply?");
}

void Console::tell(const std::string& note) {
  if (!globals_.quiet) print_err("note: " + note + "\n");
}

}  // namespace tunekeeper
