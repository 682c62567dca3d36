// The database server and nginx: the running one, else the installed one, else the one that the OS release
// ships.
#include <array>

#include <fmt/format.h>

#include "facts/gather.hpp"
#include "facts/option_scan.hpp"
#include "facts/packages.hpp"
#include "facts/text.hpp"
#include "facts/unit_files.hpp"

namespace tunekeeper {

namespace {

/// A variable of the running server; empty where none answers.
std::string server_variable(const HostFacts& facts, const std::string& name) {
  if (facts.server() == nullptr) return {};
  const auto& answer = facts.server()->variables();
  if (answer.status != ServerVariables::Status::answered) return {};
  const auto found = answer.variables.find(name);
  return found == answer.variables.end() ? std::string() : found->second;
}

std::string os_name(const HostFacts& facts) {
  const auto id = text_of(facts, "os.id");
  return id.empty() ? "this operating system" : fmt::format("{} {}", id, text_of(facts, "os.version"));
}

const ShippedVersions* shipped(const HostFacts& facts) {
  return shipped_versions(text_of(facts, "os.id"), text_of(facts, "os.version"));
}

std::string assumed(const HostFacts& facts) {
  const char* rpm = facts.installed().rpm ? "; the RPM database is not read" : "";
  return fmt::format("assumed: as {} ships it{}", os_name(facts), rpm);
}

Found nothing_known(const HostFacts& facts, std::string_view what) {
  return lack(
      fmt::format("no {} runs or is installed, and what {} ships is not known; set it in host.yaml's facts",
                  what, os_name(facts)));
}

/// Traces of a server that no package database tells of.
std::string flavor_by_files(const HostView& host) {
  if (host.exists("/usr/sbin/mariadbd") || host.exists("/usr/libexec/mariadbd")) return "mariadb";
  if (host.exists("/usr/sbin/mysqld") || host.exists("/usr/libexec/mysqld")) return "mysql";
  return host.exists("/etc/mysql/mariadb.conf.d") ? "mariadb" : "";
}

}  // namespace

Found mysql_flavor(const HostFacts& facts) {
  if (const auto version = server_variable(facts, "version"); !version.empty()) {
    const auto comment = server_variable(facts, "version_comment");
    const bool mariadb = contains_nocase(version, "mariadb") || contains_nocase(comment, "mariadb");
    return have(std::string(mariadb ? "mariadb" : "mysql"), "the running server");
  }
  const auto& installed = facts.installed();
  if (!installed.mariadb.empty()) return have(std::string("mariadb"));
  if (!installed.mysql.empty()) return have(std::string("mysql"));
  if (auto flavor = flavor_by_files(facts.host()); !flavor.empty()) return have(std::move(flavor));
  if (const auto* ships = shipped(facts)) return have(std::string(ships->mysql_flavor), assumed(facts));
  return nothing_known(facts, "database server");
}

Found mysql_version(const HostFacts& facts) {
  if (const auto version = version_number(server_variable(facts, "version")); !version.empty()) {
    return have(version, "the running server");
  }
  const std::string flavor = text_of(facts, "mysql.flavor");
  const auto& installed = facts.installed();
  const auto& package = flavor == "mariadb" ? installed.mariadb : installed.mysql;
  if (!package.empty()) return have(package);
  const auto* ships = shipped(facts);
  const auto version = ships == nullptr      ? std::string_view()
                       : flavor == "mariadb" ? ships->mariadb
                                             : ships->mysql;
  if (!version.empty()) return have(std::string(version), assumed(facts));
  return nothing_known(facts, flavor.empty() ? "database server" : flavor + " server");
}

Found mysql_datadir(const HostFacts& facts) {
  const auto plain = [](std::string path) {
    while (path.size() > 1 && path.ends_with('/')) path.pop_back();
    return path;
  };
  if (auto live = server_variable(facts, "datadir"); !live.empty())
    return have(plain(std::move(live)), "the running server");
  auto given =
      datadir_of_option_files(facts.host(), text_of(facts, "mysql.flavor"), text_of(facts, "mysql.version"));
  if (given && given->starts_with('/')) return have(plain(*std::move(given)));
  return have(std::string("/var/lib/mysql"), "assumed: the packages' default");
}

Found mysql_role(const HostFacts& facts) {
  if (facts.server() == nullptr) return lack("no server is asked here");
  if (const auto& role = facts.server()->role(); !role.empty()) return have(role);
  const auto& reason = facts.server()->variables().reason;
  return lack(reason.empty() ? "the server does not answer" : "the server does not answer: " + reason);
}

Found mysql_unit(const HostFacts& facts) {
  // Files first: they tell without asking a server or a package database.
  for (const auto unit : {"mariadb.service", "mysql.service", "mysqld.service"}) {
    if (has_unit_file(facts.host(), unit)) return have(std::string(unit));
  }
  const auto flavor = text_of(facts, "mysql.flavor");
  if (flavor.empty()) return lack("no unit file of a database server is there, and its flavour is not known");
  const bool debian = text_of(facts, "os.like").find("debian") != std::string::npos;
  const std::string unit = flavor == "mariadb" ? "mariadb.service"
                           : debian            ? "mysql.service"
                                               : "mysqld.service";
  return have(unit, "assumed: no unit file is there yet");
}

Found nginx_version(const HostFacts& facts) {
  if (const auto& package = facts.installed().nginx; !package.empty()) return have(package);
  if (const auto* ships = shipped(facts)) return have(std::string(ships->nginx), assumed(facts));
  return nothing_known(facts, "nginx");
}

}  // namespace tunekeeper
