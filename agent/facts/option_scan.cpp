#include "facts/option_scan.hpp"

#include <cstring>

#include "formats/mycnf_tree.hpp"

namespace tunekeeper {

namespace {

MyCnfAnswer read_file(const HostView& host, const std::string& path) {
  auto file = host.read(path);
  if (file.absent()) return {};
  if (!file.ok()) return {MyCnfAnswer::Status::unreadable, {}, std::strerror(file.error)};
  const auto info = host.info(path);
  if (info && (info->mode & 0002) != 0) return {MyCnfAnswer::Status::world_writable, {}, {}};
  return {MyCnfAnswer::Status::read, std::move(file.bytes), {}};
}

MyCnfDoor door_to(const HostView& host) {
  return {[&host](const std::string& path) { return read_file(host, path); },
          [&host](const std::string& folder) -> std::optional<std::vector<std::string>> {
            if (!host.exists(folder)) return std::nullopt;
            return host.list(folder);
          }};
}

}  // namespace

std::optional<std::string> datadir_of_option_files(const HostView& host, std::string_view flavor,
                                                   std::string_view version) {
  MyCnfQuery query;
  query.files = {"/etc/my.cnf", "/etc/mysql/my.cnf"};
  query.groups = server_groups(flavor, version);
  query.dialect = MyCnfDialect::of(flavor.empty() ? "mariadb" : flavor, version);
  const MyCnfTree tree(std::move(query), door_to(host));
  const auto given = tree.of("datadir");
  if (given.empty()) return std::nullopt;
  return given.back()->name.value(given.back()->option);
}

}  // namespace tunekeeper
