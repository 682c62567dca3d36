#include "core/judge.hpp"
#include "formats/conf_dirs.hpp"
#include "providers/sysfs/sysfs_provider.hpp"

namespace tunekeeper {
namespace {

/// A path never takes more edits than it has lines that outrank each other; this only bounds the loop.
constexpr int most_edits = 32;

/// Makes the edits of one setting, and asks after each what would be written at boot.
class Placing {
 public:
  Placing(ConfEdits& edits, const HostView& host, const Row& row)
      : edits_(edits), host_(host), row_(row), path_(sysfs_file(row.desired.id)) {}

  void place() {
    if (row_.desired.want == Want::absent) {
      take_away();
    } else if (!row_.desired.value.items.empty()) {
      give_value();
    }
  }

  /// Why the files cannot be given the value, after place().
  std::string obstacle() const { return is_right() ? std::string() : edits_.refused(); }

 private:
  void give_value() {
    const auto before = edits_.bytes(edits_.own());
    change(edits_.own(), in_own());
    if (is_right()) return;
    // A drop-in of ours that cannot be written is no reason to edit what it would have outranked: only the
    // first file with exactly this path does that.
    if (!edits_.locked(edits_.own()).empty() && at_boot().claimed_in.value_or(edits_.own()) >= edits_.own())
      return;
    edits_.put_back(edits_.own(), before, row_.desired.id);
    for (int i = 0; i < most_edits && !is_right(); ++i) {
      const auto now = at_boot();
      // A line for exactly this path that a later pattern outranks has to be said after that pattern.
      const bool outranked = now.claimed_in && !now.pattern.empty();
      const auto file = now.claimed_in.value_or(now.file);
      const auto splices = outranked ? unset_tmpfiles(edits_.bytes(file), path_) : set(file);
      if (splices.empty()) return;
      change(file, splices);
      if (!edits_.locked(file).empty()) return;
    }
  }

  void take_away() {
    for (int i = 0; i < most_edits && !is_right(); ++i) {
      const auto file = at_boot().file;
      const auto splices = unset_tmpfiles(edits_.bytes(file), path_);
      if (splices.empty()) return;
      change(file, splices);
      if (!edits_.locked(file).empty()) return;
    }
  }

  const std::string& value() const { return row_.desired.value.items.front(); }

  TmpfilesDecision at_boot() const { return sysfs_at_boot(edits_.views(), host_, path_); }

  bool is_right() const {
    const auto now = at_boot();
    if (now.computed) return false;
    return satisfies(row_.desired, now.stated ? Plane::of(now.value) : Plane::absent(), row_.seen.type);
  }

  std::vector<Splice> set(std::size_t file) const { return set_tmpfiles(edits_.bytes(file), path_, value()); }

  /// In our own drop-in what resets others stands before them: right after the header.
  std::vector<Splice> in_own() const {
    const auto& bytes = edits_.bytes(edits_.own());
    auto splices = set(edits_.own());
    if (!goes_first(row_.desired.id) || bytes.empty() || !tmpfiles_statements(bytes, path_).empty())
      return splices;
    const bool headed = std::string_view(bytes).substr(0, own_header.size()) == own_header;
    auto& added = splices.front();
    if (added.text.front() == '\n') added.text.erase(0, 1);
    added.offset = headed ? own_header.size() : 0;
    return splices;
  }

  void change(std::size_t file, const std::vector<Splice>& splices) {
    edits_.change(file, splices, row_.desired.id);
  }

  ConfEdits& edits_;
  const HostView& host_;
  const Row& row_;
  std::string path_;
};

}  // namespace

std::string sysfs_obstacle(ConfEdits edits, const HostView& host, const Row& row) {
  Placing placing(edits, host, row);
  placing.place();
  return placing.obstacle();
}

std::vector<Action> plan_sysfs_files(const HostView& host, const std::vector<const Row*>& rows) {
  if (rows.empty()) return {};
  const auto folders = conf_folders("tmpfiles.d");
  ConfEdits edits(host, read_conf_files(host, folders), folders, own_tmpfiles_file);
  for (const auto* row : rows) Placing(edits, host, *row).place();
  return edits.actions();
}

}  // namespace tunekeeper
