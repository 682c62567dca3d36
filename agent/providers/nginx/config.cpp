#include "providers/nginx/config.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "host/glob.hpp"

namespace tunekeeper::nginx {

namespace {

// nginx itself stops when it is out of file descriptors; nobody means to nest or repeat includes like that.
constexpr std::size_t most_nested = 1000;
constexpr std::size_t most_included = 10000;

std::string absolute(const std::string& path) {
  return path.starts_with('/') ? path : std::string(config_folder) + path;
}

bool is_pattern(const std::string& path) {
  return path.find_first_of("*?[") != std::string::npos;
}

// Blocks whose directives override what http says; the lines of others (types, map, …) are data.
bool is_inner(const NginxConf& conf, NginxConf::Id id) {
  return conf.is_named(id, "server") || conf.is_named(id, "location") || conf.is_named(id, "if") ||
         conf.is_named(id, "limit_except");
}

}  // namespace

/// Walks the files as nginx does, once.
class ConfigReader {
 public:
  ConfigReader(const HostView& host, Config& config) : host_(host), config_(config) {}

  void run() {
    ReadResult main = host_.read(main_config);
    if (main.absent()) {
      config_.absent_ = true;
      return;
    }
    const std::optional<std::uint32_t> file = take(std::string(main_config), std::move(main), {});
    if (file) walk(*file, NginxConf::root, Level::main, true);
    if (config_.fault_.empty()) check_once(config_.events_, "events");
    if (config_.fault_.empty()) check_once(config_.http_, "http");
  }

 private:
  bool fail(std::string what) {
    if (config_.fault_.empty()) config_.fault_ = std::move(what);
    return false;
  }

  std::string where(std::uint32_t file, NginxConf::Id id) const {
    const ConfigFile& f = config_.files_[file];
    return fmt::format("{}:{}:{}", f.path, f.conf.line(id), f.conf.column(id));
  }

  // A file's place among the files, parsed; `from` says who includes it.
  std::optional<std::uint32_t> take(const std::string& path, ReadResult read, const std::string& from) {
    if (!read.ok()) {
      const std::string asked = from.empty() ? "" : from + ": ";
      fail(fmt::format("{}cannot read {}: {}", asked, path, std::strerror(read.error)));
      return std::nullopt;
    }
    auto parsed = NginxConf::parse(std::move(read.bytes));
    if (const auto* fault = std::get_if<NginxFault>(&parsed)) {
      fail(fmt::format("{}:{}:{}: {}", path, fault->line, fault->column, fault->what));
      return std::nullopt;
    }
    config_.files_.push_back({path, std::get<NginxConf>(std::move(parsed))});
    return std::uint32_t(config_.files_.size() - 1);
  }

  std::optional<std::uint32_t> file_at(const std::string& path, const std::string& from) {
    for (std::uint32_t i = 0; i < config_.files_.size(); ++i) {
      if (config_.files_[i].path == path) return i;
    }
    return take(path, host_.read(path), from);
  }

  // `counts`: the directives are settings of their level, not the data of a map or types block.
  bool walk(std::uint32_t file, NginxConf::Id block, Level level, bool counts) {
    if (++depth_ > most_nested)
      return fail(config_.files_[file].path + ": blocks and includes are nested too deep");
    for (NginxConf::Id id = conf(file).first(block); id < conf(file).last(block);
         id = conf(file).at(id).next) {
      if (counts) config_.statements_.push_back({file, id, level});
      const bool fine = conf(file).is_block(id) ? enter(file, id, level) : include(file, id, level, counts);
      if (!fine) return false;
    }
    --depth_;
    return true;
  }

  const NginxConf& conf(std::uint32_t file) const { return config_.files_[file].conf; }

  bool enter(std::uint32_t file, NginxConf::Id id, Level level) {
    if (conf(file).is_opaque(id)) return true;
    if (level == Level::main && conf(file).is_named(id, "events")) {
      config_.events_.push_back({file, id});
      return walk(file, id, Level::events, true);
    }
    if (level == Level::main && conf(file).is_named(id, "http")) {
      config_.http_.push_back({file, id});
      return walk(file, id, Level::http, true);
    }
    const bool within_http = level == Level::http || level == Level::inner;
    return walk(file, id, Level::inner, within_http && is_inner(conf(file), id));
  }

  bool include(std::uint32_t file, NginxConf::Id id, Level level, bool counts) {
    if (!conf(file).is_named(id, "include")) return true;
    const std::vector<std::string> args = conf(file).args(id);
    if (args.size() != 1) return fail(where(file, id) + ": include takes one argument");
    const std::string path = absolute(args[0]);
    if (counts && level == Level::http) config_.http_patterns_.push_back(path);
    const std::string from = where(file, id);
    if (!is_pattern(path)) return include_file(path, from, level, counts);
    const std::vector<std::string> matches = host_.glob(path);
    return std::all_of(matches.begin(), matches.end(),
                       [&](const std::string& match) { return include_file(match, from, level, counts); });
  }

  bool include_file(const std::string& path, const std::string& from, Level level, bool counts) {
    if (path == main_config || std::find(open_.begin(), open_.end(), path) != open_.end()) {
      return fail(from + ": " + path + " includes itself");
    }
    if (++included_ > most_included) return fail(from + ": too many includes");
    const std::optional<std::uint32_t> file = file_at(path, from);
    if (!file) return false;
    open_.push_back(path);
    const bool fine = walk(*file, NginxConf::root, level, counts);
    open_.pop_back();
    return fine;
  }

  void check_once(const std::vector<Block>& blocks, std::string_view name) {
    if (blocks.size() < 2) return;
    fail(fmt::format("{}: \"{}\" stands here and at {}; nginx refuses a second one",
                     where(blocks[1].file, blocks[1].id), name, where(blocks[0].file, blocks[0].id)));
  }

  const HostView& host_;
  Config& config_;
  std::vector<std::string> open_;
  std::size_t depth_ = 0;
  std::size_t included_ = 0;
};

Config Config::read(const HostView& host) {
  Config config;
  ConfigReader(host, config).run();
  return config;
}

std::vector<Statement> Config::find(Level level, std::string_view name) const {
  std::vector<Statement> found;
  for (const Statement& statement : statements_) {
    if (statement.level == level && file(statement).conf.is_named(statement.id, name))
      found.push_back(statement);
  }
  return found;
}

bool Config::http_includes(std::string_view path) const {
  const std::size_t slash = path.rfind('/');
  return std::any_of(http_patterns_.begin(), http_patterns_.end(), [&](const std::string& pattern) {
    const std::size_t cut = pattern.rfind('/');
    return pattern == path || (pattern.substr(0, cut) == path.substr(0, slash) &&
                               glob_matches(pattern.substr(cut + 1), path.substr(slash + 1)));
  });
}

std::string Config::place(const Statement& statement) const {
  const ConfigFile& f = file(statement);
  return fmt::format("{}:{}", f.path.substr(1), f.conf.line(statement.id));
}

}  // namespace tunekeeper::nginx
