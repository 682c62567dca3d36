#include "providers/mysql/server_files.hpp"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tunekeeper::mysql {
namespace {

std::string text_fact(const Context& context, std::string_view name) {
  const FactValue fact = context.facts.fact(name);
  return fact.kind == FactValue::Kind::value ? to_string(fact.value) : std::string();
}

MyCnfAnswer answer(const HostView& host, const std::string& path) {
  const auto info = host.info(path);
  if (info && info->kind == FileKind::regular && (info->mode & 02U) != 0) {
    return {MyCnfAnswer::Status::world_writable, {}, {}};
  }
  ReadResult read = host.read(path);
  if (read.ok()) return {MyCnfAnswer::Status::read, std::move(read.bytes), {}};
  if (read.absent() || read.error == EISDIR) return {};
  return {MyCnfAnswer::Status::unreadable, {}, std::strerror(read.error)};
}

std::optional<std::vector<std::string>> names_in(const HostView& host, const std::string& directory) {
  const auto info = host.info(directory);
  if (!info || info->kind != FileKind::directory) return std::nullopt;
  return host.list(directory);
}

/// Where the server looks for its first files (mysqld --help); HOME is never read.
std::vector<std::string> first_files(const CommandLine& line) {
  if (line.no_defaults) return {};
  if (line.defaults_file) return {*line.defaults_file};
  std::vector<std::string> files = {"/etc/my.cnf", "/etc/mysql/my.cnf"};
  if (line.extra_file) files.push_back(*line.extra_file);
  return files;
}

/// `--defaults-group-suffix=S` makes the server read [mysqldS] beside [mysqld], and so for each group.
std::vector<std::string> groups_of(const Server& server, const CommandLine& line) {
  std::vector<std::string> groups = server_groups(server.flavor, server.version);
  const auto suffix = line.options.find("defaults_group_suffix");
  if (suffix == line.options.end()) return groups;
  for (std::size_t i = 0, plain = groups.size(); i < plain; ++i)
    groups.push_back(groups[i] + suffix->second.value);
  return groups;
}

/// Every {"name": {"Value": …}} below, whatever the version of the format has around it.
void take_persisted(const nlohmann::json& node, const std::string& path,
                    std::map<std::string, Override>& out) {
  if (!node.is_object()) return;
  for (const auto& [name, child] : node.items()) {
    if (child.is_object() && child.contains("Value") && child["Value"].is_string()) {
      out[fold_option(name)] = {child["Value"].get<std::string>(), path.substr(1),
                                "mysqld-auto.cnf (SET PERSIST)",
                                "on the server: RESET PERSIST {name}; then apply again"};
    } else {
      take_persisted(child, path, out);
    }
  }
}

}  // namespace

Server Server::of(const Context& context) {
  Server server;
  const std::string flavor = text_fact(context, "mysql.flavor");
  if (!flavor.empty()) server.flavor = flavor;
  server.version = text_fact(context, "mysql.version");
  server.unit = text_fact(context, "mysql.unit");
  if (server.unit.empty()) server.unit = server.flavor + ".service";
  server.service = server.unit.substr(0, server.unit.rfind(".service"));
  return server;
}

std::string Server::title() const {
  const std::string name = flavor == "mysql" ? "MySQL" : "MariaDB";
  return version.empty() ? name : fmt::format("{} {}", name, version);
}

bool is_installed(const HostView& host) {
  for (const char* path : {"/etc/mysql/my.cnf", "/etc/my.cnf", "/etc/mysql/mariadb.conf.d",
                           "/etc/mysql/mysql.conf.d", "/etc/my.cnf.d"}) {
    if (host.exists(path)) return true;
  }
  return false;
}

ServerFiles::ServerFiles(const HostView& host, Server server, std::vector<std::string> known)
    : server_(std::move(server)), command_line_(read_command_line(host, server_)) {
  const MyCnfDoor door{[&host](const std::string& path) { return answer(host, path); },
                       [&host](const std::string& directory) { return names_in(host, directory); }};
  tree_ =
      std::make_unique<MyCnfTree>(MyCnfQuery{first_files(command_line_), groups_of(server_, command_line_),
                                             server_.dialect(), std::move(known), std::string(drop_in_name)},
                                  door);
  if (server_.flavor == "mysql") read_auto_cnf(host);
}

/// MySQL 8 and later applies this file after every option file.
void ServerFiles::read_auto_cnf(const HostView& host) {
  if (text("persisted_globals_load").value_or("ON") == "OFF") return;
  const std::string path = text("datadir").value_or("/var/lib/mysql") + "/mysqld-auto.cnf";
  const ReadResult read = host.read(path);
  if (read.absent()) return;
  if (!read.ok()) {
    auto_cnf_problem_ = fmt::format("cannot read {}: {}", path, std::strerror(read.error));
    return;
  }
  const auto json = nlohmann::json::parse(read.bytes, nullptr, false);
  if (json.is_discarded()) {
    auto_cnf_problem_ = fmt::format("{} is no JSON", path);
    return;
  }
  take_persisted(json, path, persisted_);
}

const Override* ServerFiles::override_of(std::string_view name) const {
  const auto in = [&](const std::map<std::string, Override>& options) -> const Override* {
    const auto found = options.find(std::string(name));
    return found == options.end() ? nullptr : &found->second;
  };
  const Override* argument = in(command_line_.options);
  return argument != nullptr ? argument : in(persisted_);
}

std::string ServerFiles::unknown() const {
  return tree_->unreadable().empty() ? auto_cnf_problem_ : tree_->unreadable().front();
}

std::optional<std::string> ServerFiles::text(std::string_view name) const {
  const auto found = tree_->of(name);
  if (found.empty()) return std::nullopt;
  return found.back()->name.value(found.back()->option);
}

std::optional<std::string> ServerFiles::drop_in() const {
  if (tree_->slots().empty()) return std::nullopt;
  return fmt::format("{}/{}", tree_->slots().back().directory, drop_in_name);
}

bool ServerFiles::drop_in_outranks(const MyCnfTree::Occurrence& found) const {
  return !tree_->slots().empty() && found.order < tree_->slots().back().position;
}

}  // namespace tunekeeper::mysql
