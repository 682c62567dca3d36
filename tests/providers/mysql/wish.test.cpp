// What a wish meets before anything is written: names the server lacks, values its reader would refuse.

#include "core/error.hpp"
#include "host/real_host.hpp"
#include "providers/mysql/known_options.hpp"
#include "providers/mysql/server_program.hpp"
#include "providers/mysql/support.hpp"

using namespace tunekeeper;
using test::MysqlBench;

namespace {

struct Wish {
  const char* name;
  const char* value;
};

void be_mysql(MysqlBench& bench, const char* version) {
  bench.facts.set("mysql.flavor", std::string("mysql")).set("mysql.version", std::string(version));
}

}  // namespace

TEST_CASE("mysql: a value that the server would refuse or read otherwise is failed before it is written") {
  const MysqlBench bench;
  for (const Wish& wish : {Wish{"max_connections", "5x"},
                           {"innodb_io_capacity", "1.5G"},
                           {"sync_binlog", "1e9"},
                           {"innodb_buffer_pool_size", "0x10"},
                           {"innodb_buffer_pool_size", "128 M"},
                           {"innodb_buffer_pool_size", "128MB"},
                           {"innodb_buffer_pool_size", "B"},
                           {"max_connections", "-1"},
                           {"max_connections", ""},
                           {"max_connections", "ON"},
                           {"tmp_table_size", "16E"},
                           {"innodb_flush_method", "bogus"},
                           {"slow_query_log", "YES"},
                           {"innodb_flush_neighbors", "3"},
                           {"long_query_time", "1K"}}) {
    INFO(wish.name << " = " << wish.value);
    CHECK(bench.row(bench.want(wish.name, wish.value)).state == State::failed);
    CHECK(bench.plan({bench.want(wish.name, wish.value)}).empty());
  }
  CHECK(bench.row(bench.want("sync_binlog", "1e9")).reason ==
        "sync_binlog: \"1e9\" is not digits with at most one of K M G T P E after them: the server would "
        "read 1e "
        "(1152921504606846976) and skip the rest");
  CHECK(bench.row(bench.want("innodb_flush_method", "bogus")).reason ==
        "innodb_flush_method: \"bogus\" is none of fsync, O_DSYNC, littlesync, nosync, O_DIRECT, "
        "O_DIRECT_NO_FSYNC");
  CHECK(bench.row(bench.want("max_connections", Value::flag())).reason == "max_connections needs a value");
  CHECK(bench.row(bench.want("max_connections", Value::of("5x"), Want::at_least)).state == State::failed);
}

TEST_CASE("mysql: a value that the server takes as written is not judged away") {
  const MysqlBench bench;
  for (const Wish& wish : {Wish{"max_connections", "500"},
                           {"max_connections", "1K"},
                           {"innodb_buffer_pool_size", "8g"},
                           {"innodb_flush_method", "o_direct"},
                           {"innodb_flush_method", "4"},
                           {"slow_query_log", "true"},
                           {"long_query_time", "0.5"},
                           {"innodb_max_dirty_pages_pct", "75"},
                           {"innodb_flush_neighbors", "0"},
                           {"query_cache_type", "DEMAND"},
                           {"init_connect", "SET NAMES utf8"}}) {
    INFO(wish.name << " = " << wish.value);
    CHECK(bench.row(bench.want(wish.name, wish.value)).state == State::differs);
  }
  CHECK(bench.row(bench.want("slow_query_log", Value::flag())).state == State::differs);
}

TEST_CASE("mysql: a mistyped name is unsupported, with the right one, though MariaDB takes a beginning") {
  MysqlBench bench;
  const Row row = bench.row(bench.want("max_connection", "4"));
  CHECK(row.state == State::unsupported);
  CHECK(row.reason == "MariaDB 10.11.19 has no option max_connection, did you mean \"max_connections\"?");
  CHECK(bench.plan({bench.want("max_connection", "4")}).empty());
  CHECK(bench.row(bench.unwanted("max_connection")).state == State::in_sync);

  bench.asks_server = true;
  bench.server.answer.variables = {{"max_connections", "100"}, {"max_connection", "7"}};
  CHECK(bench.row(bench.want("max_connection", "4")).state == State::differs);
}

TEST_CASE("mysql: what a running server does not list is unsupported, whatever the files say") {
  MysqlBench bench;
  bench.asks_server = true;
  bench.server.answer.variables = {{"max_connections", "100"}, {"wsrep_slave_threads", "1"}};
  bench.host.add_file(bench.server_file, "[mysqld]\nwsrep_slave_thread=4\n");
  const Row row = bench.row(bench.want("wsrep_slave_thread", "4"));
  CHECK(row.state == State::unsupported);
  CHECK(row.reason ==
        "this server (10.11.19) has no variable wsrep_slave_thread, did you mean \"wsrep_slave_threads\"?");
}

TEST_CASE("mysql: options that a version has lost or not yet are unsupported without asking anyone") {
  MysqlBench bench;
  const auto reason = [&](const char* name) {
    const Row row = bench.row(bench.want(name, "1"));
    return row.state == State::unsupported ? row.reason : std::string();
  };
  CHECK(reason("innodb_redo_log_capacity") ==
        "MariaDB has no option innodb_redo_log_capacity: the server does not start with it");
  CHECK(reason("innodb_buffer_pool_instances") ==
        "MariaDB 10.11.19 has no option innodb_buffer_pool_instances any more: a line with it is skipped "
        "with a "
        "warning");
  CHECK(reason("query_cache_size").empty());
  bench.facts.set("mysql.version", std::string("10.5.27"));
  CHECK(reason("innodb_buffer_pool_instances").empty());

  be_mysql(bench, "8.0.29");
  CHECK(reason("innodb_redo_log_capacity") ==
        "MySQL 8.0.29 has no option innodb_redo_log_capacity, which came with 8.0.30: the server does not "
        "start "
        "with it");
  CHECK_FALSE(reason("query_cache_size").empty());
  CHECK(reason("innodb_log_file_size").empty());
  be_mysql(bench, "9.7.4");
  CHECK_FALSE(reason("innodb_log_file_size").empty());
  CHECK(reason("innodb_redo_log_capacity").empty());
  be_mysql(bench, "5.7.44");
  CHECK(reason("query_cache_size").empty());
  CHECK(bench.row(bench.unwanted("innodb_redo_log_capacity")).state == State::in_sync);
}

TEST_CASE("oracle: the table of known options agrees with the installed mariadbd") {
  RealHost host;
  const MysqlBench bench;
  const mysql::Server server = mysql::Server::of({host, bench.facts, nullptr, nullptr});
  const auto options = mysql::ProgramOptions::ask(host, "/usr/sbin/mariadbd");
  REQUIRE(options.has_value());
  for (const std::string& name : mysql::known_option_names()) {
    INFO(name);
    if (!mysql::missing_option(server, name).empty()) {
      CHECK_FALSE(options->has(name));
      continue;
    }
    CHECK(options->has(name));
    // What the program lists as a whole number is one here too, unless its range is spelled out.
    if (!options->problem(name, Value::of("no")).empty()) {
      CHECK_FALSE(mysql::value_problem(server, name, Value::of("no")).empty());
      CHECK(mysql::value_problem(server, name, Value::of("1")).empty());
    }
  }
}

TEST_CASE("oracle: no option of the installed mariadbd is taken for a slip of a known one") {
  RealHost host;
  const CommandResult help = host.probe({"/usr/sbin/mariadbd", "--no-defaults", "--help", "--verbose"});
  REQUIRE(help.ok());
  std::size_t at = help.out.find("\n----");
  REQUIRE(at != std::string::npos);
  std::size_t seen = 0;
  while ((at = help.out.find('\n', at + 1)) != std::string::npos) {
    const std::string name =
        fold_option(help.out.substr(at + 1, help.out.find_first_of(" \n", at + 1) - at - 1));
    if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos)
      continue;
    ++seen;
    CHECK(mysql::slip_of_known_option(name).empty());
  }
  CHECK(seen > 500);
}

TEST_CASE(
    "oracle: the installed mariadbd refuses the numbers that are judged wrong, and takes the right ones") {
  RealHost host;
  const auto server_takes = [&](const std::string& number) {
    return host.probe({"/usr/sbin/mariadbd", "--no-defaults", "--max-connections=" + number, "--help"}).ok();
  };
  for (const char* wrong : {"5x", "1.5G", "0x10", "128 M", "B", "-1"}) {
    INFO(wrong);
    CHECK_FALSE(mysql::number_problem(wrong).empty());
    CHECK_FALSE(server_takes(wrong));
  }
  for (const char* right : {"500", "1K", "2k", "0500"}) {
    INFO(right);
    CHECK(mysql::number_problem(right).empty());
    CHECK(server_takes(right));
  }
}

TEST_CASE("mysql: a file that does not parse states nothing, and is not restated") {
  const MysqlBench bench;
  const std::string id = "mysql:max_connections";
  const std::string broken = "[mysqld]\nmax_connections=1\n[broken\n";
  CHECK(bench.provider->statements(id, bench.server_file, broken).empty());
  CHECK(bench.provider->restate("mysql:other", bench.server_file, broken, {}).empty());
  CHECK_THROWS_WITH(bench.provider->restate(id, bench.server_file, broken, {"max_connections=2"}),
                    std::string(bench.server_file) +
                        ":3: a group header without `]`; a file that does not parse is not edited");
  for (const char* odd : {"", "\xEF\xBB\xBF[mysqld]\n", "max_connections=1\n", "[mysqld]\nmax_connections=\\",
                          "[mysqld]\n\xFF\xFE=\x80\n", "!include\n", "[mysqld]\n="}) {
    INFO(odd);
    CHECK_NOTHROW(bench.provider->statements(id, bench.server_file, odd));
  }
}

TEST_CASE(
    "mysql: a line edited in place goes back where it stands, only a removed one goes to its section's end") {
  MysqlBench bench;
  const std::string path = "/etc/mysql/mariadb.conf.d/zzz.cnf";
  const std::string id = "mysql:max_connections";
  const auto restated = [&](const std::vector<std::string>& lines) {
    const std::string now = bench.host.bytes(path);
    return splice(now, bench.provider->restate(id, path, now, lines));
  };
  const std::string found = "[mysqld]\nuser=a\nmax_connections = 9 # mine\nport=1\n[client]\nport=2\n";
  bench.host.add_file(path, found);
  const auto original = bench.provider->statements(id, path, found);
  SECTION("edited") {
    bench.apply({bench.want("max_connections", "500")});
    // An administrator's hand, before and after the line.
    std::string by_hand = "# top\n" + bench.host.bytes(path);
    by_hand.insert(by_hand.find("port=1"), "tmpdir=/t\n");
    bench.host.add_file(path, by_hand);
    CHECK(restated(original) ==
          "# top\n[mysqld]\nuser=a\nmax_connections = 9 # mine\ntmpdir=/t\nport=1\n[client]\nport=2\n");
  }
  SECTION("the later of two, of which the earlier stays") {
    const std::string two = "[mysqld]\nmax_connections=1\nuser=a\nmax-connections=9\nport=1\n";
    bench.host.add_file(path, two);
    const auto both = bench.provider->statements(id, path, two);
    bench.apply({bench.want("max_connections", "500")});
    CHECK(bench.host.bytes(path) != two);
    CHECK(restated(both) == two);
  }
  SECTION("removed") {
    bench.apply({bench.unwanted("max_connections")});
    bench.host.add_file(path, "# top\n" + bench.host.bytes(path));
    CHECK(restated(original) ==
          "# top\n[mysqld]\nuser=a\nport=1\nmax_connections = 9 # mine\n[client]\nport=2\n");
  }
}
