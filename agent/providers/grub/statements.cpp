#include <algorithm>

#include <fmt/format.h>

#include "providers/grub/editor.hpp"
#include "providers/grub/grub_provider.hpp"
#include "providers/grub/tokens.hpp"

namespace tunekeeper {
namespace {

using namespace grub;
using Span = std::pair<std::size_t, std::size_t>;

bool is_defaults(const std::string& path) {
  return path == main_file ||
         path.compare(0, drop_in_folder.size() + 1, std::string(drop_in_folder) + "/") == 0;
}

std::string_view name_of(const std::string& id) {
  return std::string_view(id).substr(id.find(':') + 1);
}

/// Raw places of the parameter's runs. In our drop-in each line is one setting, so a run there lasts to its
/// end; in other files only what the kernel itself takes together is one statement.
std::vector<Span> spans(const ShellFile& shell, std::string_view name, bool own) {
  const std::vector<Token> tokens = tokens_of_file(shell);
  std::vector<Span> made;
  for (const auto& run : kernel_runs(parameters(tokens), name)) {
    const std::size_t first = run.first;
    const std::size_t count = run.second;
    std::size_t last = first;
    const auto goes_on = [&](std::size_t next) {
      const Token& token = tokens[next];
      if (token.statement != tokens[first].statement || same_parameter(token.parameter.name, name))
        return false;
      return own || next < first + count;
    };
    while (last + 1 < tokens.size() && goes_on(last + 1)) ++last;
    made.emplace_back(tokens[first].begin, tokens[last].end);
  }
  return made;
}

/// Throws an Error with the place where sh cannot read the file.
ShellFile parsed(const std::string& path, std::string_view bytes) {
  try {
    return ShellFile::parse(bytes);
  } catch (const ShellSyntaxError& error) {
    throw Error(
        fmt::format("{}:{}:{}: sh cannot read it: {}", path, error.line(), error.column(), error.what()))
        .with_next("mend the file by hand; grub-mkconfig refuses it as it is");
  }
}

}  // namespace

std::vector<std::string> GrubProvider::statements(const std::string& id, const std::string& path,
                                                  std::string_view bytes) const {
  std::vector<std::string> made;
  if (!is_defaults(path)) return made;
  try {
    const ShellFile shell = ShellFile::parse(bytes);
    for (const auto& [begin, end] : spans(shell, name_of(id), path == own_file))
      made.emplace_back(bytes.substr(begin, end - begin));
  } catch (const ShellSyntaxError&) {
    // A file that sh cannot read states nothing.
  }
  return made;
}

std::vector<Splice> GrubProvider::restate(const std::string& id, const std::string& path,
                                          std::string_view bytes,
                                          const std::vector<std::string>& statements) const {
  const bool own = path == own_file;
  const ShellFile shell = parsed(path, bytes);
  const std::vector<Span> present = spans(shell, name_of(id), own);
  ValueEdits edits(bytes, shell, own);
  for (std::size_t i = 0; i < present.size(); ++i) {
    const auto& [begin, end] = present[i];
    if (i < statements.size()) {
      edits.replace(begin, end, statements[i]);
    } else {
      edits.remove(begin, end);
    }
  }
  std::vector<Splice> splices = edits.splices();
  std::string added;
  for (std::size_t i = present.size(); i < statements.size(); ++i)
    added += (added.empty() ? "" : " ") + statements[i];
  if (added.empty()) return splices;
  // One after the other: an addition to a value without quotes takes in all of it.
  std::string after = splice(bytes, splices);
  if (own) {
    const std::string_view before = after.empty() ? own_header() : after.back() == '\n' ? "" : "\n";
    after.append(before).append(own_line(added));
  } else {
    after = splice(after, {added_raw(parsed(path, after), added)});
  }
  return {difference(bytes, after)};
}

}  // namespace tunekeeper
