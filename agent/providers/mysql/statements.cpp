#include "providers/mysql/statements.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "formats/mycnf_edit.hpp"
#include "formats/mycnf_names.hpp"

namespace tunekeeper::mysql {
namespace {

constexpr std::string_view home_group = "mysqld";

struct Statement {
  std::string group;
  std::string line;

  static Statement of(const std::string& text) {
    const std::size_t header_end = text.find("]\n");
    if (text.substr(0, 1) != "[" || header_end == std::string::npos) return {std::string(home_group), text};
    return {text.substr(1, header_end - 1), text.substr(header_end + 2)};
  }

  std::string text() const { return group == home_group ? line : fmt::format("[{}]\n{}", group, line); }
};

struct Stated {
  std::size_t index;
  Statement statement;
};

std::vector<Stated> stated_in(const MyCnf& file, std::string_view name) {
  const std::string wanted = option_name(name, {}).name;
  std::vector<Stated> found;
  for (const MyCnfOption& option : file.options()) {
    if (!is_server_group(option.group)) continue;
    const OptionName named = option_name(option.key, {});
    if (named.name != wanted || named.maximum) continue;
    std::string_view line = file.bytes().substr(option.begin, option.end - option.begin);
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.remove_suffix(1);
    found.push_back({option.statement, {std::string(option.group), std::string(line)}});
  }
  return found;
}

/// For statements whose order the file's sections cannot give: all in new sections at the end.
std::string rewritten(std::string_view bytes, const std::vector<Stated>& present,
                      const std::vector<std::string>& statements, const MyCnf& file) {
  MyCnfEditor editor(file);
  for (const Stated& one : present) editor.remove(one.index);
  std::string text = splice(bytes, editor.splices());
  if (!text.empty() && text.back() != '\n') text += '\n';
  for (const std::string& one : statements) {
    const Statement statement = Statement::of(one);
    text += fmt::format("\n[{}]\n{}\n", statement.group, statement.line);
  }
  return text;
}

}  // namespace

std::vector<std::string> option_statements(std::string_view bytes, std::string_view name) {
  const MyCnf file(bytes);
  std::vector<std::string> texts;
  if (file.problem()) return texts;
  for (const Stated& one : stated_in(file, name)) texts.push_back(one.statement.text());
  return texts;
}

std::vector<Splice> restate_option(std::string_view path, std::string_view bytes, std::string_view name,
                                   const std::vector<std::string>& statements, std::string_view header) {
  const std::string base(bytes.empty() && !statements.empty() ? header : bytes);
  const MyCnf file(base);
  if (const auto& problem = file.problem()) {
    if (statements.empty() && stated_in(file, name).empty()) return {};
    throw Error(fmt::format("{}:{}: {}; a file that does not parse is not edited", path, problem->line,
                            problem->what));
  }
  MyCnfEditor editor(file);
  const std::vector<Stated> present = stated_in(file, name);
  for (std::size_t i = 0; i < std::max(present.size(), statements.size()); ++i) {
    if (i >= statements.size()) {
      editor.remove(present[i].index);
      continue;
    }
    const Statement wanted = Statement::of(statements[i]);
    if (i < present.size() && same_group(present[i].statement.group, wanted.group)) {
      if (present[i].statement.line != wanted.line) editor.replace_line(present[i].index, wanted.line);
    } else {
      if (i < present.size()) editor.remove(present[i].index);
      editor.add_line(wanted.group, wanted.line);
    }
  }
  std::vector<Splice> splices = editor.splices();
  const std::string result = splice(base, splices);
  if (option_statements(result, name) != statements) {
    return {{0, bytes.size(), rewritten(base, present, statements, file)}};
  }
  if (bytes.empty()) return result.empty() ? std::vector<Splice>() : std::vector<Splice>{{0, 0, result}};
  return splices;
}

}  // namespace tunekeeper::mysql
