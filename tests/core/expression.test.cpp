#include "core/expression.hpp"

#include <map>

#include "support/catch.hpp"
#include "support/facts.hpp"

using namespace tunekeeper;
using test::StatedFacts;
using List = std::vector<std::string>;

namespace {

class StatedVars : public VarSource {
 public:
  explicit StatedVars(std::map<std::string, std::optional<Scalar>, std::less<>> vars)
      : vars_(std::move(vars)) {
    for (const auto& [name, value] : vars_) names_.push_back(name);
  }
  std::optional<Scalar> var(std::string_view name) const override { return vars_.find(name)->second; }
  const List& names() const override { return names_; }

 private:
  std::map<std::string, std::optional<Scalar>, std::less<>> vars_;
  List names_;
};

struct Bench {
  StatedFacts facts;
  StatedVars vars{
      {{"share", 0.70}, {"connections", std::int64_t{500}}, {"spin", std::nullopt}, {"name", "x"}}};
  Evaluator evaluator;

  Bench() {
    facts.set("memory.total", std::int64_t{8} << 30);
    facts.set("mysql.disks", List{"sda", "nvme0n1"});
    facts.set("mysql.storage", std::string("ssd"));
    facts.set("mysql.version", std::string("10.11.19"));
    facts.set("virt.container", false);
    facts.miss("mysql.role", "the server is not running");
  }

  Scope scope() const { return {&facts, &vars}; }
  Scalar of(std::string_view expression) { return evaluator.evaluate(expression, scope()); }
  std::string text(std::string_view expression) { return to_string(of(expression)); }
  std::string error(std::string_view expression) {
    try {
      return "gave " + text(expression);
    } catch (const ExpressionError& error) {
      return error.what();
    }
  }
};

}  // namespace

TEST_CASE("a scalar's text has no fraction when the number has none") {
  CHECK(to_string(Scalar(true)) == "true");
  CHECK(to_string(Scalar(std::int64_t{-5})) == "-5");
  CHECK(to_string(Scalar(3.0)) == "3");
  CHECK(to_string(Scalar(1e18)) == "1000000000000000000");
  CHECK(to_string(Scalar(0.75)) == "0.75");
  CHECK(to_string(Scalar(0.1 + 0.2)) == "0.3");
  CHECK(to_string(Scalar(-0.0)) == "0");
  CHECK(to_string(Scalar(List{"sda", "sdb"})) == "sda sdb");
}

TEST_CASE("expressions compute with facts, variables and units") {
  Bench bench;
  CHECK(bench.text("memory.total / 4") == "2147483648");
  CHECK(bench.text("floor_to(memory.total * vars.share, 256*MiB)") == "5905580032");
  CHECK(bench.text("max(256*MiB, min(vars.connections, 3), 1.5)") == "268435456");
  CHECK(bench.text("'blk-' .. mysql.storage .. vars.connections") == "blk-ssd500");
  CHECK(bench.text("mysql.storage == 'ssd' and 2000 or 200") == "2000");
  CHECK(bench.text("#mysql.disks") == "2");
  CHECK(bench.text("mysql.disks[2]") == "nvme0n1");
  CHECK(std::get<List>(bench.of("mysql.disks")) == List{"sda", "nvme0n1"});
  CHECK(bench.text("{1, 'b', 2.0}") == "1 b 2");
  CHECK(bench.text("math.floor(2.7)") == "2");
  CHECK(bench.text("TiB // GiB") == "1024");
  CHECK(bench.text("not virt.container") == "true");
  CHECK(bench.text("1 +\n 1") == "2");
}

TEST_CASE("whole numbers are exact over all 64 bits") {
  Bench bench;
  CHECK(bench.text("9007199254740993 + 0") == "9007199254740993");
  CHECK(bench.text("floor_to(9223372036854775807, 4096)") == "9223372036854771712");
  CHECK(bench.error("ceil_to(9223372036854775807, 4096)") == "the number does not fit 64 bits");
  CHECK(bench.error("floor_to(1e30, 4096)") == "the number does not fit 64 bits");
}

TEST_CASE("floor_to, ceil_to, clamp and pick") {
  Bench bench;
  CHECK(bench.text("floor_to(1000, 256)") == "768");
  CHECK(bench.text("floor_to(-1, 256)") == "-256");
  CHECK(bench.text("floor_to(-512, 256)") == "-512");
  CHECK(bench.text("ceil_to(1000, 256)") == "1024");
  CHECK(bench.text("ceil_to(512.1, 256)") == "768");
  CHECK(bench.text("floor_to(1.3, 0.5)") == "1");
  CHECK(bench.text("ceil_to(1.3, 0.5)") == "1.5");
  CHECK(bench.error("floor_to(1, 0)") == "the step must be above 0");
  CHECK(bench.error("floor_to(1, -0.5)") == "the step must be above 0");
  CHECK(bench.text("clamp(5, 1, 3)") == "3");
  CHECK(bench.text("clamp(0, 1, 3)") == "1");
  CHECK(bench.text("clamp(2, 1, 3)") == "2");
  CHECK(bench.error("clamp(2, 3, 1)") == "clamp's low is above its high");
  CHECK(bench.text("pick(mysql.storage == 'ssd', 'a', 'b')") == "a");
  CHECK(bench.error("pick(true, 1)") == "bad argument #3 to 'pick' (value expected)");
  CHECK(bench.error("max('a', 1)") == "bad argument #1 to 'max' (number expected, got string)");
}

TEST_CASE("a version compares with a text part by part") {
  Bench bench;
  CHECK(bench.evaluator.holds("mysql.version >= '10.2'", bench.scope()));
  CHECK(bench.evaluator.holds("'10.2' < mysql.version and mysql.version < '11'", bench.scope()));
  CHECK_FALSE(bench.evaluator.holds("mysql.version <= '10.11'", bench.scope()));
  CHECK(bench.text("mysql.version") == "10.11.19");
  CHECK(bench.text("'v' .. mysql.version .. '!'") == "v10.11.19!");
  CHECK(bench.error("mysql.version > 10.2") ==
        "a version compares with a text like \"10.11\", not with a number");
  CHECK(bench.error("mysql.version > 'new'") == "\"new\" is no version");
}

TEST_CASE("== on a version is an error, where Lua would quietly say false") {
  Bench bench;
  const std::string message =
      "a version cannot be compared by \"==\": write mysql.version >= \"…\" and mysql.version < \"…\"";
  CHECK(bench.error("mysql.version == '10.11.19'") == message);
  CHECK(bench.error("'10.11.19' == (mysql.version)") == message);
  CHECK(bench.error("(mysql.version) == '10'") == message);
}

TEST_CASE("a missing fact carries its reason, and is told from a wrong name") {
  Bench bench;
  try {
    bench.of("mysql.role == 'primary'");
    FAIL("no error");
  } catch (const ExpressionError& error) {
    CHECK(error.missing_fact());
    CHECK(std::string(error.what()) == "mysql.role is not known here: the server is not running");
  }
  try {
    bench.of("memory.totl");
    FAIL("no error");
  } catch (const ExpressionError& error) {
    CHECK_FALSE(error.missing_fact());
    CHECK(std::string(error.what()) == "no fact is named \"memory.totl\", did you mean \"memory.total\"?");
  }
  CHECK(bench.error("vars.shar") == "no variable is named \"shar\", did you mean \"vars.share\"?");
  CHECK(bench.text("false and mysql.role or 'not asked'") == "not asked");
}

TEST_CASE("only the facts that an expression uses are asked for") {
  Bench bench;
  bench.of("memory.total");
  CHECK(bench.facts.asked == std::set<std::string>{"memory.total"});
}

TEST_CASE("an unset variable is nil: false in a condition, an error as a value") {
  Bench bench;
  CHECK_FALSE(bench.evaluator.holds("vars.spin", bench.scope()));
  CHECK(bench.evaluator.holds("vars.spin == nil", bench.scope()));
  CHECK(bench.text("vars.spin or 6") == "6");
  CHECK(bench.error("vars.spin") == "the expression gives nil: a variable in it is unset");
}

TEST_CASE("results that are no value are errors") {
  Bench bench;
  CHECK(bench.error("memory") == "the expression gives a group of facts, not a value");
  CHECK(bench.error("max") == "the expression gives a function, not a value");
  CHECK(bench.error("1/0") == "the expression divides by zero or overflows");
  CHECK(bench.error("0/0") == "the expression divides by zero or overflows");
  CHECK(bench.error("1//0") == "attempt to divide by zero");
  CHECK(bench.error("{{}}") == "item 1 of the list is neither a text nor a number");
  CHECK(bench.error("mysql.storage + 1") ==
        "attempt to perform arithmetic on a string value (field 'storage')");
}

TEST_CASE("nothing but an expression is understood") {
  Bench bench;
  const auto refused = [&](std::string_view expression) {
    const auto error = bench.error(expression);
    INFO(expression << ": " << error);
    CHECK_FALSE(error.starts_with("gave "));
  };
  for (const char* attack : {"1) os.exit( (",
                             "1 end while true do end",
                             "(function() while true do end end)()",
                             "1; os.exit()",
                             "1, 2",
                             "1 -- comment",
                             "--[[ x ]] 1",
                             "[[long]]",
                             "[=[long]=]",
                             "a = 1",
                             "x == 1 or x = 2",
                             "...",
                             "goto x",
                             "::x::",
                             "_ENV",
                             "_ENV.max",
                             "return 1",
                             "",
                             "   ",
                             "(1",
                             "1)",
                             "{1",
                             "[1]",
                             "'abc",
                             "\"abc",
                             "1 ]",
                             "if true then 1 end",
                             "not",
                             "1 +",
                             "1 ! 2",
                             "@",
                             "`id`",
                             "$x",
                             "\\"})
    refused(attack);
  CHECK(bench.error("vars.share = 1") == "\"=\" does not compare: write \"==\"");
  CHECK(bench.error("1 != 2") == "\"!\" is no operator here: write \"not\", and \"~=\" for unequal");
  CHECK(bench.error("1 +") == "unexpected symbol at the end of the expression");
}

TEST_CASE("no library and no metatable is in reach") {
  Bench bench;
  for (const char* attack : {"os.exit()",
                             "os.execute('id')",
                             "io.open('/etc/passwd')",
                             "load('return 1')()",
                             "loadstring('1')",
                             "require('os')",
                             "dofile('/x')",
                             "pcall(max)",
                             "coroutine.create(max)",
                             "debug.getregistry()",
                             "getmetatable('')",
                             "setmetatable({}, {})",
                             "rawset(vars, 'a', 1)",
                             "_G.max",
                             "string.rep('x', 1000)",
                             "('x'):rep(1e9)",
                             "('x').rep('x', 1e9)",
                             "mysql.storage.rep",
                             "table.concat(mysql.disks)",
                             "print(1)",
                             "collectgarbage()",
                             "error('x')",
                             "tostring(1)",
                             "math.random()",
                             "math.randomseed(1)",
                             "select('#', 1)",
                             "next(mysql.disks)",
                             "math.foo",
                             "utf8.char(1)",
                             "package.path",
                             "mysql['storage']"}) {
    const auto error = bench.error(attack);
    INFO(attack << ": " << error);
    CHECK_FALSE(error.starts_with("gave "));
  }
}

TEST_CASE("steps, memory and nesting are limited, and the evaluator lives on") {
  Bench bench;
  std::string steps = "memory.total";
  for (int i = 0; i < 60'000; ++i) steps += "+memory.total";
  CHECK(bench.error(steps) == "the expression takes more than 100000 steps");
  std::string doubling = "vars.name";
  StatedVars big({{"name", std::string(6U << 20, 'x')}});
  const auto memory = [&] {
    return bench.evaluator.evaluate("vars.name .. vars.name .. 'y'", {&bench.facts, &big});
  };
  CHECK_THROWS_WITH(memory(), "the expression takes more than 16 MiB of memory");
  CHECK_FALSE(bench.error(std::string(5'000, '(') + "1" + std::string(5'000, ')')).starts_with("gave "));
  std::string concat = "'a'";
  for (int i = 0; i < 5'000; ++i) concat += "..'a'";
  CHECK_FALSE(bench.error(concat).starts_with("gave "));
  CHECK(bench.text("1 + 1") == "2");
}

TEST_CASE("check finds every fault without evaluating, in branches that are not taken too") {
  Bench bench;
  const auto faults = bench.evaluator.check("false and memry.total or vars.shar + foo(1)", bench.scope());
  REQUIRE(faults.size() == 3);
  CHECK(faults[0].column == 11);
  CHECK(faults[0].message == "no fact is named \"memry.total\", did you mean \"memory.total\"?");
  CHECK(faults[1].column == 26);
  CHECK(faults[2].message == "no fact is named \"foo\"");
  CHECK(bench.evaluator.check("max(memory.total, vars.spin or 1, KiB, math.pi)", bench.scope()).empty());
  CHECK(bench.evaluator.check("memory", bench.scope()).front().message ==
        "\"memory\" is a group, not a value: write memory.NAME");
  CHECK(bench.evaluator.check("1 1", bench.scope()).front().message == "<eof> expected near '1'");
  CHECK(bench.evaluator.check("math.flor(1)", bench.scope()).front().message ==
        "no fact is named \"math.flor\", did you mean \"math.floor\"?");
  CHECK(bench.facts.asked.empty());
}
