#include "providers/nginx/edits.hpp"

#include <algorithm>
#include <map>

namespace tunekeeper::nginx {

namespace {

/// Gathers the edits of each file.
class Editor {
 public:
  Editor(const Config& config, bool use_drop_in) : config_(config), use_drop_in_(use_drop_in) {}

  void edit(const Row& row) {
    const std::vector<std::string>& path = row.desired.path;
    const Level level = level_of(path);
    const std::vector<Statement> standing = config_.find(level, path.back());
    const bool removes = row.desired.want == Want::absent;
    if (!standing.empty()) {
      const Statement& statement = standing.front();
      const NginxConf& conf = config_.file(statement).conf;
      add(config_.file(statement).path, conf.bytes(), row,
          removes ? conf.remove(statement.id) : conf.set_args(statement.id, arguments(row)));
    } else if (!removes) {
      add_statement(row, level, nginx_statement(path.back(), arguments(row)));
    }
  }

  std::vector<Action> actions() {
    std::vector<Action> actions;
    for (auto& [path, pending] : pending_) {
      EditFile deed{.path = path, .splices = disentangled(std::move(pending.splices))};
      if (path == drop_in && says_nothing(splice(pending.bytes, deed.splices))) {
        deed.splices.clear();
        deed.remove = true;
      }
      actions.push_back({.phase = Phase::files,
                         .plane = PlaneKind::persisted,
                         .deed = std::move(deed),
                         .settings = std::move(pending.settings)});
    }
    return actions;
  }

 private:
  struct Pending {
    std::string_view bytes;  ///< the configuration's own
    std::vector<Splice> splices;
    std::vector<std::string> settings;
  };

  static std::vector<std::string> arguments(const Row& row) {
    return split_arguments(to_string(row.desired.value));
  }

  Pending& pending(const std::string& path, std::string_view bytes) {
    return pending_.try_emplace(path, Pending{bytes, {}, {}}).first->second;
  }

  void add(const std::string& path, std::string_view bytes, const Row& row, std::vector<Splice> splices) {
    Pending& file = pending(path, bytes);
    file.splices.insert(file.splices.end(), splices.begin(), splices.end());
    file.settings.push_back(row.desired.id);
  }

  void add_to(std::uint32_t file, NginxConf::Id block, const Row& row, const std::string& statement) {
    const ConfigFile& f = config_.files()[file];
    add(f.path, f.conf.bytes(), row, f.conf.add(block, statement));
  }

  void add_statement(const Row& row, Level level, const std::string& statement) {
    if (level == Level::main) {
      add_to(0, NginxConf::root, row, statement);
    } else if (level == Level::events) {
      if (config_.events() != nullptr) add_to(config_.events()->file, config_.events()->id, row, statement);
    } else if (config_.http() != nullptr) {
      if (use_drop_in_) {
        add_to_drop_in(row, statement);
      } else {
        add_to(config_.http()->file, config_.http()->id, row, statement);
      }
    }
  }

  void add_to_drop_in(const Row& row, const std::string& statement) {
    for (std::uint32_t i = 0; i < config_.files().size(); ++i) {
      if (config_.files()[i].path == drop_in) return add_to(i, NginxConf::root, row, statement);
    }
    // An empty file is none: what it is given begins with our header.
    Pending& file = pending(std::string(drop_in), {});
    if (file.splices.empty()) file.splices.push_back({0, 0, std::string(header)});
    file.splices.push_back({0, 0, statement + "\n"});
    file.settings.push_back(row.desired.id);
  }

  const Config& config_;
  bool use_drop_in_;
  std::map<std::string, Pending> pending_;
};

}  // namespace

bool says_nothing(std::string_view bytes) {
  if (bytes.starts_with(header)) bytes.remove_prefix(header.size());
  return bytes.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

bool uses_drop_in(const HostView& host, const Config& config) {
  return config.http_includes(drop_in) && host.exists("/etc/nginx/conf.d");
}

std::vector<Action> file_actions(const HostView& host, const Config& config,
                                 std::span<const Row* const> rows) {
  Editor editor(config, uses_drop_in(host, config));
  for (const Row* row : rows) editor.edit(*row);
  return editor.actions();
}

std::optional<NginxConf::Id> home_in(const NginxConf& conf, const std::string& path, Level level) {
  if (level == Level::main) return NginxConf::root;
  const std::vector<NginxConf::Id> blocks =
      conf.find(NginxConf::root, level == Level::events ? "events" : "http");
  if (!blocks.empty()) return blocks.front();
  if (path == main_config) return std::nullopt;
  return NginxConf::root;
}

std::vector<NginxConf::Id> standing_in(const NginxConf& conf, const std::string& path,
                                       std::span<const std::string> key) {
  const std::optional<NginxConf::Id> home = home_in(conf, path, level_of(key));
  return home ? conf.find(*home, key.back()) : std::vector<NginxConf::Id>{};
}

std::vector<Splice> disentangled(std::vector<Splice> splices) {
  std::stable_sort(splices.begin(), splices.end(),
                   [](const Splice& a, const Splice& b) { return a.offset < b.offset; });
  std::size_t done = 0;
  for (Splice& s : splices) {
    if (s.offset < done) {
      const std::size_t overlap = std::min(done - s.offset, s.length);
      s.length -= overlap;
      s.offset = done;
    }
    done = s.offset + s.length;
  }
  return splices;
}

}  // namespace tunekeeper::nginx
