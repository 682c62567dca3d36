#include "profile/workbench.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;
using test::lines;
using test::Workbench;

TEST_CASE("a scalar's own text is the value") {
  Workbench bench;
  CHECK(lines(bench.of(R"(
summary: texts
sysctl:
  a: off
  b: 0x10
  c: 007
  d: "quoted # text"
  e: 'it''s'
  f: 1.50
  g: Yes
  h: ""
  i: 250 32000
)")) == R"(sysctl:a = off
sysctl:b = 0x10
sysctl:c = 007
sysctl:d = quoted # text
sysctl:e = it's
sysctl:f = 1.50
sysctl:g = Yes
sysctl:h = 
sysctl:i = 250 32000
)");
}

TEST_CASE("~ wants absence, a list is one repeated value, a flag has no value") {
  Workbench bench;
  const auto evaluation = bench.of(R"(
grub:
  quiet: ~
  splash: { flag: true }
  console: [tty0, "ttyS0,115200"]
  hugepages: ["hugepagesz=2M hugepages=64"]
  rhgb: { value: ~, why: boot messages }
)");
  REQUIRE(evaluation.desired.size() == 5);
  CHECK(evaluation.desired[0].want == Want::absent);
  CHECK(evaluation.desired[1].value == Value::flag());
  CHECK(evaluation.desired[2].value == Value::list({"tty0", "ttyS0,115200"}));
  CHECK(evaluation.desired[3].value == Value::list({"hugepagesz=2M hugepages=64"}));
  CHECK(evaluation.desired[4].want == Want::absent);
  CHECK(evaluation.desired[4].why == "boot messages");
}

TEST_CASE("the long form carries bounds, reasons and release") {
  Workbench bench;
  const auto evaluation = bench.of(R"(
sysctl:
  fs.file-max: { at_least: 500000, why: many sockets, source: "https://example.org/x" }
  vm.swappiness:
    at_most: ${ 5 * 2 }
    on_release: leave
)");
  const auto& least = evaluation.desired[0];
  CHECK(least.want == Want::at_least);
  CHECK(least.value == Value::of("500000"));
  CHECK(least.why == "many sockets");
  CHECK(least.source == "https://example.org/x");
  CHECK(least.restore_on_release);
  CHECK(least.profile == "p");
  CHECK(to_string(least.at) == "/usr/share/tunekeeper/profiles/p.yaml:3:3");
  CHECK(evaluation.desired[1].want == Want::at_most);
  CHECK(evaluation.desired[1].value == Value::of("10"));
  CHECK_FALSE(evaluation.desired[1].restore_on_release);
}

TEST_CASE("groups nest keys, ids join them") {
  Workbench bench;
  CHECK(lines(bench.of(R"(
nginx:
  worker_processes: auto
  events: { worker_connections: 8192 }
units:
  mysql: { Service: { NUMAPolicy: interleave, LimitNOFILE: { at_least: 40000 } } }
)")) == R"(nginx:worker_processes = auto
nginx:events.worker_connections = 8192
unit:mysql.Service.NUMAPolicy = interleave
unit:mysql.Service.LimitNOFILE = at least 40000
)");
}

TEST_CASE("expressions stand in values and keys, several in one text") {
  Workbench bench;
  CHECK(lines(bench.of(R"(
vars: { share: 0.5, name: "a${ 1 + 1 }b" }
mysql:
  pool: ${ floor_to(memory.total * vars.share, 256*MiB) }
  mixed: "${ numa.nodes }x${ KiB }M$${literal}"
  named: ${ vars.name }
  whole: ${ memory.total / 4 }
  map: { value: "${ pick(numa.nodes > 1, 'many', 'one') }" }
  brace: "${ #{1, 2} .. '}' }"
  ${ 'k' .. 1 }: v
)")) == R"(mysql:pool = 4294967296
mysql:mixed = 2x1024M${literal}
mysql:named = a2b
mysql:whole = 2147483648
mysql:map = many
mysql:brace = 2}
mysql:k1 = v
)");
}

TEST_CASE("a list in a key makes one setting each") {
  Workbench bench;
  CHECK(lines(bench.of(R"(
sysfs:
  block/${ mysql.disks }/queue/scheduler: none
)")) == R"(sysfs:block/sda/queue/scheduler = none
sysfs:block/nvme0n1/queue/scheduler = none
)");
  bench.facts.set("mysql.disks", std::vector<std::string>{});
  CHECK(lines(bench.evaluate("p")) ==
        "sysfs:block/${ mysql.disks }/queue/scheduler ? \" mysql.disks \" is an empty list here\n");
}

TEST_CASE("the same setting by another spelling of its key: the later one wins") {
  Workbench bench;
  CHECK(lines(bench.of(R"(
sysfs:
  block/${ mysql.disks }/queue/scheduler: none
  block/sda/queue/scheduler: mq-deadline
)")) == R"(sysfs:block/sda/queue/scheduler = mq-deadline
sysfs:block/nvme0n1/queue/scheduler = none
)");
}

TEST_CASE("by chooses a case") {
  Workbench bench;
  const char* yaml = R"(
mysql:
  innodb_io_capacity:
    by: mysql.storage
    cases: { hdd: 200, ssd: "${ 1000 * 2 }", nvme: 10000, virtual: 1000 }
  innodb_flush_neighbors: { by: mysql.storage, cases: { ssd: ~, nvme: 0 }, default: 1 }
  read_ahead: { by: mysql.storage, cases: { hdd: 4, default: 8 } }
  nodes: { by: numa.nodes, cases: { 1: one, 2: two } }
)";
  CHECK(lines(bench.of(yaml)) == R"(mysql:innodb_io_capacity = 2000
mysql:innodb_flush_neighbors = (absent)
mysql:read_ahead = 8
mysql:nodes = two
)");
  bench.facts.set("mysql.storage", std::string("hdd"));
  CHECK(lines(bench.evaluate("p")) == R"(mysql:innodb_io_capacity = 200
mysql:innodb_flush_neighbors = 1
mysql:read_ahead = 4
mysql:nodes = two
)");
  bench.facts.set("numa.nodes", std::int64_t{4});
  CHECK(bench.faults("p") ==
        "p.yaml:8:16: numa.nodes is \"4\" here: there is no case for it and no default (cases: 1, 2)");
}

TEST_CASE("a setting whose when does not hold is not wanted at all") {
  Workbench bench;
  CHECK(lines(bench.of(R"(
vars: { spin: ~, size: 3 }
sysctl:
  a: { value: 1, when: numa.nodes > 1 }
  b: { value: 1, when: numa.nodes > 2 }
  c: { value: "${ vars.spin }", when: vars.spin }
  d: { value: "${ vars.size }", when: vars.size }
  e: { value: 1, when: 'mysql.flavor == "mariadb" and mysql.version >= "10.2"' }
)")) == "sysctl:a = 1\nsysctl:d = 3\nsysctl:e = 1\n");
}

TEST_CASE("a value that is just an unset variable is not wanted") {
  Workbench bench;
  CHECK(lines(bench.of(R"(
vars: { spin: ~, wait: 0 }
mysql:
  a: ${ vars.spin }
  b: { at_least: "${vars.spin}", why: x }
  c: { by: mysql.storage, cases: { ssd: "${ vars.spin }" }, default: 1 }
  d: ${ vars.wait }
)")) == "mysql:d = 0\n");
}

TEST_CASE("a missing fact leaves the setting unresolved, with the reason") {
  Workbench bench;
  CHECK(lines(bench.of(R"(
vars: { role: "${ mysql.role }" }
mysql:
  a: ${ mysql.role }
  b: { value: 1, when: mysql.role == 'primary' }
  c: ${ vars.role }
  x/${ mysql.role }/${ numa.nodes }: 1
  d: { by: mysql.role, cases: { primary: 1 } }
  ok: 1
)")) == R"(mysql:ok = 1
mysql:a ? mysql.role is not known here: the server is not running
mysql:b ? mysql.role is not known here: the server is not running
mysql:c ? mysql.role is not known here: the server is not running
mysql:x/${ mysql.role }/${ numa.nodes } ? mysql.role is not known here: the server is not running
mysql:d ? mysql.role is not known here: the server is not running
)");
}

TEST_CASE("sections whose owner is absent are not evaluated, and ask for no fact") {
  Workbench bench;
  bench.add("p", "mysql:\n  a: ${ mysql.role }\n  ${ mysql.disks }: 1\nsysctl:\n  b: ${ numa.nodes }\n");
  const auto profile = bench.load("p");
  CHECK(bench.facts.asked.empty());
  const auto evaluation = evaluate(profile, bench.facts, bench.evaluator,
                                   [](std::string_view section) { return section != "mysql"; });
  CHECK(lines(evaluation) ==
        "sysctl:b = 2\nmysql:a ? section absent\nmysql:${ mysql.disks } ? section absent\n");
  CHECK(bench.facts.asked == std::set<std::string>{"numa.nodes"});
  CHECK(evaluation.unresolved[0].wish.at.line == 2);
}

TEST_CASE("variables may be computed from facts and each other, once") {
  Workbench bench;
  CHECK(lines(bench.of(R"(
vars:
  log: ${ vars.pool // 4 }
  pool: ${ memory.total // 2 }
  list: [a, b]
  text: "0.70"
  truth: true
mysql:
  pool: ${ vars.pool }
  log: ${ vars.log }
  two: ${ vars.list[2] }
  text: ${ vars.text }
  truth: ${ vars.truth and 'ON' or 'OFF' }
)")) == R"(mysql:pool = 4294967296
mysql:log = 1073741824
mysql:two = b
mysql:text = 0.70
mysql:truth = ON
)");
}

TEST_CASE("a fraction needs a section that has fractions") {
  Workbench bench;
  CHECK(lines(bench.of("nginx:\n  a: ${ 1 / 4 }\n")) == "nginx:a = 0.25\n");
  CHECK(bench.faults_of("mysql:\n  a: 1.5\n  b: ${ 1 / 4 }\n") ==
        "p.yaml:3:8: the expression gives a fraction (0.25): use floor_to(…, 1) or ceil_to(…, 1)");
}

TEST_CASE("files are rendered from templates by facts and variables") {
  Workbench bench;
  bench.host.add_file(
      "/usr/share/tunekeeper/templates/upstream.mustache",
      "{{#mysql.disks}}\ndisk {{.}} & <co>\n{{/mysql.disks}}\nsize {{vars.size}} of {{{memory.total}}}\n");
  bench.add("p", "vars: { size: 3 }\nfiles:\n  /etc/x: { template: upstream.mustache }\n");
  CHECK(bench.evaluate("p").desired.at(0).value ==
        Value::of("disk sda & <co>\ndisk nvme0n1 & <co>\nsize 3 of 8589934592\n"));
}

TEST_CASE("CRLF lines and a byte order mark are no part of a value") {
  Workbench bench;
  CHECK(lines(bench.of("\xef\xbb\xbfsysctl:\r\n  a: 1\r\n  b: ${ numa.nodes }\r\n")) ==
        "sysctl:a = 1\nsysctl:b = 2\n");
}

TEST_CASE("a text of a megabyte is carried") {
  Workbench bench;
  const std::string text(1'000'000, 'x');
  CHECK(bench.of("sysctl:\n  a: " + text + "\n").desired.at(0).value == Value::of(text));
}
