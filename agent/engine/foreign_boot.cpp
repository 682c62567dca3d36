#include "engine/foreign_boot.hpp"

#include <set>

#include <fmt/format.h>

#include "engine/executor.hpp"

namespace tunekeeper {
namespace {

std::multiset<std::string_view> lines_of(std::string_view text) {
  std::multiset<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.insert(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// The lines that only one of two files has, a few of them, for people.
std::string differing_lines(const std::string& installed, const std::string& generated) {
  constexpr int kShown = 6;
  std::multiset<std::string_view> only_installed = lines_of(installed);
  std::multiset<std::string_view> only_generated;
  for (const std::string_view line : lines_of(generated)) {
    const auto found = only_installed.find(line);
    if (found != only_installed.end()) {
      only_installed.erase(found);
    } else {
      only_generated.insert(line);
    }
  }
  std::string words;
  int shown = 0;
  for (const std::string_view line : only_installed) {
    if (shown++ < kShown) words += fmt::format("\n  - {}", line);
  }
  for (const std::string_view line : only_generated) {
    if (shown++ < kShown) words += fmt::format("\n  + {}", line);
  }
  if (shown > kShown) words += fmt::format("\n  … {} more lines", shown - kShown);
  return words;
}

}  // namespace

void refuse_foreign_boot(const Session& session, const Plan& plan, bool unattended, Dialogue& dialogue) {
  for (const Action& action : plan.actions) {
    const auto* generate = std::get_if<GenerateFile>(&action.deed);
    if (generate == nullptr) continue;
    const ReadResult installed = session.host.read(generate->path);
    if (!installed.ok()) continue;
    const std::string generated = generated_text(session.host, *generate, action.deadline);
    if (generated == installed.bytes) continue;
    const std::string what =
        fmt::format("{} is not what its inputs give today; a new one would also change:{}", generate->path,
                    differing_lines(installed.bytes, generated));
    if (!unattended && dialogue.confirm(what + "\nReplace it?")) continue;
    throw Error(what)
        .with_state("host unchanged")
        .with_next("look at it, run the generator by hand, then run the command again");
  }
}

}  // namespace tunekeeper
