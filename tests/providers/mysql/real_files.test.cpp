// The MariaDB package's own configuration, taken out of the package into a throwaway root; the server's
// programs say what they make of it.

#include <filesystem>

#include "host/real_host.hpp"
#include "providers/mysql/support.hpp"
#include "support/stage.hpp"

using namespace tunekeeper;
using test::MysqlBench;
namespace fs = std::filesystem;

namespace {

/// False where the packages cannot be had (no network): the rest then has nothing to look at.
bool stage_package(const Stage& stage) {
  const int status = stage.shell(
      "cd \"$ROOT\" && apt-get -q download mariadb-server mariadb-common && "
      "for package in *.deb; do dpkg-deb -x \"$package\" . || exit 1; done; rm -f ./*.deb");
  if (status != 0) {
    WARN("the MariaDB packages cannot be downloaded: their own files were not tested\n" + stage.read("/err"));
    return false;
  }
  // What the packages' scripts set up with update-alternatives.
  fs::create_directories(stage.at("/etc/alternatives"));
  fs::create_directories(stage.at("/etc/mysql/conf.d"));
  fs::create_symlink("/etc/alternatives/my.cnf", stage.at("/etc/mysql/my.cnf"));
  fs::create_symlink("/etc/mysql/mariadb.cnf", stage.at("/etc/alternatives/my.cnf"));
  return true;
}

/// The whole configuration as the programs of this machine can read it: includes name the throwaway root.
void write_oracle_file(const Stage& stage) {
  std::string text = stage.read("/etc/mysql/mariadb.cnf");
  const std::string from = "!includedir ";
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += from.size()) {
    text.insert(at + from.size(), stage.at(""));
  }
  stage.write("/oracle.cnf", text);
}

}  // namespace

TEST_CASE(
    "the package's own files: options are set where the real server reads them, and taken back byte for "
    "byte") {
  const Stage stage;
  if (!stage_package(stage)) return;
  RealHost host(stage.at(""));
  const MysqlBench bench;
  const Context context{host, bench.facts, nullptr, nullptr};
  const std::vector<Desired> wanted = {
      bench.want("innodb_buffer_pool_size", "1G"), bench.want("max_connections", "321"),
      bench.want("expire_logs_days", "5"), bench.want("datadir", "/var/lib/mysql")};
  const auto rows_now = [&] {
    std::vector<Row> rows;
    const auto seen = bench.provider->observe(context, wanted);
    for (std::size_t i = 0; i < wanted.size(); ++i) rows.push_back(judge(wanted[i], seen[i]));
    return rows;
  };
  const std::vector<Row> before = rows_now();
  CHECK(before[1].seen.persisted.kind == Plane::Kind::absent);
  CHECK(before[2].seen.decided_by.rfind("etc/mysql/mariadb.conf.d/50-server.cnf:", 0) == 0);

  const std::string conffile = stage.read("/etc/mysql/mariadb.conf.d/50-server.cnf");
  for (const Action& action : bench.provider->plan(context, before)) {
    const auto* edit = std::get_if<EditFile>(&action.deed);
    if (edit != nullptr) stage.write(edit->path, splice(stage.read(edit->path), edit->splices));
  }
  CHECK(stage.read("/etc/mysql/mariadb.conf.d/50-server.cnf") == conffile);
  const std::vector<Row> after = rows_now();
  for (const Row& row : after) {
    INFO(row.desired.id << " " << row.reason);
    CHECK((row.state == State::in_sync || row.desired.id == "mysql:datadir"));
  }
  CHECK(after[1].seen.decided_by == "etc/mysql/mariadb.conf.d/zz-tunekeeper.cnf:5");
  CHECK(bench.provider->plan(context, std::vector<Row>(after.begin(), after.begin() + 3)).empty());

  write_oracle_file(stage);
  REQUIRE(stage.shell("my_print_defaults --defaults-file=\"$ROOT/oracle.cnf\" --mysqld") == 0);
  const std::string read = stage.read("/out");
  CHECK(read.rfind("--max_connections=321\n") != std::string::npos);
  CHECK(read.rfind("--expire_logs_days=5\n") > read.rfind("--expire_logs_days=10\n"));
  REQUIRE(stage.shell("mariadbd --defaults-file=\"$ROOT/oracle.cnf\" --help --verbose") == 0);
  const std::string help = stage.read("/out");
  const std::size_t line = help.find("\nmax-connections ");
  REQUIRE(line != std::string::npos);
  CHECK(help.substr(line, help.find('\n', line + 1) - line).find(" 321") != std::string::npos);

  const std::string drop_in = bench.drop_in;
  std::string text = stage.read(drop_in);
  for (const Desired& desired : wanted)
    text = splice(text, bench.provider->restate(desired.id, drop_in, text, {}));
  CHECK(bench.provider->is_spent(drop_in, text));
}
