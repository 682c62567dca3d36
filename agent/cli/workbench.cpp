#include "cli/workbench.hpp"

#include <algorithm>
#include <csignal>
#include <ctime>
#include <filesystem>

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "core/nearest.hpp"
#include "core/places.hpp"
#include "engine/generations.hpp"
#include "engine/survey.hpp"
#include "snapshot/etckeeper_conf.hpp"

namespace tunekeeper {
namespace {

volatile std::sig_atomic_t signal_seen = 0;

void note_signal(int) {
  signal_seen = 1;
}

/// SIGINT and SIGTERM end a writing run between two actions; what was done is then undone.
void watch_signals() {
  struct sigaction action {};
  action.sa_handler = note_signal;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

std::string absolute(const std::string& path) {
  return path.empty() ? path : std::filesystem::absolute(path).lexically_normal().string();
}

Sections all_sections() {
  Sections sections;
  for (const auto& provider : all_providers()) sections.push_back(&provider->section());
  return sections;
}

std::string server_socket(const HostView& host) {
  for (const char* path : {"/run/mysqld/mysqld.sock", "/var/lib/mysql/mysql.sock"}) {
    if (host.exists(path)) return path;
  }
  return {};
}

std::string trimmed(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

}  // namespace

Workbench::Workbench(const Globals& globals, HostFile host_file)
    : globals_(globals), host_file_(host_file), host_(std::make_unique<RealHost>(globals.root)) {
  if (host_->is_other_root()) machine_ = std::make_unique<RealHost>("/");
}

const HostConfig& Workbench::config() {
  if (config_) return *config_;
  const HostFacts names_only(*host_);
  try {
    config_ = load_host_config(*host_, names_only.names(), geteuid());
  } catch (const InvalidProfile& error) {
    if (host_file_ == HostFile::required) throw;
    host_file_problem_ = error.what();
    config_.emplace();
  }
  return *config_;
}

const ServerConnector* Workbench::server() {
  if (server_asked_) return server_.get();
  server_asked_ = true;
  ServerAddress address;
  address.defaults_file = absolute(globals_.mysql_defaults_file);
  if (host_->is_other_root() && address.defaults_file.empty()) return nullptr;
  if (address.defaults_file.empty())
    address.defaults_file = config().services.contains("mysql")
                                ? config().services.find("mysql")->second.defaults_file
                                : std::string();
  address.socket = host_->is_other_root() ? std::string() : server_socket(*host_);
  server_ = make_server_connector(std::move(address));
  return server_.get();
}

HostFacts& Workbench::facts() {
  if (!facts_) facts_ = std::make_unique<HostFacts>(*host_, server(), config().facts);
  return *facts_;
}

Loader& Workbench::loader() {
  if (!loader_) {
    loader_ = std::make_unique<Loader>(LoadContext{.machine = machine(),
                                                   .root = *host_,
                                                   .sections = all_sections(),
                                                   .facts = facts(),
                                                   .evaluator = evaluator_,
                                                   .profile_path = absolute(globals_.profile_path),
                                                   .caller_uid = geteuid()});
  }
  return *loader_;
}

Snapshot& Workbench::snapshot() {
  if (!snapshot_) {
    const std::string root = globals_.other_root() ? absolute(globals_.root) : std::string();
    const std::string base = root == "/" ? "" : root;
    const EtckeeperConf conf = read_etckeeper_conf(*host_);
    if (conf.vcs.empty() || conf.vcs == "git") {
      snapshot_ = std::make_unique<GitSnapshot>(base + "/etc");
    } else {
      const std::string place(places::kOwnRepository);
      snapshot_ = std::make_unique<GitSnapshot>(base + "/etc", base + place, place);
    }
  }
  return *snapshot_;
}

const Bus* Workbench::bus() const {
  return host_->is_other_root() ? nullptr : &bus_;
}

Context Workbench::context() {
  return {.host = *host_, .facts = facts(), .bus = bus(), .server = server(), .caller_uid = geteuid()};
}

Session Workbench::session(std::string verb) {
  watch_signals();
  return {.host = *host_,
          .context = context(),
          .snapshot = snapshot(),
          .now = [] { return static_cast<std::int64_t>(std::time(nullptr)); },
          .interrupted = [] { return signal_seen != 0; },
          .verb = std::move(verb),
          .privileged = geteuid() == 0};
}

std::vector<std::string> Workbench::host_profiles() {
  std::vector<std::string> names;
  for (const NamedAt& profile : config().profiles) names.push_back(profile.name);
  return names;
}

Profile Workbench::load(const std::string& word) {
  return loader().load(is_profile_path(word) ? absolute(word) : word, config().vars);
}

Evaluation Workbench::evaluate_profile(const Profile& profile) {
  const Context means = context();
  Evaluation evaluation = evaluate(profile, facts(), evaluator_, [&means](std::string_view section) {
    for (const auto& provider : all_providers()) {
      if (provider->section().name == section) return provider->absence(means).empty();
    }
    return true;
  });
  for (Desired& wish : evaluation.desired) wish.profile = profile.name;
  for (Unresolved& unresolved : evaluation.unresolved) unresolved.wish.profile = profile.name;
  return evaluation;
}

Wishes Workbench::wishes(const std::vector<std::string>& profiles) {
  Wishes wishes;
  wishes.host_profiles = host_profiles();
  wishes.whole = profiles.empty();
  wishes.profiles = profiles.empty() ? wishes.host_profiles : profiles;
  if (wishes.profiles.empty()) {
    throw Error("no profile is named, and " + std::string(HostConfig::path) + " lists none",
                ExitStatus::usage)
        .with_next("name one (tunekeeper list shows them), or write into that file:  profiles: [mysql-oltp]");
  }
  std::vector<Profile> loaded;
  for (const std::string& word : wishes.profiles) loaded.push_back(load(word));
  // Of the whole set alone: a profile named on the command line may be any one of the host's.
  if (wishes.whole) require_none(undeclared_vars(config(), loaded));
  std::vector<Evaluation> evaluations;
  wishes.profiles.clear();
  for (const Profile& profile : loaded) {
    wishes.profiles.push_back(profile.name);
    evaluations.push_back(evaluate_profile(profile));
  }
  Evaluation all = combine(std::move(evaluations));
  wishes.desired = std::move(all.desired);
  const Context means = context();
  for (Unresolved& unresolved : all.unresolved) {
    Row row{.desired = std::move(unresolved.wish),
            .seen = {},
            .state = State::unsupported,
            .reason = unresolved.reason};
    for (const auto& provider : all_providers()) {
      const bool owner = provider->section().id_prefix == row.desired.section();
      if (unresolved.section_absent && owner) row.reason = provider->absence(means);
    }
    wishes.undecided.push_back(std::move(row));
  }
  require_selected(wishes);
  return wishes;
}

void Workbench::require_selected(const Wishes& wishes) {
  if (globals_.only.empty()) return;
  std::vector<std::string> ids;
  for (const Desired& wish : expand(context(), wishes.desired)) ids.push_back(wish.id);
  for (const Row& row : wishes.undecided) ids.push_back(row.desired.id);
  for (const std::string& id : ids) {
    if (selected_by(globals_.only, id)) return;
  }
  throw Error(fmt::format("--only {}: no setting's id matches{}", globals_.only.front(),
                          did_you_mean(globals_.only.front(), ids)),
              ExitStatus::usage)
      .with_next("tunekeeper explain PROFILE lists the ids");
}

void Workbench::require_managed(const std::vector<std::string>& profiles) {
  std::vector<std::string> known;
  if (const auto record = current_record(host(), snapshot())) {
    for (const RecordedSetting& setting : record->settings) known.push_back(setting.profile);
  }
  for (const std::string& profile : profiles) {
    if (std::find(known.begin(), known.end(), profile) != known.end()) continue;
    throw Error(
        fmt::format("--drop {}: no setting here is that profile's{}", profile, did_you_mean(profile, known)),
        ExitStatus::usage)
        .with_next("tunekeeper status names the profiles in force");
  }
}

Wishes Workbench::wishes(const std::vector<std::string>& profiles, const std::vector<std::string>& drop) {
  if (drop.empty() || !profiles.empty()) return wishes(profiles);
  Wishes wishes;
  wishes.host_profiles = host_profiles();
  return wishes;
}

std::string Workbench::read_own_file(const std::string& path) const {
  ReadResult file = machine().read(absolute(path));
  if (!file.ok()) throw HostError("read", path, file.error);
  return std::move(file.bytes);
}

void Workbench::write_own_file(const std::string& path, const std::string& bytes) {
  FileImage image = machine().image(absolute(path));
  if (image.absent)
    image = {.absent = false, .bytes = {}, .mode = 0644, .uid = geteuid(), .gid = getegid(), .xattrs = {}};
  image.bytes = bytes;
  machine().put(absolute(path), image);
}

bool Workbench::own_file_is(const std::string& path, const std::string& bytes) const {
  const ReadResult now = machine().read(absolute(path));
  return now.ok() && now.bytes == bytes;
}

std::string Workbench::host_name() const {
  if (host_->is_other_root()) {
    const ReadResult name = host_->read("/etc/hostname");
    return name.ok() && !trimmed(name.bytes).empty() ? trimmed(name.bytes) : globals_.root;
  }
  utsname names{};
  return uname(&names) == 0 ? names.nodename : "this host";
}

}  // namespace tunekeeper
