#pragma once

#include "core/judge.hpp"
#include "host/memory_host.hpp"
#include "providers/provider.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

namespace tunekeeper {

std::unique_ptr<Provider> make_mysql_provider();

namespace test {

/// A server that answers what the test says.
class StatedServer : public ServerConnector {
 public:
  ServerVariables answer{ServerVariables::Status::answered, {}, {}};

  const ServerVariables& variables() const override { return answer; }
  const std::string& role() const override { return role_; }

 private:
  std::string role_;
};

/// A host with Debian's layout of a MariaDB server's option files, and one provider over it.
struct MysqlBench {
  MemoryHost host;
  StatedFacts facts;
  StatedServer server;
  bool asks_server = false;
  std::unique_ptr<Provider> provider = make_mysql_provider();

  static constexpr const char* main_file = "/etc/mysql/my.cnf";
  static constexpr const char* server_file = "/etc/mysql/mariadb.conf.d/50-server.cnf";
  static constexpr const char* drop_in = "/etc/mysql/mariadb.conf.d/zz-tunekeeper.cnf";

  MysqlBench() {
    facts.set("mysql.flavor", std::string("mariadb")).set("mysql.version", std::string("10.11.19"));
    facts.set("mysql.unit", std::string("mariadb.service")).set("memory.total", std::int64_t{64} << 30);
    facts.set("memory.hugepages", std::int64_t{0});
    host.add_file(
        main_file,
        "[client-server]\n!includedir /etc/mysql/conf.d/\n!includedir /etc/mysql/mariadb.conf.d/\n");
    host.add_directory("/etc/mysql/conf.d");
    host.add_file(server_file, "[mysqld]\nmax_connections = 100\nskip-name-resolve\n");
  }

  Context context() const { return {host, facts, nullptr, asks_server ? &server : nullptr}; }

  static Desired want(const std::string& name, Value value, Want how = Want::equals) {
    Desired desired;
    desired.id = "mysql:" + name;
    desired.path = {name};
    desired.want = how;
    desired.value = std::move(value);
    return desired;
  }
  static Desired want(const std::string& name, std::string value) {
    return want(name, Value::of(std::move(value)));
  }
  static Desired unwanted(const std::string& name) { return want(name, Value(), Want::absent); }

  Row row(Desired desired) const {
    const std::vector<Desired> wanted = {desired};
    return judge(desired, provider->observe(context(), wanted).at(0));
  }

  std::vector<Action> plan(const std::vector<Desired>& wanted) const {
    std::vector<Row> rows;
    for (const Desired& desired : wanted) rows.push_back(row(desired));
    return provider->plan(context(), rows);
  }

  /// Performs the file edits, as the engine would.
  void apply(const std::vector<Desired>& wanted) {
    for (const Action& action : plan(wanted)) {
      const auto* edit = std::get_if<EditFile>(&action.deed);
      if (edit == nullptr) continue;
      if (edit->remove) {
        host.remove(edit->path);
        continue;
      }
      const ReadResult old = host.read(edit->path);
      host.add_file(edit->path, splice(old.ok() ? old.bytes : std::string(), edit->splices));
    }
  }
};

}  // namespace test
}  // namespace tunekeeper
