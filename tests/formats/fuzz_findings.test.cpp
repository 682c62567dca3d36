// What the fuzzers of tests/fuzz found, each as the smallest file that shows it.

#include "core/error.hpp"
#include "core/splice.hpp"
#include "formats/mycnf_edit.hpp"
#include "formats/nginx_conf.hpp"
#include "formats/shell_vars.hpp"
#include "formats/sysctl_d.hpp"
#include "formats/tmpfiles_d.hpp"
#include "formats/unit_file.hpp"
#include "support/catch.hpp"

namespace tunekeeper {
namespace {

NginxConf nginx(const std::string& bytes) {
  return std::get<NginxConf>(NginxConf::parse(bytes));
}

std::string stated(const std::string& bytes, const std::string& line) {
  return splice(bytes, restate_unit(bytes, "Service", "Nice", {line}));
}

std::string unstated(const std::string& bytes) {
  return splice(bytes, restate_unit(bytes, "Service", "Nice", {}));
}

}  // namespace

TEST_CASE("F1: what was added to a file without a final newline is gone without a trace when it is removed") {
  const std::string sysctl = "a.b = 1\nc.d = 2", tmpfiles = "d /run/a 0755", unit = "[Service]\nA=b",
                    shell = "A=1\nB=2";
  const std::string more = splice(sysctl, set_sysctl(sysctl, "vm/x", "3"));
  CHECK(more == "a.b = 1\nc.d = 2\nvm.x = 3");
  CHECK(splice(more, unset_sysctl(more, "vm/x")) == sysctl);
  const std::string line = splice(tmpfiles, set_tmpfiles(tmpfiles, "/sys/x", "3"));
  CHECK(splice(line, unset_tmpfiles(line, "/sys/x")) == tmpfiles);
  CHECK(unstated(stated(unit, "Nice=1")) == unit);
  CHECK(unstated(stated("[Unit]\nA=b", "Nice=1")) == "[Unit]\nA=b");
  const std::string assigned = splice(shell, ShellFile::parse(shell).set("C", "3"));
  CHECK(assigned == "A=1\nB=2\nC=\"3\"");
  CHECK(splice(assigned, ShellFile::parse(assigned).unset("C")) == shell);
}

TEST_CASE("F1: several lines added to a file without a final newline are all gone without a trace") {
  const std::string bytes = "a.b = 1";
  const std::string more = splice(bytes, restate_sysctl(bytes, "vm/x", {"vm.x = 1", "vm.x = 2"}));
  CHECK(more == "a.b = 1\nvm.x = 1\nvm.x = 2");
  CHECK(splice(more, unset_sysctl(more, "vm/x")) == bytes);
}

TEST_CASE("a sysctl.d line without a key is no style for another one") {
  const std::string bytes = "=   = 1\nc.d=2\n";
  CHECK(splice(bytes, set_sysctl(bytes, "vm/x", "3")) == bytes + "vm.x=3\n");
  CHECK(splice("=   = 1\n", set_sysctl("=   = 1\n", "vm/x", "3")) == "=   = 1\nvm.x = 3\n");
}

TEST_CASE("a unit section that was there before it had an assignment stays when that is taken away") {
  CHECK(stated("[Service]\n# c\n", "Nice=1") == "[Service]\n\nNice=1\n# c\n");
  CHECK(unstated(stated("[Service]\n# c\n", "Nice=1")) == "[Service]\n# c\n");
  CHECK(unstated("[Service]\nNice=1\n") == "");
}

TEST_CASE("a unit assignment is not added to a line that goes on") {
  for (const std::string bytes :
       {"[Service]\nExecStart=/bin/a \\\n", "[Service]\nExecStart=/bin/a \\\n  # inside\n"}) {
    const std::string after = stated(bytes, "Nice=1");
    CHECK(unit_statements(after, "Service", "Nice") == std::vector<std::string>{"Nice=1"});
    CHECK(unstated(after) == bytes);
  }
}

TEST_CASE("a line added among mixed line ends keeps what stands behind it") {
  const std::string bytes = "[Unit]\n[Service]\r\nA=b\r\n\r\n[Install]\n";
  CHECK(stated(bytes, "Nice=1") == "[Unit]\n[Service]\r\nA=b\r\nNice=1\r\n\r\n[Install]\n");
  CHECK(unstated(stated(bytes, "Nice=1")) == bytes);
}

TEST_CASE("an assignment is not added behind a backslash that ends a shell file") {
  CHECK_THROWS_AS(ShellFile::parse("A=1\nB=\\").set("C", "3"), Error);
  CHECK_NOTHROW(ShellFile::parse("A=1\n# B=\\").set("C", "3"));
  CHECK_NOTHROW(ShellFile::parse("A=1\nB=\\\\").set("C", "3"));
}

TEST_CASE("a word appended to a value that ends in a lone dollar stays a word") {
  const std::string bytes = "A=\"b c\"$\n";
  const ShellFile file = ShellFile::parse(bytes);
  CHECK(splice(bytes, {file.append(file.statements()[0], "d=1")}) == "A=\"b c\"\\$\" d=1\"\n");
  const std::string continued = "A=\\\n\nB=1\n";
  const ShellFile empty = ShellFile::parse(continued);
  CHECK(splice(continued, {empty.append(empty.statements()[0], "d=1")}) == "A=\\\n\"d=1\"\nB=1\n");
}

TEST_CASE("what follows a command in the background always happens") {
  ShellEnvironment environment;
  environment.run(ShellFile::parse("true & A=1\n"), 0);
  REQUIRE(environment.get("A"));
  CHECK_FALSE(environment.get("A")->computed);
}

TEST_CASE("an nginx file that ends in a carriage return gets it back when an added directive is removed") {
  const NginxConf conf = nginx("a 1;\r");
  const NginxConf after = nginx(splice(conf.bytes(), conf.add(NginxConf::root, "b 2;")));
  REQUIRE(after.size() == 2);
  CHECK(splice(after.bytes(), after.remove(1)) == "a 1;\r");
}

TEST_CASE("an nginx argument right behind a closing quote is replaced apart from it") {
  const NginxConf conf = nginx("if \"b\") { c d; }");
  const std::vector<std::string> args = {"b", "x y"};
  const NginxConf after = nginx(splice(conf.bytes(), conf.set_args(0, args)));
  CHECK(after.args(0) == args);
}

TEST_CASE("a my.cnf line fits the reader's buffer with a line end of two bytes") {
  const std::string bytes = "[mysqld]\r\na=1\r\n";
  const MyCnf file(bytes, MyCnfDialect{true, 40});
  CHECK_THROWS_AS(set_option(file, "mysqld", "b", std::string(37, 'x')), Error);
  CHECK_NOTHROW(set_option(file, "mysqld", "b", std::string(36, 'x')));
}

TEST_CASE("a my.cnf section is not added where its line end would make an include of the last line") {
  const MyCnf file("[client]\na=1\n!include", {});
  CHECK_THROWS_AS(set_option(file, "mysqld", "b", "1"), Error);
  CHECK_THROWS_AS(set_option(MyCnf("[client]\n", {true, 40}), std::string(40, 'g'), "b", "1"), Error);
}

TEST_CASE("an option is not added behind a line that the server reads in pieces into another group") {
  const MyCnfDialect short_lines{true, 40};
  int refused = 0;
  for (std::size_t blanks = 10; blanks < 60; ++blanks) {
    const std::string bytes = "[mysqld]\nsocket = '/" + std::string(blanks, ' ') + "[other]x";
    const MyCnf file(bytes, short_lines);
    if (file.problem()) continue;
    try {
      const std::string after = splice(bytes, set_option(file, "mysqld", "port", "1"));
      const MyCnf read(after, short_lines);
      REQUIRE(!read.options().empty());
      CHECK(read.options().back().group == "mysqld");
    } catch (const Error&) {
      ++refused;
    }
  }
  CHECK(refused > 0);
}

TEST_CASE("a block whose name ends in a dollar stays a block without its arguments") {
  const NginxConf conf = nginx("a$ b { c; }\n");
  const std::string after = splice(conf.bytes(), conf.set_args(0, {}));
  CHECK(nginx(after).size() == conf.size());
  CHECK(nginx(after).args(0).empty());
}

}  // namespace tunekeeper
