#include "core/judge.hpp"

#include "support/catch.hpp"

using namespace tunekeeper;

namespace {

Desired want(std::string value, Want kind = Want::equals) {
  return {.id = "mysql:max_connections",
          .path = {"max_connections"},
          .want = kind,
          .value = Value::of(std::move(value)),
          .profile = "p",
          .at = {},
          .why = {},
          .source = {}};
}

/// What is seen when the planes hold these values; an empty text is absence.
Observation seen(const std::string& live, const std::string& persisted,
                 Effect::Kind cure = Effect::Kind::now) {
  const auto plane = [](const std::string& text) { return text.empty() ? Plane::absent() : Plane::of(text); };
  Observation observation;
  observation.type = ValueType::size;
  observation.live = plane(live);
  observation.persisted = plane(persisted);
  observation.takes_effect = {cure, "mariadb"};
  return observation;
}

Observation seen_boot(const std::string& live, const std::string& persisted, Plane boot) {
  Observation observation = seen(live, persisted, Effect::Kind::reboot);
  observation.boot = std::move(boot);
  return observation;
}

State state(const Desired& desired, const Observation& observation, PlaneSet planes = {}) {
  return judge(desired, observation, planes).state;
}

constexpr PlaneSet live_only{.live = true, .persisted = false, .boot = false};
constexpr PlaneSet files_only{.live = false, .persisted = true, .boot = true};

}  // namespace

TEST_CASE("in sync is every plane, by the typed comparison") {
  CHECK(state(want("8G"), seen("8589934592", "8192M")) == State::in_sync);
  CHECK(state(want("500"), seen("151", "500")) == State::differs);
  CHECK(state(want("500"), seen("500", "151")) == State::differs);
  CHECK(state(want("500"), seen("500", "")) == State::differs);
  CHECK(state(want("500"), seen("", "500")) == State::differs);
}

TEST_CASE("C1: a list that the kernel prints with tabs is in sync") {
  auto observation = seen("250\t32000\t100\t128\n", "250 32000 100 128");
  observation.type = ValueType::words;
  CHECK(state(want("250 32000 100 128"), observation) == State::in_sync);
}

TEST_CASE("C5: a value out of the owner's range is one failed row that tells the range") {
  auto observation = seen("1", "");
  observation.failed = "must be 0 to 4294967295";
  const Row row = judge(want("99999999999999999999"), observation);
  CHECK(row.state == State::failed);
  CHECK(row.reason == "must be 0 to 4294967295");
}

TEST_CASE("files that must not be written fail a run on them, not one on the live plane alone") {
  auto observation = seen("60", "60");
  observation.unwritable = "a vendor's drop-in outranks ours";
  CHECK(judge(want("1"), observation).state == State::failed);
  CHECK(judge(want("1"), observation).reason == "a vendor's drop-in outranks ours");
  const PlaneSet live{.live = true, .persisted = false, .boot = false};
  CHECK(judge(want("1"), observation, live).state == State::differs);
}

TEST_CASE("C6: a value that was cut short is read back as another one") {
  auto observation = seen("|/bin/x aaaa", "|/bin/x aaaaaaaa");
  observation.type = ValueType::text;
  CHECK(state(want("|/bin/x aaaaaaaa"), observation) == State::differs);
}

TEST_CASE("C10: what was set and then reset by the kernel is drift, whatever the files say") {
  auto observation = seen("1280", "512");
  observation.owner_is_older = true;  // no restart or reboot is its cure
  CHECK(state(want("512"), observation) == State::differs);
}

TEST_CASE("a plane that is not there does not count") {
  auto observation = seen("", "500", Effect::Kind::restart);
  observation.live = Plane::not_applicable("the server is stopped");
  CHECK(state(want("500"), observation) == State::in_sync);
  observation.persisted = Plane::of("151");
  CHECK(state(want("500"), observation) == State::differs);
}

TEST_CASE("what cannot be read never looks green") {
  auto observation = seen("500", "500");
  observation.persisted = Plane::unknown("permission denied");
  const Row row = judge(want("500"), observation);
  CHECK(row.state == State::failed);
  CHECK(row.reason == "permission denied");
  CHECK(state(want("500"), observation, live_only) == State::in_sync);
  observation = seen_boot("500", "500", Plane::unknown("grub.cfg: permission denied"));
  CHECK(state(want("500"), observation) == State::failed);
  observation = seen("500", "500");
  observation.live = Plane::unknown("timed out");
  CHECK(state(want("500"), observation) == State::failed);
  CHECK(state(want("500"), observation, files_only) == State::in_sync);
}

TEST_CASE("unsupported tells its reason, and a failure comes before it") {
  auto observation = seen("", "");
  observation.unsupported = "kyber is not offered here";
  CHECK(judge(want("kyber"), observation).state == State::unsupported);
  CHECK(judge(want("kyber"), observation).reason == "kyber is not offered here");
  observation.live = Plane::unknown("denied");
  CHECK(state(want("kyber"), observation) == State::unsupported);
  observation.failed = "the file does not parse";
  CHECK(state(want("kyber"), observation) == State::failed);
}

TEST_CASE("right on disk with an older owner is pending, a younger owner that is still wrong differs") {
  for (const auto cure : {Effect::Kind::reload, Effect::Kind::restart, Effect::Kind::reboot}) {
    auto observation = seen("151", "500", cure);
    CHECK(state(want("500"), observation) == State::pending);  // not known: counts as older
    observation.owner_is_older = true;
    CHECK(state(want("500"), observation) == State::pending);
    observation.owner_is_older = false;
    observation.live_reason = "LimitNOFILE=1024 of mariadb.service caps it";
    const Row row = judge(want("500"), observation);
    CHECK(row.state == State::differs);
    CHECK(row.reason == "LimitNOFILE=1024 of mariadb.service caps it");
  }
}

TEST_CASE("no owner's restart cures a wrong file, nor what takes effect at once") {
  auto observation = seen("151", "151", Effect::Kind::restart);
  observation.owner_is_older = true;
  CHECK(state(want("500"), observation) == State::differs);
  observation = seen("151", "500", Effect::Kind::now);
  observation.owner_is_older = true;
  CHECK(state(want("500"), observation) == State::differs);
}

TEST_CASE("pending (reboot) needs persisted and boot right: a stale grub.cfg differs") {
  CHECK(state(want("1"), seen_boot("", "1", Plane::of("1"))) == State::pending);
  CHECK(state(want("1"), seen_boot("", "1", Plane::absent())) == State::differs);
  CHECK(state(want("1"), seen_boot("1", "1", Plane::absent())) == State::differs);
  CHECK(state(want("1"), seen_boot("1", "1", Plane::of("1"))) == State::in_sync);
}

TEST_CASE("boot entries that disagree with the default one differ") {
  auto observation = seen_boot("1", "1", Plane::of("1"));
  observation.boot_entries = {"Debian, old kernel: 2"};
  CHECK(state(want("1"), observation) == State::differs);
  CHECK_FALSE(boot_right(judge(want("1"), observation)));
}

TEST_CASE("where the generator cannot run, a stale boot is pending with its command") {
  auto observation = seen_boot("", "1", Plane::absent());
  observation.boot_command = "update-grub";
  const Row row = judge(want("1"), observation);
  CHECK(row.state == State::pending);
  CHECK(row.reason == "run there: update-grub");
  observation.persisted = Plane::absent();
  CHECK(state(want("1"), observation) == State::differs);
}

TEST_CASE("a setting of a module that is not loaded is pending it once its files are right") {
  auto observation = seen("", "1");
  observation.awaits_module = "nf_conntrack";
  const Row row = judge(want("1"), observation);
  CHECK(row.state == State::pending);
  CHECK(row.reason == "awaits the kernel module nf_conntrack");
  observation.persisted = Plane::absent();
  CHECK(state(want("1"), observation) == State::differs);
  CHECK(state(want("1"), seen("1", "1")) == State::in_sync);
}

TEST_CASE("the owner's own rounding of the wish is in sync, any other value is not") {
  auto observation = seen("134217728", "100M", Effect::Kind::restart);
  observation.live_accepted = Value::of("128M");
  observation.owner_is_older = false;
  CHECK(state(want("100M"), observation) == State::in_sync);
  observation.live = Plane::of("64M");
  CHECK(state(want("100M"), observation) == State::differs);
  observation.live = Plane::absent();
  CHECK(state(want("100M"), observation) == State::differs);
}

TEST_CASE("a rounding that is accepted live does not make the file right") {
  auto observation = seen("128M", "128M");
  observation.live_accepted = Value::of("128M");
  const Row row = judge(want("100M"), observation);
  CHECK(row.state == State::differs);
  CHECK(live_right(row));
  CHECK_FALSE(persisted_right(row));
}

TEST_CASE("a bound is in sync beyond itself on every plane, and is not lowered") {
  CHECK(state(want("500000", Want::at_least), seen("9223372036854775807", "600000")) == State::in_sync);
  CHECK(state(want("500000", Want::at_least), seen("9223372036854775807", "")) == State::differs);
  CHECK(state(want("500000", Want::at_most), seen("9223372036854775807", "600000")) == State::differs);
}

TEST_CASE("a wish for absence is in sync where nothing is") {
  CHECK(state(want("", Want::absent), seen("", "")) == State::in_sync);
  CHECK(state(want("", Want::absent), seen("", "1")) == State::differs);
}

TEST_CASE("only the planes of the run count") {
  CHECK(state(want("500"), seen("500", "151"), live_only) == State::in_sync);
  CHECK(state(want("500"), seen("151", "500"), files_only) == State::in_sync);
  CHECK(state(want("500"), seen("151", "500"), live_only) == State::differs);
  CHECK(state(want("500"), seen("500", "151"), files_only) == State::differs);
  CHECK(state(want("1"), seen_boot("1", "1", Plane::absent()), live_only) == State::in_sync);
  CHECK(state(want("1"), seen_boot("1", "1", Plane::absent()), files_only) == State::differs);
}

TEST_CASE("a row keeps the wish and all that was seen") {
  auto observation = seen("151", "500", Effect::Kind::restart);
  observation.decided_by = "etc/mysql/my.cnf:12";
  observation.note = "rounded";
  const Row row = judge(want("500"), observation);
  CHECK(row.desired.id == "mysql:max_connections");
  CHECK(row.seen.decided_by == "etc/mysql/my.cnf:12");
  CHECK(row.seen.note == "rounded");
  CHECK_FALSE(row.release);
}
