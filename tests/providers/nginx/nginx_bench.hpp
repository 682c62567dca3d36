#pragma once

#include "core/judge.hpp"
#include "host/memory_host.hpp"
#include "providers/nginx/config.hpp"
#include "providers/nginx/edits.hpp"
#include "providers/provider.hpp"
#include "support/catch.hpp"
#include "support/facts.hpp"

namespace tunekeeper {
std::unique_ptr<Provider> make_nginx_provider();
}

namespace tunekeeper::test {

/// A host in memory with an nginx on it, and the provider that looks at it.
struct NginxBench {
  MemoryHost host;
  StatedFacts facts;
  std::unique_ptr<Provider> provider = make_nginx_provider();

  Context context() const { return {host, facts}; }

  void config(std::string bytes) { host.add_file("/etc/nginx/nginx.conf", std::move(bytes)); }

  /// A master with these workers, started at `started` seconds after boot; boot was at 1,000,000 s of the
  /// epoch.
  void run_nginx(const std::vector<int>& workers, int started, const std::string& open_files = "1024") {
    host.add_file("/run/nginx.pid", "100\n");
    host.add_file("/proc/100/cmdline",
                  std::string("nginx: master process /usr/sbin/nginx -g daemon on;\0", 52));
    host.add_file("/proc/stat", "cpu  1 2 3\nbtime 1000000\nprocesses 5\n");
    host.add_file("/sys/devices/system/cpu/online", "0-2,4\n");
    std::string children;
    for (const int pid : workers) {
      children += std::to_string(pid) + " ";
      worker(pid, started, open_files);
    }
    host.add_file("/proc/100/task/100/children", children);
  }

  void worker(int pid, int started, const std::string& open_files,
              const std::string& name = "nginx: worker process") {
    const std::string folder = "/proc/" + std::to_string(pid);
    host.add_file(folder + "/cmdline", name + std::string(9, '\0'));
    host.add_file(folder + "/stat", std::to_string(pid) +
                                        " (ngi) nx) S 100 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 " +
                                        std::to_string(started * 100) + " 20 21\n");
    host.add_file(folder + "/limits",
                  "Limit                     Soft Limit           Hard Limit           Units\n"
                  "Max processes             7823                 7823                 processes\n"
                  "Max open files            " +
                      open_files + "   524288   files\n");
  }

  static Desired wish(const std::string& key, std::optional<std::string> value, Want want = Want::equals) {
    Desired desired;
    desired.id = "nginx:" + key;
    const std::size_t dot = key.find('.');
    desired.path = dot == std::string::npos
                       ? std::vector<std::string>{key}
                       : std::vector<std::string>{key.substr(0, dot), key.substr(dot + 1)};
    desired.want = value ? want : Want::absent;
    if (value) desired.value = Value::of(*value);
    return desired;
  }

  std::vector<Row> rows(const std::vector<Desired>& wanted) const {
    const std::vector<Observation> seen = provider->observe(context(), wanted);
    std::vector<Row> rows;
    for (std::size_t i = 0; i < wanted.size(); ++i) rows.push_back(judge(wanted[i], seen[i]));
    return rows;
  }
  Row row(const Desired& wanted) const { return rows({wanted})[0]; }

  /// Does what the engine would do with the files; the other actions in words.
  std::vector<std::string> apply(const std::vector<Desired>& wanted) {
    std::vector<std::string> others;
    for (const Action& action : provider->plan(context(), rows(wanted))) {
      if (const auto* edit = std::get_if<EditFile>(&action.deed)) {
        edit_file(*edit);
      } else {
        others.push_back(describe(action));
      }
    }
    return others;
  }

  void edit_file(const EditFile& edit) {
    if (edit.remove) {
      host.remove(edit.path);
    } else {
      const ReadResult before = host.read(edit.path);
      host.add_file(edit.path, splice(before.bytes, edit.splices));
    }
  }

  std::string bytes(const std::string& path = "/etc/nginx/nginx.conf") const { return host.bytes(path); }
};

}  // namespace tunekeeper::test
