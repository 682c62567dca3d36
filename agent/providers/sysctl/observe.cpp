#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "formats/conf_dirs.hpp"
#include "providers/kernel_rounding.hpp"
#include "providers/sysctl/at_boot.hpp"
#include "providers/sysctl/known_keys.hpp"
#include "providers/sysctl/sysctl_provider.hpp"

namespace tunekeeper {
namespace {

constexpr std::string_view old_file = "/etc/sysctl.conf";

/// All that is read once for all settings.
struct Sources {
  std::vector<ConfFile> files;
  std::string old_bytes;    ///< of /etc/sysctl.conf, where no link makes systemd read it
  bool has_kernel = false;  ///< /proc/sys is there and holds something
};

Sources read_sources(const HostView& host) {
  Sources sources;
  sources.files = read_conf_files(host, conf_folders("sysctl.d"));
  const auto is_old = [&](const ConfFile& file) { return host.resolve(file.path) == host.resolve(old_file); };
  auto old = host.read(old_file);
  if (old.ok() && std::none_of(sources.files.begin(), sources.files.end(), is_old)) {
    sources.old_bytes = std::move(old.bytes);
  }
  sources.has_kernel = !host.list("/proc/sys").empty();
  return sources;
}

std::string wanted_text(const Desired& desired) {
  return desired.value.items.empty() ? std::string() : desired.value.items.front();
}

void see_live(const HostView& host, const Sources& sources, const Desired& desired, const std::string& key,
              Observation& seen) {
  if (desired.want == Want::absent) {
    seen.live = Plane::not_applicable("absence is asked of the files only");
    return;
  }
  if (!sources.has_kernel) {
    seen.live = Plane::not_applicable("no kernel runs below this root");
    return;
  }
  if (leaves_proc_sys(host, key)) {
    seen.failed = sysctl_file(key) + " leads out of /proc/sys";
    return;
  }
  const auto read = host.read(sysctl_file(key));
  if (read.ok()) {
    seen.live = Plane::of(kernel_word(read.bytes));
  } else if (!read.absent()) {
    seen.live =
        Plane::unknown(fmt::format("cannot read {}: {}", sysctl_file(key), std::strerror(read.error)));
  } else if (const auto module = module_of(key); !module.empty() && !host.exists("/sys/module/" + module)) {
    seen.live = Plane::absent();
    seen.awaits_module = module;
    seen.note = fmt::format(
        "the key comes with the module {}; at boot it is set only if that is loaded by then "
        "(modules-load.d)",
        module);
  } else {
    seen.unsupported = "this kernel has no " + sysctl_dotted(key);
  }
}

void add_note(Observation& seen, const std::string& note) {
  if (!seen.note.empty()) seen.note += "; ";
  seen.note += note;
}

void see_persisted(const Sources& sources, const SysctlAtBoot& at_boot, Observation& seen) {
  const auto& decision = at_boot.decision;
  const bool stated = decision.kind != SysctlDecision::Kind::unstated;
  const bool by_line = stated && decision.kind != SysctlDecision::Kind::matched;
  for (std::size_t i = 0; i < sources.files.size(); ++i) {
    const auto& file = sources.files[i];
    if (file.error == 0 || (by_line && decision.file > i)) continue;
    seen.persisted = Plane::unknown(fmt::format("cannot read {}: {}", file.path, std::strerror(file.error)));
    return;
  }
  if (stated) seen.decided_by = place_of(sources.files[decision.file], decision.line);
  seen.persisted = at_boot.has_value() ? Plane::of(decision.value) : Plane::absent();
  if (at_boot.zeroed) add_note(seen, "the other key of the pair is set there, and makes this one 0");
  if (decision.kind == SysctlDecision::Kind::matched) {
    add_note(seen, "decided by a pattern, which a procps without pattern support does not read so");
  }
  if (decision.kind == SysctlDecision::Kind::excluded) {
    add_note(seen, "excluded by a line with a minus; procps still sets what other lines assign");
  }
}

void note_old_file(const Sources& sources, const std::string& key, Observation& seen) {
  if (sources.old_bytes.empty()) return;
  const std::vector<std::string_view> files{sources.old_bytes};
  const std::vector<std::string> keys{key};
  const auto decision = decide_sysctl(files, keys).front();
  if (decision.kind != SysctlDecision::Kind::assigned) return;
  add_note(
      seen,
      fmt::format(
          "etc/sysctl.conf:{} says {}, which systemd does not read; procps `sysctl --system` reads it last",
          decision.line, decision.value));
}

/// Values that need no line: what the kernel has by itself is beyond the bound already.
void accept_unstated_bound(const Desired& desired, Observation& seen) {
  const bool bound = desired.want == Want::at_least || desired.want == Want::at_most;
  if (!bound || seen.persisted.kind != Plane::Kind::absent || !seen.live.has_value()) return;
  if (!satisfies(desired, seen.live, seen.type)) return;
  seen.persisted = Plane::not_applicable("no file sets it, and what the kernel has is within the bound");
}

/// Of two wishes for one exclusive pair, whether this one gives way to the other.
bool gives_way(const Desired& own, const Desired& other, std::string_view own_key) {
  if (own.at.file == other.at.file && own.at.line != other.at.line) return own.at.line < other.at.line;
  return !default_ratio(own_key).empty();
}

void settle_pair(std::span<const Desired> wanted, const Desired& desired, const std::string& key,
                 Observation& seen) {
  const auto other = exclusive_counterpart(key);
  if (other.empty() || desired.want == Want::absent) return;
  const auto other_id = "sysctl:" + sysctl_dotted(other);
  for (const auto& rival : wanted) {
    if (rival.id != other_id || rival.want == Want::absent || !gives_way(desired, rival, key)) continue;
    seen.live = seen.persisted =
        Plane::not_applicable(sysctl_dotted(other) + " is wanted instead; only one of the pair holds");
    seen.decided_by.clear();
    seen.note = seen.live.reason;
  }
}

Observation see(const HostView& host, const Sources& sources, const Desired& desired,
                const SysctlAtBoot& at_boot) {
  Observation seen;
  const auto key = sysctl_path(desired.key());
  const auto wanted = wanted_text(desired);
  see_live(host, sources, desired, key, seen);
  const auto live = seen.live.has_value() ? seen.live.value.items.front() : std::string();
  seen.type = sysctl_type(key, live, wanted);
  see_persisted(sources, at_boot, seen);
  note_old_file(sources, key, seen);
  if (desired.want == Want::absent) return seen;
  accept_unstated_bound(desired, seen);
  if (desired.want == Want::equals) accept_rounding(kernel_rounding(key, wanted), seen);
  if (seen.failed.empty()) seen.failed = refusal(key, wanted);
  if (seen.failed.empty()) seen.failed = value_problem(key, live, wanted);
  return seen;
}

}  // namespace

std::vector<Observation> SysctlProvider::observe(const Context& context,
                                                 std::span<const Desired> wanted) const {
  if (wanted.empty()) return {};
  const auto sources = read_sources(context.host);
  std::vector<std::string_view> files;
  for (const auto& file : sources.files) files.emplace_back(file.bytes);
  std::vector<std::string> keys;
  for (const auto& desired : wanted) keys.push_back(sysctl_path(desired.key()));
  const auto at_boot = sysctl_at_boot(files, keys);

  std::vector<Observation> found;
  std::optional<ConfEdits> edits;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    auto& seen = found.emplace_back(see(context.host, sources, wanted[i], at_boot[i]));
    settle_pair(wanted, wanted[i], keys[i], seen);
    const auto wrong = wrong_on_disk(wanted[i], seen);
    if (!wrong) continue;
    if (!edits) edits.emplace(context.host, sources.files, conf_folders("sysctl.d"), own_sysctl_file);
    seen.unwritable = sysctl_obstacle(*edits, *wrong);
  }
  return found;
}

}  // namespace tunekeeper
