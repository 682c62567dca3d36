// What the installed program lists is asked for once, kept, and believed only while it is surely that
// program's.

#include "providers/mysql/option_cache.hpp"

#include <cerrno>

#include "core/places.hpp"
#include "host/real_host.hpp"
#include "providers/mysql/support.hpp"

using namespace tunekeeper;
using namespace tunekeeper::test;

namespace {

const std::string program = "/usr/sbin/mariadbd";
const std::string kept = std::string(places::kServerOptions);

/// A host with a server's program that lists a few options, and what an apply does with its answer.
struct TaughtBench : MysqlBench {
  TaughtBench() {
    host.add_file(program, "the program", 0755);
    host.add_directory(std::string(places::kStateFolder), 0700);
    host.on_command({program, "--no-defaults"},
                    {0, false,
                     "  --max-connections=# \n                      Help\n  --long-time=#\n"
                     "  --sql-mode=name \n  --skip-grant-tables Start\n  -u, --user=name  Run\n"
                     "---- ----\nmax-connections   151\nlong-time  10.5\nsql-mode (No default value)\n",
                     ""});
  }

  std::optional<Lesson> learn(const Desired& desired) const {
    const std::vector<Row> rows = {row(desired)};
    return provider->learn(context(), rows);
  }
  /// As apply keeps it.
  void be_taught() {
    const auto lesson = learn(want("max_connections", "500"));
    REQUIRE(lesson.has_value());
    REQUIRE(lesson->path == kept);
    host.add_file(lesson->path, lesson->bytes, 0600);
  }
  /// Whether the listing is known: then an option that is not in it is told.
  bool knows() const { return row(want("odd_option", "1")).state == State::unsupported; }
  std::size_t questions() const {
    std::size_t count = 0;
    for (const std::string& read : host.reads()) count += read.rfind("probe", 0) == 0 ? 1 : 0;
    return count;
  }
};

}  // namespace

TEST_CASE("mysql: what was once asked of the program is known to every later look without a question") {
  TaughtBench bench;
  CHECK_FALSE(bench.knows());
  CHECK(bench.questions() == 0);
  bench.be_taught();
  CHECK(bench.questions() == 1);
  CHECK(bench.knows());
  CHECK_FALSE(bench.learn(bench.want("sql_mode", "ANSI")).has_value());
  CHECK(bench.questions() == 1);
}

TEST_CASE("mysql: a listed option is taken by any of its forms, an unlisted one is unsupported") {
  TaughtBench bench;
  bench.be_taught();
  const auto reason = [&](const char* name, const char* value) {
    const Row row = bench.row(bench.want(name, value));
    return row.state == State::differs ? std::string() : row.reason;
  };
  CHECK(reason("max_connection", "5") ==
        "MariaDB 10.11.19 has no option max_connection, did you mean \"max_connections\"?");
  CHECK(reason("odd_option", "5") == "the installed MariaDB 10.11.19 has no option odd_option");
  CHECK(reason("long_tim", "5") ==
        "the installed MariaDB 10.11.19 has no option long_tim, did you mean \"long_time\"?");
  CHECK(reason("user", "mysql").empty());
  CHECK(reason("grant_tables", "1").empty());
  CHECK(reason("max_connections", "500").empty());
  CHECK(reason("long_time", "0.5").empty());
  CHECK(reason("sql_mode", "5x").empty());
  CHECK(bench.row(bench.unwanted("odd_option")).state == State::in_sync);
}

TEST_CASE("mysql: a number that the listed option would not take is failed before it is written") {
  TaughtBench bench;
  bench.host.on_command({program, "--no-defaults"},
                        {0, false, "  --range-limit=# \n---- ----\nrange-limit   200\n", ""});
  const auto lesson = bench.learn(bench.want("range_limit", "5"));
  REQUIRE(lesson.has_value());
  bench.host.add_file(lesson->path, lesson->bytes, 0600);
  CHECK(bench.row(bench.want("range_limit", "5x")).state == State::failed);
  CHECK(bench.row(bench.want("range_limit", "-1")).state == State::differs);
}

TEST_CASE("mysql: an option that the running server shows needs no listing, as a plugin's") {
  TaughtBench bench;
  bench.be_taught();
  bench.asks_server = true;
  bench.server.answer.variables = {{"plugin_option", "0"}};
  CHECK(bench.row(bench.want("plugin_option", "1")).state == State::differs);
}

TEST_CASE("mysql: a check of what is in the files as wished reads no listing, and apply asks for none") {
  TaughtBench bench;
  bench.be_taught();
  bench.host.forget_records();
  CHECK(bench.row(bench.want("max_connections", "100")).state == State::in_sync);
  for (const std::string& read : bench.host.reads()) CHECK(read.find(kept) == std::string::npos);
  bench.host.remove(kept);
  CHECK_FALSE(bench.learn(bench.want("max_connections", "100")).has_value());
  CHECK_FALSE(bench.learn(bench.unwanted("max_connections")).has_value());
  CHECK(bench.questions() == 0);
}

TEST_CASE("mysql: a listing is stale as soon as another file is the program, and is asked for again") {
  TaughtBench bench;
  bench.be_taught();
  SECTION("an upgrade renames a new file over it") {
    bench.host.remove(program);
    bench.host.add_file(program, "the program", 0755);
  }
  SECTION("written in place with the same length") {
    bench.host.add_file(program, "THE program", 0755);
    bench.host.set_mtime(program, 5);
  }
  SECTION("longer") {
    bench.host.add_file(program, "the program, longer", 0755);
  }
  SECTION("another flavour's program") {
    bench.host.add_file("/usr/sbin/mysqld", "the program", 0755);
    bench.facts.set("mysql.flavor", std::string("mysql"));
    CHECK_FALSE(bench.knows());
    return;
  }
  CHECK_FALSE(bench.knows());
  CHECK(bench.questions() == 1);
  bench.be_taught();
  CHECK(bench.questions() == 2);
  CHECK(bench.knows());
}

TEST_CASE("mysql: a listing that is damaged anywhere is as none") {
  TaughtBench bench;
  bench.be_taught();
  const std::string whole = bench.host.bytes(kept);
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    INFO("the first " << cut << " bytes");
    bench.host.add_file(kept, whole.substr(0, cut), 0600);
    REQUIRE_FALSE(bench.knows());
    std::string flipped = whole;
    flipped[cut] = static_cast<char>(flipped[cut] ^ 1);
    bench.host.add_file(kept, flipped, 0600);
    REQUIRE_FALSE(bench.knows());
  }
  bench.host.add_file(kept, whole + "odd_option\n", 0600);
  CHECK_FALSE(bench.knows());
  CHECK(bench.learn(bench.want("odd_option", "1")).has_value());
  bench.host.add_file(kept, whole, 0600);
  CHECK(bench.knows());
}

TEST_CASE("mysql: a listing that cannot be read, or is a folder, is as none") {
  TaughtBench bench;
  SECTION("denied") {
    bench.be_taught();
    bench.host.deny_read(kept, EACCES);
  }
  SECTION("a folder") {
    bench.host.add_directory(kept);
  }
  CHECK_FALSE(bench.knows());
}

TEST_CASE("mysql: a listing that somebody else may have written is not believed") {
  TaughtBench bench;
  bench.be_taught();
  SECTION("another owner") {
    bench.host.set_owner(kept, 1000, 1000);
  }
  SECTION("its group may write") {
    bench.host.set_mode(kept, 0620);
  }
  SECTION("anyone may write") {
    bench.host.set_mode(kept, 0602);
  }
  SECTION("another owner of its folder") {
    bench.host.set_owner(std::string(places::kStateFolder), 1000, 1000);
  }
  SECTION("anyone may write its folder") {
    bench.host.set_mode(std::string(places::kStateFolder), 0777);
  }
  CHECK_FALSE(bench.knows());
  // What this very run was told counts all the same.
  const auto lesson = bench.learn(bench.want("max_connections", "500"));
  REQUIRE(lesson.has_value());
  Context taught = bench.context();
  taught.lessons = {*lesson};
  const std::vector<Desired> odd = {bench.want("odd_option", "1")};
  CHECK_FALSE(bench.provider->observe(taught, odd).at(0).unsupported.empty());
}

TEST_CASE("mysql: a caller believes the listing in a tree of their own") {
  TaughtBench bench;
  bench.be_taught();
  bench.host.set_other_root(true);
  bench.host.set_owner(kept, 1000, 1000);
  bench.host.set_owner(std::string(places::kStateFolder), 1000, 1000);
  Context theirs = bench.context();
  const std::vector<Desired> odd = {bench.want("odd_option", "1")};
  CHECK(bench.provider->observe(theirs, odd).at(0).unsupported.empty());
  theirs.caller_uid = 1000;
  CHECK_FALSE(bench.provider->observe(theirs, odd).at(0).unsupported.empty());
}

TEST_CASE("mysql: a program that cannot be run, fails or lists nothing teaches nothing") {
  MysqlBench bench;
  const auto learns = [&] {
    const std::vector<Row> rows = {bench.row(bench.want("max_connections", "500"))};
    return bench.provider->learn(bench.context(), rows).has_value();
  };
  CHECK_FALSE(learns());
  bench.host.add_file(program, "no program", 0755);
  CHECK_FALSE(learns());
  bench.host.on_command({program}, {1, false, "  --max-connections=#\n", "no such user"});
  CHECK_FALSE(learns());
  bench.host.on_command({program}, {0, false, "Killed\n", ""});
  CHECK_FALSE(learns());
  bench.host.on_command({program}, {0, true, "  --max-connections=#\n", ""});
  CHECK_FALSE(learns());
  bench.host.on_command({program}, {0, false, "  --max-connections=#\n", ""});
  CHECK(learns());
}

TEST_CASE("oracle: what is kept of the installed mariadbd says the same as its own listing") {
  const RealHost host;
  const MysqlBench bench;
  Context context{host, bench.facts, nullptr, nullptr};
  const std::vector<Row> rows = {bench.row(bench.want("max_connections", "500"))};
  const auto lesson = bench.provider->learn(context, rows);
  REQUIRE(lesson.has_value());
  CHECK(lesson->bytes.size() < 100'000);
  context.lessons = {*lesson};
  const auto listing = mysql::known_listing(context, mysql::Server::of(context));
  REQUIRE(listing.has_value());
  for (const char* name : {"max_connections", "skip_name_resolve", "innodb_io_capacity", "query_cache_size",
                           "open_files_limit", "innodb_flush_neighbors", "skip_external_locking"}) {
    INFO(name);
    CHECK(listing->has(name));
  }
  CHECK_FALSE(listing->has("innodb_redo_log_capacity"));
  const auto asked = mysql::ProgramOptions::ask(host, "/usr/sbin/mariadbd");
  REQUIRE(asked.has_value());
  CHECK(listing->to_text() == asked->to_text());
}
