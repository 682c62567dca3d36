#include <cerrno>

#include "providers/mysql/support.hpp"

using namespace tunekeeper;
using test::MysqlBench;

TEST_CASE("mysql: the file and line that decide are named, and the restart that a change takes") {
  const MysqlBench bench;
  const Row row = bench.row(bench.want("max_connections", "500"));
  CHECK(row.state == State::differs);
  CHECK(row.seen.persisted == Plane::of("100"));
  CHECK(row.seen.decided_by == "etc/mysql/mariadb.conf.d/50-server.cnf:2");
  CHECK(to_string(row.seen.takes_effect) == "restart mariadb");
  CHECK(row.seen.boot == Plane::not_applicable("not a kernel setting"));
  CHECK(row.seen.live == Plane::not_applicable("no server is asked"));
}

TEST_CASE("mysql: a host without its configuration has none of its settings") {
  MysqlBench bench;
  bench.host.remove("/etc/mysql");
  const Row row = bench.row(bench.want("max_connections", "500"));
  CHECK(row.state == State::unsupported);
  CHECK(row.reason == "MySQL or MariaDB is not installed here");
}

TEST_CASE("mysql: values are compared as the server reads them") {
  MysqlBench bench;
  bench.host.add_file(
      bench.server_file,
      "[mysqld]\ninnodb-buffer-pool-size=8G\nslow_query_log=TRUE\nquery_cache_type=YES\ntmpdir=/Tmp\n");
  CHECK(bench.row(bench.want("innodb_buffer_pool_size", "8589934592")).state == State::in_sync);
  CHECK(bench.row(bench.want("slow_query_log", "1")).state == State::in_sync);
  CHECK(bench.row(bench.want("query_cache_type", "ON")).state == State::differs);
  CHECK(bench.row(bench.want("tmpdir", "/tmp")).state == State::differs);
  CHECK(bench.row(bench.want("max_heap_table_size", "64M")).seen.persisted.kind == Plane::Kind::absent);
}

TEST_CASE("M6: skip-name-resolve is right for ON, 1 and a flag") {
  const MysqlBench bench;
  CHECK(bench.row(bench.want("skip_name_resolve", "ON")).state == State::in_sync);
  CHECK(bench.row(bench.want("skip_name_resolve", "1")).state == State::in_sync);
  CHECK(bench.row(bench.want("skip_name_resolve", Value::flag())).state == State::in_sync);
  CHECK(bench.row(bench.want("skip_name_resolve", "OFF")).state == State::differs);
}

TEST_CASE("M7: every statement of a repeatable option counts") {
  MysqlBench bench;
  bench.host.add_file(bench.server_file, "[mysqld]\nreplicate_do_db=a\nreplicate-do-db=b\n");
  CHECK(bench.row(bench.want("replicate_do_db", Value::list({"a", "b"}))).state == State::in_sync);
  CHECK(bench.row(bench.want("replicate_do_db", Value::list({"b"}))).state == State::differs);
  CHECK(bench.row(bench.want("replicate_do_db", "b")).state == State::differs);
}

TEST_CASE("M8: a world-writable file does not decide, and the row says so") {
  MysqlBench bench;
  bench.host.add_file(bench.server_file, "[mysqld]\nmax_connections=500\n", 0666);
  const Row row = bench.row(bench.want("max_connections", "500"));
  CHECK(row.state == State::differs);
  CHECK(row.seen.persisted.kind == Plane::Kind::absent);
  CHECK(row.seen.note ==
        "the server does not read /etc/mysql/mariadb.conf.d/50-server.cnf: it is world-writable");
}

TEST_CASE("mysql: a file that we may not read makes its settings failed, not green") {
  MysqlBench bench;
  bench.host.add_file("/etc/mysql/mariadb.conf.d/60-secret.cnf", "[mysqld]\n");
  bench.host.deny_read("/etc/mysql/mariadb.conf.d/60-secret.cnf", EACCES);
  const Row row = bench.row(bench.want("max_connections", "100"));
  CHECK(row.state == State::failed);
  CHECK(row.reason == "cannot read /etc/mysql/mariadb.conf.d/60-secret.cnf: Permission denied");
}

TEST_CASE("mysql: files on which the server would not start fail every row") {
  MysqlBench bench;
  bench.host.add_file(bench.main_file, "\xEF\xBB\xBF[mysqld]\n");
  const Row row = bench.row(bench.want("max_connections", "100"));
  CHECK(row.state == State::failed);
  CHECK(row.reason ==
        "MariaDB 10.11.19 would not start: /etc/mysql/my.cnf:1: a byte order mark, which no server reads");
}

TEST_CASE("mysql: the unit's command line decides over the files, is named, and is not written") {
  MysqlBench bench;
  bench.host.add_file(
      "/usr/lib/systemd/system/mariadb.service",
      "[Service]\nExecStart=/bin/sh -c \"VAR=; \\\n exec /usr/sbin/mariadbd $MYSQLD_OPTS $VAR\"\n");
  bench.host.add_file("/etc/systemd/system/mariadb.service.d/x.conf",
                      "[Service]\nEnvironment=\"MYSQLD_OPTS=--max-connections=42 --skip-log-bin\"\n");
  const Row row = bench.row(bench.want("max_connections", "500"));
  CHECK(row.state == State::differs);
  CHECK(row.seen.persisted == Plane::of("42"));
  CHECK(row.seen.decided_by == "etc/systemd/system/mariadb.service.d/x.conf:2");
  CHECK(row.seen.note ==
        "decided by the command line of mariadb.service, which tunekeeper does not write; change it there, "
        "then: systemctl daemon-reload, and restart mariadb");
  CHECK(to_string(row.seen.takes_effect) == "by hand");
  CHECK(bench.plan({bench.want("max_connections", "500")}).empty());
  const Row right = bench.row(bench.want("log_bin", "OFF"));
  CHECK(right.state == State::in_sync);
  CHECK(right.seen.note == "decided by the command line of mariadb.service, over every option file");
}

TEST_CASE("mysql: the unit may name other files to start from") {
  MysqlBench bench;
  bench.host.add_file("/etc/systemd/system/mariadb.service",
                      "[Service]\nExecStart=/usr/sbin/mariadbd --defaults-file=/srv/my.cnf\n");
  bench.host.add_file("/srv/my.cnf", "[mysqld]\nmax_connections=7\n");
  CHECK(bench.row(bench.want("max_connections", "7")).seen.decided_by == "srv/my.cnf:2");
}

TEST_CASE("mysql: the unit may add a suffix to the groups") {
  MysqlBench bench;
  bench.host.add_file("/etc/systemd/system/mariadb.service",
                      "[Service]\nExecStart=/usr/sbin/mariadbd --defaults-group-suffix=.blue\n");
  bench.host.add_file(bench.server_file, "[mysqld]\na=1\n[mysqld.blue]\na=2\n[mysqld.red]\na=3\n");
  CHECK(bench.row(bench.want("a", "2")).state == State::in_sync);
}

TEST_CASE(
    "mysql: a file that does not parse is not edited, what it decided is failed, what it leaves alone is "
    "not") {
  MysqlBench bench;
  bench.host.add_file("/etc/mysql/mariadb.conf.d/zzz.cnf", "[mysqld]\na=1\n[broken\n");
  CHECK(bench.row(bench.want("a", "1")).state == State::in_sync);
  CHECK(bench.row(bench.want("max_connections", "500")).state == State::differs);
  const Row row = bench.row(bench.want("a", "2"));
  CHECK(row.state == State::failed);
  CHECK(row.reason ==
        "/etc/mysql/mariadb.conf.d/zzz.cnf:3: a group header without `]`; a file that does not parse is not "
        "edited");
  CHECK(bench.row(bench.unwanted("a")).state == State::failed);
}

TEST_CASE("mysql: a drop-in of ours that the server ignores or cannot parse takes no more settings") {
  MysqlBench bench;
  bench.host.add_file(bench.drop_in, "[mysqld]\n", 0666);
  CHECK(bench.row(bench.want("max_connections", "500")).reason ==
        "the server does not read /etc/mysql/mariadb.conf.d/zz-tunekeeper.cnf: it is world-writable");
  bench.host.remove(bench.drop_in);
  bench.host.add_file(bench.drop_in, "a=1\n");
  CHECK(bench.row(bench.want("max_connections", "500")).state == State::failed);
  CHECK(bench.row(bench.want("max_connections", "100")).state == State::in_sync);
}

TEST_CASE("mysql: mysqld-auto.cnf decides over the files of MySQL, never of MariaDB") {
  MysqlBench bench;
  bench.host.add_file(
      "/var/lib/mysql/mysqld-auto.cnf",
      R"({"Version":2,"mysql_dynamic_variables":{"max_connections":{"Value":"300","Metadata":{}}}})");
  CHECK(bench.row(bench.want("max_connections", "100")).state == State::in_sync);
  bench.facts.set("mysql.flavor", std::string("mysql")).set("mysql.version", std::string("8.0.36"));
  const Row row = bench.row(bench.want("max_connections", "100"));
  CHECK(row.state == State::differs);
  CHECK(row.seen.persisted == Plane::of("300"));
  CHECK(row.seen.decided_by == "var/lib/mysql/mysqld-auto.cnf");
  CHECK(row.seen.note ==
        "decided by mysqld-auto.cnf (SET PERSIST), which tunekeeper does not write; on the server: RESET "
        "PERSIST max_connections; then apply again");
  CHECK(to_string(row.seen.takes_effect) == "by hand");
  CHECK(bench.plan({bench.want("max_connections", "100")}).empty());
}

TEST_CASE("mysql: right on disk and wrong live is pending while the server is older than the file") {
  MysqlBench bench;
  bench.asks_server = true;
  bench.server.answer.variables = {{"max_connections", "151"}};
  bench.host.add_file("/run/mysqld/mysqld.pid", "1\n");
  bench.host.set_mtime("/run/mysqld/mysqld.pid", 1000);
  bench.host.set_mtime(bench.server_file, 2000);
  CHECK(bench.row(bench.want("max_connections", "100")).state == State::pending);
  bench.host.set_mtime("/run/mysqld/mysqld.pid", 3000);
  const Row row = bench.row(bench.want("max_connections", "100"));
  CHECK(row.state == State::differs);
  CHECK(row.reason == "mariadb.service read the option at its start and did not take it: its log says why");
}

TEST_CASE("mysql: what a running server does not know is unsupported, but not every option is a variable") {
  MysqlBench bench;
  bench.asks_server = true;
  bench.server.answer.variables = {{"max_connections", "100"}};
  const Row row = bench.row(bench.want("wsrep_mode", "STRICT_REPLICATION"));
  CHECK(row.state == State::unsupported);
  CHECK(row.reason == "this server (10.11.19) has no variable wsrep_mode");
  CHECK(bench.row(bench.want("skip_external_locking", "ON")).state == State::differs);
  CHECK(bench.row(bench.want("replicate_do_db", Value::list({"a"}))).state == State::differs);
  CHECK(bench.row(bench.unwanted("innodb_redo_log_capacity")).state == State::in_sync);
}

TEST_CASE("mysql: a server that is down has no live plane, one that refuses makes the row failed") {
  MysqlBench bench;
  bench.asks_server = true;
  bench.server.answer = {ServerVariables::Status::not_running, "no socket", {}};
  CHECK(bench.row(bench.want("max_connections", "100")).seen.live ==
        Plane::not_applicable("server not running"));
  CHECK(bench.row(bench.want("max_connections", "100")).state == State::in_sync);
  bench.server.answer = {ServerVariables::Status::denied, "access denied for root", {}};
  CHECK(bench.row(bench.want("max_connections", "100")).state == State::failed);
  bench.asks_server = false;
  bench.host.set_other_root(true);
  CHECK(bench.row(bench.want("max_connections", "100")).seen.live == Plane::not_applicable("another root"));
}

TEST_CASE("mysql: the pool's rounding is in sync by the server's own rule, and said") {
  MysqlBench bench;
  bench.asks_server = true;
  bench.facts.set("mysql.flavor", std::string("mysql")).set("mysql.version", std::string("8.0.36"));
  bench.host.add_file(bench.server_file, "[mysqld]\ninnodb_buffer_pool_size=200M\n");
  bench.server.answer.variables = {{"innodb_buffer_pool_size", "268435456"},
                                   {"innodb_buffer_pool_chunk_size", "134217728"},
                                   {"innodb_buffer_pool_instances", "1"}};
  const Row row = bench.row(bench.want("innodb_buffer_pool_size", "200M"));
  CHECK(row.state == State::in_sync);
  CHECK(row.seen.note == "rounded up to chunk size times instances by the server: 268435456");
}

TEST_CASE("mysql: a shortened name counts for MariaDB where the server told its names") {
  MysqlBench bench;
  bench.asks_server = true;
  bench.server.answer.variables = {{"max_connections", "77"}};
  bench.host.add_file(bench.server_file, "[mysqld]\nmax_conn=77\n");
  CHECK(bench.row(bench.want("max_connections", "77")).state == State::in_sync);
}

TEST_CASE("mysql: a profile's key is folded into one id, and a prefix is told") {
  const MysqlBench bench;
  const SectionSpec& spec = bench.provider->section();
  const auto problem = [&](const std::string& key) {
    const std::vector<std::string> path = {key};
    return spec.key_problem(path).value_or("");
  };
  const std::vector<std::string> path = {"Max-Connections"};
  CHECK(spec.join(path) == "max_connections");
  CHECK(problem("max_connections").empty());
  CHECK(problem("loose_x") == "name the option itself, without `loose_`");
  CHECK(problem("skip_name_resolve").empty());
  CHECK(problem("skip_symbolic_links") == "name the option itself, without `skip_`, and give it OFF");
  CHECK(problem("a b") == "no option has such a name");
}
