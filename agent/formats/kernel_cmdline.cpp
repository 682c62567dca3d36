#include "formats/kernel_cmdline.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace tunekeeper {
namespace {

/// The kernel's isspace: Latin-1's no-break space is one (kernel: lib/ctype.c).
bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == '\xa0';
}

/// One raw parameter in the kernel's own reading: quotes may open anywhere; one before all of it or before
/// the value is dropped, and for either one quote at the end, once; others stay (kernel: lib/cmdline.c,
/// next_arg).
KernelToken decoded(std::string_view raw) {
  bool owes_end = raw.front() == '"';
  if (owes_end) raw.remove_prefix(1);
  KernelToken token = kernel_token(raw);
  std::string& last = token.has_value ? token.value : token.name;
  if (token.has_value && last.starts_with('"')) {
    last.erase(0, 1);
    owes_end = true;
  }
  if (owes_end && last.ends_with('"')) last.pop_back();
  return token;
}

}  // namespace

KernelToken kernel_token(std::string_view argument) {
  const std::size_t equals = argument.find('=', 1);
  if (equals == std::string_view::npos) return {std::string(argument), {}, false};
  return {std::string(argument.substr(0, equals)), std::string(argument.substr(equals + 1)), true};
}

std::vector<KernelToken> kernel_tokens(std::string_view line) {
  std::vector<KernelToken> tokens;
  for (std::size_t at = 0; at < line.size();) {
    if (is_space(line[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    for (bool open = false; end < line.size() && (open || !is_space(line[end])); ++end) {
      if (line[end] == '"') open = !open;
    }
    KernelToken token = decoded(line.substr(at, end - at));
    if (!token.has_value && token.name == "--") break;
    tokens.push_back(std::move(token));
    at = end;
  }
  return tokens;
}

bool same_parameter(std::string_view left, std::string_view right) {
  const auto canonical = [](char c) { return c == '-' ? '_' : c; };
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [&](char l, char r) { return canonical(l) == canonical(r); });
}

bool operator==(const KernelToken& left, const KernelToken& right) {
  return same_parameter(left.name, right.name) && left.has_value == right.has_value &&
         left.value == right.value;
}

bool belongs_to_previous(std::string_view previous, std::string_view name) {
  return same_parameter(previous, "hugepagesz") && same_parameter(name, "hugepages");
}

std::vector<std::pair<std::size_t, std::size_t>> kernel_runs(const std::vector<KernelToken>& tokens,
                                                             std::string_view name,
                                                             std::span<const std::string> companions) {
  std::vector<std::pair<std::size_t, std::size_t>> runs;
  const auto goes_on = [&](std::size_t i) {
    if (same_parameter(tokens[i].name, name)) return false;
    if (belongs_to_previous(tokens[i - 1].name, tokens[i].name)) return true;
    return std::any_of(companions.begin(), companions.end(),
                       [&](const std::string& other) { return same_parameter(other, tokens[i].name); });
  };
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!same_parameter(tokens[i].name, name)) continue;
    if (i > 0 && belongs_to_previous(tokens[i - 1].name, tokens[i].name)) continue;
    std::size_t end = i + 1;
    while (end < tokens.size() && goes_on(end)) ++end;
    runs.emplace_back(i, end - i);
  }
  return runs;
}

bool every_occurrence_counts(std::string_view name) {
  constexpr std::array<std::string_view, 6> names = {"hugepages", "hugepagesz", "isolcpus",
                                                     "nohz_full", "memmap",     "initcall_blacklist"};
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view other) { return same_parameter(other, name); });
}

KernelRun kernel_run(std::string_view name, std::string_view item) {
  const std::size_t length = name.size();
  const bool whole =
      item.size() > length && item[length] == '=' && same_parameter(item.substr(0, length), name);
  if (whole) return kernel_tokens(item);
  KernelRun run = kernel_tokens(std::string(name) + "=" + std::string(item));
  if (run.size() > 1 && belongs_to_previous(name, run[1].name)) return run;
  return {{std::string(name), std::string(item), true}};
}

std::string to_string(const KernelRun& run) {
  std::string made;
  for (const KernelToken& token : run) {
    if (!made.empty()) made += ' ';
    const bool blank = std::any_of(token.value.begin(), token.value.end(), is_space);
    made += blank ? fmt::format("{}=\"{}\"", token.name, token.value) : token.text();
  }
  return made;
}

std::string cmdline_danger(const KernelToken& token) {
  const std::string text = token.text();
  const std::size_t at = text.find_first_of(";$\"'\\\n\r");
  if (at == std::string::npos) return {};
  if (text[at] == ';')
    return fmt::format("a \";\" in {} ends GRUB's linux line where a quote is lost", token.name);
  if (text[at] == '$')
    return fmt::format("a \"$\" in {} is expanded by GRUB or its shell where an escape is lost", token.name);
  if (text[at] == '\n' || text[at] == '\r')
    return fmt::format("a line end in {} cannot stand on a kernel command line", token.name);
  return fmt::format("GRUB puts a backslash before a quote or backslash in {}, and the kernel keeps it",
                     token.name);
}

}  // namespace tunekeeper
