// Every write of an apply and of a rollback fails, or is the last that the process does; afterwards the host
// is as before, or as wanted, and nothing between.
#include <cerrno>
#include <iostream>
#include <memory>

#include "engine/bench.hpp"

using namespace tunekeeper;
using namespace tunekeeper::test;

namespace {

using Tree = std::map<std::string, std::string>;

const std::vector<Desired> kFirst = {sysctl("vm.swappiness", "1"),
                                     huge_pages("never"),
                                     mysql("max_connections", "500"),
                                     http("keepalive_timeout", "75"),
                                     kernel_token("transparent_hugepage", "never"),
                                     service_key("LimitNOFILE", "65536")};
/// Changes, releases and new settings, with folders to make and to remove.
const std::vector<Desired> kSecond = {sysctl("vm.swappiness", "5"), sysctl("vm.dirty_ratio", "10"),
                                      mysql("max_connections", "900"),
                                      kernel_token("transparent_hugepage", "always")};

/// One kind of run to be disturbed: how the host comes to it, and the run.
struct Scenario {
  std::string name;
  void (*prepare)(EngineBench&);
  void (*run)(EngineBench&);
};

void tune_first(EngineBench& bench) {
  bench.host.remove("/etc/tmpfiles.d");
  bench.apply(kFirst);
}

const std::vector<Scenario> kScenarios = {
    {"first apply", [](EngineBench& bench) { bench.host.remove("/etc/tmpfiles.d"); },
     [](EngineBench& bench) { bench.apply(kFirst); }},
    {"apply with a reload", [](EngineBench& bench) { bench.run_nginx(); },
     [](EngineBench& bench) {
       bench.apply({http("keepalive_timeout", "75"), sysctl("vm.swappiness", "1")});
     }},
    {"second apply with releases", tune_first, [](EngineBench& bench) { bench.apply(kSecond); }},
    {"apply that ends a hold",
     [](EngineBench& bench) {
       tune_first(bench);
       bench.rollback();
     },
     [](EngineBench& bench) { bench.apply(kFirst, {.end_hold = true}); }},
    {"rollback to 0", tune_first, [](EngineBench& bench) { bench.rollback_to(0); }},
    {"rollback to the parent",
     [](EngineBench& bench) {
       tune_first(bench);
       bench.apply(kSecond);
     },
     [](EngineBench& bench) { bench.rollback(); }},
    {"rollback forwards",
     [](EngineBench& bench) {
       tune_first(bench);
       bench.rollback();
     },
     [](EngineBench& bench) { bench.rollback_to(1); }},
};

/// The hold is our own state, and yet part of what a run does all of or nothing of.
Tree state_of(const EngineBench& bench) {
  Tree tree = bench.everything();
  tree["hold"] = bench.host.exists(std::string(places::kHold)) ? "held" : "";
  tree["generation"] = std::to_string(bench.record().generation);
  return tree;
}

std::unique_ptr<EngineBench> prepared(const Scenario& scenario) {
  auto bench = std::make_unique<EngineBench>();
  scenario.prepare(*bench);
  return bench;
}

/// How many writes the undisturbed run makes, and what it leaves.
std::size_t writes_of(const Scenario& scenario, Tree& after) {
  const auto bench = prepared(scenario);
  bench->host.forget_records();
  scenario.run(*bench);
  after = state_of(*bench);
  return bench->host.write_count();
}

/// The next run's recovery alone: a bare rollback undoes an unfinished run and stops there, an apply of
/// nothing does the same.
void recover_by(EngineBench& bench, bool by_rollback) {
  Session session = bench.session(by_rollback ? "rollback" : "apply");
  const auto lock = take_lock(session);
  recover(session);
}

/// Whether only our own state was written so far, and owners asked for their opinion.
bool nothing_done(const EngineBench& bench) {
  for (const std::string& write : bench.host.writes()) {
    const bool own = write.find(places::kStateFolder) != std::string::npos ||
                     write.find(places::kRunFolder) != std::string::npos || write == "run nginx -t";
    if (!own) return false;
  }
  return true;
}

/// Whether the run ends well; an error must bear the status of the contract: "undone" as soon as there was
/// something to undo.
bool ends_well(const Scenario& scenario, EngineBench& bench, int error_number) {
  bench.host.forget_records();
  try {
    scenario.run(bench);
    return true;
  } catch (const Error& error) {
    INFO(error.what());
    if (error.status() != ExitStatus::undone) {
      CHECK(nothing_done(bench));
      CHECK(error.status() == (error_number == EACCES ? ExitStatus::denied : ExitStatus::error));
    }
    return false;
  }
}

}  // namespace

TEST_CASE("all or nothing: any one write of a run may fail, and the host is as before") {
  int points = 0;
  for (const Scenario& scenario : kScenarios) {
    Tree after;
    const std::size_t writes = writes_of(scenario, after);
    REQUIRE(writes > 5);
    for (const int error_number : {ENOSPC, EIO, EROFS, EACCES}) {
      for (std::size_t n = 1; n <= writes; ++n) {
        INFO(scenario.name << ", write " << n << " fails with " << error_number);
        const auto bench = prepared(scenario);
        const Tree before = state_of(*bench);
        bench->host.fail_after(n, error_number);
        const bool well = ends_well(scenario, *bench, error_number);
        CHECK(state_of(*bench) == (well ? after : before));
        bench->host.revive();
        recover_by(*bench, n % 2 == 0);
        CHECK(state_of(*bench) == (well ? after : before));
        CHECK_FALSE(bench->host.exists(std::string(places::kJournal)));
        ++points;
      }
    }
  }
  std::cout << "fault points in memory, writes that failed: " << points << "\n";
}

TEST_CASE("all or nothing: a disk that stays full leaves the old state, or the next run restores it") {
  int points = 0;
  for (const Scenario& scenario : kScenarios) {
    Tree after;
    const std::size_t writes = writes_of(scenario, after);
    for (std::size_t n = 1; n <= writes; ++n) {
      INFO(scenario.name << ", writes from " << n << " on fail");
      const auto bench = prepared(scenario);
      const Tree before = state_of(*bench);
      bench->host.fail_after(n, ENOSPC, true);
      bool well = true;
      try {
        scenario.run(*bench);
      } catch (const Error&) {
        well = false;
      }
      bench->host.revive();
      recover_by(*bench, n % 2 == 0);
      CHECK(state_of(*bench) == (well ? after : before));
      CHECK_FALSE(bench->host.exists(std::string(places::kJournal)));
      ++points;
    }
  }
  std::cout << "fault points in memory, writes from which all failed: " << points << "\n";
}

TEST_CASE("all or nothing: the process may die at any write, the next run restores the old state") {
  int points = 0;
  for (const Scenario& scenario : kScenarios) {
    Tree after;
    const std::size_t writes = writes_of(scenario, after);
    for (const bool torn : {false, true}) {
      for (std::size_t n = 1; n <= writes; ++n) {
        INFO(scenario.name << ", dies at write " << n << (torn ? ", torn" : ""));
        const auto bench = prepared(scenario);
        const Tree before = state_of(*bench);
        bench->host.die_after(n, torn);
        CHECK_THROWS_AS(scenario.run(*bench), HostDied);
        bench->host.revive();
        recover_by(*bench, n % 2 == 0);
        const Tree now = state_of(*bench);
        // Only the end of the journal comes after the commit.
        CHECK(now == (n == writes ? after : before));
        CHECK_FALSE(bench->host.exists(std::string(places::kJournal)));
        ++points;
      }
    }
  }
  std::cout << "fault points in memory, writes at which the process died: " << points << "\n";
}

TEST_CASE(
    "all or nothing: after a death at any write, and at any write of the recovery, the same run succeeds") {
  int points = 0;
  for (const Scenario& scenario : kScenarios) {
    Tree after;
    const std::size_t writes = writes_of(scenario, after);
    for (std::size_t n = 1; n < writes; ++n) {
      INFO(scenario.name << ", dies at write " << n);
      const auto bench = prepared(scenario);
      const Tree before = state_of(*bench);
      bench->host.die_after(n);
      CHECK_THROWS_AS(scenario.run(*bench), HostDied);
      for (std::size_t again = 1; again < 50; ++again) {
        bench->host.revive();
        bench->host.die_after(again);
        try {
          recover_by(*bench, false);
          break;
        } catch (const HostDied&) {
          ++points;
        }
      }
      bench->host.revive();
      CHECK(state_of(*bench) == before);
      scenario.run(*bench);
      Tree now = state_of(*bench);
      for (Tree* tree : {&now, &after}) tree->erase("/etc/tunekeeper/generation.json");
      CHECK(now == after);
      ++points;
    }
  }
  std::cout << "fault points in memory, deaths in recoveries, and runs after one: " << points << "\n";
}

TEST_CASE("all or nothing: a commit that fails undoes the run, a death right after it leaves the new state") {
  for (const Scenario& scenario : kScenarios) {
    INFO(scenario.name);
    Tree after;
    writes_of(scenario, after);
    const auto failing = prepared(scenario);
    const Tree before = state_of(*failing);
    failing->snapshot.fail_at = 2;  // the first is for what others changed
    CHECK_THROWS_AS(scenario.run(*failing), Error);
    CHECK(state_of(*failing) == before);

    const auto dying = prepared(scenario);
    dying->snapshot.die_after_at = 2;
    CHECK_THROWS_AS(scenario.run(*dying), HostDied);
    dying->host.revive();
    // Somebody else's commit does not hide ours.
    dying->host.add_file("/etc/motd", "x");
    dying->snapshot.commit({.subject = "by etckeeper", .body = {}, .trailers = {}});
    dying->host.remove("/etc/motd");
    recover_by(*dying, false);
    CHECK(state_of(*dying) == after);
  }
}

TEST_CASE("R1: a file that somebody edited between the crash and the recovery stays, and is told") {
  EngineBench bench;
  bench.host.remove("/etc/tmpfiles.d");
  Tree after;
  bench.host.die_after(writes_of(kScenarios[0], after) - 1);
  CHECK_THROWS_AS(bench.apply(kFirst), HostDied);
  bench.host.revive();
  const std::string edited = bench.bytes(kSysctlDropIn) + "vm.dirty_ratio = 11\n";
  bench.host.add_file(kSysctlDropIn, edited);
  const RollbackResult result = bench.rollback();
  CHECK_FALSE(result.changed);
  CHECK(result.nothing_to_do.find("was undone") != std::string::npos);
  CHECK(result.nothing_to_do.find(kSysctlDropIn) != std::string::npos);
  CHECK(bench.bytes(kSysctlDropIn) == edited);
  CHECK(bench.bytes(kSwappiness) == "60\n");
  CHECK_FALSE(bench.host.exists(kMysqlDropIn));
  CHECK_FALSE(read_hold(bench.host));
}

TEST_CASE("an undo that fails says so with its own status, and the next run goes on with it") {
  EngineBench bench;
  const auto before = bench.everything();
  // The kernel takes the first value and no other.
  int writes = 0;
  bench.host.on_live_write(kSwappiness,
                           [&writes](MemoryHost& host, std::string_view value) -> LiveWriteResult {
                             if (++writes > 1) return {EIO, false};
                             host.add_file(kSwappiness, std::string(value) + "\n");
                             return {};
                           });
  bench.host.deny_live_write(kDirtyRatio, EINVAL);
  try {
    bench.apply({sysctl("vm.swappiness", "1"), sysctl("vm.dirty_ratio", "10")});
    FAIL("the run ended well");
  } catch (const Error& error) {
    CHECK(error.status() == ExitStatus::undo_incomplete);
    CHECK(std::string(error.what()).find(kSwappiness) != std::string::npos);
  }
  CHECK(bench.host.exists(std::string(places::kJournal)));
  writes = -1;
  CHECK(bench.rollback().nothing_to_do.find("was undone") != std::string::npos);
  CHECK(bench.everything() == before);
}

TEST_CASE("a write denied for want of root before anything is done keeps its own exit status") {
  EngineBench bench;
  bench.host.deny_write("/etc", EACCES);
  try {
    bench.apply({sysctl("vm.swappiness", "1")}, {.planes = {.live = false, .persisted = true, .boot = true}});
    FAIL("the run ended well");
  } catch (const Error& error) {
    CHECK(error.status() == ExitStatus::denied);
  }
}

TEST_CASE("an undo asks only those services again that the run asked") {
  EngineBench bench;
  Session session = bench.session("apply");
  bench.host.on_command({"systemctl", "restart", "one.service"}, {1, false, "", "Job failed."});
  const auto restart = [](const std::string& unit) {
    Action action;
    action.phase = Phase::restart;
    action.plane = PlaneKind::live;
    action.deed = ServiceJob{ServiceJob::Kind::restart, unit, unit, {}};
    return action;
  };
  Transaction transaction(session);
  transaction.begin();
  try {
    transaction.perform({restart("one.service"), restart("two.service")});
    FAIL("the run ended well");
  } catch (const Error& error) {
    CHECK_THROWS_AS(transaction.fail(error), Error);
  }
  int asked = 0;
  for (const std::string& write : bench.host.writes()) {
    asked += write == "run systemctl restart one.service" ? 1 : 0;
    CHECK(write != "run systemctl restart two.service");
  }
  CHECK(asked == 2);
}

TEST_CASE("a damaged journal is set aside and told, and the run goes on") {
  EngineBench bench;
  bench.host.add_file(places::kJournal, "{\"schema\": \"tunekeeper.journal/9\"}\n{}\n");
  const ApplyResult result = bench.apply(kFirst);
  CHECK(result.changed);
  REQUIRE_FALSE(bench.dialogue.told.empty());
  CHECK(bench.dialogue.told.front().find("damaged") != std::string::npos);
  bool aside = false;
  for (const std::string& name : bench.host.list(places::kStateFolder))
    aside |= name.find("damaged") != std::string::npos;
  CHECK(aside);
}

TEST_CASE("a journal whose first line is torn is a run that did nothing") {
  EngineBench bench;
  bench.host.add_file(places::kJournal, "{\"schema\": \"tuneke");
  CHECK(bench.apply(kFirst).changed);
  CHECK_FALSE(bench.host.exists(std::string(places::kJournal)));
}
