#include <cerrno>

#include "nginx_bench.hpp"

using namespace tunekeeper;
using test::NginxBench;

namespace {

const std::string plain =
    "worker_processes 2;\nevents {\n  worker_connections 64;\n}\nhttp {\n  sendfile on;\n}\n";

std::string failure(NginxBench& bench, const std::string& key = "worker_processes",
                    const std::string& value = "2") {
  const Row row = bench.row(NginxBench::wish(key, value));
  CHECK(row.state == State::failed);
  return row.reason;
}

State state_of(const std::string& statement, const std::string& key, const std::string& value,
               Want want = Want::equals) {
  NginxBench bench;
  bench.config("events { }\nhttp { " + statement + " }\n");
  return bench.row(NginxBench::wish("http." + key, value, want)).state;
}

}  // namespace

TEST_CASE("nginx: the file and line that decide are named, at every level") {
  NginxBench bench;
  bench.config(plain);
  const auto rows = bench.rows(
      {NginxBench::wish("worker_processes", "2"), NginxBench::wish("events.worker_connections", "128"),
       NginxBench::wish("http.sendfile", "on"), NginxBench::wish("http.gzip", "on")});
  CHECK(rows[0].state == State::in_sync);
  CHECK(rows[0].seen.decided_by == "etc/nginx/nginx.conf:1");
  CHECK(rows[1].state == State::differs);
  CHECK(rows[1].seen.persisted == Plane::of("64"));
  CHECK(rows[1].seen.decided_by == "etc/nginx/nginx.conf:3");
  CHECK(to_string(rows[1].seen.takes_effect) == "reload nginx");
  CHECK(rows[2].state == State::in_sync);
  CHECK(rows[3].seen.persisted == Plane::absent());
  CHECK(rows[3].seen.decided_by.empty());
}

TEST_CASE("nginx: without nginx.conf every setting is unsupported") {
  NginxBench bench;
  const Row row = bench.row(NginxBench::wish("worker_processes", "2"));
  CHECK(row.state == State::unsupported);
  CHECK(row.reason == "nginx is not installed (no /etc/nginx/nginx.conf)");
}

TEST_CASE("nginx: includes are relative to /etc/nginx, globs skip dotfiles, and what they bring counts") {
  NginxBench bench;
  bench.config(
      "include main.d/*;\nevents { include ev.conf; }\nhttp { include /etc/nginx/conf.d/*.conf; }\n");
  bench.host.add_file("/etc/nginx/main.d/a~", "worker_processes 3;\n");
  bench.host.add_file("/etc/nginx/main.d/.hidden", "worker_processes 4;\n");
  bench.host.add_file("/etc/nginx/ev.conf", "multi_accept on;\n");
  bench.host.add_file("/etc/nginx/conf.d/x.conf", "\nkeepalive_timeout 65;\n");
  bench.host.add_file("/etc/nginx/conf.d/y.bak", "keepalive_timeout 1;\n");
  const auto rows =
      bench.rows({NginxBench::wish("worker_processes", "3"), NginxBench::wish("events.multi_accept", "on"),
                  NginxBench::wish("http.keepalive_timeout", "65s")});
  CHECK(rows[0].seen.decided_by == "etc/nginx/main.d/a~:1");
  CHECK(rows[1].seen.decided_by == "etc/nginx/ev.conf:1");
  CHECK(rows[2].seen.decided_by == "etc/nginx/conf.d/x.conf:2");
  for (const Row& row : rows) CHECK(row.state == State::in_sync);
}

TEST_CASE("nginx: what nginx would refuse makes every setting failed, with file, line and column") {
  NginxBench bench;
  bench.config("events { }\n  oops\n");
  CHECK(failure(bench) ==
        "/etc/nginx/nginx.conf:2:3: the file ends within a directive, a \";\" or \"{\" is missing");
  CHECK(
      bench.provider->plan(bench.context(), bench.rows({NginxBench::wish("worker_processes", "2")})).empty());
  bench.config("events { }\nhttp {\n  include gone.conf;\n}\n");
  CHECK(failure(bench) ==
        "/etc/nginx/nginx.conf:3:3: cannot read /etc/nginx/gone.conf: No such file or directory");
  bench.config("include loop.conf;\n");
  bench.host.add_file("/etc/nginx/loop.conf", "include loop.conf;\n");
  CHECK(failure(bench) == "/etc/nginx/loop.conf:1:1: /etc/nginx/loop.conf includes itself");
  bench.host.add_file("/etc/nginx/loop.conf", "include nginx.conf;\n");
  CHECK(failure(bench) == "/etc/nginx/loop.conf:1:1: /etc/nginx/nginx.conf includes itself");
  bench.host.add_file("/etc/nginx/loop.conf", "x {\n");
  CHECK(failure(bench) == "/etc/nginx/loop.conf:1:3: this block is not closed, a \"}\" is missing");
  bench.config("events { }\nevents { }\n");
  CHECK(failure(bench) ==
        "/etc/nginx/nginx.conf:2:1: \"events\" stands here and at /etc/nginx/nginx.conf:1:1; nginx refuses a "
        "second one");
  bench.config(plain);
  bench.host.deny_read("/etc/nginx/nginx.conf", EACCES);
  CHECK(failure(bench) == "cannot read /etc/nginx/nginx.conf: Permission denied");
}

TEST_CASE("N4: a directive that stands twice in one block is failed, naming both lines") {
  NginxBench bench;
  bench.config(
      "worker_rlimit_nofile 1;\nevents { }\nworker_rlimit_nofile 2;\nhttp { include a.conf; include a.conf; "
      "}\n");
  bench.host.add_file("/etc/nginx/a.conf", "gzip on;\n");
  CHECK(failure(bench, "worker_rlimit_nofile") ==
        "\"worker_rlimit_nofile\" stands at etc/nginx/nginx.conf:1 and at etc/nginx/nginx.conf:3; nginx "
        "refuses a second one");
  CHECK(failure(bench, "http.gzip", "on") ==
        "\"gzip\" stands at etc/nginx/a.conf:1 and at etc/nginx/a.conf:1; nginx refuses a second one");
}

TEST_CASE("nginx: a missing block is told") {
  NginxBench bench;
  bench.config("worker_processes 1;\n");
  CHECK(failure(bench, "events.multi_accept", "on") == "/etc/nginx/nginx.conf has no events block");
  CHECK(failure(bench, "http.gzip", "on") == "/etc/nginx/nginx.conf has no http block");
}

TEST_CASE("nginx: values compare as nginx understands them") {
  CHECK(state_of("keepalive_timeout 75;", "keepalive_timeout", "1m15s") == State::in_sync);
  CHECK(state_of("keepalive_timeout 75;", "keepalive_timeout", "75ms") == State::differs);
  CHECK(state_of("keepalive_timeout 75 60;", "keepalive_timeout", "75  60") == State::in_sync);
  CHECK(state_of("client_max_body_size 1m;", "client_max_body_size", "1024k") == State::in_sync);
  CHECK(state_of("client_max_body_size 2m;", "client_max_body_size", "1m", Want::at_least) == State::in_sync);
  CHECK(state_of("keepalive_requests 0100;", "keepalive_requests", "100") == State::in_sync);
  CHECK(state_of("sendfile ON;", "sendfile", "on") == State::in_sync);
  CHECK(state_of("sendfile off;", "sendfile", "on") == State::differs);
  CHECK(state_of("open_file_cache max=1000\n  inactive=20s;", "open_file_cache", "max=1000 inactive=20s") ==
        State::in_sync);
  CHECK(state_of("default_type 'a b';", "default_type", "\"a b\"") == State::in_sync);
  CHECK(state_of("brotli_window 512k;", "brotli_window", "512K") == State::differs);
}

TEST_CASE("nginx: a value that nginx would refuse is failed before anything is written") {
  CHECK(state_of("", "sendfile", "yes") == State::failed);
  CHECK(state_of("", "keepalive_requests", "100k") == State::failed);
  CHECK(state_of("", "client_max_body_size", "1kb") == State::failed);
  CHECK(state_of("", "keepalive_timeout", "1.5s") == State::failed);
  CHECK(state_of("", "keepalive_timeout", "75 60") == State::differs);
  NginxBench bench;
  bench.config(plain);
  CHECK(failure(bench, "worker_processes", "AUTO") == "nginx takes a plain number here, not \"AUTO\"");
}

TEST_CASE("nginx: a server or location that has its own value is told, types and maps are not settings") {
  NginxBench bench;
  bench.config(
      "events { }\nhttp {\n gzip on;\n types { gzip off; }\n server {\n gzip off;\n location / { gzip off; "
      "}\n }\n}\n");
  const Row row = bench.row(NginxBench::wish("http.gzip", "on"));
  CHECK(row.state == State::in_sync);
  CHECK(row.seen.note ==
        "servers or locations have their own: etc/nginx/nginx.conf:6, etc/nginx/nginx.conf:7");
}

TEST_CASE("nginx: workers are counted among the master's children, those that shut down are not") {
  NginxBench bench;
  bench.config(plain);
  bench.run_nginx({101, 102}, 500);
  bench.worker(103, 400, "1024", "nginx: worker process is shutting down");
  bench.worker(104, 400, "1024", "nginx: cache manager process");
  bench.host.add_file("/proc/100/task/100/children", "101 102 103 104");
  const Row row = bench.row(NginxBench::wish("worker_processes", "2"));
  CHECK(row.seen.live == Plane::of("2"));
  CHECK(row.state == State::in_sync);
}

TEST_CASE("nginx: without a list of children every process is asked for its parent") {
  NginxBench bench;
  bench.config(plain);
  bench.run_nginx({101, 102}, 500);
  bench.host.remove("/proc/100/task/100/children");
  CHECK(bench.row(NginxBench::wish("worker_processes", "2")).seen.live == Plane::of("2"));
}

TEST_CASE("nginx: auto is one worker a CPU") {
  NginxBench bench;
  bench.config("worker_processes auto; events { }\n");
  bench.run_nginx({101, 102, 103, 104}, 500);
  const Row row = bench.row(NginxBench::wish("worker_processes", "auto"));
  CHECK(row.state == State::in_sync);
  CHECK(row.seen.note == "auto is one worker a CPU, here 4");
}

TEST_CASE("nginx: live worker_rlimit_nofile is a worker's own limit") {
  NginxBench bench;
  bench.config("worker_rlimit_nofile 65536; events { }\n");
  bench.run_nginx({101}, 500, "65536");
  CHECK(bench.row(NginxBench::wish("worker_rlimit_nofile", "65536")).seen.live == Plane::of("65536"));
}

TEST_CASE("nginx: a wrong live value of older workers is pending, of younger ones differs") {
  NginxBench bench;
  bench.config(plain);
  bench.run_nginx({101}, 500);
  const std::int64_t second = 1'000'000'000;
  bench.host.set_mtime("/etc/nginx/nginx.conf", 1000600 * second);
  CHECK(bench.row(NginxBench::wish("worker_processes", "2")).state == State::pending);
  bench.host.set_mtime("/etc/nginx/nginx.conf", 1000500 * second);  // boot is known to a second only
  CHECK(bench.row(NginxBench::wish("worker_processes", "2")).state == State::differs);
}

TEST_CASE(
    "nginx: what nginx does not tell is not applicable, and a file younger than the workers awaits a "
    "reload") {
  NginxBench bench;
  bench.config(plain);
  bench.run_nginx({101, 102}, 500);
  bench.host.set_mtime("/etc/nginx/nginx.conf", 1000600LL * 1'000'000'000);
  const Row row = bench.row(NginxBench::wish("http.sendfile", "on"));
  CHECK(row.seen.live == Plane::not_applicable("nginx does not tell it"));
  CHECK(row.state == State::pending);
  CHECK(row.reason == "the file changed after nginx's workers started");
  const auto plan = bench.provider->plan(bench.context(), std::vector<Row>{row});
  REQUIRE(plan.size() == 2);
  CHECK(std::holds_alternative<CheckFiles>(plan[0].deed));
  CHECK(std::get<ServiceJob>(plan[1].deed).kind == ServiceJob::Kind::reload);
}

TEST_CASE("nginx: no master, another program's pid and another root have no live plane") {
  NginxBench bench;
  bench.config("pid /run/my.pid; worker_processes 2; events { }\n");
  bench.run_nginx({101}, 500);
  CHECK(bench.row(NginxBench::wish("worker_processes", "2")).seen.live ==
        Plane::not_applicable("nginx not running"));
  bench.host.add_file("/run/my.pid", "101\n");
  CHECK(bench.row(NginxBench::wish("worker_processes", "2")).seen.live ==
        Plane::not_applicable("nginx not running"));
  bench.host.add_file("/run/my.pid", "100\n");
  CHECK(bench.row(NginxBench::wish("worker_processes", "2")).seen.live == Plane::of("1"));
  bench.host.set_other_root(true);
  CHECK(bench.row(NginxBench::wish("worker_processes", "2")).seen.live ==
        Plane::not_applicable("another root"));
}

TEST_CASE("nginx: a pid file that cannot be read never looks green") {
  NginxBench bench;
  bench.config(plain);
  bench.host.add_file("/run/nginx.pid", "100\n");
  bench.host.deny_read("/run/nginx.pid", EACCES);
  CHECK(failure(bench) == "cannot read /run/nginx.pid: Permission denied");
}

TEST_CASE("nginx: a profile's keys are directives that stand once, with the level told") {
  const NginxBench bench;
  const auto problem = [&](std::vector<std::string> path) {
    return bench.provider->section().key_problem(path).value_or("");
  };
  CHECK(problem({"worker_processes"}).empty());
  CHECK(problem({"http", "keepalive_timeout"}).empty());
  CHECK(problem({"http", "brotli_comp_level"}).empty());
  CHECK(problem({"worker_proceses"}) == "no directive of nginx's main context");
  CHECK(problem({"keepalive_timeout"}) == "no directive of nginx's main context, but of its http context");
  CHECK(problem({"http", "keepalive_timeot"}) == "no directive of nginx's http context");
  CHECK(problem({"http", "server"}) == "this directive is a block, not a setting");
  CHECK_FALSE(problem({"http", "add_header"}).empty());
  CHECK_FALSE(problem({"events"}).empty());
  CHECK_FALSE(problem({"stream", "x"}).empty());
  CHECK_FALSE(problem({"http", "a;b"}).empty());
}
