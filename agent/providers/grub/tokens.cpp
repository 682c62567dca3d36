#include "providers/grub/tokens.hpp"

#include <algorithm>

#include "formats/grub_script.hpp"

namespace tunekeeper::grub {
namespace {

/// Stands for an expansion in a value that is read without its environment.
constexpr char expansion = '\x01';

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}
bool is_ours(std::string_view name) {
  return name == every_entry || name == normal_entries;
}

bool in_one_piece(const ShellByte* first, const ShellByte* last) {
  for (; first != last; ++first) {
    const ShellByte& next = first[1];
    if (next.file != first->file || next.statement != first->statement || next.quote != first->quote ||
        next.offset != first->offset + first->length) {
      return false;
    }
  }
  return true;
}

}  // namespace

std::vector<Token> tokens_in(const std::vector<ShellByte>& value, std::string* cut) {
  std::string text;
  for (const ShellByte& byte : value) text += byte.byte;
  const GrubCommand command = grub_command(text);
  std::vector<Token> tokens;
  for (const GrubWord& word : command.words) {
    if (word.text == "--") return *cut = "a bare -- gives what follows to init", tokens;
    if (word.text.empty()) continue;
    const ShellByte& first = value[word.begin];
    const ShellByte& last = value[word.end - 1];
    tokens.push_back({kernel_token(word.text), first.file, first.statement, first.offset,
                      last.offset + last.length, first.quote, in_one_piece(&first, &last)});
  }
  if (command.end < text.size())
    *cut = std::string("a bare ") + text[command.end] + " ends GRUB's linux line";
  return tokens;
}

std::vector<Token> tokens_of_file(const ShellFile& file) {
  std::vector<Token> all;
  for (std::size_t i = 0; i < file.statements().size(); ++i) {
    const ShellStatement& statement = file.statements()[i];
    if (statement.kind != ShellStatement::Kind::assign || !is_ours(statement.name)) continue;
    std::vector<ShellByte> value;
    for (const ShellPiece& piece : statement.value) {
      const bool literal = piece.kind == ShellPiece::Kind::literal;
      value.push_back({literal ? piece.byte : expansion, piece.quote, 0, static_cast<std::uint32_t>(i),
                       piece.offset, piece.length});
    }
    std::string cut;
    for (Token& token : tokens_in(value, &cut)) {
      if (token.editable && token.parameter.text().find(expansion) == std::string::npos)
        all.push_back(std::move(token));
    }
  }
  return all;
}

std::vector<KernelToken> parameters(const std::vector<Token>& tokens) {
  std::vector<KernelToken> made;
  made.reserve(tokens.size());
  for (const Token& token : tokens) made.push_back(token.parameter);
  return made;
}

Wish wish_of(const Desired& desired) {
  Wish wish;
  wish.name = desired.key();
  wish.whole = desired.value.repeated || every_occurrence_counts(wish.name);
  if (desired.want == Want::absent) return wish;
  if (desired.value.is_flag()) wish.runs.push_back({{wish.name, {}, false}});
  for (const std::string& item : desired.value.items) wish.runs.push_back(kernel_run(wish.name, item));
  for (const KernelRun& run : wish.runs) {
    for (const KernelToken& token : run) {
      if (!same_parameter(token.name, wish.name)) wish.companions.push_back(token.name);
    }
    wish.whole = wish.whole || run.size() > 1;
  }
  return wish;
}

std::string spelt(const KernelRun& run, ShellQuote quote) {
  std::string made;
  for (const KernelToken& token : run) {
    // Within the shell's single quotes another single one would close them: GRUB takes double ones as well.
    const std::string word = grub_quoted(token.text(), quote == ShellQuote::single ? '"' : '\'');
    made += (made.empty() ? "" : " ") + shell_quoted(word, quote);
  }
  return made;
}

void ValueEdits::replace(std::size_t begin, std::size_t end, std::string text) {
  if (bytes_.substr(begin, end - begin) != text) replaced_.push_back({begin, end - begin, std::move(text)});
}

bool ValueEdits::goes(const ShellStatement& statement) const {
  if (!own_ || statement.kind != ShellStatement::Kind::assign) return false;
  const auto replaced = [&](const Splice& splice) {
    return splice.offset >= statement.value_begin && splice.offset < statement.value_end;
  };
  if (std::any_of(replaced_.begin(), replaced_.end(), replaced)) return false;
  const auto stays = [&](const ShellPiece& piece) {
    if (piece.kind != ShellPiece::Kind::literal) return piece.name != normal_entries;
    return !is_blank(piece.byte) && std::none_of(removed_.begin(), removed_.end(), [&](const Range& range) {
      return piece.offset >= range.first && piece.offset < range.second;
    });
  };
  const bool touched = std::any_of(removed_.begin(), removed_.end(), [&](const Range& range) {
    return range.first >= statement.value_begin && range.first < statement.value_end;
  });
  return touched && std::none_of(statement.value.begin(), statement.value.end(), stays);
}

/// The blanks before a removed parameter go with it; at the beginning of a value those after it.
ValueEdits::Range ValueEdits::widened(Range range) const {
  std::size_t begin = range.first;
  while (begin > 0 && is_blank(bytes_[begin - 1])) --begin;
  const char before = begin == 0 ? '=' : bytes_[begin - 1];
  if (begin < range.first && before != '"' && before != '\'' && before != '=') return {begin, range.second};
  std::size_t end = range.second;
  while (end < bytes_.size() && is_blank(bytes_[end])) ++end;
  return {range.first, end};
}

std::vector<Splice> ValueEdits::splices() const {
  std::vector<Splice> made = replaced_;
  std::vector<Range> lines;
  for (const ShellStatement& statement : file_.statements()) {
    if (!goes(statement)) continue;
    const std::size_t begin = statement.begin == 0 ? 0 : bytes_.rfind('\n', statement.begin - 1) + 1;
    const std::size_t end = std::min(bytes_.find('\n', statement.value_end), bytes_.size() - 1) + 1;
    lines.emplace_back(begin, end);
  }
  std::vector<Range> removed = removed_;
  std::sort(removed.begin(), removed.end());
  std::vector<Range> groups;
  for (const Range& range : removed) {
    const bool in_line = std::any_of(lines.begin(), lines.end(), [&](const Range& line) {
      return range.first >= line.first && range.first < line.second;
    });
    if (in_line) continue;
    const bool joins =
        !groups.empty() &&
        bytes_.substr(groups.back().second, range.first - groups.back().second).find_first_not_of(" \t") ==
            std::string_view::npos;
    if (joins) {
      groups.back().second = std::max(groups.back().second, range.second);
    } else {
      groups.push_back(range);
    }
  }
  for (const Range& group : groups) lines.push_back(widened(group));
  for (const Range& range : lines) made.push_back({range.first, range.second - range.first, ""});
  return made;
}

}  // namespace tunekeeper::grub
