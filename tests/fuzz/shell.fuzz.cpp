// Shell assignments: statements lie in the file, a variable set is the value read, other variables keep
// theirs, and what was added is gone without a trace when it is unset. Parts of the input: file, name, value.

#include <map>

#include "formats/shell_vars.hpp"
#include "fuzz/fuzz.hpp"

namespace tunekeeper::fuzz {
namespace {

void check_spans(std::string_view bytes, const ShellFile& file) {
  for (const ShellStatement& s : file.statements()) {
    require(s.begin <= s.value_begin && s.value_begin <= s.value_end && s.value_end <= bytes.size(),
            "a statement lies in the file");
    require(is_place(bytes, s.line, 1), "a statement has its line");
    if (s.kind != ShellStatement::Kind::assign) continue;
    require_same(bytes.substr(s.begin, s.name.size() + 1), s.name + "=", "a statement begins with its name");
    std::size_t at = s.value_begin;
    for (const ShellPiece& piece : s.value) {
      require(piece.offset >= at && piece.offset + piece.length <= s.value_end, "a piece lies in its value");
      at = piece.offset + piece.length;
    }
  }
}

struct Reading {
  bool computed;
  std::string text;
  bool operator==(const Reading&) const = default;
};

std::map<std::string, Reading> readings(const ShellFile& file, std::string_view without) {
  ShellEnvironment environment;
  environment.run(file, 0);
  std::map<std::string, Reading> all;
  for (const ShellStatement& s : file.statements()) {
    if (s.name == without || s.name.empty()) continue;
    const auto value = environment.get(s.name);
    all[s.name] = {value->computed, value->computed ? "" : value->text()};
  }
  return all;
}

/// Whether another variable's value may hang on this one.
bool is_used(const ShellFile& file, std::string_view name) {
  for (const ShellStatement& s : file.statements()) {
    for (const ShellPiece& piece : s.value) {
      if (piece.kind == ShellPiece::Kind::variable && piece.name == name) return true;
    }
  }
  return false;
}

void check_set(std::string_view bytes, const ShellFile& file, std::string_view name, std::string_view value) {
  std::string after;
  try {
    after = splice(bytes, file.set(name, value));
  } catch (const Error& refused) {
    require(*refused.what() != '\0', "a refusal says why");
    return;
  }
  const ShellFile edited = ShellFile::parse(after);
  ShellEnvironment environment;
  environment.run(edited, 0);
  bool spoiled = false;  // by a command behind the assignment
  for (const ShellStatement& s : file.statements())
    spoiled = spoiled || s.kind == ShellStatement::Kind::spoil_all ||
              (s.kind == ShellStatement::Kind::spoil && s.name == name);
  const ShellStatement* last = edited.last_assignment(name);
  if (!spoiled) {
    require(last != nullptr, "what was set is there");
    const auto read = environment.get(name);
    require(read && !read->computed, "what was set needs no shell");
    require_same(read->text(), value, "the value set is the value read");
  }
  if (!is_used(file, name))
    require(readings(file, name) == readings(edited, name), "other variables keep their values");
  if (file.last_assignment(name) != nullptr || spoiled) return;
  require_same(splice(after, edited.unset(name)), bytes, "unsetting restores the bytes from before adding");
}

void check_append(std::string_view bytes, const ShellFile& file) {
  for (const ShellStatement& s : file.statements()) {
    if (s.kind != ShellStatement::Kind::assign) continue;
    ShellEnvironment was, is;
    was.run(file, 0);
    const ShellFile edited =
        ShellFile::parse(splice(bytes, {file.append(s, shell_quoted("added=1", ShellQuote::twofold))}));
    is.run(edited, 0);
    if (&s != file.last_assignment(s.name)) continue;
    const auto before = was.get(s.name), after = is.get(s.name);
    require(after && before && after->computed == before->computed, "appending computes nothing");
    if (before->computed) continue;
    const std::string text = before->text();
    const bool blank = text.empty() || text.back() == ' ' || text.back() == '\t';
    const std::string now = after->text();
    require(now == text + (blank ? "" : " ") + "added=1" || (text.empty() && now == " added=1"),
            "appending adds one word at the end");
  }
}

void check_unset(std::string_view bytes, const ShellFile& file, std::string_view name) {
  const ShellFile edited = ShellFile::parse(splice(bytes, file.unset(name)));
  for (const ShellStatement& s : edited.statements()) {
    if (s.kind == ShellStatement::Kind::assign && s.name == name)
      require(s.value_begin == s.value_end, "what was unset is gone or empty");
  }
  if (!is_used(file, name))
    require(readings(file, name) == readings(edited, name), "other variables keep their values");
}

bool is_name(std::string_view name) {
  return name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
             std::string_view::npos &&
         !(name[0] >= '0' && name[0] <= '9');
}

}  // namespace
}  // namespace tunekeeper::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tunekeeper;
  const fuzz::Input input(data, size);
  const std::string bytes(input.part(0));
  std::string name(input.part(1, "GRUB_TIMEOUT"));
  if (!fuzz::is_name(name)) name = "GRUB_TIMEOUT";
  std::string value(input.part(2));
  std::erase(value, '\0');
  try {
    const ShellFile file = ShellFile::parse(bytes);
    fuzz::check_spans(bytes, file);
    fuzz::check_set(bytes, file, name, value);
    fuzz::check_unset(bytes, file, name);
    fuzz::check_append(bytes, file);
  } catch (const ShellSyntaxError& fault) {
    fuzz::require(fuzz::is_place(bytes, fault.line(), fault.column()), "a fault has its place in the file");
    try {
      ShellFile::parse(bytes);
    } catch (const ShellSyntaxError&) {
      return 0;
    }
    fuzz::require(false, "an edited file reads well");
  }
  return 0;
}
