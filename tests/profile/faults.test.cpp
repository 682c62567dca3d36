#include <chrono>

#include "profile/workbench.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;
using test::Workbench;

namespace {

struct Wrong {
  const char* kind;
  const char* yaml;
  const char* message;
};

void check_all(const std::vector<Wrong>& wrongs) {
  for (const auto& wrong : wrongs) {
    Workbench bench;
    INFO(wrong.kind << ":\n" << wrong.yaml);
    CHECK(bench.faults_of(wrong.yaml) == wrong.message);
  }
}

}  // namespace

TEST_CASE("faults of YAML are told in plain words, with their place") {
  check_all({
      {"tab", "sysctl:\n\ta: 1\n", "p.yaml:2:1: a tab indents this line: YAML is indented by blanks"},
      {"tab before a longer key", "sysctl:\n\tvm.swappiness: 1\n",
       "p.yaml:2:1: a tab indents this line: YAML is indented by blanks"},
      {"tab after blanks", "sysctl:\n  \tvm.swappiness: 1\n",
       "p.yaml:2:3: a tab indents this line: YAML is indented by blanks"},
      {"tab below a setting", "sysctl:\n  a: 1\n\tb: 2\n",
       "p.yaml:3:1: a tab indents this line: YAML is indented by blanks"},
      {"indentation", "sysctl:\n  a: 1\n b: 2\n",
       "p.yaml:3:2: this line is indented otherwise than its neighbours"},
      {"deeper", "sysctl:\n  a: 1\n    b: 2\n",
       "p.yaml:3:6: a \": \" cannot stand here: the line is indented wrongly, or the text needs quotes"},
      {"expression in a flow map", "sysctl: { a: ${ numa.nodes } }\n",
       "p.yaml:1:15: an expression within { } or [ ] must be quoted: \"${ … }\""},
      {"open bracket", "grub:\n  a: [1, 2\nsysctl:\n  b: 1\n",
       "p.yaml:3:7: the [ before this is never closed"},
      {"open quotes", "sysctl:\n  a: 'x\n", "p.yaml:2:6: the quotes are never closed"},
      {"first character", "sysctl:\n  a: @x\n",
       "p.yaml:2:6: a text cannot begin with this character: quote it"},
      {"alias", "vars: { a: &x 1 }\nsysctl:\n  a: *x\n",
       "p.yaml:3:6: aliases (*name) are not understood: write the value out, or quote it if it begins with "
       "*"},
      {"star", "sysctl:\n  a: *\n", "p.yaml:2:7: alias not found after *"},
      {"tag", "sysctl:\n  a: !!int 5\n",
       "p.yaml:2:6: tags (!name) are not understood; quote the text instead"},
      {"second document", "sysctl:\n  a: 1\n---\nsysctl:\n  a: 2\n",
       "p.yaml:3:1: a second document begins here: a profile is one"},
      {"list as key", "sysctl:\n  ? [a]\n  : 1\n",
       "p.yaml:2:5: a key must be a plain text; quote it if it begins with [, { or ?"},
      {"no key", "sysctl:\n  ~: 1\n", "p.yaml:2:3: a key is missing here; quote it if it is ~ itself"},
      {"empty file", "# nothing\n", "p.yaml: the file says nothing"},
      {"not a map", "- a\n", "p.yaml:1:1: a profile is a map: summary, extends, vars and sections"},
      {"null", "sysctl:\n  a: null\n",
       "p.yaml:2:6: \"null\" is no value here: write ~ for \"must be absent\", or 'null' for the word"},
      {"duplicate key", "sysctl:\n  a: 1\n  b: 2\n  a: 3\n",
       "p.yaml:4:3: \"a\" is given twice, first in line 2"},
  });
  Workbench bench;
  CHECK(bench.faults_of(std::string("sysctl:\n  a: 1\0 2\n", 18)) ==
        "p.yaml:2:7: a control character (0x00) is in the text");
  CHECK(bench.faults_of("sysctl:\n  a: 1\x04\n  b: 2\n") ==
        "p.yaml:2:7: a control character (0x04) is in the text");
}

TEST_CASE("faults of shape are told with the nearest right word") {
  check_all({
      {"unknown section", "sysctls:\n  a: 1\n",
       "p.yaml:1:1: unknown key \"sysctls\", did you mean \"sysctl\"?"},
      {"empty key", "sysctl:\n  a:\n  b: 1\n",
       "p.yaml:2:3: \"a\" has no value: write ~ for \"must be absent\""},
      {"empty key at the end",
       "sysctl:\n  b: 1\n  a:", "p.yaml:3:3: \"a\" has no value: write ~ for \"must be absent\""},
      {"empty value in a flow map", "sysctl: { a: , b: 1 }\n",
       "p.yaml:1:11: \"a\" has no value: write ~ for \"must be absent\""},
      {"empty section", "sysctl:\n",
       "p.yaml:1:1: \"sysctl\" has no value: it takes a map of keys and values"},
      {"scalar section", "sysctl: 5\n", "p.yaml:1:9: \"sysctl\" takes a map of keys and values"},
      {"long-form key", "sysctl:\n  a: { valeu: 1 }\n",
       "p.yaml:2:8: unknown key \"valeu\", did you mean \"value\"?"},
      {"group that is none", "sysctl:\n  a: { b: { c: 1 } }\n",
       "p.yaml:2:8: unknown key \"b\", did you mean \"by\"?"},
      {"scalar for a group", "nginx:\n  events: 5\n",
       "p.yaml:2:11: \"events\" takes a map: its settings stand below it"},
      {"no value", "sysctl:\n  a: { why: x }\n",
       "p.yaml:2:3: \"a\" says no value: give value, at_least, at_most, by with cases"},
      {"two values", "sysctl:\n  a: { value: 1, at_least: 2 }\n",
       "p.yaml:2:18: \"value\" and \"at_least\" exclude each other"},
      {"by without cases", "sysctl:\n  a: { by: numa.nodes }\n",
       "p.yaml:2:3: \"by\" needs \"cases\": a map from what it gives to values"},
      {"cases without by", "sysctl:\n  a: { value: 1, cases: { x: 1 } }\n",
       "p.yaml:2:3: \"cases\" and \"default\" need \"by\": the fact that chooses among them"},
      {"two defaults", "sysctl:\n  a: { by: numa.nodes, cases: { 1: 2, default: 3 }, default: 4 }\n",
       "p.yaml:2:53: \"default\" is given twice, beside the cases and among them"},
      {"no cases", "sysctl:\n  a: { by: numa.nodes, cases: {}, default: 4 }\n",
       "p.yaml:2:31: \"cases\" is empty"},
      {"list", "sysctl:\n  a: [1, 2]\n", "p.yaml:2:6: \"a\" takes one value: sysctl has no lists"},
      {"empty list", "grub:\n  a: []\n", "p.yaml:2:6: the list is empty: write ~ for \"must be absent\""},
      {"list in a list", "grub:\n  a: [[1]]\n", "p.yaml:2:7: an item of a list must be a single text"},
      {"flag", "sysctl:\n  a: { flag: true }\n", "p.yaml:2:8: sysctl has no flags: a value is needed"},
      {"false flag", "grub:\n  a: { flag: false }\n",
       "p.yaml:2:14: \"flag\" takes only true: write ~ instead for \"must be absent\""},
      {"bound", "sysctl:\n  a: { at_least: many }\n",
       "p.yaml:2:18: \"at_least\" takes a number, not \"many\""},
      {"on_release", "sysctl:\n  a: { value: 1, on_release: keep }\n",
       "p.yaml:2:30: \"on_release\" takes restore or leave"},
      {"why", "sysctl:\n  a: { value: 1, why: [x] }\n", "p.yaml:2:23: \"why\" takes a single text"},
      {"key", "sysfs:\n  ../etc/passwd: 1\n", "p.yaml:2:3: ../etc/passwd: cannot leave /sys"},
      {"known key", "nginx:\n  events: { worker_conections: 1 }\n",
       "p.yaml:2:13: worker_conections: no directive of nginx's events block, did you mean "
       "\"worker_connections\"?"},
      {"template", "sysctl:\n  a: { template: x }\n", "p.yaml:2:8: sysctl has no templates"},
      {"absent template", "files:\n  /etc/x: { template: x.mustache }\n",
       "p.yaml:2:23: there is no template \"x.mustache\" in any templates folder"},
      {"template elsewhere", "files:\n  /etc/x: { template: ../../etc/shadow }\n",
       "p.yaml:2:23: \"../../etc/shadow\" cannot be a name: letters, digits and - _ . + @ only"},
      {"empty variable", "vars:\n  a:\nsysctl: {}\n",
       "p.yaml:2:3: variable \"a\" has no value: write ~ for unset by default"},
      {"variable's name", "vars: { a-b: 1 }\n",
       "p.yaml:1:9: a variable cannot be named \"a-b\": letters, digits and _ only"},
      {"map as variable", "vars: { a: { b: 1 } }\n", "p.yaml:1:12: \"a\" takes a single value or a list"},
      {"unknown base", "extends: [bse]\n", "p.yaml:1:11: there is no profile \"bse\""},
      {"base's name", "extends: [../x]\n",
       "p.yaml:1:11: \"../x\" cannot be a name: letters, digits and - _ . + @ only"},
  });
}

TEST_CASE("faults of expressions are told at their own line and column") {
  check_all({
      {"fact", "mysql:\n  a: ${ max(1, memory.totl) }\n",
       "p.yaml:2:16: no fact is named \"memory.totl\", did you mean \"memory.total\"?"},
      {"variable", "vars: { share: 1 }\nmysql:\n  a: x${ vars.shar }y\n",
       "p.yaml:3:10: no variable is named \"shar\", did you mean \"vars.share\"?"},
      {"function", "mysql:\n  a: ${ floor_too(1, 2) }\n",
       "p.yaml:2:9: no fact is named \"floor_too\", did you mean \"floor_to\"?"},
      {"syntax", "mysql:\n  a: ${ 1 + }\n", "p.yaml:2:8: unexpected symbol at the end of the expression"},
      {"open", "mysql:\n  a: ${ 1 + 1\n",
       "p.yaml:2:6: this ${ has no } that closes it (after a blank, # begins a comment and \": \" a value: "
       "quote the "
       "text; a literal ${ is written $${)"},
      {"when", "mysql:\n  a: { value: 1, when: \"${ numa.nodes > 1 }\" }\n",
       "p.yaml:2:24: this is an expression as it stands: leave out the ${ }"},
      {"statement", "mysql:\n  a: { value: 1, when: numa.nodes = 2 }\n",
       "p.yaml:2:35: \"=\" does not compare: write \"==\""},
      {"case not taken", "mysql:\n  a: { by: mysql.flavor, cases: { mariadb: 1, mysql: \"${ foo }\" } }\n",
       "p.yaml:2:58: no fact is named \"foo\""},
      {"cases not covering", "mysql:\n  a: { by: mysql.storage, cases: { hdd: 1, ssdd: 2, nvme: 3 } }\n",
       "p.yaml:2:12: no case for \"ssd\", and no default\n"
       "p.yaml:2:12: no case for \"virtual\", and no default\n"
       "p.yaml:2:44: mysql.storage is never \"ssdd\", did you mean \"ssd\"?"},
      {"list as value", "mysql:\n  a: ${ mysql.disks }\n",
       "p.yaml:2:8: the expression gives a list: a value is a single text"},
      {"unset variable", "vars: { a: ~ }\nmysql:\n  a: x${ vars.a }\n",
       "p.yaml:3:9: the expression gives nil: a variable in it is unset"},
      {"types", "mysql:\n  a: ${ mysql.flavor + 1 }\n",
       "p.yaml:2:8: attempt to perform arithmetic on a string value (field 'flavor')"},
      {"bound", "mysql:\n  a: { at_least: \"${ mysql.flavor }\" }\n",
       "p.yaml:2:18: a bound must be a number, not \"mariadb\""},
      {"circle", "vars: { a: \"${ vars.b }\", b: \"${ vars.a }\" }\nmysql:\n  a: ${ vars.a }\n",
       "p.yaml:3:8: vars.a is computed from itself (p.yaml:1:9)"},
      {"computed key", "sysfs:\n  ${ '..' }/x: 1\n", "p.yaml:2:3: ../x: cannot leave /sys"},
      {"multi-line", "mysql:\n  a: >\n    x ${ 1 +\n    foo }\n", "p.yaml:3:9: no fact is named \"foo\""},
  });
}

TEST_CASE("all faults of all files come in one run") {
  Workbench bench;
  bench.add("base", "sysctl:\n  a: ${ foo }\n  b:\n");
  bench.add("p", "extends: base\nsummry: x\nsysctl:\n  c: [1]\n  d: ${ bar }\n");
  CHECK(bench.faults("p") ==
        "base.yaml:2:9: no fact is named \"foo\"\n"
        "base.yaml:3:3: \"b\" has no value: write ~ for \"must be absent\"\n"
        "p.yaml:2:1: unknown key \"summry\", did you mean \"summary\"?\n"
        "p.yaml:4:6: \"c\" takes one value: sysctl has no lists\n"
        "p.yaml:5:9: no fact is named \"bar\"");
  const auto found = bench.loader().check("p");
  CHECK(found.size() == 5);
  CHECK(bench.facts.asked.empty());
}

TEST_CASE("bombs are refused quickly: nesting, aliases, doubling variables, huge files") {
  const auto start = std::chrono::steady_clock::now();
  Workbench bench;
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "{a: ";
  CHECK(bench.faults_of("x: " + deep) == "p.yaml:1:128: nested deeper than 32");
  CHECK(bench.faults_of("x: " + std::string(100'000, '[')) != "");
  std::string doubling = "vars:\n  v0: " + std::string(1'000, 'x') + "\n";
  for (int i = 1; i < 40; ++i) {
    const auto last = "${ vars.v" + std::to_string(i - 1) + " }";
    doubling += "  v" + std::to_string(i) + ": \"" + last + last + "\"\n";
  }
  const auto faults = bench.faults_of(doubling + "sysctl:\n  a: ${ vars.v39 }\n");
  CHECK(faults.find("the text grows beyond 1 MiB") != std::string::npos);
  CHECK(bench.faults_of("a: " + std::string(5U << 20, 'x')) == "p.yaml: the file is larger than 4 MiB");
  std::string keys = "sysctl:\n";
  for (int i = 0; i < 20'000; ++i) keys += "  k" + std::to_string(i) + ": 1\n";
  CHECK(bench.of(keys).desired.size() == 20'000);
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
}

TEST_CASE("a template never renders a missing name as nothing") {
  Workbench bench;
  const auto faults = [&](const std::string& text) {
    bench.host.add_file("/usr/share/tunekeeper/templates/t", text);
    return bench.faults_of("vars: { unset: ~ }\nfiles:\n  /etc/x: { template: t }\n");
  };
  CHECK(faults("{{memory.totl}}") ==
        "p.yaml:3:23: template t: no fact is named \"memory.totl\", did you mean \"memory.total\"?");
  CHECK(faults("{{vars.unset}}") ==
        "p.yaml:3:23: template t: the expression gives nil: a variable in it is unset");
  CHECK(faults("{{#numa.nodes}}") ==
        "p.yaml:3:23: template t: the template does not parse: Unclosed section "
        "\"numa.nodes\" at 0");
  CHECK(faults("{{> other}}") == "p.yaml:3:23: template t: {{>other}}: a template cannot include another");
  CHECK(faults("{{1+1}}") == "p.yaml:3:23: template t: \"1+1\" is no name");
  CHECK(faults("{{.}}") == "p.yaml:3:23: template t: {{.}} stands outside of a list");
  CHECK(faults("{{").find("Unclosed tag") != std::string::npos);
}
