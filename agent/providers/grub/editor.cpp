#include "providers/grub/editor.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>

namespace tunekeeper::grub {
namespace {

/// Occurrences of one parameter that are to be changed, paired with what they become.
struct Change {
  std::vector<std::pair<std::size_t, std::size_t>> removed;  ///< token ranges: first, count
  std::vector<std::pair<std::pair<std::size_t, std::size_t>, KernelRun>> replaced;
  std::vector<KernelRun> added;
};

KernelRun run_at(const std::vector<KernelToken>& tokens, std::pair<std::size_t, std::size_t> range) {
  const auto begin = tokens.begin() + static_cast<long>(range.first);
  return {begin, begin + static_cast<long>(range.second)};
}

/// Every occurrence counts: they become the wished ones in order, each where one stands, the rest at the end.
Change whole_change(const std::vector<KernelToken>& tokens,
                    const std::vector<std::pair<std::size_t, std::size_t>>& present, const Wish& wish) {
  Change change;
  std::size_t kept = 0;
  for (const auto& range : present) {
    if (kept < wish.runs.size() && run_at(tokens, range) == wish.runs[kept]) {
      ++kept;
    } else {
      change.removed.push_back(range);
    }
  }
  if (kept == wish.runs.size()) return change;
  change.removed.clear();
  for (std::size_t i = 0; i < std::max(present.size(), wish.runs.size()); ++i) {
    if (i >= wish.runs.size()) {
      change.removed.push_back(present[i]);
    } else if (i >= present.size()) {
      change.added.push_back(wish.runs[i]);
    } else if (run_at(tokens, present[i]) != wish.runs[i]) {
      change.replaced.emplace_back(present[i], wish.runs[i]);
    }
  }
  return change;
}

Change change_for(const Defaults& defaults, const Wish& wish) {
  const std::vector<KernelToken> tokens = parameters(defaults.tokens);
  const auto present = kernel_runs(tokens, wish.name, wish.companions);
  if (wish.whole || wish.runs.empty()) return whole_change(tokens, present, wish);
  Change change;
  if (!present.empty() && run_at(tokens, present.back()) == wish.runs[0]) return change;
  const auto editable = [&](const auto& range) { return defaults.tokens[range.first].editable; };
  // Every reader of the files should agree, so a parameter with another value is replaced where it stands,
  // and stands once. The last one wins, so what cannot be edited may stay before it.
  if (!present.empty() && std::all_of(present.begin(), present.end(), editable))
    return whole_change(tokens, present, wish);
  if (!present.empty() && editable(present.back())) {
    change.replaced.emplace_back(present.back(), wish.runs[0]);
  } else {
    change.added.push_back(wish.runs[0]);
  }
  return change;
}

/// Whether a file that is read after our drop-in sets the variable anew.
std::optional<std::size_t> outranking(const Defaults& defaults) {
  std::optional<std::size_t> last;
  bool overwritten = false;
  for (std::size_t i = 0; i < defaults.files.size(); ++i) {
    if (defaults.files[i].path == main_file || defaults.files[i].path <= own_file) continue;
    for (const ShellStatement& statement : defaults.files[i].shell.statements()) {
      if (statement.kind != ShellStatement::Kind::assign || statement.name != normal_entries) continue;
      last = i;
      overwritten =
          overwritten || std::none_of(statement.value.begin(), statement.value.end(),
                                      [](const ShellPiece& piece) { return piece.name == normal_entries; });
    }
  }
  return overwritten ? last : std::nullopt;
}

/// All changes of all files.
class Editor {
 public:
  Editor(const Defaults& defaults, bool has_drop_ins) : defaults_(defaults), has_drop_ins_(has_drop_ins) {
    for (const DefaultsFile& file : defaults.files) {
      values_.emplace_back(file.bytes, file.shell, file.path == own_file);
    }
  }

  void add(const Row& row) {
    const Wish wish = wish_of(row.desired);
    const Change change = change_for(defaults_, wish);
    for (const auto& range : change.removed) remove(range, row);
    for (const auto& [range, run] : change.replaced) replace(range, run, row);
    if (!change.added.empty()) append(change.added, row);
  }

  std::vector<Action> actions() {
    std::vector<Action> made;
    for (std::size_t i = 0; i < defaults_.files.size(); ++i) {
      const DefaultsFile& file = defaults_.files[i];
      const std::string after = edited(i);
      if (after != file.bytes) made.push_back(action(file.path, file.bytes, {difference(file.bytes, after)}));
    }
    if (!own_lines_.empty() && !own_file_index()) {
      made.push_back(action(std::string(own_file), "", {{0, 0, std::string(own_header()) + own_lines_}}));
    }
    return made;
  }

 private:
  /// The file with its changes, made one after the other: an addition to a value without quotes puts quotes
  /// around all of it, so that it would overlap a replacement there.
  std::string edited(std::size_t index) const {
    const DefaultsFile& file = defaults_.files[index];
    std::string after = splice(file.bytes, values_[index].splices());
    const auto added = added_.find(index);
    if (added != added_.end())
      after = splice(after, {added_to(ShellFile::parse(after), after, added->second)});
    if (file.path == own_file && !own_lines_.empty()) {
      const bool ended = after.empty() || after.back() == '\n';
      after += (ended ? "" : "\n") + own_lines_;
    }
    return after;
  }

  std::optional<std::size_t> own_file_index() const {
    for (std::size_t i = 0; i < defaults_.files.size(); ++i) {
      if (defaults_.files[i].path == own_file) return i;
    }
    return std::nullopt;
  }

  void remove(std::pair<std::size_t, std::size_t> range, const Row& row) {
    for (std::size_t i = range.first; i < range.first + range.second; ++i)
      remove_token(defaults_.tokens[i], row);
  }

  void remove_token(const Token& token, const Row& row) {
    values_[token.file].remove(token.begin, token.end);
    ids_[defaults_.files[token.file].path].push_back(row.desired.id);
  }

  void replace(std::pair<std::size_t, std::size_t> range, const KernelRun& run, const Row& row) {
    const Token& first = defaults_.tokens[range.first];
    values_[first.file].replace(first.begin, first.end, spelt(run, first.quote));
    ids_[defaults_.files[first.file].path].push_back(row.desired.id);
    for (std::size_t i = range.first + 1; i < range.first + range.second; ++i)
      remove_token(defaults_.tokens[i], row);
  }

  void append(const std::vector<KernelRun>& runs, const Row& row) {
    const std::optional<std::size_t> later = outranking(defaults_);
    if (has_drop_ins_ && !later) {
      std::string raw;
      for (const KernelRun& run : runs) raw += (raw.empty() ? "" : " ") + spelt(run, ShellQuote::twofold);
      own_lines_ += own_line(raw);
      ids_[std::string(own_file)].push_back(row.desired.id);
      return;
    }
    const std::size_t file = later.value_or(0);
    for (const KernelRun& run : runs) added_[file].push_back(run);
    ids_[defaults_.files[file].path].push_back(row.desired.id);
  }

  Action action(const std::string& path, std::string_view bytes, std::vector<Splice> splices) {
    EditFile edit;
    edit.path = path;
    if (path == own_file) {
      const std::string after = splice(bytes, splices);
      const ShellFile left = ShellFile::parse(after);
      edit.remove = left.statements().empty();
    }
    edit.splices = std::move(splices);
    Action made;
    made.phase = Phase::files;
    made.plane = PlaneKind::persisted;
    made.deed = std::move(edit);
    std::vector<std::string>& ids = ids_[path];
    for (std::string& id : ids) {
      if (std::find(made.settings.begin(), made.settings.end(), id) == made.settings.end())
        made.settings.push_back(id);
    }
    return made;
  }

  const Defaults& defaults_;
  bool has_drop_ins_;
  std::vector<ValueEdits> values_;
  std::map<std::size_t, std::vector<KernelRun>> added_;
  std::string own_lines_;
  std::map<std::string, std::vector<std::string>> ids_;
};

}  // namespace

std::string_view own_header() {
  return "# Written by tunekeeper from its profiles; changes to managed lines are reported as drift.\n";
}

std::string own_line(std::string_view raw) {
  return fmt::format("{0}=\"${0} {1}\"\n", normal_entries, raw);
}

Splice added_raw(const ShellFile& shell, std::string_view raw) {
  const ShellStatement* last = shell.last_assignment(normal_entries);
  if (last != nullptr) return shell.append(*last, raw);
  return shell.add_line(normal_entries, fmt::format("\"{}\"", raw));
}

Splice added_to(const ShellFile& shell, std::string_view bytes, const std::vector<KernelRun>& runs) {
  const ShellStatement* last = shell.last_assignment(normal_entries);
  const bool single =
      last != nullptr && last->value_end > last->value_begin && bytes[last->value_end - 1] == '\'';
  std::string raw;
  for (const KernelRun& run : runs) {
    raw += (raw.empty() ? "" : " ") + spelt(run, single ? ShellQuote::single : ShellQuote::twofold);
  }
  return added_raw(shell, raw);
}

std::string uneditable(const Defaults& defaults, const Wish& wish, bool has_drop_ins) {
  const Change change = change_for(defaults, wish);
  std::vector<std::pair<std::size_t, std::size_t>> ranges = change.removed;
  for (const auto& [range, run] : change.replaced) ranges.push_back(range);
  for (const auto& [first, count] : ranges) {
    for (std::size_t i = first; i < first + count; ++i) {
      const Token& token = defaults.tokens[i];
      if (token.editable) continue;
      return fmt::format("{} comes from another variable or a broken quote at {}: change it there by hand",
                         token.parameter.name, place_of(defaults.files[token.file], token.begin));
    }
  }
  const bool to_own = !change.added.empty() && has_drop_ins && !outranking(defaults);
  if (to_own && !defaults.own_masked.empty()) return defaults.own_masked;
  const bool changes = !ranges.empty() || !change.added.empty();
  return changes ? defaults.cut : "";
}

std::vector<Action> edits(const Defaults& defaults, std::span<const Row* const> rows, bool has_drop_ins) {
  Editor editor(defaults, has_drop_ins);
  for (const Row* row : rows) editor.add(*row);
  return editor.actions();
}

}  // namespace tunekeeper::grub
