#include "core/judge.hpp"
#include "formats/unit_file.hpp"
#include "providers/units/unit_places.hpp"
#include "providers/units/units_provider.hpp"

namespace tunekeeper {
namespace {

/// A key never takes more edits than it has files that outrank each other; this only bounds the loop.
constexpr int most_edits = 32;

/// Makes the edits of one setting, and asks after each what systemd would read.
class Placing {
 public:
  Placing(ConfEdits& edits, std::string_view unit_file, const Row& row)
      : edits_(edits), unit_file_(unit_file), row_(row), key_(unit_key(row.desired.id)) {}

  void place() {
    const auto before = edits_.bytes(edits_.own());
    // Without a line of ours there may be nothing left to say.
    state(edits_.own(), {});
    if (is_right()) return;
    state(edits_.own(), wanted_lines(decision().mentioned));
    if (is_right()) return;
    // A drop-in of ours that cannot be written is no reason to edit what it would have outranked.
    if (!edits_.locked(edits_.own()).empty() && decision().file <= edits_.own() + 1) return;
    edits_.put_back(edits_.own(), before, row_.desired.id);
    for (int i = 0; i < most_edits && !is_right(); ++i) {
      const auto now = decision();
      if (!now.mentioned || now.file == 0) return;
      state(now.file - 1, wanted_lines(true));
      if (!edits_.locked(now.file - 1).empty()) return;
    }
  }

  /// Why the files cannot be given the value, after place().
  std::string obstacle() const { return is_right() ? std::string() : edits_.refused(); }

 private:
  /// Over the unit's own file, which is number 0, and the drop-ins.
  UnitDecision decision() const {
    auto files = edits_.views();
    files.insert(files.begin(), unit_file_);
    return decide_unit(files, key_.section, key_.key);
  }

  bool is_right() const {
    const auto now = decision();
    return satisfies(row_.desired, now.stated ? Plane::of(now.value) : Plane::absent(), row_.seen.type);
  }

  /// An empty assignment takes back what is said before: that is how a key becomes absent, and a list starts
  /// anew.
  std::vector<std::string> wanted_lines(bool said_before) const {
    const auto reset = key_.key + "=";
    if (row_.desired.want == Want::absent || row_.desired.value.items.empty()) return {reset};
    const auto line = reset + row_.desired.value.items.front();
    if (said_before && is_unit_list(key_.section, key_.key)) return {reset, line};
    return {line};
  }

  void state(std::size_t file, const std::vector<std::string>& lines) {
    edits_.change(file, restate_unit(edits_.bytes(file), key_.section, key_.key, lines), row_.desired.id);
  }

  ConfEdits& edits_;
  std::string_view unit_file_;
  const Row& row_;
  UnitKey key_;
};

}  // namespace

std::string unit_obstacle(const HostView& host, const std::string& unit, const std::vector<ConfFile>& files,
                          const Row& row) {
  ConfEdits edits(host, {files.begin() + 1, files.end()}, dropin_folders(host, unit), own_dropin(unit));
  Placing placing(edits, files.front().bytes, row);
  placing.place();
  return placing.obstacle();
}

std::vector<Action> plan_unit_files(const HostView& host, const std::string& unit,
                                    const std::vector<const Row*>& rows) {
  const auto folders = dropin_folders(host, unit);
  const auto unit_file = host.read(find_unit_file(host, unit)).bytes;
  ConfEdits edits(host, read_conf_files(host, folders), folders, own_dropin(unit));
  for (const auto* row : rows) Placing(edits, unit_file, *row).place();
  return edits.actions();
}

}  // namespace tunekeeper
