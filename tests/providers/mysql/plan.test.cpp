#include "providers/mysql/support.hpp"

using namespace tunekeeper;
using test::MysqlBench;

namespace {

const std::string header =
    "# Written by tunekeeper from its profiles; changes to managed lines are reported as drift.\n";

}  // namespace

TEST_CASE("mysql: a right value is written nowhere") {
  const MysqlBench bench;
  CHECK(bench.plan({bench.want("max_connections", "100"), bench.want("skip_name_resolve", "ON")}).empty());
}

TEST_CASE("mysql: a value goes into our drop-in where it wins, in one edit for all settings") {
  MysqlBench bench;
  const std::vector<Desired> wanted = {bench.want("max_connections", "500"),
                                       bench.want("tmp_table_size", "64M")};
  const auto actions = bench.plan(wanted);
  REQUIRE(actions.size() == 1);
  CHECK(actions[0].settings == std::vector<std::string>{"mysql:max_connections", "mysql:tmp_table_size"});
  const std::string before = bench.host.bytes(bench.server_file);
  bench.apply(wanted);
  CHECK(bench.host.bytes(bench.drop_in) ==
        header + "\n[mysqld]\nmax_connections = 500\ntmp_table_size = 64M\n");
  CHECK(bench.host.bytes(bench.server_file) == before);
  CHECK(bench.plan(wanted).empty());
}

TEST_CASE("mysql: our own line is edited where it stands") {
  MysqlBench bench;
  bench.apply({bench.want("max_connections", "500"), bench.want("tmp_table_size", "64M")});
  bench.apply({bench.want("max_connections", "600")});
  CHECK(bench.host.bytes(bench.drop_in) ==
        header + "\n[mysqld]\nmax_connections = 600\ntmp_table_size = 64M\n");
}

TEST_CASE("mysql: a line that outranks our drop-in is edited where it stands") {
  MysqlBench bench;
  SECTION("in a file that is read after it") {
    bench.host.add_file("/etc/mysql/mariadb.conf.d/zzz.cnf", "[server]\nmax-connections=9 # mine\n");
    bench.apply({bench.want("max_connections", "500")});
    CHECK(bench.host.bytes("/etc/mysql/mariadb.conf.d/zzz.cnf") == "[server]\nmax-connections=500 # mine\n");
  }
  SECTION("M3: below the include in the main file") {
    bench.host.add_file(bench.main_file,
                        "!includedir /etc/mysql/mariadb.conf.d/\n[mysqld]\nmax_connections=9\n");
    bench.apply({bench.want("max_connections", "500")});
    CHECK(bench.host.bytes(bench.main_file) ==
          "!includedir /etc/mysql/mariadb.conf.d/\n[mysqld]\nmax_connections=500\n");
  }
  CHECK_FALSE(bench.host.exists(bench.drop_in));
  CHECK(bench.row(bench.want("max_connections", "500")).state == State::in_sync);
}

TEST_CASE("mysql: without an include directory the main file is edited") {
  MysqlBench bench;
  bench.host.add_file(bench.main_file, "[mysqld]\nmax_connections=9\n[client]\nport=1");
  bench.apply({bench.want("max_connections", "500"), bench.want("tmp_table_size", "64M")});
  CHECK(bench.host.bytes(bench.main_file) ==
        "[mysqld]\nmax_connections=500\ntmp_table_size=64M\n[client]\nport=1");
}

TEST_CASE(
    "mysql: an unwanted option goes from every file and group that the server reads, and from no other") {
  MysqlBench bench;
  bench.host.add_file("/etc/mysql/conf.d/a.cnf",
                      "[client]\nmax_connections=1\n[galera]\nmax-connections=2\nx=1\n");
  bench.apply({bench.unwanted("max_connections")});
  CHECK(bench.host.bytes("/etc/mysql/conf.d/a.cnf") == "[client]\nmax_connections=1\n[galera]\nx=1\n");
  CHECK(bench.host.bytes(bench.server_file) == "[mysqld]\nskip-name-resolve\n");
  CHECK(bench.row(bench.unwanted("max_connections")).state == State::in_sync);
}

TEST_CASE("mysql: our drop-in goes with its last line") {
  MysqlBench bench;
  bench.apply({bench.want("tmp_table_size", "64M")});
  REQUIRE(bench.host.exists(bench.drop_in));
  const auto actions = bench.plan({bench.unwanted("tmp_table_size")});
  REQUIRE(actions.size() == 1);
  CHECK(std::get<EditFile>(actions[0].deed).remove);
  CHECK(bench.provider->is_spent(bench.drop_in, header + "\n[mysqld]\n"));
  CHECK_FALSE(bench.provider->is_spent(bench.drop_in, header + "[mysqld]\na=1\n"));
  CHECK_FALSE(bench.provider->is_spent(bench.server_file, "[mysqld]\n"));
}

TEST_CASE("M7: a repeatable option is given exactly its list") {
  MysqlBench bench;
  bench.host.add_file(bench.server_file, "[mysqld]\nreplicate_do_db=a\nreplicate-do-db=b\n");
  SECTION("as many: in place") {
    bench.apply({bench.want("replicate_do_db", Value::list({"a", "c"}))});
    CHECK(bench.host.bytes(bench.server_file) == "[mysqld]\nreplicate_do_db=a\nreplicate-do-db=c\n");
  }
  SECTION("more: together in our drop-in") {
    bench.apply({bench.want("replicate_do_db", Value::list({"a", "b", "c"}))});
    CHECK(bench.host.bytes(bench.drop_in) ==
          header + "\n[mysqld]\nreplicate_do_db = a\nreplicate_do_db = b\nreplicate_do_db = c\n");
  }
  CHECK(bench.plan({bench.want("replicate_do_db", Value::list({"a", "c"}))}).size() +
            bench.plan({bench.want("replicate_do_db", Value::list({"a", "b", "c"}))}).size() >=
        1);
}

TEST_CASE("mysql: a flag is written bare") {
  MysqlBench bench;
  bench.apply({bench.want("skip_external_locking", Value::flag())});
  CHECK(bench.host.bytes(bench.drop_in) == header + "\n[mysqld]\nskip_external_locking\n");
}

TEST_CASE("mysql: the installed program checks the candidate files first") {
  MysqlBench bench;
  bench.host.add_file("/usr/sbin/mariadbd", "", 0755);
  const auto actions = bench.plan({bench.want("max_connections", "500")});
  REQUIRE(actions.size() == 2);
  CHECK(std::get<CheckFiles>(actions[0].deed).argv ==
        std::vector<std::string>{"/usr/sbin/mariadbd", "--help", "--verbose"});
}

TEST_CASE("mysql: statements of a setting are taken and put back byte for byte") {
  const MysqlBench bench;
  const std::string id = "mysql:max_connections";
  const auto round_trip = [&](const std::string& from, const std::string& into) {
    const auto lines = bench.provider->statements(id, bench.server_file, from);
    const std::string result = splice(into, bench.provider->restate(id, bench.server_file, into, lines));
    CHECK(bench.provider->statements(id, bench.server_file, result) == lines);
    return result;
  };
  const std::string original = "[mysqld]\n  max-connections =  '100'  # mine\n[client]\nmax_connections=3\n";
  CHECK(round_trip(original, "[mysqld]\n  max-connections =  '500'  # mine\n[client]\nmax_connections=3\n") ==
        original);
  CHECK(round_trip("[mysqld]\r\nmax_connections=1\r\n", "[mysqld]\r\na=1\r\nmax_connections=2") ==
        "[mysqld]\r\na=1\r\nmax_connections=1");
  CHECK(round_trip("[mysqld]\na=1\n", "[mysqld]\na=1\nmax_connections=2\n") == "[mysqld]\na=1\n");
  round_trip("[mariadb]\nmax_connections=1\n[mysqld]\nmax_connections=2\n",
             "[mysqld]\na=1\n[mariadb]\nb=1\n");
  round_trip("[mariadb]\nmax_connections=1\n", "[mysqld]\nmax_connections=2\n");
  round_trip("[mysqld]\nmax_connections=1\nMAX-connections=2\n", "");
}

TEST_CASE("mysql: a restated drop-in that was gone has its header again") {
  const MysqlBench bench;
  const auto splices = bench.provider->restate("mysql:a", bench.drop_in, "", {"a = 1"});
  CHECK(splice("", splices) == header + "\n[mysqld]\na = 1\n");
}

TEST_CASE("mysql: guard rails keep what a tuning must not touch") {
  const MysqlBench bench;
  for (const char* name :
       {"datadir", "port", "socket", "bind_address", "server_id", "log_bin", "innodb_page_size",
        "innodb_data_file_path", "lower_case_table_names", "innodb_force_recovery", "skip_grant_tables"}) {
    CHECK_FALSE(bench.provider->guard(bench.context(), bench.row(bench.want(name, "1"))).empty());
  }
  CHECK(bench.provider->guard(bench.context(), bench.row(bench.want("max_connections", "500"))).empty());
}

TEST_CASE("mysql: huge pages and the pool over 80 % of memory are refused, what is right already is not") {
  MysqlBench bench;
  const auto guard = [&](const char* size) {
    return bench.provider->guard(bench.context(), bench.row(bench.want("innodb_buffer_pool_size", size)));
  };
  CHECK(guard("51G").empty());
  CHECK_FALSE(guard("52G").empty());
  bench.facts.set("memory.hugepages", std::int64_t{8} << 30);
  CHECK(guard("51G") ==
        "the buffer pool (52224 MiB) and huge pages (8192 MiB) would take over 80 % of 65536 MiB of memory");
  bench.host.add_file(bench.server_file, "[mysqld]\ninnodb_buffer_pool_size=51G\n");
  CHECK(guard("51G").empty());
}
