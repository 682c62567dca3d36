// Files that no one should have: an error with its place, or a bounded reading; never a crash, never much
// memory.

#include <ctime>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/error.hpp"
#include "formats/grub_cfg.hpp"
#include "formats/mycnf_edit.hpp"
#include "formats/mycnf_tree.hpp"
#include "formats/nginx_conf.hpp"
#include "formats/shell_vars.hpp"
#include "formats/sysctl_d.hpp"
#include "formats/tmpfiles_d.hpp"
#include "support/catch.hpp"

namespace tunekeeper {
namespace {

std::string repeated(std::string_view text, std::size_t times) {
  std::string made;
  made.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) made += text;
  return made;
}

NginxFault nginx_fault(const std::string& bytes) {
  const auto result = NginxConf::parse(bytes);
  REQUIRE(std::holds_alternative<NginxFault>(result));
  return std::get<NginxFault>(result);
}

/// What a shell file is refused with; line and column are 0 where it is not.
std::pair<int, int> shell_fault(const std::string& bytes) {
  try {
    ShellFile::parse(bytes);
  } catch (const ShellSyntaxError& fault) {
    return {fault.line(), fault.column()};
  }
  return {0, 0};
}

}  // namespace

TEST_CASE("nginx: unbalanced braces and open quotes are faults with their place") {
  CHECK(nginx_fault("a;\nhttp {\n  server {\n}\n").line == 2);
  CHECK(nginx_fault("a;\n }\n") == NginxFault{2, 2, "unexpected \"}\""});
  CHECK(nginx_fault("a;\nb \"c;\n").line == 2);
  CHECK(nginx_fault("a;\nb \"c;\n").column == 3);
}

TEST_CASE("nginx: blocks nested 10000 deep are a fault with its place, and no crash") {
  const NginxFault fault = nginx_fault(repeated("a {\n", 10'000) + repeated("}\n", 10'000));
  CHECK(fault.line == 1001);
  CHECK(fault.column == 1);
  CHECK(nginx_fault(repeated("a{", 5'000'000)).column == 2001);
}

TEST_CASE("nginx: more directives than memory is given to are a fault with its place") {
  const NginxFault fault = nginx_fault(repeated("a;\n", 2'000'000));
  CHECK(fault.line == 800'001);
  CHECK(fault.column == 1);
}

TEST_CASE("my.cnf: an option before any group is a problem with its place, and nothing is edited") {
  const MyCnf file("# c\n  port = 1\n[mysqld]\n");
  REQUIRE(file.problem());
  CHECK(file.problem()->line == 2);
  CHECK(file.problem()->column == 3);
  CHECK_THROWS_AS(set_option(file, "mysqld", "a", "1"), Error);
}

TEST_CASE("my.cnf: files that include each other end with a reason that names one, or with a note") {
  MyCnfDoor door;
  door.read = [](const std::string& path) -> MyCnfAnswer {
    return {MyCnfAnswer::Status::read, "[mysqld]\na=1\n!include " + path + "\n!includedir /etc\n", {}};
  };
  door.list = [](const std::string&) { return std::vector<std::string>{"a.cnf", "b.cnf"}; };
  const MyCnfTree tree({{"/etc/my.cnf"}, {"mysqld"}, {}, {}}, door);
  CHECK_FALSE(tree.fatal().empty());
  CHECK(tree.files().size() == 3);
}

TEST_CASE("my.cnf: more options for the server than memory is given to are fatal, with file and line") {
  MyCnfDoor door;
  door.read = [](const std::string&) -> MyCnfAnswer {
    return {MyCnfAnswer::Status::read, "[mysqld]\n" + repeated("a=1\n", 100'000), {}};
  };
  const MyCnfTree tree({{"/etc/my.cnf"}, {"mysqld"}, {}, {}}, door);
  CHECK(tree.fatal() == "/etc/my.cnf:50002: more than 50000 options for the server");
}

TEST_CASE("shell: open quotes and expansions nested 10000 deep are faults with their place, and no crash") {
  CHECK(shell_fault("A=1\nB=\"c\n") == std::pair{2, 3});
  CHECK(shell_fault("A=1\nB=" + repeated("$(", 10'000) + repeated(")", 10'000) + "\n").first == 2);
  CHECK(shell_fault("A=" + repeated("${B:-", 1'000'000)).first == 1);
  CHECK(shell_fault("A=" + repeated("\"$(", 1'000'000)).first == 1);
  CHECK(shell_fault("A=" + repeated("$(", 100) + repeated(")", 100) + "\n").first == 0);
}

TEST_CASE("shell: a value of a megabyte is a fault with its place, a comment of a megabyte is none") {
  CHECK(shell_fault("A=1\nB=" + std::string(1 << 20, 'x') + "\n").first == 2);
  CHECK(shell_fault("A=1\n# " + std::string(1 << 20, 'x') + "\n").first == 0);
}

TEST_CASE("grub.cfg: menus nested 10000 deep are read up to a depth, in little time and memory") {
  const GrubCfg cfg = GrubCfg::parse(repeated("menuentry a {\n", 10'000) + repeated("linux x y\n", 10'000),
                                     "", [](std::string_view) { return true; });
  CHECK(cfg.entries().size() == 100);
}

TEST_CASE("a flood of patterns is read in a time that grows with it, and no faster") {
  // Compared each with each, 100,000 patterns would take minutes.
  std::string sysctl;
  std::string tmpfiles;
  for (int i = 0; i < 100'000; ++i) {
    sysctl += "net.ipv4.conf.*.x" + std::to_string(i) + " = 1\n";
    tmpfiles += "w /sys/x*/y" + std::to_string(i) + " - - - - 1\n";
  }
  const auto begun = std::clock();
  const std::vector<std::string_view> sysctl_files{sysctl};
  const std::vector<std::string> keys{"net/ipv4/conf/eth0/x7"};
  CHECK(decide_sysctl(sysctl_files, keys).front().value == "1");
  const std::vector<std::string_view> tmpfiles_files{tmpfiles};
  const std::vector<std::string> paths{"/sys/xa/y7"};
  CHECK(decide_tmpfiles(tmpfiles_files, paths).front().value == "1");
  CHECK(std::clock() - begun < 15 * CLOCKS_PER_SEC);
}

TEST_CASE("a file of 100 MB is read in at most three times its size and 16 MB") {
  // A child for each, so that its peak is its own. The bytes count once; each parser is given them as its
  // callers do.
  const auto peak_of = [](auto&& work) {
    const pid_t child = fork();
    if (child == 0) {
      work();
      _exit(0);
    }
    int status = 0;
    rusage usage = {};
    REQUIRE(wait4(child, &status, 0, &usage) == child);
    CHECK(status == 0);
    return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
  };
  constexpr std::size_t size = 100'000'000;
  const std::size_t idle = peak_of([] {});
  const auto bounded = [&](const char* line, auto&& work) {
    INFO(line);
    const std::size_t peak = peak_of([&] {
      std::string bytes = repeated(line, size / std::string_view(line).size());
      work(bytes);
    });
#if !defined(__SANITIZE_ADDRESS__)
    CHECK(peak - idle <= 3 * size + 16'000'000);
#else
    CHECK(peak > idle);
#endif
  };
  for (const char* line : {"a;\n", "listen 127.0.0.1:80;\n", "{", "a{}", "# comment\n"})
    bounded(line, [](const std::string& bytes) { NginxConf::parse(bytes); });
  for (const char* line : {"[a]\n", "a=1\n", "option_name = some value\n", "# comment\n", "x"})
    bounded(line, [](std::string& bytes) { MyCnf read(bytes.replace(0, 9, "[mysqld]\n")); });
  for (const char* line : {"A=1\n", "# comment\n", "$(", "a "}) {
    bounded(line, [](const std::string& bytes) {
      try {
        ShellFile::parse(bytes);
      } catch (const ShellSyntaxError&) {
      }
    });
  }
}

}  // namespace tunekeeper
