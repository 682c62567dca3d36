#include "formats/mycnf_names.hpp"

#include <algorithm>
#include <array>

namespace tunekeeper {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Options whose own names begin like a prefix: the whole name is looked up before a prefix is taken off.
constexpr std::array<std::string_view, 15> whole_names = {"disable_gtid_unsafe_statements",
                                                          "enable_named_pipe",
                                                          "skip_bdb",
                                                          "skip_external_locking",
                                                          "skip_grant_tables",
                                                          "skip_host_cache",
                                                          "skip_name_resolve",
                                                          "skip_networking",
                                                          "skip_new",
                                                          "skip_parallel_replication",
                                                          "skip_replica_start",
                                                          "skip_replication",
                                                          "skip_show_database",
                                                          "skip_slave_start",
                                                          "skip_stack_trace"};

constexpr std::array<std::string_view, 13> repeatable = {"binlog_do_db",
                                                         "binlog_ignore_db",
                                                         "ignore_db_dir",
                                                         "ignore_db_dirs",
                                                         "performance_schema_instrument",
                                                         "plugin_load_add",
                                                         "replicate_do_db",
                                                         "replicate_do_table",
                                                         "replicate_ignore_db",
                                                         "replicate_ignore_table",
                                                         "replicate_rewrite_db",
                                                         "replicate_wild_do_table",
                                                         "replicate_wild_ignore_table"};

bool take_prefix(std::string& name, std::string_view prefix) {
  if (name.size() <= prefix.size() || name.compare(0, prefix.size(), prefix) != 0) return false;
  name.erase(0, prefix.size());
  return true;
}

bool is_whole(const std::string& name, std::span<const std::string> known) {
  return std::find(whole_names.begin(), whole_names.end(), name) != whole_names.end() ||
         std::binary_search(known.begin(), known.end(), name);
}

/// The one known name that begins like this; the name itself where none does, or several.
std::string completed(const std::string& name, std::span<const std::string> known) {
  const auto first = std::lower_bound(known.begin(), known.end(), name);
  const auto begins = [&](auto at) { return at != known.end() && at->compare(0, name.size(), name) == 0; };
  if (!begins(first) || *first == name || begins(first + 1)) return name;
  return *first;
}

bool is_zero(const MyCnfOption& written) {
  return written.has_value && written.value() == "0";
}

}  // namespace

std::string OptionName::value(const MyCnfOption& written) const {
  if (negated) return is_zero(written) ? "ON" : "OFF";
  if (affirmed) return is_zero(written) ? "OFF" : "ON";
  return written.has_value ? written.value() : "ON";
}

OptionName option_name(std::string_view key, const MyCnfDialect& dialect,
                       std::span<const std::string> known) {
  OptionName found;
  found.name = std::string(key);
  std::replace(found.name.begin(), found.name.end(), '-', '_');
  if (dialect.mariadb) std::transform(found.name.begin(), found.name.end(), found.name.begin(), lower);
  found.loose = take_prefix(found.name, "loose_");
  if (!is_whole(found.name, known)) {
    if (take_prefix(found.name, "skip_") || take_prefix(found.name, "disable_")) {
      found.negated = true;
    } else if (take_prefix(found.name, "enable_")) {
      found.affirmed = true;
    } else if (take_prefix(found.name, "maximum_")) {
      found.maximum = true;
    }
  }
  if (dialect.mariadb && !is_whole(found.name, known)) found.name = completed(found.name, known);
  return found;
}

std::string fold_option(std::string_view key) {
  std::string name(key);
  std::transform(name.begin(), name.end(), name.begin(), [](char c) { return c == '-' ? '_' : lower(c); });
  return name;
}

bool is_repeatable_option(std::string_view name) {
  return std::find(repeatable.begin(), repeatable.end(), name) != repeatable.end();
}

std::vector<std::string> server_groups(std::string_view flavor, std::string_view version) {
  const std::size_t dot = version.find('.');
  const std::string series(
      version.substr(0, dot == std::string_view::npos ? dot : version.find('.', dot + 1)));
  if (flavor == "mysql") return {"mysql_cluster", "mysqld", "server", "mysqld-" + series};
  return {"mysqld",
          "server",
          "mysqld-" + series,
          "mariadb",
          "mariadb-" + series,
          "mariadbd",
          "mariadbd-" + series,
          "client-server",
          "galera"};
}

bool is_server_group(std::string_view group) {
  static constexpr std::array<std::string_view, 7> exact = {
      "mysqld", "server", "mariadb", "mariadbd", "galera", "client-server", "mysql_cluster"};
  static constexpr std::array<std::string_view, 3> numbered = {"mysqld-", "mariadb-", "mariadbd-"};
  for (std::string_view name : exact) {
    if (same_group(group, name)) return true;
  }
  return std::any_of(numbered.begin(), numbered.end(), [&](std::string_view name) {
    return group.size() > name.size() && same_group(group.substr(0, name.size()), name) &&
           group[name.size()] >= '0' && group[name.size()] <= '9';
  });
}

bool same_group(std::string_view left, std::string_view right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace tunekeeper
