#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "formats/conf_dirs.hpp"
#include "providers/kernel_rounding.hpp"
#include "providers/sysfs/sysfs_provider.hpp"
#include "providers/sysfs/value_type.hpp"

namespace tunekeeper {
namespace {

void add_note(Observation& seen, const std::string& note) {
  if (!seen.note.empty()) seen.note += "; ";
  seen.note += note;
}

void see_unreadable(const HostView& host, const std::string& path, int error, Observation& seen) {
  const auto info = host.info(path);
  if (error == ENOENT || error == ENOTDIR) {
    seen.unsupported = "this host has no " + path;
  } else if (info && (info->mode & 0444U) == 0) {
    seen.failed = path + " can only be written; it holds no setting";
  } else if (error == EINVAL || error == ENODEV || error == EOPNOTSUPP) {
    seen.unsupported = fmt::format("the kernel gives no value for {} now: {}", path, std::strerror(error));
  } else {
    seen.live = Plane::unknown(fmt::format("cannot read {}: {}", path, std::strerror(error)));
  }
}

/// What this file cannot be given, however it is written.
void refuse_value(const HostView& host, const Desired& desired, const std::string& path,
                  const std::string& content, Observation& seen) {
  if (desired.value.items.empty() || satisfies(desired, seen.live, seen.type)) return;
  const auto& wanted = desired.value.items.front();
  const auto info = host.info(path);
  if (seen.type == ValueType::selection && !offers(content, wanted)) {
    seen.unsupported = fmt::format("{} is not offered here ({})", wanted, content);
  } else if (info && (info->mode & 0222U) == 0) {
    seen.unsupported = path + " can only be read here";
  }
}

void see_live(const HostView& host, bool has_kernel, const Desired& desired, const std::string& path,
              Observation& seen) {
  if (desired.want == Want::absent) {
    seen.live = Plane::not_applicable("absence is asked of the files only");
    return;
  }
  if (!has_kernel) {
    seen.live = Plane::not_applicable("no kernel runs below this root");
    return;
  }
  if (host.resolve(path).compare(0, 5, "/sys/") != 0) {
    seen.failed = path + " leads out of /sys";
    return;
  }
  const auto read = host.read(path);
  if (!read.ok()) {
    see_unreadable(host, path, read.error, seen);
    return;
  }
  const auto content = kernel_word(read.bytes);
  seen.type = sysfs_type(desired.key(), content);
  seen.live = Plane::of(sysfs_word(content));
  refuse_value(host, desired, path, content, seen);
}

void see_persisted(const std::vector<ConfFile>& files, const TmpfilesDecision& decision, Observation& seen) {
  for (const auto& file : files) {
    if (file.error == 0) continue;
    seen.persisted = Plane::unknown(fmt::format("cannot read {}: {}", file.path, std::strerror(file.error)));
    return;
  }
  seen.persisted = decision.stated ? Plane::of(decision.value) : Plane::absent();
  if (!decision.stated) return;
  seen.decided_by = place_of(files[decision.file], decision.line);
  if (decision.computed) {
    seen.persisted = Plane::unknown(seen.decided_by + " takes its value from a specifier or a credential");
  }
  if (!decision.pattern.empty()) add_note(seen, "decided by the pattern " + decision.pattern);
}

void check_value(const Desired& desired, Observation& seen) {
  if (!seen.failed.empty()) return;
  if (desired.want == Want::absent) {
    const bool by_pattern = seen.persisted.has_value() && seen.note.find("decided by the pattern") == 0;
    if (by_pattern) seen.unwritable = seen.note + ", which is not taken away for one file";
    return;
  }
  const auto wanted = desired.value.items.empty() ? std::string() : desired.value.items.front();
  if (wanted.empty() || wanted.find_first_of(std::string_view("\n\r\0", 3)) != std::string::npos) {
    seen.failed = "a value is one line that is not empty";
  } else if (desired.want == Want::equals) {
    accept_rounding(kernel_rounding(desired.key(), wanted), seen);
  }
}

/// What the kernel has by itself is within the bound already: no line is needed.
void accept_unstated_bound(const Desired& desired, Observation& seen) {
  const bool bound = desired.want == Want::at_least || desired.want == Want::at_most;
  if (!bound || seen.persisted.kind != Plane::Kind::absent || !seen.live.has_value()) return;
  if (!satisfies(desired, seen.live, seen.type)) return;
  seen.persisted = Plane::not_applicable("no file sets it, and what the kernel has is within the bound");
}

}  // namespace

TmpfilesDecision sysfs_at_boot(std::span<const std::string_view> files, const HostView& host,
                               const std::string& path) {
  const std::vector<std::string> paths{path, host.resolve(path)};
  const auto decisions = decide_tmpfiles(files, paths);
  const auto& written = decisions[0];
  const auto& resolved = decisions[1];
  if (!resolved.stated) return written;
  const bool later = std::pair(resolved.file, resolved.line) > std::pair(written.file, written.line);
  return !written.stated || later ? resolved : written;
}

std::vector<Observation> SysfsProvider::observe(const Context& context,
                                                std::span<const Desired> wanted) const {
  if (wanted.empty()) return {};
  const auto files = read_conf_files(context.host, conf_folders("tmpfiles.d"));
  std::vector<std::string_view> views;
  for (const auto& file : files) views.emplace_back(file.bytes);
  const bool has_kernel = !context.host.list("/sys").empty();

  std::vector<Observation> found;
  std::optional<ConfEdits> edits;
  for (const auto& desired : wanted) {
    const auto path = sysfs_file(desired.id);
    Observation seen;
    seen.type = ValueType::option;
    see_live(context.host, has_kernel, desired, path, seen);
    see_persisted(files, sysfs_at_boot(views, context.host, path), seen);
    accept_unstated_bound(desired, seen);
    check_value(desired, seen);
    if (const auto wrong = wrong_on_disk(desired, seen)) {
      if (!edits) edits.emplace(context.host, files, conf_folders("tmpfiles.d"), own_tmpfiles_file);
      seen.unwritable = sysfs_obstacle(*edits, context.host, *wrong);
    }
    found.push_back(std::move(seen));
  }
  return found;
}

}  // namespace tunekeeper
