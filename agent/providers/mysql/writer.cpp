#include "providers/mysql/writer.hpp"

#include <algorithm>
#include <deque>

#include <fmt/format.h>

#include "formats/conf_dirs.hpp"
#include "formats/mycnf_edit.hpp"

namespace tunekeeper::mysql {
namespace {

/// Collects edits of several files, and makes one action of each.
class Edits {
 public:
  Edits(const HostView& host, const ServerFiles& files) : host_(host), files_(files) {}

  void write(const Row& row) {
    const Desired& desired = row.desired;
    const auto found = files_.tree().of(desired.path.front());
    if (desired.want == Want::absent) {
      remove_all(row, found);
    } else if (desired.value.repeated) {
      write_list(row, found);
    } else if (!found.empty() &&
               (!files_.drop_in() || !files_.drop_in_outranks(*found.back()) || is_ours(*found.back()))) {
      edit(row, found.back()->file->path)
          .assign(found.back()->option.statement, name(row), wish(desired.value, 0));
    } else {
      add(row, wish(desired.value, 0));
    }
  }

  std::vector<Action> actions() {
    std::vector<Action> actions;
    for (const auto& file : edited_) actions.push_back(action(*file));
    return actions;
  }

 private:
  struct Edited {
    std::string path;
    std::string bytes;
    bool is_new;
    MyCnf parsed;
    MyCnfEditor editor;
    std::vector<std::string> settings;

    Edited(std::string at, std::string content, bool is_absent, MyCnfDialect dialect)
        : path(std::move(at)),
          bytes(std::move(content)),
          is_new(is_absent),
          parsed(bytes, dialect),
          editor(parsed) {}
  };

  static std::string name(const Row& row) { return fold_option(row.desired.path.front()); }

  static MyCnfWish wish(const Value& value, std::size_t index) {
    if (value.is_flag()) return std::nullopt;
    return value.items[index];
  }

  bool is_ours(const MyCnfTree::Occurrence& found) const { return found.file->path == files_.drop_in(); }

  /// Where a line goes that stands nowhere yet: our drop-in, else the last first file that is there.
  std::string home() const {
    if (const auto drop_in = files_.drop_in()) return *drop_in;
    const auto& first = files_.tree().query().files;
    for (auto path = first.rbegin(); path != first.rend(); ++path) {
      if (files_.tree().file(*path) != nullptr) return *path;
    }
    return first.empty() ? "/etc/my.cnf" : first.back();
  }

  MyCnfEditor& edit(const Row& row, const std::string& path) {
    auto found =
        std::find_if(edited_.begin(), edited_.end(), [&](const auto& file) { return file->path == path; });
    if (found == edited_.end()) {
      edited_.push_back(open(path));
      found = edited_.end() - 1;
    }
    auto& settings = (*found)->settings;
    if (std::find(settings.begin(), settings.end(), row.desired.id) == settings.end()) {
      settings.push_back(row.desired.id);
    }
    return (*found)->editor;
  }

  std::unique_ptr<Edited> open(const std::string& path) const {
    const MyCnfDialect dialect = files_.server().dialect();
    if (const MyCnfTree::File* file = files_.tree().file(path)) {
      return std::make_unique<Edited>(path, file->bytes, false, dialect);
    }
    ReadResult read = host_.read(path);
    if (read.ok()) return std::make_unique<Edited>(path, std::move(read.bytes), false, dialect);
    return std::make_unique<Edited>(path, std::string(drop_in_header), true, dialect);
  }

  void add(const Row& row, const MyCnfWish& value) { edit(row, home()).add("mysqld", name(row), value); }

  void remove_all(const Row& row, const std::vector<const MyCnfTree::Occurrence*>& found) {
    for (const auto* occurrence : found) {
      edit(row, occurrence->file->path).remove(occurrence->option.statement);
    }
  }

  /// A repeatable option adds up over all files, so every statement counts.
  void write_list(const Row& row, const std::vector<const MyCnfTree::Occurrence*>& found) {
    const std::vector<std::string>& items = row.desired.value.items;
    if (found.size() == items.size()) {
      for (std::size_t i = 0; i < items.size(); ++i) {
        if (found[i]->name.value(found[i]->option) == items[i]) continue;
        edit(row, found[i]->file->path).assign(found[i]->option.statement, name(row), items[i]);
      }
      return;
    }
    remove_all(row, found);
    for (const std::string& item : items) add(row, item);
  }

  Action action(const Edited& file) const {
    EditFile edit{.path = file.path, .splices = file.editor.splices()};
    const std::string result = splice(file.bytes, edit.splices);
    if (file.is_new) {
      edit.splices = {{0, 0, result}};
    } else if (is_drop_in(file.path) && says_nothing(result)) {
      edit.splices.clear();
      edit.remove = true;
    }
    return {.phase = Phase::files,
            .plane = PlaneKind::persisted,
            .deed = std::move(edit),
            .settings = file.settings};
  }

  const HostView& host_;
  const ServerFiles& files_;
  std::vector<std::unique_ptr<Edited>> edited_;
};

}  // namespace

std::vector<Action> write_options(const HostView& host, const ServerFiles& files,
                                  std::span<const Row* const> rows) {
  Edits edits(host, files);
  for (const Row* row : rows) {
    if (files.override_of(fold_option(row->desired.path.front())) == nullptr) edits.write(*row);
  }
  return edits.actions();
}

bool says_nothing(std::string_view bytes) {
  const MyCnf file(bytes);
  if (file.problem()) return false;
  for (std::size_t i = 0; i < file.size(); ++i) {
    if (file.kind(i) != MyCnf::Kind::group) return false;
  }
  return true;
}

bool is_drop_in(std::string_view path) {
  return base_name(path) == drop_in_name;
}

}  // namespace tunekeeper::mysql
