#include <chrono>

#include "host/mysql/memory_server.hpp"
#include "host/mysql/real_server.hpp"
#include "host/mysql/server_conn.hpp"
#include "support/catch.hpp"
#include "support/dumb_listener.hpp"
#include "support/temp_dir.hpp"

namespace tunekeeper {

namespace {

using Status = ServerVariables::Status;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

template <typename Work>
double seconds(Work work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

TEST_CASE("server: no socket, a stale one, and none named are a server that does not run") {
  const test::TempDir folder;
  CHECK(make_server_connector({folder.inside("/absent"), ""})->variables().status == Status::not_running);
  CHECK(make_server_connector({"", ""})->variables().status == Status::not_running);
  { const test::DumbListener gone(folder.inside("/stale")); }
  const auto stale = make_server_connector({folder.inside("/stale"), ""});
  INFO(stale->variables().reason);
  CHECK(stale->variables().status == Status::not_running);
  CHECK(contains(stale->variables().reason, "/stale"));
  CHECK(stale->role().empty());
  folder.write("/file", "no socket at all");
  CHECK(make_server_connector({folder.inside("/file"), ""})->variables().status == Status::not_running);
}

TEST_CASE("server: one that accepts and never answers is given up after 3 s") {
  const test::TempDir folder;
  const test::DumbListener listener(folder.inside("/s"));
  folder.write("/client.cnf", "[client]\nuser=root\npassword=Secret\n");
  const auto server = make_server_connector({folder.inside("/s"), folder.inside("/client.cnf")});
  const double took = seconds([&] { CHECK(server->variables().status == Status::denied); });
  CHECK(took > 2.5);
  CHECK(took < 4.5);
  CHECK_FALSE(server->variables().reason.empty());
  CHECK(server->role().empty());
}

TEST_CASE("server: an answer that is no server's is unknown, not a crash") {
  const test::TempDir folder;
  const test::DumbListener listener(folder.inside("/s"));
  const pid_t child = fork();
  if (child == 0) {
    const int client = accept(listener.fd(), nullptr, nullptr);
    const std::string garbage = "HTTP/1.1 400 Bad Request\r\n\r\n";
    _exit(write(client, garbage.data(), garbage.size()) > 0 ? 0 : 1);
  }
  const auto server = make_server_connector({folder.inside("/s"), ""});
  CHECK(server->variables().status == Status::denied);
  waitpid(child, nullptr, 0);
}

TEST_CASE("server: a real one answers its variables and its role, to whom it may") {
  setenv("MYSQL_UNIX_PORT", "/nonexistent", 1);
  setenv("MYSQL_PWD", "wrong", 1);
  const test::TempDir home;
  home.write("/.my.cnf", "[client]\nuser=nobody\nsocket=/nonexistent\npassword=wrong\n");
  setenv("HOME", home.path().c_str(), 1);
  const test::RealServer real({"--max-connections=123", "--wait-timeout=600"});

  SECTION("the calling user over the socket") {
    const auto server = make_server_connector({real.socket(), ""});
    const ServerVariables& found = server->variables();
    INFO(found.reason);
    REQUIRE(found.status == Status::answered);
    CHECK(found.variables.at("max_connections") == "123");
    CHECK(found.variables.at("wait_timeout") == "600");
    CHECK(found.variables.at("innodb_buffer_pool_size") == "16777216");
    CHECK(found.variables.size() > 500);
    CHECK(server->role() == "primary");
    CHECK(&server->variables() == &found);
  }

  SECTION("one that has a source, named or not, is a replica") {
    real.sql("CHANGE MASTER 'named' TO MASTER_HOST='127.0.0.1'");
    CHECK(make_server_connector({real.socket(), ""})->role() == "replica");
    real.sql("RESET REPLICA 'named' ALL; CHANGE MASTER TO MASTER_HOST='127.0.0.1'");
    CHECK(make_server_connector({real.socket(), ""})->role() == "replica");
  }

  SECTION("a refused caller is told without a secret; the option file's [client] is let in") {
    real.sql("ALTER USER root@localhost IDENTIFIED BY 'S3cret#x'");
    CHECK(make_server_connector({real.socket(), ""})->variables().status == Status::denied);
    home.write("/client.cnf", "[mysqld]\nuser=x\n[client]\nuser=root\npassword=\"S3cret#x\"\n");
    const auto server = make_server_connector({real.socket(), home.inside("/client.cnf")});
    INFO(server->variables().reason);
    CHECK(server->variables().status == Status::answered);
    home.write("/socket.cnf", "[client]\nuser=root\npassword=\"S3cret#x\"\nsocket=" + real.socket() + "\n");
    CHECK(make_server_connector({"", home.inside("/socket.cnf")})->variables().status == Status::answered);
    CHECK(make_server_connector({"", home.inside("/client.cnf")})->variables().status == Status::not_running);
    home.write("/wrong.cnf", "[client]\nuser=root\npassword=Wr0ng\n");
    const auto wrong = make_server_connector({real.socket(), home.inside("/wrong.cnf")});
    CHECK(wrong->variables().status == Status::denied);
    CHECK(contains(wrong->variables().reason, "1045"));
    CHECK_FALSE(contains(wrong->variables().reason, "Wr0ng"));
    CHECK(contains(make_server_connector({real.socket(), home.inside("/absent.cnf")})->variables().reason,
                   "/absent.cnf"));
  }

  SECTION("one that hangs is given up") {
    real.freeze();
    const auto server = make_server_connector({real.socket(), ""});
    CHECK(seconds([&] { CHECK(server->variables().status == Status::denied); }) < 4.5);
  }
  for (const char* name : {"MYSQL_UNIX_PORT", "MYSQL_PWD"}) unsetenv(name);
}

TEST_CASE("server: a member of a cluster is galera") {
  const test::RealServer real(
      {"--wsrep-on=ON", "--binlog-format=ROW", "--wsrep-provider=none", "--wsrep-cluster-address=gcomm://"});
  CHECK(make_server_connector({real.socket(), ""})->role() == "galera");
}

TEST_CASE("server: the twin answers what was staged") {
  MemoryServer server({{"max_connections", "151"}}, "replica");
  server.set("wait_timeout", "600");
  CHECK(server.variables().status == Status::answered);
  CHECK(server.variables().variables.at("wait_timeout") == "600");
  CHECK(server.role() == "replica");
  CHECK(MemoryServer().variables().status == Status::not_running);
  CHECK(MemoryServer::refusing("access denied").variables().reason == "access denied");
}

}  // namespace tunekeeper
