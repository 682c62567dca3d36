// The editors on large files, and Augeas on the same bytes in the same run: formats [--short]
//   each row: parse, one edit, print, in memory; the median processor time of several runs
//   slope: of the logarithms of time over size, from the smallest to the largest file; 1 is linear
// Augeas runs in a child process, which is ended after a limit.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef TUNEKEEPER_AUGEAS
#include <augeas.h>
#endif

#include "formats/mycnf_edit.hpp"
#include "formats/nginx_conf.hpp"
#include "formats/sysctl_d.hpp"

using namespace tunekeeper;

namespace {

/// Processor time of this thread, so that other work on the machine is not counted.
double now() {
  timespec at = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
  return static_cast<double>(at.tv_sec) + static_cast<double>(at.tv_nsec) * 1e-9;
}

using Work =
    std::function<std::size_t()>;  ///< the number of bytes printed, so that nothing is optimised away

double seconds_of(const Work& work) {
  const double begun = now();
  if (work() == 0) throw std::runtime_error("nothing was printed");
  return now() - begun;
}

double median_seconds(const Work& work, double budget) {
  std::vector<double> times;
  double total = 0;
  while (times.size() < 5 || (total < budget && times.size() < 2000)) {
    times.push_back(seconds_of(work));
    total += times.back();
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

std::string nginx_conf(std::size_t directives) {
  std::string text =
      "user www-data;\nworker_processes auto;\nevents {\n    worker_connections 768;\n}\nhttp {\n";
  for (std::size_t i = 5; i < directives; i += 8) {
    text += fmt::format(
        "    server {{\n        listen 127.0.0.1:{};\n        server_name host{}.example.org;  # a site\n"
        "        root /srv/www/host{};\n        access_log /var/log/nginx/host{}.log combined;\n"
        "        location ~ \"^/static/.{{2}}\" {{\n            expires 30d;\n"
        "            add_header X-Site \"host {}\" always;\n        }}\n    }}\n",
        1024 + i % 60000, i, i, i, i);
  }
  return text + "}\n";
}

std::string my_cnf(std::size_t options) {
  std::string text = "# a long option file\n[client]\nport = 3306\n\n[mysqld]\nmax_connections = 500\n";
  for (std::size_t i = 2; i < options; ++i) {
    if (i % 50 == 0) text += fmt::format("\n# part {}\n[mysqld]\n", i / 50);
    text += fmt::format("loose_option_{:06} = value{}\n", i, i);
  }
  return text;
}

std::vector<std::string> sysctl_files(std::size_t count) {
  std::vector<std::string> files;
  for (std::size_t i = 0; i < count; ++i) {
    std::string text = fmt::format("# part {}\n", i);
    for (std::size_t line = 0; line < 10; ++line)
      text += fmt::format("net.ipv4.conf.eth{}.option_{} = {}\n", i, line, line * i % 7);
    files.push_back(text + "vm.swappiness = 10\n");
  }
  return files;
}

std::size_t edit_nginx(const std::string& bytes) {
  const auto parsed = NginxConf::parse(bytes);
  const auto& conf = std::get<NginxConf>(parsed);
  const auto events = conf.find(NginxConf::root, "events").at(0);
  const std::vector<std::string> args = {"8192"};
  return splice(conf.bytes(), conf.set_args(conf.find(events, "worker_connections").at(0), args)).size();
}

std::size_t edit_mycnf(const std::string& bytes) {
  const MyCnf file(bytes);
  return splice(bytes, set_option(file, "mysqld", "max_connections", "800")).size();
}

/// What decides a key over all files, and the last one edited.
std::size_t edit_sysctl(const std::vector<std::string>& files) {
  const std::vector<std::string_view> views(files.begin(), files.end());
  const std::vector<std::string> keys = {"vm/swappiness"};
  const auto decision = decide_sysctl(views, keys).front();
  const std::string& file = files[decision.file];
  return splice(file, set_sysctl(file, keys[0], "1")).size();
}

std::size_t size_of(const std::vector<std::string>& files) {
  std::size_t size = 0;
  for (const auto& file : files) size += file.size();
  return size;
}

#ifdef TUNEKEEPER_AUGEAS
struct AugeasDeleter {
  void operator()(augeas* handle) const { aug_close(handle); }
};

/// Parse, one edit, print: by a lens, from text to text.
void augeas_edit(augeas& handle, const char* lens, const std::string& bytes, const char* node,
                 const char* value) {
  aug_set(&handle, "/in", bytes.c_str());
  if (aug_text_store(&handle, lens, "/in", "/tree") != 0 || aug_set(&handle, node, value) != 0 ||
      aug_text_retrieve(&handle, lens, "/in", "/tree", "/out") != 0)
    throw std::runtime_error("the lens refuses the file");
  const char* printed = nullptr;
  if (aug_get(&handle, "/out", &printed) != 1 || printed == nullptr)
    throw std::runtime_error("nothing printed");
}

/// Seconds of one run of Augeas, its start apart; or why there is none.
std::string augeas_time(const std::vector<std::string>& files, const char* lens, const char* node,
                        const char* value, unsigned limit) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("pipe failed");
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    alarm(limit);
    std::string told;
    try {
      const std::unique_ptr<augeas, AugeasDeleter> handle(
          aug_init("/", nullptr, AUG_NO_LOAD | AUG_NO_MODL_AUTOLOAD));
      aug_load_file(handle.get(), "/none");  // modules are found by their names afterwards
      for (const char* module : {"Nginx", "MySQL", "Sysctl"}) aug_transform(handle.get(), module, "/none", 0);
      augeas_edit(*handle, lens, files.front(), node, value);
      const double begun = now();
      for (const auto& file : files) augeas_edit(*handle, lens, file, node, value);
      told = fmt::format("{:.6f}", now() - begun);
    } catch (const std::exception& fault) {
      told = fault.what();
    }
    [[maybe_unused]] const auto written = write(ends[1], told.data(), told.size());
    _exit(0);
  }
  close(ends[1]);
  char told[200];
  const auto length = read(ends[0], told, sizeof told);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (length <= 0) return fmt::format("ended after {} s", limit);
  return std::string(told, static_cast<std::size_t>(length));
}
#else
std::string augeas_time(const std::vector<std::string>&, const char*, const char*, const char*, unsigned) {
  return "not built in (libaugeas-dev)";
}
#endif

/// The median time of ours, printed as a row.
double row(const std::string& name, std::size_t bytes, const Work& work, double budget,
           const std::string& augeas) {
  const double seconds = median_seconds(work, budget);
  const double rate = static_cast<double>(bytes) / seconds / 1e6;
  char* end = nullptr;
  const double theirs = std::strtod(augeas.c_str(), &end);
  const bool timed = !augeas.empty() && *end == '\0';
  const std::string compared = timed
                                   ? fmt::format("{:>12.2f} {:>8.2f} {:>8.0f}", theirs * 1e3,
                                                 static_cast<double>(bytes) / theirs / 1e6, theirs / seconds)
                                   : "  " + augeas;
  fmt::print("{:<28} {:>9.1f} {:>10.3f} {:>8.0f} {}\n", name, static_cast<double>(bytes) / 1e3, seconds * 1e3,
             rate, compared);
  return seconds;
}

void slope(const std::string& name, double small, double large, std::size_t small_size,
           std::size_t large_size) {
  const double growth =
      std::log(large / small) / std::log(static_cast<double>(large_size) / static_cast<double>(small_size));
  fmt::print("{:<28} slope {:.3f}\n", name, growth);
}

void series(const std::string& name, const std::function<std::string(std::size_t)>& make,
            std::size_t (*edit)(const std::string&), const std::vector<std::size_t>& counts, double budget,
            const char* lens, const char* node, const char* value, unsigned limit) {
  double first = 0, last = 0;
  std::size_t first_size = 0, last_size = 0;
  bool gave_up = false;
  for (const std::size_t count : counts) {
    const std::string bytes = make(count);
    const std::string theirs =
        gave_up ? "not tried: a smaller one took too long" : augeas_time({bytes}, lens, node, value, limit);
    gave_up = gave_up || theirs.starts_with("ended");
    last = row(
        fmt::format("{} {}", name, count), bytes.size(), [&] { return edit(bytes); }, budget, theirs);
    last_size = bytes.size();
    if (first == 0) first = last, first_size = last_size;
  }
  slope(name, first, last, first_size, last_size);
}

}  // namespace

int main(int argc, char** argv) {
  const bool quick = argc > 1 && std::strcmp(argv[1], "--short") == 0;
  const double budget = quick ? 0.2 : 2;
  const unsigned limit = quick ? 5 : 60;
  fmt::print("{:<28} {:>9} {:>10} {:>8} {:>12} {:>8} {:>8}\n", "file", "kB", "ms", "MB/s", "Augeas ms",
             "MB/s", "times");
  series("nginx.conf, directives", nginx_conf, edit_nginx, {1000, 10000, 100000}, budget, "Nginx.lns",
         "/tree/events/worker_connections", "8192", limit);
  series("my.cnf, options", my_cnf, edit_mycnf, {1000, 20000, 100000}, budget, "MySQL.lns",
         "/tree/target[. = 'mysqld'][1]/max_connections", "800", limit);
  double small = 0;
  for (const std::size_t count : {20U, 200U, 2000U}) {
    const auto files = sysctl_files(count);
    const double seconds = row(
        fmt::format("sysctl.d, files {}", count), size_of(files), [&] { return edit_sysctl(files); }, budget,
        augeas_time(files, "Sysctl.lns", "/tree/vm.swappiness", "1", limit));
    if (count == 20) small = seconds;
    if (count == 2000) slope("sysctl.d, files", small, seconds, size_of(sysctl_files(20)), size_of(files));
  }
  return 0;
}
