#include <algorithm>

#include <fmt/format.h>

#include "core/judge.hpp"
#include "core/nearest.hpp"
#include "providers/mysql/known_options.hpp"
#include "providers/mysql/option_cache.hpp"
#include "providers/mysql/rules.hpp"
#include "providers/mysql/server_files.hpp"
#include "providers/mysql/server_program.hpp"
#include "providers/mysql/statements.hpp"
#include "providers/mysql/writer.hpp"

namespace tunekeeper {
namespace mysql {
namespace {

std::optional<std::string> key_problem(std::span<const std::string> path) {
  if (path.size() != 1) return "an option has no keys below it";
  const std::string name = fold_option(path.front());
  if (name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_.") != std::string::npos) {
    return "no option has such a name";
  }
  for (const char* prefix : {"loose_", "maximum_", "disable_", "enable_"}) {
    if (name.rfind(prefix, 0) == 0) return fmt::format("name the option itself, without `{}`", prefix);
  }
  if (option_name(name, {}).negated) return "name the option itself, without `skip_`, and give it OFF";
  return std::nullopt;
}

const SectionSpec spec{
    .name = "mysql",
    .id_prefix = "mysql",
    .join = [](std::span<const std::string> path) { return fold_option(path.front()); },
    .lists = true,
    .flags = true,
    .key_problem = key_problem,
};

std::vector<std::string> variable_names(const ServerVariables* seen) {
  std::vector<std::string> names;
  if (seen == nullptr || seen->status != ServerVariables::Status::answered) return names;
  for (const auto& [name, value] : seen->variables) names.push_back(name);
  return names;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> items;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    items.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return items;
}

/// Looks at one server's settings; made for one call of observe.
class Observer {
 public:
  explicit Observer(const Context& context)
      : context_(context),
        seen_(context.server == nullptr ? nullptr : &context.server->variables()),
        files_(context.host, Server::of(context), variable_names(seen_)) {}

  Observation observe(const Desired& desired) const {
    Observation seen;
    seen.type = type_of(desired);
    seen.takes_effect = {Effect::Kind::restart, files_.server().service};
    seen.boot = Plane::not_applicable("not a kernel setting");
    if (!files_.fatal().empty()) {
      seen.persisted =
          Plane::unknown(fmt::format("{} would not start: {}", files_.server().title(), files_.fatal()));
      look_at_server(desired, seen);
      return seen;
    }
    look_at_files(desired, seen);
    look_at_server(desired, seen);
    if (desired.want != Want::absent && !judge_wish(desired, seen)) return seen;
    if (satisfies(desired, seen.persisted, seen.type)) return seen;
    if (desired.want != Want::absent && !judge_by_listing(desired, seen)) return seen;
    seen.unwritable = obstacle(desired);
    add_notes(seen);
    return seen;
  }

 private:
  /// Whether the server has such an option and would take the wish as it is written; else says why not.
  bool judge_wish(const Desired& desired, Observation& seen) const {
    const std::string missing = missing_option(files_.server(), name(desired));
    if (!missing.empty()) seen.unsupported = missing;
    if (seen.unsupported.empty() && !server_shows(name(desired))) {
      const std::string meant = slip_of_known_option(name(desired));
      if (!meant.empty()) {
        seen.unsupported = fmt::format("{} has no option {}, did you mean \"{}\"?", files_.server().title(),
                                       name(desired), meant);
      }
    }
    if (!seen.unsupported.empty()) return false;
    seen.failed = value_problem(files_.server(), name(desired), desired.value);
    return seen.failed.empty();
  }

  /// What the installed program itself says of an option that is still to be written: that it has none such,
  /// or would not take the number. A plugin's options are not listed, but a server that runs with it shows
  /// them.
  bool judge_by_listing(const Desired& desired, Observation& seen) const {
    if (!listing_) listing_ = known_listing(context_, files_.server());
    if (!*listing_) return true;
    const std::string option = name(desired);
    if ((*listing_)->has(option)) {
      seen.failed = (*listing_)->problem(option, desired.value);
    } else if (!server_shows(option)) {
      seen.unsupported = fmt::format("the installed {} has no option {}{}", files_.server().title(), option,
                                     (*listing_)->suggestion(option));
    }
    return seen.failed.empty() && seen.unsupported.empty();
  }

  bool server_shows(const std::string& variable) const {
    return seen_ != nullptr && seen_->variables.find(variable) != seen_->variables.end();
  }

  /// Why the file that a write would edit must not be edited; empty where none stands in the way.
  std::string obstacle(const Desired& desired) const {
    if (!files_.unknown().empty() || files_.override_of(name(desired)) != nullptr) return {};
    const std::optional<std::string> drop_in = files_.drop_in();
    const auto found = files_.tree().of(name(desired));
    const bool all_go = desired.want == Want::absent || desired.value.repeated;
    for (const auto* one : found) {
      const bool is_edited = all_go || (one == found.back() && !files_.drop_in_outranks(*one));
      if (is_edited && one->file->parsed.problem()) return problem_of(*one->file);
    }
    if (!drop_in || desired.want == Want::absent) return {};
    const MyCnfTree::File* ours = files_.tree().file(*drop_in);
    if (ours != nullptr) return ours->parsed.problem() ? problem_of(*ours) : std::string();
    if (!context_.host.exists(*drop_in)) return {};
    return fmt::format("the server does not read {}: it is world-writable", *drop_in);
  }

  static std::string problem_of(const MyCnfTree::File& file) {
    const MyCnfProblem& problem = *file.parsed.problem();
    return fmt::format("{}:{}: {}; a file that does not parse is not edited", file.path, problem.line,
                       problem.what);
  }

  void look_at_files(const Desired& desired, Observation& seen) const {
    const std::string unknown = files_.unknown();
    if (!unknown.empty()) {
      seen.persisted = Plane::unknown(unknown);
      return;
    }
    if (const Override* override = files_.override_of(name(desired))) {
      seen.persisted = Plane::of(value_as_wished(desired, override->value));
      seen.decided_by = override->decided_by;
      if (satisfies(desired, seen.persisted, seen.type)) {
        seen.note = fmt::format("decided by {}, over every option file", override->told);
        return;
      }
      // No restart cures what another place than the option files decides.
      seen.takes_effect = {Effect::Kind::by_hand, {}};
      seen.note = fmt::format("decided by {}, which tunekeeper does not write; {}", override->told,
                              fmt::format(fmt::runtime(override->cure), fmt::arg("name", name(desired)),
                                          fmt::arg("service", files_.server().service)));
      return;
    }
    const auto found = files_.tree().of(name(desired));
    if (found.empty()) {
      seen.persisted = Plane::absent();
      return;
    }
    const auto& last = *found.back();
    seen.decided_by = fmt::format("{}:{}", last.file->path.substr(1), last.option.line);
    if (!desired.value.repeated && !is_repeatable_option(name(desired))) {
      seen.persisted = Plane::of(value_as_wished(desired, last.name.value(last.option)));
    } else {
      std::vector<std::string> items;
      for (const auto* one : found) items.push_back(one->name.value(one->option));
      seen.persisted = Plane::of(Value::list(std::move(items)));
    }
    seen.owner_is_older = server_is_older_than(last.file->path);
  }

  void look_at_server(const Desired& desired, Observation& seen) const {
    if (seen_ == nullptr) {
      seen.live =
          Plane::not_applicable(context_.host.is_other_root() ? "another root" : "no server is asked");
    } else if (seen_->status == ServerVariables::Status::not_running) {
      seen.live = Plane::not_applicable("server not running");
    } else if (seen_->status == ServerVariables::Status::denied) {
      seen.live = Plane::unknown(seen_->reason);
    } else {
      look_at_variable(desired, seen);
    }
  }

  void look_at_variable(const Desired& desired, Observation& seen) const {
    const auto found = seen_->variables.find(name(desired));
    if (found == seen_->variables.end()) {
      seen.live = Plane::not_applicable("not a variable that the server shows");
      if (!may_lack_variable(desired) && desired.want != Want::absent) {
        seen.unsupported = no_variable(name(desired));
      }
      return;
    }
    if (desired.want == Want::absent) {
      seen.live = Plane::not_applicable("a variable always has a value");
      return;
    }
    seen.live = Plane::of(desired.value.repeated ? Value::list(split_list(found->second))
                                                 : value_as_wished(desired, found->second));
    seen.live_accepted = rounded(desired, files_.server(), *seen_, seen.note);
    if (!seen.owner_is_older.value_or(true) && !satisfies(desired, seen.live, seen.type)) {
      seen.live_reason = why_still_wrong(desired);
    }
  }

  std::string no_variable(const std::string& variable) const {
    const std::string& version = files_.server().version;
    return fmt::format("this server{} has no variable {}{}",
                       version.empty() ? "" : fmt::format(" ({})", version), variable,
                       did_you_mean(variable, variable_names(seen_)));
  }

  std::string why_still_wrong(const Desired& desired) const {
    const std::string& unit = files_.server().unit;
    if (name(desired) == "open_files_limit") return fmt::format("LimitNOFILE of {} caps it", unit);
    return fmt::format("{} read the option at its start and did not take it: its log says why", unit);
  }

  /// By the pid file, which the server writes at its start; nothing where that cannot be told.
  std::optional<bool> server_is_older_than(const std::string& path) const {
    const auto file = context_.host.info(path);
    const auto started = context_.host.info(pid_file());
    if (!file || !started) return std::nullopt;
    return started->mtime_ns < file->mtime_ns;
  }

  std::string pid_file() const {
    if (seen_ != nullptr) {
      const auto found = seen_->variables.find("pid_file");
      if (found != seen_->variables.end()) return found->second;
    }
    std::string path = files_.text("pid_file").value_or("/run/mysqld/mysqld.pid");
    if (path.substr(0, 1) == "/") return path;
    return files_.text("datadir").value_or("/var/lib/mysql") + "/" + path;
  }

  void add_notes(Observation& seen) const {
    for (const std::string& note : files_.tree().notes()) {
      seen.note += (seen.note.empty() ? "" : "; ") + note;
    }
  }

  static std::string name(const Desired& desired) { return fold_option(desired.path.front()); }

  const Context& context_;
  const ServerVariables* seen_;
  ServerFiles files_;
  /// Of the program; looked for at the first option that is not in the files as wished.
  mutable std::optional<std::optional<ProgramOptions>> listing_;
};

/// The owner's check of its option files on the candidate. It finds unknown options and bad numbers; that
/// InnoDB takes a value only a start proves.
std::optional<Action> check_of(const Context& context, const Server& server,
                               std::vector<std::string> settings) {
  auto program = server_program(context.host, server);
  // An image may get its server later; the engine says that its check is not run there.
  if (!program && context.host.is_other_root()) program = server.flavor == "mysql" ? "mysqld" : "mariadbd";
  if (!program) return std::nullopt;
  CheckFiles check{{*program, "--help", "--verbose"}, server.service};
  if (server.flavor == "mysql") check.argv = {*program, "--validate-config", "--user=mysql"};
  return Action{.phase = Phase::check,
                .plane = PlaneKind::persisted,
                .deed = std::move(check),
                .settings = std::move(settings)};
}

}  // namespace

/// Options of a MySQL or MariaDB server: what it runs with, and what all its option files give it at its next
/// start. Live values are only read: changing them, and restarts, need more care than a file.
class MysqlProvider : public Provider {
 public:
  const SectionSpec& section() const override { return spec; }

  std::vector<Observation> observe(const Context& context, std::span<const Desired> wanted) const override {
    std::vector<Observation> all;
    if (wanted.empty()) return all;
    if (!is_installed(context.host)) {
      Observation absent;
      absent.unsupported = "MySQL or MariaDB is not installed here";
      return std::vector<Observation>(wanted.size(), absent);
    }
    const Observer observer(context);
    for (const Desired& desired : wanted) all.push_back(observer.observe(desired));
    return all;
  }

  std::vector<Action> plan(const Context& context, std::span<const Row> rows) const override {
    std::vector<const Row*> to_write;
    for (const Row& row : rows) {
      const bool actionable = row.state == State::differs || row.state == State::pending;
      if (actionable && !persisted_right(row)) to_write.push_back(&row);
    }
    if (to_write.empty()) return {};
    const ServerVariables* seen = context.server == nullptr ? nullptr : &context.server->variables();
    const ServerFiles files(context.host, Server::of(context), variable_names(seen));
    std::vector<Action> actions = write_options(context.host, files, to_write);
    std::vector<std::string> settings;
    for (const Action& action : actions)
      settings.insert(settings.end(), action.settings.begin(), action.settings.end());
    if (actions.empty()) return actions;
    if (auto check = check_of(context, files.server(), std::move(settings))) {
      actions.insert(actions.begin(), std::move(*check));
    }
    return actions;
  }

  std::vector<std::string> statements(const std::string& id, const std::string&,
                                      std::string_view bytes) const override {
    return option_statements(bytes, key_of(id));
  }

  std::vector<Splice> restate(const std::string& id, const std::string& path, std::string_view bytes,
                              const std::vector<std::string>& statements) const override {
    return restate_option(path, bytes, key_of(id), statements,
                          is_drop_in(path) ? drop_in_header : std::string_view());
  }

  std::string guard(const Context& context, const Row& row) const override {
    if (row.desired.want == Want::absent && row.release) return {};
    return persisted_right(row) ? std::string() : rail(context, row.desired);
  }

  std::optional<Lesson> learn(const Context& context, std::span<const Row> rows) const override {
    const bool has_new = std::any_of(rows.begin(), rows.end(), [](const Row& row) {
      return row.desired.want != Want::absent && !persisted_right(row);
    });
    const Server server = Server::of(context);
    if (!has_new || known_listing(context, server)) return std::nullopt;
    return ask_for_listing(context, server);
  }

  bool is_spent(const std::string& path, std::string_view bytes) const override {
    return is_drop_in(path) && says_nothing(bytes);
  }

 private:
  static std::string_view key_of(const std::string& id) {
    return std::string_view(id).substr(id.find(':') + 1);
  }
};

}  // namespace mysql

std::unique_ptr<Provider> make_mysql_provider() {
  return std::make_unique<mysql::MysqlProvider>();
}

}  // namespace tunekeeper
