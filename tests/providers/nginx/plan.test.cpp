#include "nginx_bench.hpp"
#include "support/nginx_program.hpp"

using namespace tunekeeper;
using test::NginxBench;

namespace {

const std::string drop_in = std::string(nginx::drop_in);
const std::string header = std::string(nginx::header);

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("nginx: main and events directives are edited where they stand, or added in the file's style") {
  NginxBench bench;
  bench.config("worker_processes 2;  # two\n\nevents {\n\tuse epoll;\n}\n");
  bench.apply(
      {NginxBench::wish("worker_processes", "auto"), NginxBench::wish("worker_rlimit_nofile", "65536"),
       NginxBench::wish("events.worker_connections", "8192"), NginxBench::wish("events.use", "poll")});
  CHECK(bench.bytes() ==
        "worker_processes auto;  # two\nworker_rlimit_nofile 65536;\n\n"
        "events {\n\tuse poll;\n\tworker_connections 8192;\n}\n");
}

TEST_CASE("nginx: a directive in an included file is edited there, nothing else is touched") {
  NginxBench bench;
  const std::string main = "include m.conf;\nevents { }\nhttp { include conf.d/*.conf; }\n";
  bench.config(main);
  bench.host.add_file("/etc/nginx/m.conf", "worker_processes 1;");
  bench.host.add_file("/etc/nginx/conf.d/a.conf", "keepalive_timeout 65 60;\r\n");
  bench.apply({NginxBench::wish("worker_processes", "4"), NginxBench::wish("http.keepalive_timeout", "75")});
  CHECK(bench.bytes("/etc/nginx/m.conf") == "worker_processes 4;");
  CHECK(bench.bytes("/etc/nginx/conf.d/a.conf") == "keepalive_timeout 75;\r\n");
  CHECK(bench.bytes() == main);
  CHECK_FALSE(bench.host.exists(drop_in));
}

TEST_CASE(
    "nginx: a new http directive goes into our drop-in where http includes it, and a second run does "
    "nothing") {
  NginxBench bench;
  bench.config("events { }\nhttp {\n    sendfile on;\n    include /etc/nginx/conf.d/*.conf;\n}\n");
  bench.host.add_directory("/etc/nginx/conf.d");
  const std::vector<Desired> wanted = {NginxBench::wish("http.open_file_cache", "max=1000 inactive=20s"),
                                       NginxBench::wish("http.tcp_nopush", "on")};
  bench.apply(wanted);
  CHECK(bench.bytes(drop_in) == header + "open_file_cache max=1000 inactive=20s;\ntcp_nopush on;\n");
  for (const Row& row : bench.rows(wanted)) CHECK(row.state == State::in_sync);
  CHECK(bench.provider->plan(bench.context(), bench.rows(wanted)).empty());
  bench.apply({NginxBench::wish("http.gzip", "on"), NginxBench::wish("http.tcp_nopush", std::nullopt)});
  CHECK(bench.bytes(drop_in) == header + "open_file_cache max=1000 inactive=20s;\ngzip on;\n");
  bench.apply(
      {NginxBench::wish("http.gzip", std::nullopt), NginxBench::wish("http.open_file_cache", std::nullopt)});
  CHECK_FALSE(bench.host.exists(drop_in));
}

TEST_CASE(
    "nginx: where http does not include conf.d, or it is not there, the http block itself gets the "
    "directive") {
  NginxBench bench;
  for (const std::string include : {"", "    include /etc/nginx/conf.d/*.conf;\n"}) {
    const std::string before = "events { }\nhttp {\n    sendfile on;\n" + include;
    bench.config(before + "    server { include /etc/nginx/conf.d/*.conf; }\n}\n");
    bench.apply({NginxBench::wish("http.gzip", "on")});
    CHECK(bench.bytes() == before + "    gzip on;\n    server { include /etc/nginx/conf.d/*.conf; }\n}\n");
  }
}

TEST_CASE("nginx: what must be absent is removed at its level only") {
  NginxBench bench;
  bench.config("events { }\nhttp {\n  gzip on;\n  server {\n    gzip off;\n  }\n}\n");
  bench.apply({NginxBench::wish("http.gzip", std::nullopt), NginxBench::wish("http.etag", std::nullopt)});
  CHECK(bench.bytes() == "events { }\nhttp {\n  server {\n    gzip off;\n  }\n}\n");
}

TEST_CASE("nginx: removals and additions side by side do not collide") {
  NginxBench bench;
  bench.config("user a; worker_processes 1; events { }");
  bench.apply({NginxBench::wish("user", std::nullopt), NginxBench::wish("worker_processes", std::nullopt),
               NginxBench::wish("worker_rlimit_nofile", "9")});
  auto parsed = NginxConf::parse(bench.bytes());
  REQUIRE(std::holds_alternative<NginxConf>(parsed));
  CHECK(std::get<NginxConf>(parsed).size() == 2);
  CHECK(bench.row(NginxBench::wish("worker_rlimit_nofile", "9")).state == State::in_sync);
  bench.config("events { }\nuser a;\nworker_processes 1;");
  bench.apply({NginxBench::wish("user", std::nullopt), NginxBench::wish("worker_processes", std::nullopt)});
  CHECK(bench.bytes() == "events { }\n");
}

TEST_CASE("nginx: a change is checked, and reloaded where nginx runs, never on another root") {
  NginxBench bench;
  const std::string before = "worker_processes 2; events { }\n";
  const std::vector<Desired> wanted = {NginxBench::wish("worker_processes", "1")};
  bench.config(before);
  CHECK(bench.apply(wanted).size() == 1);
  bench.config(before);
  bench.run_nginx({101}, 500);
  const auto actions = bench.provider->plan(bench.context(), bench.rows(wanted));
  REQUIRE(actions.size() == 3);
  CHECK(std::get<CheckFiles>(actions[1].deed).argv == Words{"nginx", "-t"});
  const auto& job = std::get<ServiceJob>(actions[2].deed);
  CHECK(job.kind == ServiceJob::Kind::reload);
  CHECK(job.unit == "nginx.service");
  CHECK(job.by_hand == Words{"nginx", "-s", "reload"});
  CHECK(actions[2].settings == Words{"nginx:worker_processes"});
  bench.host.set_other_root(true);  // no reload; that the check is not run there is the engine's to tell
  REQUIRE(bench.apply(wanted).size() == 1);
  CHECK(bench.bytes() == "worker_processes 1; events { }\n");
}

TEST_CASE(
    "nginx: a pending row is reloaded without a write, a younger owner that is still wrong is left alone") {
  NginxBench bench;
  bench.config("worker_processes 2; events { }\n");
  bench.run_nginx({101}, 500);
  bench.host.set_mtime("/etc/nginx/nginx.conf", 1000600LL * 1'000'000'000);
  CHECK(bench.apply({NginxBench::wish("worker_processes", "2")}).size() == 2);
  bench.host.set_mtime("/etc/nginx/nginx.conf", 1000400LL * 1'000'000'000);
  CHECK(bench.apply({NginxBench::wish("worker_processes", "2")}).empty());
  CHECK(bench.host.write_count() == 0);
}

TEST_CASE("nginx: after a rollback of its files nginx is checked and reloaded, after others' not") {
  NginxBench bench;
  bench.config("worker_processes 2; include /opt/x.conf; events { }\n");
  bench.host.add_file("/opt/x.conf", "");
  bench.run_nginx({101}, 500);
  CHECK(bench.provider->after_files(bench.context(), Words{"/etc/nginx/conf.d/gone.conf"}).size() == 2);
  CHECK(bench.provider->after_files(bench.context(), Words{"/opt/x.conf"}).size() == 2);
  CHECK(bench.provider->after_files(bench.context(), Words{"/etc/mysql/my.cnf"}).empty());
  bench.config("broken");
  CHECK(bench.provider->after_files(bench.context(), Words{"/etc/nginx/nginx.conf"}).size() == 2);
  bench.host.set_other_root(true);
  CHECK(bench.provider->after_files(bench.context(), Words{"/etc/nginx/nginx.conf"}).size() == 1);
}

TEST_CASE("nginx: worker_processes 0 is refused without force") {
  NginxBench bench;
  bench.config("worker_processes 2; events { }\n");
  const auto guarded = [&](const std::string& key, const std::string& value) {
    return !bench.provider->guard(bench.context(), bench.row(NginxBench::wish(key, value))).empty();
  };
  CHECK(guarded("worker_processes", "0"));
  CHECK(guarded("worker_processes", "00"));
  CHECK_FALSE(guarded("worker_processes", "1"));
  CHECK_FALSE(guarded("worker_processes", "auto"));
  CHECK_FALSE(guarded("worker_rlimit_nofile", "0"));
}

TEST_CASE("nginx: statements and restate are inverse, byte for byte, in every kind of file") {
  const NginxBench bench;
  struct Case {
    std::string id, path, bytes;
  };
  const std::vector<Case> cases = {
      {"nginx:worker_processes", "/etc/nginx/nginx.conf", "user a;\nevents { }\n"},
      {"nginx:worker_processes", "/etc/nginx/nginx.conf", "worker_processes\t'4' ; # x\nevents { }\n"},
      {"nginx:events.use", "/etc/nginx/nginx.conf", "events { }\nhttp { }\n"},
      {"nginx:http.gzip", "/etc/nginx/nginx.conf",
       "events { }\nhttp {\n  gzip on;\n  server { gzip off; }\n}\n"},
      {"nginx:http.gzip", "/etc/nginx/conf.d/a.conf", "server { gzip off; }\n"},
      {"nginx:http.gzip", drop_in, ""},
      {"nginx:http.gzip", drop_in, header + "gzip on;\n"}};
  for (const Case& c : cases) {
    INFO(c.id << " " << c.path << "\n" << c.bytes);
    const Words original = bench.provider->statements(c.id, c.path, c.bytes);
    for (const Words& wanted : {Words{}, Words{"gzip  x;"}, Words{"gzip a;", "gzip \"b;\";"}}) {
      Words named = wanted;
      for (std::string& s : named)
        s.replace(0, 4, c.id.substr(c.id.find_first_of(".") == std::string::npos ? 6 : c.id.find('.') + 1));
      const std::string changed = splice(c.bytes, bench.provider->restate(c.id, c.path, c.bytes, named));
      CHECK(bench.provider->statements(c.id, c.path, changed) == named);
      const std::string back = splice(changed, bench.provider->restate(c.id, c.path, changed, original));
      CHECK(bench.provider->statements(c.id, c.path, back) == original);
      if (named.size() >= original.size() && !c.bytes.empty()) CHECK(back == c.bytes);
      if (c.bytes.empty()) CHECK(bench.provider->is_spent(c.path, back));
    }
  }
}

TEST_CASE("nginx: a file that does not parse is never edited") {
  const NginxBench bench;
  CHECK_THROWS_AS(bench.provider->restate("nginx:user", "/etc/nginx/nginx.conf", "user {", {"user a;"}),
                  Error);
}

TEST_CASE("nginx: only our own drop-in is ever spent") {
  const NginxBench bench;
  CHECK(bench.provider->is_spent(drop_in, header + "\n"));
  CHECK_FALSE(bench.provider->is_spent(drop_in, header + "# a note\n"));
  CHECK_FALSE(bench.provider->is_spent("/etc/nginx/conf.d/a.conf", header));
}

TEST_CASE("nginx: a file that does not parse states nothing, and restating it is refused with the place") {
  NginxBench bench;
  const std::string path = "/etc/nginx/nginx.conf", bytes = "worker_processes 1;\nevents {\n";
  CHECK(bench.provider->statements("nginx:worker_processes", path, bytes).empty());
  try {
    bench.provider->restate("nginx:worker_processes", path, bytes, {"worker_processes 2;"});
    FAIL("restated");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find(path + ":") == 0);
  }
}

TEST_CASE("nginx: a masked drop-in of ours is told before anything is written") {
  NginxBench bench;
  bench.config("events {}\nhttp {\n  include /etc/nginx/conf.d/*.conf;\n}\n");
  bench.host.add_symlink("/etc/nginx/conf.d/zz-tunekeeper.conf", "/dev/null");
  bench.host.add_file("/dev/null", "");
  const std::vector<Desired> wanted{NginxBench::wish("http.keepalive_timeout", "75")};
  const auto seen = bench.provider->observe(bench.context(), wanted).front();
  CHECK(seen.unwritable.find("/etc/nginx/conf.d/zz-tunekeeper.conf is masked by a link to /dev/null") == 0);
}
