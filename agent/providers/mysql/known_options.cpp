#include "providers/mysql/known_options.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

#include "core/compare.hpp"
#include "core/nearest.hpp"
#include "core/version.hpp"

namespace tunekeeper::mysql {
namespace {

enum class Takes { number, fraction, boolean, choice };

struct KnownOption {
  std::string_view name;
  Takes takes;
  std::string_view choices{};        ///< in the server's order: each may also be given by its number
  std::string_view mysql_choices{};  ///< where MySQL's are others
};

/// Types by the manuals of MariaDB 10.11 and MySQL 8.0; a test holds MariaDB's against the installed program.
constexpr std::array known_options = {
    KnownOption{"aria_pagecache_buffer_size", Takes::number},
    KnownOption{"back_log", Takes::number},
    KnownOption{"binlog_cache_size", Takes::number},
    KnownOption{"binlog_format", Takes::choice, "MIXED STATEMENT ROW"},
    KnownOption{"connect_timeout", Takes::number},
    KnownOption{"general_log", Takes::boolean},
    KnownOption{"innodb_adaptive_flushing", Takes::boolean},
    KnownOption{"innodb_adaptive_flushing_lwm", Takes::fraction},
    KnownOption{"innodb_adaptive_hash_index", Takes::boolean},
    KnownOption{"innodb_buffer_pool_chunk_size", Takes::number},
    KnownOption{"innodb_buffer_pool_dump_at_shutdown", Takes::boolean},
    KnownOption{"innodb_buffer_pool_dump_pct", Takes::number},
    KnownOption{"innodb_buffer_pool_instances", Takes::number},
    KnownOption{"innodb_buffer_pool_load_at_startup", Takes::boolean},
    KnownOption{"innodb_buffer_pool_size", Takes::number},
    KnownOption{"innodb_change_buffering", Takes::choice, "none inserts deletes changes purges all"},
    KnownOption{"innodb_file_per_table", Takes::boolean},
    KnownOption{"innodb_flush_log_at_timeout", Takes::number},
    KnownOption{"innodb_flush_log_at_trx_commit", Takes::choice, "0 1 2 3", "0 1 2"},
    KnownOption{"innodb_flush_method", Takes::choice,
                "fsync O_DSYNC littlesync nosync O_DIRECT O_DIRECT_NO_FSYNC"},
    KnownOption{"innodb_flush_neighbors", Takes::choice, "0 1 2"},
    KnownOption{"innodb_flush_sync", Takes::boolean},
    KnownOption{"innodb_io_capacity", Takes::number},
    KnownOption{"innodb_io_capacity_max", Takes::number},
    KnownOption{"innodb_lock_wait_timeout", Takes::number},
    KnownOption{"innodb_log_buffer_size", Takes::number},
    KnownOption{"innodb_log_file_size", Takes::number},
    KnownOption{"innodb_log_files_in_group", Takes::number},
    KnownOption{"innodb_lru_scan_depth", Takes::number},
    KnownOption{"innodb_max_dirty_pages_pct", Takes::fraction},
    KnownOption{"innodb_max_dirty_pages_pct_lwm", Takes::fraction},
    KnownOption{"innodb_numa_interleave", Takes::boolean},
    KnownOption{"innodb_old_blocks_time", Takes::number},
    KnownOption{"innodb_open_files", Takes::number},
    KnownOption{"innodb_page_cleaners", Takes::number},
    KnownOption{"innodb_purge_threads", Takes::number},
    KnownOption{"innodb_read_io_threads", Takes::number},
    KnownOption{"innodb_redo_log_capacity", Takes::number},
    KnownOption{"innodb_sort_buffer_size", Takes::number},
    KnownOption{"innodb_spin_wait_delay", Takes::number},
    KnownOption{"innodb_stats_persistent", Takes::boolean},
    KnownOption{"innodb_sync_spin_loops", Takes::number},
    KnownOption{"innodb_thread_concurrency", Takes::number},
    KnownOption{"innodb_use_native_aio", Takes::boolean},
    KnownOption{"innodb_write_io_threads", Takes::number},
    KnownOption{"interactive_timeout", Takes::number},
    KnownOption{"join_buffer_size", Takes::number},
    KnownOption{"key_buffer_size", Takes::number},
    KnownOption{"large_pages", Takes::boolean},
    KnownOption{"long_query_time", Takes::fraction},
    KnownOption{"max_allowed_packet", Takes::number},
    KnownOption{"max_connect_errors", Takes::number},
    KnownOption{"max_connections", Takes::number},
    KnownOption{"max_heap_table_size", Takes::number},
    KnownOption{"max_user_connections", Takes::number},
    KnownOption{"net_read_timeout", Takes::number},
    KnownOption{"net_write_timeout", Takes::number},
    KnownOption{"open_files_limit", Takes::number},
    KnownOption{"performance_schema", Takes::boolean},
    KnownOption{"query_cache_limit", Takes::number},
    KnownOption{"query_cache_min_res_unit", Takes::number},
    KnownOption{"query_cache_size", Takes::number},
    KnownOption{"query_cache_type", Takes::choice, "OFF ON DEMAND"},
    KnownOption{"query_cache_wlock_invalidate", Takes::boolean},
    KnownOption{"read_buffer_size", Takes::number},
    KnownOption{"read_rnd_buffer_size", Takes::number},
    KnownOption{"skip_name_resolve", Takes::boolean},
    KnownOption{"slow_query_log", Takes::boolean},
    KnownOption{"sort_buffer_size", Takes::number},
    KnownOption{"sync_binlog", Takes::number},
    KnownOption{"table_definition_cache", Takes::number},
    KnownOption{"table_open_cache", Takes::number},
    KnownOption{"table_open_cache_instances", Takes::number},
    KnownOption{"thread_cache_size", Takes::number},
    KnownOption{"thread_handling", Takes::choice, "one-thread-per-connection no-threads pool-of-threads",
                "one-thread-per-connection no-threads loaded-dynamically"},
    KnownOption{"thread_pool_max_threads", Takes::number},
    KnownOption{"thread_pool_size", Takes::number},
    KnownOption{"thread_stack", Takes::number},
    KnownOption{"tmp_table_size", Takes::number},
    KnownOption{"transaction_isolation", Takes::choice,
                "READ-UNCOMMITTED READ-COMMITTED REPEATABLE-READ SERIALIZABLE"},
    KnownOption{"wait_timeout", Takes::number},
};

/// When a flavour's versions have an option: from `since` on, until before `gone`.
struct Span {
  std::string_view flavor, name, since, gone;
  std::string_view instead{};  ///< what to say of the use of it, else nothing
};

constexpr std::string_view ignored = "a line with it is skipped with a warning";
constexpr std::string_view no_start = "the server does not start with it";
constexpr std::string_view always = "99999";

constexpr std::array spans = {
    // https://dev.mysql.com/doc/refman/8.0/en/added-deprecated-removed.html (removed in 8.0.3)
    Span{"mysql", "query_cache_limit", "", "8.0.3", no_start},
    Span{"mysql", "query_cache_min_res_unit", "", "8.0.3", no_start},
    Span{"mysql", "query_cache_size", "", "8.0.3", no_start},
    Span{"mysql", "query_cache_type", "", "8.0.3", no_start},
    Span{"mysql", "query_cache_wlock_invalidate", "", "8.0.3", no_start},
    // https://dev.mysql.com/doc/refman/8.0/en/innodb-redo-log.html; the old two deprecated there, and unknown
    // to a 9.7 server.
    Span{"mysql", "innodb_redo_log_capacity", "8.0.30", always, no_start},
    Span{"mysql", "innodb_log_file_size", "", "9.7", no_start},
    Span{"mysql", "innodb_log_files_in_group", "", "9.7", no_start},
    Span{"mysql", "aria_pagecache_buffer_size", always, always, no_start},
    Span{"mysql", "thread_pool_max_threads", always, always, no_start},
    // Asked of mariadbd 10.11; https://mariadb.com/docs/server/ref/mdb/system-variables/ gives 10.6.0.
    Span{"mariadb", "innodb_redo_log_capacity", always, always, no_start},
    Span{"mariadb", "innodb_buffer_pool_instances", "", "10.6", ignored},
    Span{"mariadb", "innodb_page_cleaners", "", "10.6", ignored},
    Span{"mariadb", "innodb_thread_concurrency", "", "10.6", ignored},
    Span{"mariadb", "innodb_commit_concurrency", "", "10.6", ignored},
    Span{"mariadb", "innodb_concurrency_tickets", "", "10.6", ignored},
    Span{"mariadb", "innodb_thread_sleep_delay", "", "10.6", ignored},
    Span{"mariadb", "innodb_adaptive_max_sleep_delay", "", "10.6", ignored},
    Span{"mariadb", "innodb_log_files_in_group", "", "10.6", ignored},
};

const KnownOption* known_option(std::string_view name) {
  const auto* const found = std::find_if(known_options.begin(), known_options.end(),
                                         [&](const KnownOption& option) { return option.name == name; });
  return found == known_options.end() ? nullptr : found;
}

std::string fraction_problem(std::string_view text) {
  const std::size_t dot = std::min(text.find('.'), text.size());
  const std::string digits =
      std::string(text.substr(0, dot)).append(text.substr(std::min(dot + 1, text.size())));
  if (!digits.empty() && digits.find_first_not_of("0123456789") == std::string::npos) return {};
  return fmt::format("\"{}\" is not digits with at most one point, which is what the server takes", text);
}

std::string boolean_problem(std::string_view text) {
  for (const std::string_view word : {"on", "off", "true", "false", "1", "0"}) {
    if (same(ValueType::text_nocase, text, word)) return {};
  }
  return fmt::format("\"{}\" is neither ON nor OFF: the server would warn and not take it", text);
}

std::string choice_problem(std::string_view text, std::string_view choices) {
  std::string offered;
  std::size_t count = 0;
  for (std::string_view rest = choices; !rest.empty(); ++count) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    if (same(ValueType::text_nocase, text, word)) return {};
    offered += fmt::format("{}{}", offered.empty() ? "" : ", ", word);
  }
  if (text.size() == 1 && std::isdigit(static_cast<unsigned char>(text[0])) != 0 &&
      static_cast<std::size_t>(text[0] - '0') < count) {
    return {};
  }
  return fmt::format("\"{}\" is none of {}", text, offered);
}

std::string item_problem(const KnownOption& option, const Server& server, std::string_view text) {
  switch (option.takes) {
    case Takes::number:
      return number_problem(text);
    case Takes::fraction:
      return fraction_problem(text);
    case Takes::boolean:
      return boolean_problem(text);
    case Takes::choice: {
      const bool of_mysql = server.flavor == "mysql" && !option.mysql_choices.empty();
      return choice_problem(text, of_mysql ? option.mysql_choices : option.choices);
    }
  }
  return {};
}

}  // namespace

std::string number_problem(std::string_view text) {
  if (parse_size(text)) return {};
  std::string problem = fmt::format("\"{}\" is not digits with at most one of K M G T P E after them", text);
  const std::size_t after = text.find_first_not_of("0123456789");
  if (after == std::string_view::npos) {
    return text.empty() ? "a number is missing" : fmt::format("\"{}\" does not fit 64 bits", text);
  }
  const std::string_view read = text.substr(0, after + 1);
  if (const auto bytes = parse_size(read); bytes && after != 0) {
    problem += fmt::format(": the server would read {} ({}) and skip the rest", read, *bytes);
  }
  return problem;
}

std::string value_problem(const Server& server, std::string_view name, const Value& value) {
  const KnownOption* const option = known_option(name);
  if (option == nullptr) return {};
  if (value.is_flag() && !value.repeated) {
    return option->takes == Takes::boolean ? std::string() : fmt::format("{} needs a value", name);
  }
  for (const std::string& item : value.items) {
    const std::string problem = item_problem(*option, server, item);
    if (!problem.empty()) return fmt::format("{}: {}", name, problem);
  }
  return {};
}

std::string missing_option(const Server& server, std::string_view name) {
  for (const Span& span : spans) {
    if (span.flavor != server.flavor || span.name != name) continue;
    if (span.since == always)
      return fmt::format("{} has no option {}: {}", server.flavor == "mysql" ? "MySQL" : "MariaDB", name,
                         span.instead);
    if (server.version.empty()) return {};
    if (!span.since.empty() && compare_versions(server.version, span.since) < 0) {
      return fmt::format("{} has no option {}, which came with {}: {}", server.title(), name, span.since,
                         span.instead);
    }
    if (compare_versions(server.version, span.gone) < 0) return {};
    return fmt::format("{} has no option {} any more: {}", server.title(), name, span.instead);
  }
  return {};
}

std::vector<std::string> known_option_names() {
  std::vector<std::string> names;
  for (const KnownOption& option : known_options) names.emplace_back(option.name);
  return names;
}

std::string slip_of_known_option(std::string_view name) {
  if (known_option(name) != nullptr) return {};
  return nearest_within(name, known_option_names(), 2).value_or("");
}

}  // namespace tunekeeper::mysql
