#include "providers/mysql/rules.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "core/compare.hpp"

namespace tunekeeper::mysql {
namespace {

constexpr std::uint64_t MiB = 1U << 20U;

/// Options that the server has and shows no variable for (10.11 and 8.0 manuals).
constexpr std::array<std::string_view, 16> no_variables = {"bootstrap",
                                                           "character_set_client_handshake",
                                                           "chroot",
                                                           "console",
                                                           "core_file",
                                                           "default_time_zone",
                                                           "external_locking",
                                                           "group",
                                                           "memlock",
                                                           "new",
                                                           "plugin_load",
                                                           "skip_grant_tables",
                                                           "skip_slave_start",
                                                           "symbolic_links",
                                                           "transaction_isolation",
                                                           "user"};

struct Guarded {
  std::string_view name, why;
};

constexpr std::array<Guarded, 11> guarded = {{
    {"datadir", "the server would start on other data, or none"},
    {"port", "clients would no longer find the server"},
    {"socket", "local clients would no longer find the server"},
    {"bind_address", "it decides who can reach the server"},
    {"server_id", "replication needs it unique and unchanged"},
    {"log_bin", "replicas and point-in-time recovery hang on it"},
    {"innodb_page_size", "the data files were made with one size, and a server with another does not start"},
    {"innodb_data_file_path", "the server does not start when it no longer fits the data files"},
    {"lower_case_table_names",
     "tables may no longer be found, and MySQL 8 does not start with another value"},
    {"innodb_force_recovery", "it can destroy data, and from 4 on makes InnoDB read-only"},
    {"skip_grant_tables", "it lets everyone in"},
}};

std::optional<std::uint64_t> bytes_fact(const Context& context, std::string_view name) {
  const FactValue fact = context.facts.fact(name);
  return fact.kind == FactValue::Kind::value ? parse_size(to_string(fact.value)) : std::nullopt;
}

std::string memory_rail(const Context& context, const Desired& desired) {
  const auto pool = parse_size(desired.value.items.front());
  const auto total = bytes_fact(context, "memory.total");
  if (!pool || !total) return {};
  const std::uint64_t huge = bytes_fact(context, "memory.hugepages").value_or(0);
  if (*pool <= *total / 5 * 4 && huge <= *total / 5 * 4 - *pool) return {};
  return fmt::format(
      "the buffer pool ({} MiB) and huge pages ({} MiB) would take over 80 % of {} MiB of memory",
      *pool / MiB, huge / MiB, *total / MiB);
}

std::optional<std::uint64_t> variable(const ServerVariables& seen, const char* name) {
  const auto found = seen.variables.find(name);
  return found == seen.variables.end() ? std::nullopt : parse_size(found->second);
}

}  // namespace

ValueType type_of(const Desired& desired) {
  for (const std::string& item : desired.value.items) {
    if (item.find('/') != std::string::npos) return ValueType::text;
  }
  return ValueType::option;
}

Value value_as_wished(const Desired& desired, const std::string& text) {
  const bool flag_wanted = desired.want == Want::equals && desired.value.is_flag() && !desired.value.repeated;
  if (flag_wanted && same(ValueType::boolean, text, "ON")) return Value::flag();
  return Value::of(text);
}

bool may_lack_variable(const Desired& desired) {
  const std::string name = fold_option(desired.path.front());
  if (desired.value.repeated || is_repeatable_option(name) || name.rfind("skip_", 0) == 0) return true;
  return std::find(no_variables.begin(), no_variables.end(), name) != no_variables.end();
}

std::optional<Value> rounded(const Desired& desired, const Server& server, const ServerVariables& seen,
                             std::string& note) {
  if (desired.want != Want::equals || desired.value.items.size() != 1) return std::nullopt;
  if (fold_option(desired.path.front()) != "innodb_buffer_pool_size") return std::nullopt;
  const auto wanted = parse_size(desired.value.items.front());
  if (!wanted) return std::nullopt;
  std::uint64_t kept = *wanted / MiB * MiB;
  std::string rule = "rounded down to MiB by the server";
  const std::uint64_t unit = variable(seen, "innodb_buffer_pool_chunk_size").value_or(0) *
                             variable(seen, "innodb_buffer_pool_instances").value_or(1);
  if (server.flavor == "mysql" && unit != 0) {
    kept = (*wanted + unit - 1) / unit * unit;
    rule = "rounded up to chunk size times instances by the server";
  }
  if (kept == *wanted) return std::nullopt;
  note = fmt::format("{}: {}", rule, kept);
  return Value::of(std::to_string(kept));
}

std::string rail(const Context& context, const Desired& desired) {
  const std::string name = fold_option(desired.path.front());
  for (const Guarded& option : guarded) {
    if (option.name == name) return fmt::format("{} is not for a tuning profile: {}", name, option.why);
  }
  if (name == "innodb_buffer_pool_size" && desired.value.items.size() == 1)
    return memory_rail(context, desired);
  return {};
}

}  // namespace tunekeeper::mysql
