// systemd-sysctl itself, in a mount namespace of its own over staged folders and a staged /proc/sys.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "core/splice.hpp"
#include "formats/conf_dirs.hpp"
#include "formats/sysctl_d.hpp"
#include "support/catch.hpp"
#include "support/property.hpp"
#include "support/stage.hpp"

using namespace tunekeeper;
namespace fs = std::filesystem;

namespace {

// Written with one fixed width: the staged files are no kernel's, and a write does not cut them.
const std::vector<std::string> keys{"vm/swappiness", "net/ipv4/ip_forward",
                                    "net/ipv4/conf/eth0.100/rp_filter", "net/ipv4/conf/eth0/rp_filter",
                                    "kernel/panic"};

const char* const in_namespace = R"(unshare -m sh -c '
  [ ! -e /etc/sysctl.conf ] || mount --bind /dev/null /etc/sysctl.conf || exit 99
  mount -t tmpfs tmpfs /proc/sys && mount --bind "$ROOT/proc/sys" /proc/sys || exit 99
  for d in etc run usr/lib usr/local/lib; do
    mkdir -p "/$d/sysctl.d"; mount --bind "$ROOT/$d/sysctl.d" "/$d/sysctl.d" || exit 99
  done
  [ -z "$PROCPS" ] || exec sysctl --system
  for p in /lib/systemd/systemd-sysctl /usr/lib/systemd/systemd-sysctl; do [ -x $p ] && exec $p; done
  exit 99')";

struct Reality {
  bool ran = false;
  std::map<std::string, std::string> values;
};

Reality ask(const Stage& stage, const std::string& command) {
  for (const char* folder : {"/etc", "/run", "/usr/lib", "/usr/local/lib"}) {
    fs::create_directories(stage.at(folder + std::string("/sysctl.d")));
  }
  for (const auto& key : keys) stage.write("/proc/sys/" + key, "");
  Reality reality;
  const int status = stage.shell(command);
  reality.ran = status != 99 && status != 127 && status != -1;
  for (const auto& key : keys) reality.values[key] = stage.read("/proc/sys/" + key);
  return reality;
}

Reality ask_systemd(const Stage& stage) {
  return ask(stage, in_namespace);
}

Reality ask_procps(const Stage& stage) {
  return ask(stage, std::string("PROCPS=1; export PROCPS; ") + in_namespace);
}

std::map<std::string, std::string> ours(const std::vector<std::pair<std::string, std::string>>& files) {
  std::vector<std::string> paths;
  for (const auto& [path, bytes] : files) paths.push_back(path);
  std::vector<std::string_view> ordered;
  for (const auto i : conf_read_order(paths, conf_folders("sysctl.d"))) ordered.push_back(files[i].second);
  const auto decisions = decide_sysctl(ordered, keys);
  std::map<std::string, std::string> values;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    values[keys[i]] = decisions[i].value.empty() ? "" : decisions[i].value + "\n";
  }
  return values;
}

rc::Gen<std::string> a_line() {
  const auto written = rc::gen::elementOf(std::vector<std::string>{
      "vm.swappiness", "vm/swappiness", "net.ipv4.ip_forward", "net/ipv4/ip_forward", "/net/ipv4//ip_forward",
      "net.ipv4.conf.eth0/100.rp_filter", "net/ipv4/conf/eth0.100/rp_filter",
      "net.ipv4.conf.eth0.100.rp_filter", "net.ipv4.conf.eth0.rp_filter", "net.ipv4.conf.*.rp_filter",
      "net/ipv4/conf/eth?/rp_filter", "net.ipv4.conf.eth[0-9].rp_filter", "kernel.panic", "*.panic", "*.*",
      "kernel..panic", "vm*", "vm.[!a]*"});
  const auto before =
      rc::gen::elementOf(std::vector<std::string>{"", "", "", " ", "\t", "-", " - ", "#", "; "});
  const auto equals = rc::gen::elementOf(std::vector<std::string>{"=", " = ", "\t=  ", "= ", "", " "});
  const auto value = rc::gen::elementOf(std::vector<std::string>{"1", "2", "3", "4", "5", "=", "#", ";"});
  const auto end = rc::gen::elementOf(
      std::vector<std::string>{"\n", "\n", "\n", "\r\n", " \n", "\n\n", "\r", "\n\r", std::string(1, 0)});
  return rc::gen::map(rc::gen::tuple(before, written, equals, value, end), [](const auto& parts) {
    const auto& [b, w, e, v, n] = parts;
    return b + w + e + (e.find('=') == std::string::npos ? "" : v) + n;
  });
}

rc::Gen<std::string> a_file() {
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(a_line()),
                      [](const std::vector<std::string>& lines) {
                        std::string bytes;
                        for (const auto& line : lines) bytes += line;
                        return bytes;
                      });
}

bool systemd_runs() {
  const Stage stage;
  stage.write("/etc/sysctl.d/a.conf", "kernel.panic = 7\n");
  const auto reality = ask_systemd(stage);
  return reality.ran && reality.values.at("kernel/panic") == "7\n";
}

}  // namespace

TEST_CASE("systemd-sysctl writes what we say it will, over files, folders, globs and spellings") {
  if (!systemd_runs()) {
    WARN("no systemd-sysctl, or no right to a mount namespace: nothing was compared");
    return;
  }
  CHECK(test::holds(
      "decide_sysctl is systemd-sysctl",
      [] {
        const std::vector<std::string> places{"/usr/lib/sysctl.d/10-a.conf", "/etc/sysctl.d/10-a.conf",
                                              "/run/sysctl.d/20.conf", "/usr/local/lib/sysctl.d/9.conf"};
        std::vector<std::pair<std::string, std::string>> files;
        const Stage stage;
        for (const auto& place : places) {
          if (*rc::gen::inRange(0, 3) == 0) continue;
          files.emplace_back(place, *a_file());
          stage.write(place, files.back().second);
        }
        RC_ASSERT(ask_systemd(stage).values == ours(files));
      },
      400));
}

TEST_CASE("a /dev/null of the same name masks, and /etc/sysctl.conf counts only through its link") {
  if (!systemd_runs()) {
    WARN("no systemd-sysctl, or no right to a mount namespace: nothing was compared");
    return;
  }
  const Stage stage;
  stage.write("/usr/lib/sysctl.d/a.conf", "vm.swappiness=1\nkernel.panic=1\n");
  fs::create_directories(stage.at("/etc/sysctl.d"));
  fs::create_symlink("/dev/null", stage.at("/etc/sysctl.d/a.conf"));
  stage.write("/etc/sysctl.conf", "kernel.panic=2\n");
  CHECK(ask_systemd(stage).values ==
        ours({{"/etc/sysctl.d/a.conf", ""}, {"/usr/lib/sysctl.d/a.conf", "x=1\n"}}));
}

TEST_CASE(
    "S5: procps and systemd agree on patterns, a later exclusion takes back an assignment for systemd only") {
  const Stage stage;
  const std::string patterns = "net.ipv4.conf.eth0.rp_filter=1\nnet.ipv4.conf.*.rp_filter=2\n";
  stage.write("/etc/sysctl.d/a.conf", patterns + "vm.swappiness=5\n-vm.swappiness\n");
  if (!systemd_runs() || stage.shell("command -v sysctl") != 0) {
    WARN("no systemd-sysctl or procps, or no right to a mount namespace: nothing was compared");
    return;
  }
  auto systemd = ask_systemd(stage).values;
  auto procps = ask_procps(stage).values;
  CHECK(systemd.at("vm/swappiness").empty());
  CHECK(procps.at("vm/swappiness") == "5\n");
  CHECK(systemd.at("net/ipv4/conf/eth0.100/rp_filter") == "2\n");
  systemd.erase("vm/swappiness");
  procps.erase("vm/swappiness");
  CHECK(systemd == procps);
}

TEST_CASE("an edit of a generated file changes this key and no other byte") {
  CHECK(test::holds("set, read, unset", [] {
    const auto bytes = *a_file();
    const auto key = *rc::gen::elementOf(keys);
    const auto edited = splice(bytes, set_sysctl(bytes, key, "42"));
    const std::vector<std::string_view> files{edited};
    const std::vector<std::string> wanted{key};
    RC_ASSERT(decide_sysctl(files, wanted).front().value == "42");
    RC_ASSERT(set_sysctl(edited, key, "42").empty());
    const auto statements = sysctl_statements(bytes, key);
    RC_ASSERT(sysctl_statements(splice(edited, restate_sysctl(edited, key, statements)), key) == statements);
    RC_ASSERT(sysctl_statements(splice(bytes, unset_sysctl(bytes, key)), key).empty());
    for (const auto& other : keys) {
      if (other == key) continue;
      RC_ASSERT(sysctl_statements(edited, other) == sysctl_statements(bytes, other));
    }
  }));
}

TEST_CASE("real files: no edit, no change, set and unset touch their own lines") {
  const char* named = std::getenv("TUNEKEEPER_CORPUS");
  const fs::path corpus = named != nullptr ? fs::path(named) / "sysctl"
                                           : fs::path(TUNEKEEPER_SOURCE_DIR) / "../shared/corpus/sysctl";
  if (!fs::exists(corpus)) {
    WARN("no corpus at " << corpus.string() << ": nothing was read");
    return;
  }
  for (const auto& entry : fs::directory_iterator(corpus)) {
    CAPTURE(entry.path().string());
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    SysctlReader reader(bytes);
    for (SysctlLine line; reader.next(line);) {
      const auto key = sysctl_path(line.key);
      const auto statements = sysctl_statements(bytes, key);
      CHECK(restate_sysctl(bytes, key, statements).empty());
      const auto removed = splice(bytes, unset_sysctl(bytes, key));
      CHECK(sysctl_statements(removed, key).empty());
      CHECK(removed.size() < bytes.size());
      CHECK(sysctl_statements(splice(removed, restate_sysctl(removed, key, statements)), key) == statements);
    }
    const auto added = splice(bytes, set_sysctl(bytes, "kernel/not_there", "1"));
    CHECK(splice(added, unset_sysctl(added, "kernel/not_there")).substr(0, bytes.size()) == bytes);
  }
}

TEST_CASE("real files: systemd-sysctl sees the key that was set change, and every other as before") {
  const char* given = std::getenv("TUNEKEEPER_CORPUS");
  const fs::path corpus =
      (given != nullptr ? fs::path(given) : fs::path(TUNEKEEPER_SOURCE_DIR) / "../shared/corpus") / "sysctl";
  if (!fs::exists(corpus) || !systemd_runs()) {
    WARN("no corpus at " << corpus << ", or no systemd-sysctl to ask: nothing was compared");
    return;
  }
  for (const auto& entry : fs::directory_iterator(corpus)) {
    INFO(entry.path());
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const auto values_of = [](const std::string& text) {
      const Stage stage;
      stage.write("/etc/sysctl.d/real.conf", text);
      return ask_systemd(stage).values;
    };
    const auto before = values_of(bytes);
    for (const std::string& key : keys) {
      INFO(key);
      const std::string edited = splice(bytes, set_sysctl(bytes, key, "7"));
      auto after = values_of(edited);
      CHECK(after[key] == "7\n");
      after[key] = before.at(key);
      CHECK(after == before);
      auto gone = values_of(splice(edited, unset_sysctl(edited, key)));
      CHECK(gone[key].empty());
      gone[key] = before.at(key);
      CHECK(gone == before);
    }
  }
}
