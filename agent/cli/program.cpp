#include <algorithm>
#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "cli/console.hpp"
#include "cli/verb.hpp"
#include "core/error.hpp"
#include "core/nearest.hpp"

#ifndef TUNEKEEPER_VERSION
#define TUNEKEEPER_VERSION "unversioned"
#endif

namespace tunekeeper {
namespace {

const std::vector<std::string> kGlobalsWithValue = {"--root", "--color", "--only", "--profile-path",
                                                    "--mysql-defaults-file"};

void add_globals(CLI::App& parser, Globals& globals) {
  parser.add_option("--root", globals.root, "Work on the host tree below DIR")->type_name("DIR");
  parser.add_flag("--json", globals.json, "Print one JSON document");
  parser.add_flag("-q,--quiet", globals.quiet, "Print only what needs attention");
  parser.add_flag("-v,--verbose", globals.verbose, "Print settings in sync too");
  parser.add_option("--color", globals.color, "auto, always or never (NO_COLOR is honoured)")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  parser.add_option("--only", globals.only, "Only settings whose id matches GLOB; '!GLOB' leaves some out")
      ->type_name("GLOB")
      ->allow_extra_args(false);
  parser.add_option("--profile-path", globals.profile_path, "Search DIR for NAME.yaml first")
      ->type_name("DIR");
  parser
      .add_option("--mysql-defaults-file", globals.mysql_defaults_file,
                  "How to reach the server: [client] of FILE")
      ->type_name("FILE");
  parser.group("");
}

std::string general_help() {
  std::string help =
      "tunekeeper makes a Linux host match a tuning profile, shows what differs, and takes it back.\n\n"
      "Usage: tunekeeper [FLAGS] VERB …\n\nVerbs:\n";
  for (const Verb& verb : all_verbs()) help += fmt::format("  {:<9} {}\n", verb.name, verb.summary);
  help +=
      "\nFlags of every verb, before or after it:\n"
      "  --root DIR                  work on the host tree below DIR\n"
      "  --json                      print one JSON document\n"
      "  -q, -v                      less, more\n"
      "  --color=auto|always|never   NO_COLOR is honoured\n"
      "  --only GLOB                 only settings whose id matches; '!GLOB' leaves some out\n"
      "  --profile-path DIR          search DIR for NAME.yaml first\n"
      "  --mysql-defaults-file FILE  how to reach the server: [client] of FILE\n"
      "  --version, -h\n\n"
      "tunekeeper VERB -h tells a verb's own flags.\n";
  return help;
}

/// The place of the verb: the first word that is neither a flag nor the value of one; argument count when
/// there is none.
std::size_t find_verb(const std::vector<std::string>& arguments) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (!word.starts_with('-')) return i;
    const bool takes_value =
        std::find(kGlobalsWithValue.begin(), kGlobalsWithValue.end(), word) != kGlobalsWithValue.end();
    if (takes_value) ++i;
  }
  return arguments.size();
}

const Verb& verb_named(const std::string& name) {
  std::vector<std::string> names;
  for (const Verb& verb : all_verbs()) {
    if (verb.name == name) return verb;
    names.emplace_back(verb.name);
  }
  throw Error(fmt::format("\"{}\" is no verb{}", name, did_you_mean(name, names)), ExitStatus::usage)
      .with_next("tunekeeper --help lists them");
}

/// The long and short flags of a parser, for "did you mean".
std::vector<std::string> flags_of(const CLI::App& parser) {
  std::vector<std::string> flags;
  for (const CLI::Option* option : parser.get_options()) {
    for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
    for (const std::string& name : option->get_snames()) flags.push_back("-" + name);
  }
  return flags;
}

Error usage_error(const CLI::App& parser, const Verb& verb, const std::vector<std::string>& arguments,
                  const CLI::ParseError& fault) {
  const std::vector<std::string> flags = flags_of(parser);
  std::string what = fault.what();
  for (const std::string& argument : arguments) {
    const std::string flag = argument.substr(0, argument.find('='));
    if (!flag.starts_with("--") || std::find(flags.begin(), flags.end(), flag) != flags.end()) continue;
    what = fmt::format("{} has no flag {}{}", verb.name, flag, did_you_mean(flag, flags));
    break;
  }
  return Error(what, ExitStatus::usage).with_next(fmt::format("tunekeeper {} -h", verb.name));
}

ExitStatus run_verb(const Verb& verb, std::vector<std::string> arguments) {
  CLI::App parser{std::string(verb.summary), fmt::format("tunekeeper {}", verb.name)};
  Globals globals;
  const std::function<ExitStatus()> run = verb.prepare(parser, globals);
  add_globals(parser, globals);
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    parser.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    print_out(parser.help());
    return ExitStatus::ok;
  } catch (const CLI::ParseError& fault) {
    throw usage_error(parser, verb, arguments, fault);
  }
  return run();
}

ExitStatus dispatch(std::vector<std::string> arguments) {
  const std::size_t place = find_verb(arguments);
  if (place == arguments.size()) {
    for (const std::string& word : arguments) {
      if (word == "--version") {
        print_out(fmt::format("tunekeeper {}\n", TUNEKEEPER_VERSION));
        return ExitStatus::ok;
      }
      if (word == "-h" || word == "--help") {
        print_out(general_help());
        return ExitStatus::ok;
      }
    }
    print_err(general_help());
    return ExitStatus::usage;
  }
  const Verb& verb = verb_named(arguments[place]);
  arguments.erase(arguments.begin() + static_cast<std::ptrdiff_t>(place));
  return run_verb(verb, std::move(arguments));
}

}  // namespace

int run_program(int argc, const char* const* argv) {
  ExitStatus status = ExitStatus::error;
  std::signal(SIGPIPE, SIG_IGN);  // a reader that leaves (| head) must not end an apply halfway
  try {
    status = dispatch({argv + 1, argv + argc});
  } catch (const Error& error) {
    Error told = error;
    if (told.status() == ExitStatus::denied && told.next().empty()) {
      told.with_next(geteuid() != 0
                         ? "run it as root"
                         : "root is refused too: look at the file's attributes (lsattr), its mount "
                           "and the security module's log");
    }
    print_err(format_error(told) + "\n");
    status = error.status();
  } catch (const std::exception& error) {
    print_err(fmt::format("tunekeeper: {}\n", error.what()));
  }
  // What could not be written (a full disk behind a redirection) must not look like success.
  const bool flushed = std::fflush(stdout) == 0;
  if (!flushed || std::ferror(stdout) != 0) {
    print_err("tunekeeper: the output could not be written\n");
    if (status == ExitStatus::ok) status = ExitStatus::error;
  }
  return static_cast<int>(status);
}

}  // namespace tunekeeper
