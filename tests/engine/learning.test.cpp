// What apply asks of an owner's program, keeps, and never asks again.

#include <algorithm>

#include "engine/bench.hpp"

using namespace tunekeeper;
using namespace tunekeeper::test;

namespace {

const std::string kProgram = "/usr/sbin/mariadbd";
const std::string kKept = std::string(places::kServerOptions);

/// A host whose database server lists two options, and counts how often it is asked for them.
struct ServerBench : EngineBench {
  int questions = 0;

  ServerBench() {
    host.add_file(kProgram, "the program", 0755);
    host.on_command(
        [this](MemoryHost&, const std::vector<std::string>& argv) -> std::optional<CommandResult> {
          if (argv.front() != kProgram) return std::nullopt;
          if (argv.at(1) == "--no-defaults") ++questions;
          return CommandResult{0, false,
                               "  --max-connections=#\n  --back-log=#\n---- ----\nmax-connections 151\n", ""};
        });
  }

  Plan check(const std::vector<Desired>& desired) {
    return make_check(session("verify"), whole(desired), {});
  }
  Plan diff(const std::vector<Desired>& desired) { return make_plan(session("diff"), whole(desired), {}); }
};

State state_of(const std::vector<Row>& rows, const std::string& id) {
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.desired.id == id; });
  REQUIRE(found != rows.end());
  return found->state;
}

}  // namespace

TEST_CASE("an option that the server's program does not list is found out by apply, and left out") {
  ServerBench bench;
  const std::vector<Desired> wanted = {mysql("max_connections", "500"), mysql("odd_option", "1"),
                                       sysctl("vm.swappiness", "1")};
  // Before: nobody was asked, and a diff asks nobody.
  CHECK(state_of(bench.diff(wanted).rows, "mysql:odd_option") == State::differs);
  CHECK(bench.questions == 0);
  CHECK(bench.host.write_count() == 0);

  const ApplyResult result = bench.apply(wanted);
  CHECK(bench.questions == 1);
  CHECK(result.changed);
  CHECK(state_of(result.after, "mysql:odd_option") == State::unsupported);
  CHECK(bench.bytes(kMysqlDropIn) == kHeader + "\n[mysqld]\nmax_connections = 500\n");
  CHECK(bench.host.info(kKept)->mode == 0600);

  // After: every verb knows, without a question or a write.
  bench.host.forget_records();
  CHECK(state_of(bench.diff(wanted).rows, "mysql:odd_option") == State::unsupported);
  CHECK(state_of(bench.check(wanted).rows, "mysql:odd_option") == State::unsupported);
  CHECK(bench.host.write_count() == 0);
  CHECK_FALSE(bench.apply(wanted).changed);
  CHECK(bench.questions == 1);
}

TEST_CASE("a later apply with more to write does not ask the program again, until it is another one") {
  ServerBench bench;
  bench.apply({mysql("max_connections", "500")});
  bench.apply({mysql("max_connections", "600"), mysql("back_log", "80")});
  CHECK(bench.questions == 1);
  bench.host.add_file(kProgram, "the upgraded program", 0755);
  bench.apply({mysql("max_connections", "700")});
  CHECK(bench.questions == 2);
  bench.host.add_file(kKept, "damaged", 0600);
  bench.apply({mysql("max_connections", "800")});
  CHECK(bench.questions == 3);
  bench.apply({mysql("max_connections", "900")});
  CHECK(bench.questions == 3);
}

TEST_CASE("what is right already, and what no server has a part in, asks no program") {
  ServerBench bench;
  bench.apply({mysql("max_connections", "100"), sysctl("vm.swappiness", "1")});
  CHECK(bench.questions == 0);
  CHECK_FALSE(bench.host.exists(kKept));
}

TEST_CASE("an answer is believed by the run that asked even where its file would not be") {
  ServerBench bench;
  bench.host.add_directory(std::string(places::kStateFolder), 0777);
  const ApplyResult result = bench.apply({mysql("max_connections", "500"), mysql("odd_option", "1")});
  CHECK(state_of(result.after, "mysql:odd_option") == State::unsupported);
  bench.apply({mysql("max_connections", "600")});
  CHECK(bench.questions == 2);
}

TEST_CASE("a number that the program would not take stops apply before anything of the host is written") {
  ServerBench bench;
  const auto before = bench.everything();
  CHECK_THROWS_AS(bench.apply({mysql("max_connections", "500"), mysql("back_log", "5x")}), Error);
  CHECK(bench.everything() == before);
}

TEST_CASE("another root's own program is asked inside it, and one that cannot start teaches nothing") {
  ServerBench bench;
  bench.host.set_other_root(true);
  bench.host.set_staged(true);
  SECTION("it starts") {
    CHECK(bench.apply({mysql("max_connections", "500")}).changed);
    CHECK(bench.questions == 1);
    CHECK(bench.host.exists(kKept));
  }
  SECTION("it cannot be started") {
    bench.host.on_command({kProgram}, {-1, false, "", "chroot: not permitted"});
    CHECK(bench.apply({mysql("max_connections", "500")}).changed);
    CHECK_FALSE(bench.host.exists(kKept));
  }
}
