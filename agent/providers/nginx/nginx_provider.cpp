#include <algorithm>

#include <fmt/format.h>

#include "core/judge.hpp"
#include "providers/nginx/edits.hpp"
#include "providers/nginx/observe.hpp"
#include "providers/provider.hpp"

namespace tunekeeper {

namespace nginx {

namespace {

std::vector<std::string> key_of(const std::string& id) {
  const std::string key = id.substr(id.find(':') + 1);
  const std::size_t dot = key.find('.');
  if (dot == std::string::npos) return {key};
  return {key.substr(0, dot), key.substr(dot + 1)};
}

NginxConf parsed(const std::string& path, std::string_view bytes) {
  auto result = NginxConf::parse(std::string(bytes));
  if (const auto* fault = std::get_if<NginxFault>(&result)) {
    throw Error(fmt::format("{}:{}:{}: {}", path, fault->line, fault->column, fault->what))
        .with_next("mend the file by hand; nginx refuses it as it is");
  }
  return std::get<NginxConf>(std::move(result));
}

// The check of nginx's files and the reload that takes them; no reload where nothing runs.
std::vector<Action> check_and_reload(const Workers& workers, const std::vector<std::string>& settings) {
  std::vector<Action> actions;
  actions.push_back({.phase = Phase::check,
                     .plane = PlaneKind::persisted,
                     .deed = CheckFiles{{"nginx", "-t"}, "nginx"},
                     .settings = settings});
  if (!workers.running()) return actions;
  actions.push_back(
      {.phase = Phase::reload,
       .plane = PlaneKind::live,
       .deed = ServiceJob{ServiceJob::Kind::reload, "nginx", "nginx.service", {"nginx", "-s", "reload"}},
       .settings = settings});
  return actions;
}

/// The web server nginx: main, events and http settings through all of its includes.
class NginxProvider : public Provider {
 public:
  const SectionSpec& section() const override { return section_spec(); }

  std::vector<Observation> observe(const Context& context, std::span<const Desired> wanted) const override {
    const Observer observer(context.host);
    std::vector<Observation> seen;
    seen.reserve(wanted.size());
    for (const Desired& desired : wanted) seen.push_back(observer.observe(desired));
    return seen;
  }

  std::vector<Action> plan(const Context& context, std::span<const Row> rows) const override {
    std::vector<const Row*> to_write;
    std::vector<std::string> to_take;
    for (const Row& row : rows) {
      if (row.state != State::differs && row.state != State::pending) continue;
      const bool writes = !persisted_right(row);
      if (writes) to_write.push_back(&row);
      if (writes || row.state == State::pending) to_take.push_back(row.desired.id);
    }
    if (to_take.empty()) return {};
    const Observer observer(context.host);
    if (observer.config().absent() || !observer.config().fault().empty()) return {};
    std::vector<Action> actions = file_actions(context.host, observer.config(), to_write);
    for (Action& action : check_and_reload(observer.workers(), to_take)) actions.push_back(std::move(action));
    return actions;
  }

  std::vector<std::string> statements(const std::string& id, const std::string& path,
                                      std::string_view bytes) const override {
    std::vector<std::string> found;
    const auto result = NginxConf::parse(std::string(bytes));
    // A file that nginx cannot read states nothing.
    const auto* conf = std::get_if<NginxConf>(&result);
    if (conf == nullptr) return found;
    for (const NginxConf::Id at : standing_in(*conf, path, key_of(id))) found.emplace_back(conf->text(at));
    return found;
  }

  std::vector<Splice> restate(const std::string& id, const std::string& path, std::string_view bytes,
                              const std::vector<std::string>& statements) const override {
    const NginxConf conf = parsed(path, bytes);
    const std::vector<std::string> key = key_of(id);
    const std::vector<NginxConf::Id> standing = standing_in(conf, path, key);
    std::vector<Splice> splices;
    for (std::size_t i = 0; i < standing.size(); ++i) {
      if (i >= statements.size()) {
        for (Splice& s : conf.remove(standing[i])) splices.push_back(std::move(s));
      } else if (conf.text(standing[i]) != statements[i]) {
        splices.push_back(conf.replace(standing[i], statements[i]));
      }
    }
    if (statements.size() <= standing.size()) return disentangled(std::move(splices));
    const std::optional<NginxConf::Id> home = home_in(conf, path, level_of(key));
    if (!home) throw Error(fmt::format("{} has no {} block any more", path, key.front()));
    if (path == drop_in && bytes.empty()) splices.push_back({0, 0, std::string(header)});
    for (std::size_t i = standing.size(); i < statements.size(); ++i) {
      for (Splice& s : conf.add(*home, statements[i])) splices.push_back(std::move(s));
    }
    return disentangled(std::move(splices));
  }

  std::vector<Action> after_files(const Context& context, std::span<const std::string> paths) const override {
    const Config config = Config::read(context.host);
    const bool ours = std::any_of(paths.begin(), paths.end(), [&](const std::string& path) {
      return path.starts_with(config_folder) ||
             std::any_of(config.files().begin(), config.files().end(),
                         [&](const ConfigFile& file) { return file.path == path; });
    });
    if (!ours || config.absent()) return {};
    return check_and_reload(find_workers(context.host, pid_file(config)), {});
  }

  std::string guard(const Context&, const Row& row) const override {
    if (row.desired.id != "nginx:worker_processes" || row.desired.want == Want::absent) return {};
    if (!same(ValueType::number, to_string(row.desired.value), "0")) return {};
    return "worker_processes 0 leaves no worker: nginx -t passes it, and a reload then stops serving";
  }

  bool is_spent(const std::string& path, std::string_view bytes) const override {
    return path == drop_in && says_nothing(bytes);
  }
};

}  // namespace

}  // namespace nginx

std::unique_ptr<Provider> make_nginx_provider() {
  return std::make_unique<nginx::NginxProvider>();
}

}  // namespace tunekeeper
