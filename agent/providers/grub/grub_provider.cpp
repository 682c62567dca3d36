#include "providers/grub/grub_provider.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "core/judge.hpp"
#include "providers/grub/defaults.hpp"
#include "providers/grub/editor.hpp"

namespace tunekeeper {
namespace {

using namespace grub;

constexpr std::array<std::string_view, 5> guarded = {"root", "init", "ro", "mem", "maxcpus"};

constexpr std::array<std::string_view, 24> known = {"transparent_hugepage",
                                                    "numa_balancing",
                                                    "mitigations",
                                                    "hugepages",
                                                    "hugepagesz",
                                                    "default_hugepagesz",
                                                    "isolcpus",
                                                    "nohz_full",
                                                    "rcu_nocbs",
                                                    "intel_idle.max_cstate",
                                                    "processor.max_cstate",
                                                    "intel_pstate",
                                                    "amd_pstate",
                                                    "idle",
                                                    "elevator",
                                                    "console",
                                                    "quiet",
                                                    "splash",
                                                    "nosmt",
                                                    "iommu",
                                                    "intel_iommu",
                                                    "amd_iommu",
                                                    "tsc",
                                                    "clocksource"};

std::optional<std::string> key_problem(std::span<const std::string> path) {
  if (path.size() != 1 || path[0].empty()) return "a kernel parameter has one name";
  if (path[0].find_first_of(" \t\n=\"'\\;$`") != std::string::npos) {
    return "the name of a kernel parameter has no blanks, quotes and none of = ; $ ` \\";
  }
  return std::nullopt;
}

/// One occurrence for people, in the profile's own spelling where it is what the profile asks for.
std::string item_of(const KernelRun& run, const Wish& wish, const Desired& desired, std::size_t index) {
  if (index < wish.runs.size() && index < desired.value.items.size() && run == wish.runs[index])
    return desired.value.items[index];
  if (run.size() > 1 || !wish.companions.empty()) return to_string(run);
  return run[0].value;
}

Plane plane_of(const std::vector<KernelToken>& tokens, const Wish& wish, const Desired& desired) {
  const auto ranges = kernel_runs(tokens, wish.name, wish.companions);
  if (ranges.empty()) return Plane::absent();
  std::vector<KernelRun> runs;
  for (const auto& [first, count] : ranges) {
    runs.emplace_back(tokens.begin() + static_cast<long>(first),
                      tokens.begin() + static_cast<long>(first + count));
  }
  const bool alike =
      std::all_of(runs.begin(), runs.end(), [&](const KernelRun& run) { return run == runs[0]; });
  if (!desired.value.repeated && (!wish.whole || alike)) runs.erase(runs.begin(), runs.end() - 1);
  if (runs.size() == 1 && !desired.value.repeated && !runs[0][0].has_value) return Plane::of(Value::flag());
  Value value;
  value.repeated = desired.value.repeated || runs.size() > 1;
  for (std::size_t i = 0; i < runs.size(); ++i) value.items.push_back(item_of(runs[i], wish, desired, i));
  return Plane::of(std::move(value));
}

bool reads_drop_ins(const Context& context) {
  if (context.host.exists(drop_in_folder)) return true;
  for (const char* name : {"os.id", "os.like"}) {
    const FactValue fact = context.facts.fact(name);
    if (fact.kind != FactValue::Kind::value) continue;
    const std::string text = " " + to_string(fact.value) + " ";
    if (text.find(" debian ") != std::string::npos || text.find(" ubuntu ") != std::string::npos) return true;
  }
  return false;
}

/// When this kernel was started, in seconds since the epoch.
std::optional<std::int64_t> boot_time(const HostView& host) {
  const std::string stat = host.read("/proc/stat").bytes;
  const std::size_t at = stat.find("btime ");
  if (at == std::string::npos) return std::nullopt;
  std::int64_t seconds = 0;
  const auto [end, error] = std::from_chars(stat.data() + at + 6, stat.data() + stat.size(), seconds);
  return error == std::errc() ? std::optional(seconds) : std::nullopt;
}

/// Looks at one host for all wishes.
class Observer {
 public:
  explicit Observer(const Context& context)
      : context_(context), defaults_(read_defaults(context.host)), drop_ins_(reads_drop_ins(context)) {
    if (!defaults_.unsupported.empty()) return;
    menu_ = read_menu(context.host);
    cmdline_ = context.host.read("/proc/cmdline");
    running_ = kernel_tokens(cmdline_.bytes);
    if (defaults_.failed.empty()) persisted_ = parameters(defaults_.tokens);
  }

  Observation look(const Desired& desired) const {
    Observation seen;
    seen.takes_effect.kind = Effect::Kind::reboot;
    seen.unsupported = defaults_.unsupported;
    if (!seen.unsupported.empty()) return seen;
    const Wish wish = wish_of(desired);
    live(seen, wish, desired);
    if (!defaults_.failed.empty()) {
      seen.persisted = seen.boot = Plane::unknown(defaults_.failed);
      return seen;
    }
    seen.persisted = plane_of(persisted_, wish, desired);
    seen.decided_by = decided_by(wish);
    boot(seen, wish, desired);
    if (!satisfies(desired, seen.persisted, seen.type))
      seen.unwritable = uneditable(defaults_, wish, drop_ins_);
    if (!defaults_.cut.empty() && seen.unwritable.empty()) seen.note = defaults_.cut;
    return seen;
  }

 private:
  void live(Observation& seen, const Wish& wish, const Desired& desired) const {
    if (cmdline_.ok()) {
      seen.live = plane_of(running_, wish, desired);
    } else if (cmdline_.absent()) {
      seen.live = Plane::not_applicable("there is no /proc/cmdline");
    } else {
      seen.live = Plane::unknown(fmt::format("cannot read /proc/cmdline: {}", std::strerror(cmdline_.error)));
    }
    const std::optional<std::int64_t> booted = boot_time(context_.host);
    if (!booted || !menu_.exists) return;
    // The boot time is cut to seconds; a menu of the same second may have come after it.
    seen.owner_is_older = *booted <= menu_.mtime_ns / 1'000'000'000;
    if (!*seen.owner_is_older)
      seen.live_reason = "this boot did not use it (another entry, or a boot loader that is not GRUB)";
  }

  void boot(Observation& seen, const Wish& wish, const Desired& desired) const {
    if (context_.host.is_other_root()) {
      seen.boot_command =
          menu_.path.find("grub2") == std::string::npos ? "update-grub" : "grub2-mkconfig -o " + menu_.path;
    }
    if (!menu_.unknown.empty()) {
      seen.boot = Plane::unknown(menu_.unknown);
    } else if (!menu_.exists) {
      // As the kernel packages' own hook has it: where there is no menu, none is wanted.
      seen.boot = context_.host.is_other_root() ? Plane::absent()
                                                : Plane::not_applicable("there is no " + menu_.path);
    } else {
      menu_entries(seen, wish, desired);
    }
  }

  void menu_entries(Observation& seen, const Wish& wish, const Desired& desired) const {
    const GrubEntry* chosen = chosen_entry();
    if (chosen == nullptr) {
      seen.boot = Plane::not_applicable(menu_.path + " has no normal entry for a kernel of this host");
      return;
    }
    seen.boot = plane_of(chosen->tokens, wish, desired);
    for (const GrubEntry& entry : menu_.cfg.entries()) {
      if (entry.kind != GrubEntryKind::normal) continue;
      const Plane plane = plane_of(entry.tokens, wish, desired);
      if (plane == seen.boot) continue;
      const std::string told =
          fmt::format("{}: {}", entry.title, plane.has_value() ? to_string(plane.value) : "absent");
      // Only what grub-mkconfig makes of a kernel becomes right by making it again.
      if (entry.id.compare(0, 8, "gnulinux") == 0) {
        seen.boot_entries.push_back(told);
      } else {
        seen.note += (seen.note.empty() ? "" : "; ") + fmt::format("an entry made by hand differs: {}", told);
      }
    }
  }

  /// The default entry, or the first normal one where the default is none of this host's kernels.
  const GrubEntry* chosen_entry() const {
    const GrubEntry* entry = menu_.cfg.default_entry();
    if (entry != nullptr && entry->kind == GrubEntryKind::normal) return entry;
    for (const GrubEntry& other : menu_.cfg.entries()) {
      if (other.kind == GrubEntryKind::normal) return &other;
    }
    return nullptr;
  }

  std::string decided_by(const Wish& wish) const {
    const auto ranges = kernel_runs(persisted_, wish.name, wish.companions);
    if (ranges.empty())
      return defaults_.decides.empty() ? std::string(main_file.substr(1)) : defaults_.decides;
    const Token& token = defaults_.tokens[ranges.back().first];
    return place_of(defaults_.files[token.file], token.begin);
  }

  const Context& context_;
  Defaults defaults_;
  bool drop_ins_;
  Menu menu_;
  ReadResult cmdline_;
  std::vector<KernelToken> running_;
  std::vector<KernelToken> persisted_;
};

Action generate(const HostView& host, std::vector<std::string> settings) {
  const std::string path = menu_path(host);
  Action action;
  action.phase = Phase::generate;
  action.plane = PlaneKind::boot;
  action.deed = GenerateFile{path, {program(path, "mkconfig")}, {program(path, "script-check")}};
  action.settings = std::move(settings);
  return action;
}

bool generates(const HostView& host) {
  return !host.is_other_root() && host.exists(menu_path(host));
}

}  // namespace

const SectionSpec& GrubProvider::section() const {
  static const SectionSpec spec = [] {
    SectionSpec made;
    made.name = made.id_prefix = "grub";
    made.lists = made.flags = true;
    made.key_problem = key_problem;
    made.known_keys = known;
    return made;
  }();
  return spec;
}

std::vector<Observation> GrubProvider::observe(const Context& context,
                                               std::span<const Desired> wanted) const {
  if (wanted.empty()) return {};
  const Observer observer(context);
  std::vector<Observation> seen;
  for (const Desired& desired : wanted) seen.push_back(observer.look(desired));
  return seen;
}

std::vector<Action> GrubProvider::plan(const Context& context, std::span<const Row> rows) const {
  std::vector<const Row*> written;
  std::vector<std::string> ids;
  for (const Row& row : rows) {
    const bool open = row.state == State::differs || row.state == State::pending;
    if (!open || (persisted_right(row) && boot_right(row))) continue;
    if (!persisted_right(row)) written.push_back(&row);
    ids.push_back(row.desired.id);
  }
  if (ids.empty()) return {};
  std::vector<Action> actions;
  if (!written.empty()) actions = edits(read_defaults(context.host), written, reads_drop_ins(context));
  if (generates(context.host)) actions.push_back(generate(context.host, std::move(ids)));
  return actions;
}

std::vector<Action> GrubProvider::after_files(const Context& context,
                                              std::span<const std::string> paths) const {
  const bool ours = std::any_of(paths.begin(), paths.end(), [](const std::string& path) {
    return path.compare(0, main_file.size(), main_file) == 0;
  });
  if (!ours || !generates(context.host)) return {};
  return {generate(context.host, {})};
}

std::string GrubProvider::guard(const Context&, const Row& row) const {
  const std::string name(row.desired.key());
  const auto is_name = [&](std::string_view other) { return same_parameter(name, other); };
  if (std::any_of(guarded.begin(), guarded.end(), is_name)) {
    return fmt::format("the kernel parameter {} decides whether this host boots at all", name);
  }
  for (const KernelRun& run : wish_of(row.desired).runs) {
    for (const KernelToken& token : run) {
      if (std::any_of(guarded.begin(), guarded.end(),
                      [&](std::string_view other) { return same_parameter(token.name, other); })) {
        return fmt::format("the kernel parameter {} decides whether this host boots at all", token.name);
      }
      if (std::string danger = cmdline_danger(token); !danger.empty()) return danger;
    }
  }
  return {};
}

bool GrubProvider::is_spent(const std::string& path, std::string_view bytes) const {
  if (path != own_file) return false;
  try {
    return ShellFile::parse(bytes).last_assignment(normal_entries) == nullptr &&
           bytes.find(normal_entries) == std::string_view::npos;
  } catch (const ShellSyntaxError&) {
    return false;
  }
}

std::unique_ptr<Provider> make_grub_provider() {
  return std::make_unique<GrubProvider>();
}

}  // namespace tunekeeper
