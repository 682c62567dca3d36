#include "providers/nginx/observe.hpp"

#include <fmt/format.h>

#include "providers/conf_files.hpp"
#include "providers/nginx/edits.hpp"

namespace tunekeeper::nginx {

namespace {

void add_note(Observation& seen, const std::string& note) {
  if (!seen.note.empty()) seen.note += "; ";
  seen.note += note;
}

// The plane's text: the wish's own words where they say the same, so that another style of quotes is no
// difference.
std::string text_of(const std::vector<std::string>& args, const Desired& desired) {
  const std::string wished = to_string(desired.value);
  return desired.want == Want::equals && split_arguments(wished) == args ? wished : join_arguments(args);
}

/// Whether the workers show what they were given.
bool has_live_value(const Desired& desired) {
  return desired.id == "nginx:worker_processes" || desired.id == "nginx:worker_rlimit_nofile";
}

}  // namespace

std::string pid_file(const Config& config) {
  const std::vector<Statement> found = config.find(Level::main, "pid");
  if (found.size() == 1) {
    const std::vector<std::string> args = config.file(found[0]).conf.args(found[0].id);
    if (args.size() == 1 && args[0].starts_with('/')) return args[0];
  }
  return "/run/nginx.pid";
}

Observer::Observer(const HostView& host) : host_(host), config_(Config::read(host)) {
  if (config_.absent() || !config_.fault().empty()) return;
  workers_ = find_workers(host, pid_file(config_));
  if (workers_.running()) started_ns_ = latest_start_ns(host, workers_);
}

Observation Observer::observe(const Desired& desired) const {
  Observation seen;
  const Level level = level_of(desired.path);
  seen.type = type_of(level, desired.path.back());
  seen.takes_effect = {Effect::Kind::reload, "nginx"};
  seen.boot = Plane::not_applicable("nginx takes nothing from the kernel's command line");
  if (config_.absent()) {
    seen.unsupported = "nginx is not installed (no " + std::string(main_config) + ")";
    return seen;
  }
  if (!config_.fault().empty()) {
    seen.persisted = Plane::unknown(config_.fault());
    // Which process is nginx's master is said in the files.
    seen.live = has_live_value(desired) ? seen.persisted : Plane::not_applicable("nginx does not tell it");
    return seen;
  }
  if (desired.want != Want::absent) {
    seen.failed = value_problem(level, desired.path.back(), to_string(desired.value));
  }
  if (!seen.failed.empty()) {
    seen.live = seen.persisted = Plane::unknown(seen.failed);
    return seen;
  }
  observe_persisted(desired, seen);
  observe_live(desired, seen);
  if (level == Level::http) note_overrides(desired, seen);
  return seen;
}

void Observer::observe_persisted(const Desired& desired, Observation& seen) const {
  const std::string& name = desired.path.back();
  const Level level = level_of(desired.path);
  const std::vector<Statement> found = config_.find(level, name);
  seen.persisted = Plane::absent();
  if (found.size() > 1) {
    seen.persisted = Plane::unknown(fmt::format("\"{}\" stands at {} and at {}; nginx refuses a second one",
                                                name, config_.place(found[0]), config_.place(found[1])));
  } else if (found.size() == 1) {
    const NginxConf& conf = config_.file(found[0]).conf;
    seen.decided_by = config_.place(found[0]);
    if (conf.is_block(found[0].id))
      seen.unwritable = fmt::format("\"{}\" at {} is a block", name, seen.decided_by);
    seen.persisted = Plane::of(text_of(conf.args(found[0].id), desired));
    compare_ages(found[0], seen);
  } else if ((level == Level::events && config_.events() == nullptr) ||
             (level == Level::http && config_.http() == nullptr)) {
    seen.unwritable = fmt::format("{} has no {} block", main_config, desired.path.front());
  } else if (level == Level::http && desired.want != Want::absent && uses_drop_in(host_, config_)) {
    seen.unwritable = masked_reason(host_, std::string(drop_in));
  }
}

void Observer::compare_ages(const Statement& statement, Observation& seen) const {
  if (!started_ns_) return;
  const std::string& path = config_.file(statement).path;
  const std::optional<FileInfo> info = host_.info(path);
  if (info) seen.owner_is_older = *started_ns_ < info->mtime_ns;
}

void Observer::observe_live(const Desired& desired, Observation& seen) const {
  const std::string& id = desired.id;
  const bool has_live = has_live_value(desired);
  if (!workers_.running()) {
    seen.live = has_live ? workers_.unless_running()
                         : Plane::not_applicable(workers_.kind == Workers::Kind::other_root ? "another root"
                                                 : workers_.kind == Workers::Kind::stopped
                                                     ? "nginx not running"
                                                     : "nginx does not tell it");
  } else if (!has_live) {
    seen.live = Plane::not_applicable("nginx does not tell it");
    seen.shows_age_alone = true;
    if (seen.owner_is_older.value_or(false))
      seen.live_reason = "the file changed after nginx's workers started";
  } else if (desired.want == Want::absent) {
    seen.live = Plane::not_applicable("without the directive nginx's default holds");
  } else if (id == "nginx:worker_processes") {
    observe_processes(desired, seen);
  } else {
    seen.live = open_files_limit(host_, workers_);
  }
}

void Observer::observe_processes(const Desired& desired, Observation& seen) const {
  const std::string count = std::to_string(workers_.pids.size());
  seen.live = Plane::of(count);
  if (to_string(desired.value) != "auto") return;
  const std::optional<int> cpus = online_cpus(host_);
  if (!cpus) return;
  seen.live_accepted = Value::of(std::to_string(*cpus));
  add_note(seen, fmt::format("auto is one worker a CPU, here {}", *cpus));
}

void Observer::note_overrides(const Desired& desired, Observation& seen) const {
  constexpr std::size_t shown = 3;
  const std::vector<Statement> inner = config_.find(Level::inner, desired.path.back());
  if (inner.empty()) return;
  std::string places;
  for (std::size_t i = 0; i < inner.size() && i < shown; ++i)
    places += (i == 0 ? "" : ", ") + config_.place(inner[i]);
  if (inner.size() > shown) places += fmt::format(" and {} more", inner.size() - shown);
  add_note(seen, "servers or locations have their own: " + places);
}

}  // namespace tunekeeper::nginx
