#include "faults/points.hpp"

#include <array>
#include <iostream>
#include <stdexcept>

#include "support/catch.hpp"

namespace tunekeeper::faults {
namespace {

const Words kFirst = {"apply", "--yes", "db"};
const Words kSecond = {"@second", "apply", "--yes", "db"};
const Words kRollback = {"rollback", "--yes"};

const std::vector<Scenario> kScenarios = {
    {"first apply", {}, kFirst},
    {"second apply", {kFirst}, kSecond},
    {"rollback to generation 0", {kFirst}, kRollback},
    {"rollback to generation 1", {kFirst, kSecond}, kRollback},
    {"release", {kFirst}, {"apply", "--yes", "--drop", "db"}},
    {"recovery of an apply", {kFirst, kSecond}, kRollback, true},
    {"recovery of a rollback", {kFirst, kRollback}, kRollback, true},
    {"bind-mounted files", {kFirst}, kSecond, false, "/srv/nginx.conf"},
    {"files of a commit", {kFirst}, {"rollback", "--yes", "--files", ":/Generation 1"}, false, "", true},
    {"a commit that packs", {kFirst}, kSecond, false, "", false, true},
};

/// The last call of a run that renames a file in place of another before its commit: near the end of what an
/// undo has to take back.
WriteCall late_call(const std::vector<WriteCall>& calls) {
  for (auto call = calls.rbegin(); call != calls.rend(); ++call) {
    if (call->line.find("generation.json") != std::string::npos && call->name.starts_with("rename"))
      return *call;
    if (call->line.find("generation.json") != std::string::npos && call->name == "unlinkat") return *call;
  }
  throw std::runtime_error("no call replaces the record");
}

/// Brings the host to where a run of the scenario was killed; what it was before that run is what the
/// recovery has to bring back.
Tree die_late(const FaultBench& bench, const Words& words) {
  bench.keep();
  const Tree before = bench.state();
  const WriteCall last = late_call(bench.write_calls(words));
  bench.reset();
  if (!bench.run_with(words, last, {"signal=KILL"}).struck)
    throw std::runtime_error("the run to recover from did not die");
  return before;
}

/// What every point is told with, should a check of it fail.
std::string point_name(const Stage& stage, const WriteCall& call, const std::string& fault) {
  return stage.scenario.name + ": " + fault + " at " + call.line;
}

void check_state(const FaultBench& bench, const Tree& expected) {
  const Tree now = bench.state();
  if (now != expected) FAIL_CHECK(difference(expected, now));
}

void check_old_or_new(const Stage& stage) {
  const Tree now = stage.bench.state();
  if (now != stage.old_state && now != stage.new_state) FAIL_CHECK(difference(stage.old_state, now));
}

/// The next writing verb finds the unfinished run and undoes it, and leaves no trace of it. A run whose
/// commit stands is finished: a rollback would take it back, so a run with nothing to do comes then.
void recover(const Stage& stage) {
  if (!stage.bench.has_journal()) return;
  const bool unfinished = !stage.bench.unfinished().empty();
  const Words nothing = {"rollback", "--yes", "--files", "HEAD", "/etc/hostname"};
  const CommandResult result = stage.bench.run(unfinished ? kRollback : nothing);
  INFO(result.out << result.err);
  if (unfinished) CHECK(result.status == 0);
  CHECK_FALSE(stage.bench.has_journal());
}

/// A commit's objects have other names in each run, and so a few calls may not come again.
void check_struck(const Stage& stage, int points, std::size_t tried) {
  INFO(stage.scenario.name << ": " << points << " of " << tried << " calls came again");
  CHECK(static_cast<std::size_t>(points) + tried / 10 >= tried);
}

/// What could not be disturbed ends in the new state; told whether it was.
bool is_struck(const Stage& stage, const Outcome& outcome) {
  if (!outcome.struck) {
    CHECK(outcome.result.status == 0);
    check_state(stage.bench, stage.new_state);
  }
  return outcome.struck;
}

/// The same run once more, undisturbed: it ends in the new state.
void run_again(const Stage& stage) {
  const FaultBench& bench = stage.bench;
  const bool unfinished = !bench.unfinished().empty();
  if (unfinished || bench.state() != stage.new_state) {
    CommandResult result = bench.run(stage.scenario.run);
    // A rollback that finds an unfinished run stops after undoing that.
    if (stage.scenario.run == kRollback && unfinished && !stage.scenario.recovers)
      result = bench.run(stage.scenario.run);
    INFO("again: " << result.out << result.err);
    CHECK(result.status == 0);
  }
  recover(stage);
  check_state(bench, stage.new_state);
  CHECK_FALSE(bench.has_journal());
  CHECK(bench.repository_faults().empty());
}

void check_after_death(const Stage& stage, bool by_rollback) {
  const FaultBench& bench = stage.bench;
  const Tree left = bench.state();
  if (left != stage.old_state && left != stage.new_state && !stage.scenario.recovers) {
    INFO(difference(stage.old_state, left));
    CHECK_FALSE(bench.unfinished().empty());
  }
  if (by_rollback) {
    recover(stage);
    if (!stage.scenario.recovers) check_old_or_new(stage);
  }
  run_again(stage);
}

bool is_among(int status, std::initializer_list<int> statuses) {
  for (const int one : statuses) {
    if (one == status) return true;
  }
  return false;
}

/// An error's exit status must say what is on the host.
void check_after_failure(const Stage& stage, const Outcome& outcome, bool says_denied) {
  const FaultBench& bench = stage.bench;
  const int status = outcome.result.status;
  INFO("exit " << status << "\n" << outcome.result.out << outcome.result.err);
  CHECK(is_among(status, {0, 1, 4, 6, says_denied ? 77 : 4}));
  if (status == 0) check_state(bench, stage.new_state);
  if (is_among(status, {1, 4, 77}) && !stage.scenario.recovers) check_state(bench, stage.old_state);
  const bool unchanged = outcome.result.err.find("host unchanged\n") != std::string::npos;
  if (unchanged && stage.scenario.before.empty()) {
    CHECK_FALSE(bench.exists("/etc/.git"));
    CHECK_FALSE(bench.exists("/etc/.etckeeper"));
  }
  if (status == 6) CHECK_FALSE(bench.unfinished().empty());
  recover(stage);
  if (!stage.scenario.recovers) check_state(bench, status == 0 ? stage.new_state : stage.old_state);
  run_again(stage);
}

}  // namespace

const Scenario& scenario(const std::string& name) {
  for (const Scenario& one : kScenarios) {
    if (one.name == name) return one;
  }
  throw std::runtime_error("no scenario " + name);
}

Stage::Stage(const Scenario& what) : scenario(what) {
  if (!what.mounted.empty()) bench.mount(what.mounted);
  for (const Words& words : what.before) {
    if (what.recovers && &words == &what.before.back()) {
      new_state = die_late(bench, words);
    } else if (const CommandResult result = bench.run(words); !result.ok()) {
      throw std::runtime_error("a run before fails: " + result.err);
    }
  }
  if (what.edited) bench.edit_by_hand();
  if (what.packs) bench.pack_at_each_commit();
  bench.keep();
  old_state = bench.state();
  calls = bench.write_calls(what.run);
  if (what.recovers) {
    INFO(difference(new_state, bench.state()));
    REQUIRE(bench.state() == new_state);
  }
  new_state = bench.state();
  REQUIRE(old_state != new_state);
  REQUIRE(calls.size() > 20);
}

int die_at_each_call(const std::string& name) {
  const Stage stage(scenario(name));
  int points = 0;
  std::size_t tried = 0;
  for (const WriteCall& call : stage.calls) {
    ++tried;
    INFO(point_name(stage, call, "death"));
    stage.bench.reset();
    const Outcome outcome = stage.bench.run_with(stage.scenario.run, call, {"signal=KILL"});
    if (!is_struck(stage, outcome)) continue;
    CHECK(outcome.result.status == 128 + 9);
    check_after_death(stage, points % 2 == 0);
    ++points;
  }
  check_struck(stage, points, tried);
  return points;
}

int fail_at_each_call(const std::string& name) {
  const Stage stage(scenario(name));
  constexpr std::array<const char*, 4> errors = {"ENOSPC", "EIO", "EROFS", "EACCES"};
  int points = 0;
  std::size_t tried = 0;
  for (const WriteCall& call : stage.calls) {
    const std::string error = errors[tried % errors.size()];
    ++tried;
    INFO(point_name(stage, call, error));
    stage.bench.reset();
    const Outcome outcome = stage.bench.run_with(stage.scenario.run, call, {"error=" + error});
    if (!is_struck(stage, outcome)) continue;
    check_after_failure(stage, outcome, error == "EACCES" || error == "EROFS");
    ++points;
  }
  check_struck(stage, points, tried);
  return points;
}

int fill_disk_at_each_call(const std::string& name) {
  const Stage stage(scenario(name));
  int points = 0;
  std::size_t tried = 0;
  for (const WriteCall& call : stage.calls) {
    // These take no room.
    if (call.name.starts_with("unlink") || call.name == "rmdir" || call.name.starts_with("fchmod")) continue;
    ++tried;
    INFO(point_name(stage, call, "ENOSPC from here on"));
    stage.bench.reset();
    const Outcome outcome = stage.bench.run_with(stage.scenario.run, call, {"error=ENOSPC", true});
    if (!is_struck(stage, outcome)) continue;
    INFO("exit " << outcome.result.status << "\n" << outcome.result.out << outcome.result.err);
    recover(stage);
    if (!stage.scenario.recovers) check_old_or_new(stage);
    run_again(stage);
    ++points;
  }
  check_struck(stage, points, tried);
  return points;
}

int interrupt_at_each_sync(const std::string& name) {
  const Stage stage(scenario(name));
  int points = 0;
  std::size_t tried = 0;
  for (const WriteCall& call : stage.calls) {
    if (!call.is_sync()) continue;
    const std::string signal = points % 2 == 0 ? "TERM" : "INT";
    ++tried;
    INFO(point_name(stage, call, "SIG" + signal));
    stage.bench.reset();
    const Outcome outcome = stage.bench.run_with(stage.scenario.run, call, {"signal=" + signal});
    if (!is_struck(stage, outcome)) continue;
    const int status = outcome.result.status;
    INFO("exit " << status << "\n" << outcome.result.out << outcome.result.err);
    CHECK(is_among(status, {0, 130}));
    check_state(stage.bench, status == 0 ? stage.new_state : stage.old_state);
    CHECK_FALSE(stage.bench.has_journal());
    run_again(stage);
    ++points;
  }
  check_struck(stage, points, tried);
  return points;
}

void tell_points(const std::string& what, int points) {
  std::cout << "fault points on real files, " << what << ": " << points << "\n";
}

}  // namespace tunekeeper::faults
