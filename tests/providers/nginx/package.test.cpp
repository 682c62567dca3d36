#include <iterator>

#include "nginx_bench.hpp"
#include "support/nginx_program.hpp"

// Debian's own files of nginx, read from its package; candidates are judged by the real nginx in a temp
// folder.

using namespace tunekeeper;
using test::NginxBench;

namespace fs = std::filesystem;

namespace {

// The package's /etc/nginx, unpacked; without a mirror at hand the files that the installed package brought.
fs::path package_files(const test::TempFolder& folder) {
  const std::string dir = folder.path().string();
  const std::string command =
      "cd " + dir +
      " && apt-get -q download nginx-common >log 2>&1 && dpkg-deb -x nginx-common_*.deb files >>log 2>&1";
  if (std::system(command.c_str()) == 0) return folder.path() / "files/etc/nginx";
  WARN("nginx-common cannot be downloaded: the installed files are read instead");
  return "/etc/nginx";
}

void load(NginxBench& bench, const fs::path& from) {
  for (const auto& entry : fs::recursive_directory_iterator(from)) {
    const std::string path = "/etc/nginx/" + entry.path().lexically_relative(from).string();
    if (entry.is_symlink()) continue;
    if (entry.is_directory()) {
      bench.host.add_directory(path);
    } else {
      std::ifstream file(entry.path(), std::ios::binary);
      bench.host.add_file(path, std::string(std::istreambuf_iterator<char>(file), {}));
    }
  }
  bench.host.add_symlink("/etc/nginx/sites-enabled/default", "/etc/nginx/sites-available/default");
}

// The host's files in a folder of their own, with the paths that nginx -t writes to turned into it.
test::NginxVerdict judge_by_nginx(const NginxBench& bench) {
  const test::TempFolder folder;
  const std::string dir = folder.path().string();
  for (const std::string pattern : {"/etc/nginx/*", "/etc/nginx/*/*"}) {
    for (const std::string& path : bench.host.glob(pattern)) {
      if (!bench.host.read(path).ok()) continue;
      std::string bytes = bench.host.read(path).bytes;
      for (const std::string place : {"/etc/nginx/", "/var/log/nginx/", "/run/"}) {
        for (std::size_t at = 0; (at = bytes.find(place, at)) != std::string::npos; at += dir.size()) {
          bytes.replace(at, place.size(), dir + "/");
        }
      }
      folder.write(path.substr(nginx::config_folder.size()), bytes);
    }
  }
  return test::ask_nginx(folder, "-t", true);
}

}  // namespace

TEST_CASE("nginx: Debian's own configuration is tuned, nginx takes it, a second run does nothing") {
  const test::TempFolder folder;
  NginxBench bench;
  load(bench, package_files(folder));
  const std::string shipped = bench.bytes();
  REQUIRE(judge_by_nginx(bench).accepted);
  const std::vector<Desired> wanted = {NginxBench::wish("worker_processes", "auto"),
                                       NginxBench::wish("worker_rlimit_nofile", "65536"),
                                       NginxBench::wish("events.worker_connections", "8192"),
                                       NginxBench::wish("events.multi_accept", "on"),
                                       NginxBench::wish("http.keepalive_timeout", "75"),
                                       NginxBench::wish("http.sendfile", "on"),
                                       NginxBench::wish("http.open_file_cache", "max=1000 inactive=20s")};
  std::map<std::string, std::vector<std::string>> originals;
  for (const Desired& d : wanted) {
    originals[d.id] = bench.provider->statements(d.id, "/etc/nginx/nginx.conf", shipped);
  }
  bench.apply(wanted);
  const test::NginxVerdict verdict = judge_by_nginx(bench);
  INFO(verdict.words);
  CHECK(verdict.accepted);
  for (const Row& row : bench.rows(wanted)) {
    INFO(row.desired.id << ": " << row.reason);
    CHECK(row.state == State::in_sync);
  }
  CHECK(bench.provider->plan(bench.context(), bench.rows(wanted)).empty());
  CHECK(bench.bytes(std::string(nginx::drop_in)).find("keepalive_timeout 75;") != std::string::npos);

  // Key by key back to the package's bytes.
  std::string bytes = bench.bytes();
  for (const auto& [id, statements] : originals) {
    bytes = splice(bytes, bench.provider->restate(id, "/etc/nginx/nginx.conf", bytes, statements));
  }
  CHECK(bytes == shipped);
}

TEST_CASE("nginx: the real nginx agrees on what it refuses") {
  const auto accepted = [](const std::string& http, const std::string& main = "") {
    const test::TempFolder folder;
    folder.write("nginx.conf", main + "events { }\nhttp { access_log off; " + http + " }\n");
    return test::ask_nginx(folder).accepted;
  };
  CHECK(accepted("sendfile ON; keepalive_timeout 1m15s;"));
  CHECK(accepted("open_file_cache max=1000 inactive=20s;"));
  CHECK(accepted("", "worker_processes 0;"));  // why there is a guard
  CHECK_FALSE(accepted("", "worker_processes AUTO;"));
  CHECK_FALSE(accepted("sendfile yes;"));
  CHECK_FALSE(accepted("sendfile on; sendfile on;"));
  CHECK_FALSE(accepted("keepalive_requests 100k;"));
  CHECK_FALSE(accepted("client_max_body_size 1kb;"));
  CHECK_FALSE(accepted("keepalive_timeout 1.5s;"));
  CHECK_FALSE(accepted("include gone.conf;"));
  CHECK(accepted("include gone/*.conf;"));
}

TEST_CASE(
    "nginx: every known directive that we type is one that nginx takes once with such a value, in that "
    "context") {
  // Asked of nginx itself, so that the table cannot drift from the program: an unknown name there is a
  // module's.
  struct Level {
    std::string before, after;
    std::vector<std::string> path;
  };
  const std::vector<Level> levels = {{"", "events { }\nhttp { access_log off; }\n", {}},
                                     {"events { ", " }\nhttp { access_log off; }\n", {"events"}},
                                     {"events { }\nhttp { access_log off; ", " }\n", {"http"}}};
  const NginxBench bench;
  int asked = 0;
  for (const Level& level : levels) {
    for (const std::string_view name : bench.provider->section().known_keys) {
      std::vector<std::string> path = level.path;
      path.emplace_back(name);
      if (bench.provider->section().key_problem(path) || name == "pid" || name == "daemon") continue;
      const nginx::Level at = nginx::level_of(path);
      const ValueType type = nginx::type_of(at, name);
      if (type == ValueType::words) continue;
      const std::string value = type == ValueType::text_nocase ? "on"
                                : type == ValueType::duration  ? "60s"
                                                               : "64";
      const std::string statement = std::string(name) + " " + value + ";";
      const test::TempFolder folder;
      folder.write("nginx.conf", level.before + statement + level.after);
      const std::string words = test::ask_nginx(folder).words;
      INFO(statement << "\n" << words);
      CHECK(words.find("not allowed here") == std::string::npos);
      CHECK(words.find("invalid value \"on\"") == std::string::npos);
      CHECK(words.find("invalid number of arguments") == std::string::npos);
      if (type == ValueType::duration) CHECK(words.find("directive invalid value") == std::string::npos);
      if (words.find("unknown directive") != std::string::npos) continue;
      ++asked;
      folder.write("nginx.conf", level.before + statement + " " + statement + level.after);
      CHECK_FALSE(test::ask_nginx(folder).accepted);
    }
  }
  CHECK(asked > 80);
}
