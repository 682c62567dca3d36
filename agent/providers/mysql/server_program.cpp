#include "providers/mysql/server_program.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "core/nearest.hpp"
#include "providers/mysql/known_options.hpp"

namespace tunekeeper::mysql {
namespace {

std::string_view first_word(std::string_view line) {
  return line.substr(0, line.find_first_of(" \t"));
}

/// A default with a fraction, or none, belongs to an option that takes fractions as well.
bool is_whole(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string_view second_column(std::string_view line) {
  const std::size_t blank = std::min(line.find(' '), line.size());
  const std::size_t value = line.find_first_not_of(' ', blank);
  return value == std::string_view::npos ? std::string_view() : line.substr(value);
}

}  // namespace

std::optional<std::string> server_program(const HostView& host, const Server& server) {
  for (const char* path :
       {"/usr/sbin/mariadbd", "/usr/sbin/mysqld", "/usr/libexec/mariadbd", "/usr/libexec/mysqld"}) {
    const bool is_mysql = std::string_view(path).substr(std::string_view(path).rfind('/')) == "/mysqld";
    if ((server.flavor != "mysql" || is_mysql) && host.exists(path)) return path;
  }
  return std::nullopt;
}

/// Two parts: a paragraph an option that begins with its `--name`, and a table of names and defaults.
ProgramOptions::ProgramOptions(std::string_view help) {
  bool in_table = false;
  std::map<std::string, bool> numbers;
  while (!help.empty()) {
    const std::size_t end = std::min(help.find('\n'), help.size());
    const std::string_view line = help.substr(0, end);
    help.remove_prefix(std::min(end + 1, help.size()));
    if (line.substr(0, 4) == "----") {
      in_table = true;
    } else if (in_table) {
      const std::string name = fold_option(first_word(line));
      if (name.empty()) continue;
      const bool whole = numbers[name] && is_whole(second_column(line));
      options_[name] = whole ? Takes::whole_number : Takes::other;
    } else if (const std::size_t dashes = line.find("--"); dashes != std::string_view::npos && dashes <= 6) {
      const std::string_view word = first_word(line.substr(dashes + 2));
      const std::string name = fold_option(word.substr(0, word.find_first_of("=[")));
      options_.emplace(name, Takes::other);
      numbers[name] = word.size() >= 2 && word.substr(word.size() - 2) == "=#";
    }
  }
}

std::optional<ProgramOptions> ProgramOptions::ask(const HostView& host, const std::string& program) {
  CommandOptions how;
  how.deadline = std::chrono::seconds(20);
  how.in_root = host.is_other_root();
  const CommandResult help = host.probe({program, "--no-defaults", "--help", "--verbose"}, how);
  if (!help.ok()) return std::nullopt;
  ProgramOptions listing(help.out);
  if (listing.empty()) return std::nullopt;
  return listing;
}

ProgramOptions ProgramOptions::from_text(std::string_view text) {
  ProgramOptions listing;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view name = first_word(text.substr(0, end));
    listing.options_.emplace(name, name.size() == end ? Takes::other : Takes::whole_number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return listing;
}

std::string ProgramOptions::to_text() const {
  std::string text;
  for (const auto& [name, takes] : options_) {
    text.append(name).append(takes == Takes::whole_number ? " #\n" : "\n");
  }
  return text;
}

bool ProgramOptions::has(std::string_view name) const {
  const std::string folded = fold_option(name);
  const auto listed = [&](const std::string& form) { return options_.find(form) != options_.end(); };
  return listed(folded) || listed("skip_" + folded) ||
         (folded.rfind("skip_", 0) == 0 && listed(folded.substr(5)));
}

std::string ProgramOptions::problem(std::string_view name, const Value& value) const {
  const auto found = options_.find(fold_option(name));
  if (found == options_.end() || found->second != Takes::whole_number) return {};
  for (const std::string& item : value.items) {
    // Signed options are listed like the others; a program that takes none refuses the sign itself.
    const std::string_view digits = item.substr(0, 1) == "-" ? std::string_view(item).substr(1) : item;
    if (std::string problem = number_problem(digits); !problem.empty()) return problem;
  }
  return {};
}

std::string ProgramOptions::suggestion(std::string_view name) const {
  std::vector<std::string> names;
  for (const auto& [option, takes] : options_) names.push_back(option);
  return did_you_mean(fold_option(name), names);
}

}  // namespace tunekeeper::mysql
