#include "formats/shell_vars.hpp"

#include <string>
#include <vector>

#include "core/splice.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;

namespace {

ShellEnvironment read_all(const std::vector<std::string>& files) {
  ShellEnvironment environment;
  for (std::size_t i = 0; i < files.size(); ++i)
    environment.run(ShellFile::parse(files[i]), static_cast<std::uint16_t>(i));
  return environment;
}

std::string value(const std::string& bytes, const std::string& name) {
  const auto held = read_all({bytes}).get(name);
  if (!held) return "(unset)";
  return held->computed ? "(computed: " + held->reason + ")" : held->text();
}

std::string with(const std::string& bytes, const std::vector<Splice>& splices) {
  return splice(bytes, splices);
}

std::string appended(const std::string& bytes, const std::string& raw) {
  const ShellFile file = ShellFile::parse(bytes);
  return splice(bytes, {file.append(*file.last_assignment("X"), raw)});
}

}  // namespace

TEST_CASE("shell: quotes, escapes and continued lines are decoded as sh decodes them") {
  CHECK(value("X=\"a b\"\n", "X") == "a b");
  CHECK(value("X='a \"b\" $c'", "X") == "a \"b\" $c");
  CHECK(value("X=a\\ b'c'\"d\"", "X") == "a bcd");
  CHECK(value("X=\"\\\"q\\\" \\$v \\n\"", "X") == "\"q\" $v \\n");
  CHECK(value("X=\"a \\\nb\"", "X") == "a b");
  CHECK(value("X=a#b # c", "X") == "a#b");
  CHECK(value("X=1 Y=2; export Z=3", "Z") == "3");
  CHECK(value("# X=1\n", "X") == "(unset)");
}

TEST_CASE("shell: a later file sees what the earlier ones set") {
  const auto environment = read_all({"GRUB_X=\"quiet\"\n", "GRUB_X=\"$GRUB_X a ${GRUB_NEVER}b\"\n"});
  CHECK(environment.get("GRUB_X")->text() == "quiet a b");
  CHECK(environment.get("GRUB_X")->file == 1);
  CHECK(environment.get("GRUB_X")->bytes.front().file == 0);
  CHECK(environment.get("GRUB_X")->bytes.front().offset == 8);
}

TEST_CASE("shell: what only the shell can compute is told, not guessed") {
  CHECK(value("X=`id`", "X") == "(computed: `...` in line 1)");
  CHECK(value("X=\"a $(id ')' \")\")\"\nY=1", "X") == "(computed: $(...) in line 1)");
  CHECK(value("X=${Y:-z}", "X") == "(computed: ${...} in line 1)");
  CHECK(value("X=1\nif true; then X=2; fi", "X") == "(computed: if in line 2)");
  CHECK(value("X=1\nfor i in a b; do X=2; done", "X") == "(computed: for in line 2)");
  CHECK(value("X=1\ncase a in a|b) X=2;; (c) X=3;; esac", "X") == "(computed: case in line 2)");
  CHECK(value("X=1\nf() { X=2; }", "X") == "(computed: { in line 2)");
  CHECK(value("X=1\n. /etc/x", "X") == "(computed: . in line 2)");
  CHECK(value("X=1\nunset X", "X") == "(computed: unset in line 2)");
  CHECK(value("X=1\nunset X\nX=2", "X") == "2");
  CHECK(value("X=1\ntest -e /x && X=2", "X") == "(computed: a command in line 2)");
  CHECK(value("X=1\necho $((X=2))", "X") == "(computed: $((...)) in line 2)");
  CHECK(value("X=1\n: ${X:=2}", "X") == "(computed: ${...=...} in line 2)");
  CHECK(value("X=$HOME/x", "X") == "(computed: $HOME in line 1)");
  CHECK(value("X=~/x", "X") == "(computed: ~ in line 1)");
  CHECK(value("X=1 | cat", "X") == "(computed: a command in line 1)");
  CHECK(value("A=1 X=\"$\\\nA\"", "X") == "(computed: a name over two lines in line 1)");
  CHECK(value("A=1 X=$A\\\nB", "X") == "(computed: a name over two lines in line 1)");
  CHECK(value("X=1\nX+=2", "X") == "(computed: X+=2 in line 2)");
}

TEST_CASE("shell: a condition elsewhere leaves other variables known") {
  CHECK(value("X=1\nif [ -e /y ]; then Y=2; fi\n", "X") == "1");
  CHECK(value("X=1\nif [ -e /y ] 2>/dev/null; then :; else Y=2; fi\nX=3\n", "X") == "3");
}

TEST_CASE("shell: a syntax error gives its line and column") {
  const auto where = [](const std::string& bytes) {
    try {
      ShellFile::parse(bytes);
    } catch (const ShellSyntaxError& error) {
      return std::to_string(error.line()) + ":" + std::to_string(error.column());
    }
    return std::string("accepted");
  };
  CHECK(where("A=1\nX=\"quiet\n") == "2:3");
  CHECK(where("X='") == "1:3");
  CHECK(where("X=${a") == "1:3");
  CHECK(where("A=1\n fi\n") == "2:2");
  CHECK(where("if true; then A=1\n") == "1:1");
  CHECK(where("X=(a b)") == "1:3");
  CHECK(where("A=1\n! \n") == "2:1");
}

TEST_CASE("shell: setting keeps the quotes that are there, and every other byte") {
  const std::string bytes = "# c\r\nX='a'\nX=\"b\" # \xE9\n\tY=1";
  const ShellFile file = ShellFile::parse(bytes);
  CHECK(with(bytes, file.set("X", "q \"r\" $s")) == "# c\r\nX='a'\nX=\"q \\\"r\\\" \\$s\" # \xE9\n\tY=1");
  CHECK(with(bytes, file.set("Y", "2")) == "# c\r\nX='a'\nX=\"b\" # \xE9\n\tY=2");
  CHECK(with(bytes, file.set("Y", "2 3")) == "# c\r\nX='a'\nX=\"b\" # \xE9\n\tY=\"2 3\"");
  CHECK(file.set("X", "b").empty());
}

TEST_CASE("M4: an assignment added to a file without a final newline stands on its own line") {
  const std::string bytes = "X=1";
  CHECK(with(bytes, ShellFile::parse(bytes).set("Y", "a b")) == "X=1\nY=\"a b\"");
}

TEST_CASE("shell: unset takes the whole line where it can") {
  const std::string bytes = "X=1\n  X=2\nX=3 Y=4; export X=5\n";
  CHECK(with(bytes, ShellFile::parse(bytes).unset("X")) == "X= Y=4; export X=\n");
}

TEST_CASE("shell: text is added within the quotes that are there") {
  CHECK(appended("X=\"quiet\"\n", "a=b") == "X=\"quiet a=b\"\n");
  CHECK(appended("X='quiet '\n", "a=b") == "X='quiet a=b'\n");
  CHECK(appended("X=\"\"", "a=b") == "X=\"a=b\"");
  CHECK(appended("X=", "a=b") == "X=\"a=b\"");
  CHECK(appended("X=quiet\n", "a=b") == "X=\"quiet a=b\"\n");
  CHECK(appended("X=\"q\\\"\"\n", "a=b") == "X=\"q\\\" a=b\"\n");
  CHECK(appended("X=\"a\"b\n", "c") == "X=\"a\"b\" c\"\n");
  CHECK(appended("X=\"$X\"\n", "c") == "X=\"$X c\"\n");
}
