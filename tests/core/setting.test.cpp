#include "core/setting.hpp"

#include "core/action.hpp"
#include "core/row.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;

namespace {

Desired wish(Want want, Value value) {
  return {.id = "sysctl:fs.file-max",
          .path = {"fs.file-max"},
          .want = want,
          .value = std::move(value),
          .profile = "p",
          .at = {},
          .why = {},
          .source = {}};
}

bool holds(Want want, const std::string& bound, const std::string& found, ValueType type = ValueType::size) {
  return satisfies(wish(want, Value::of(bound)), Plane::of(found), type);
}

}  // namespace

TEST_CASE("an id is its section and its key, which may hold colons") {
  Desired desired = wish(Want::equals, Value::of("1"));
  CHECK(desired.section() == "sysctl");
  CHECK(desired.key() == "fs.file-max");
  desired.id = "unit:a@b:c.service:Service.Nice";
  CHECK(desired.section() == "unit");
  CHECK(desired.key() == "a@b:c.service:Service.Nice");
}

TEST_CASE("a wish is told in words") {
  CHECK(describe(wish(Want::equals, Value::of("8G"))) == "8G");
  CHECK(describe(wish(Want::at_least, Value::of("500000"))) == "at least 500000");
  CHECK(describe(wish(Want::at_most, Value::of("1"))) == "at most 1");
  CHECK(describe(wish(Want::absent, {})) == "(absent)");
  CHECK(describe(wish(Want::equals, Value::flag())) == "set");
  CHECK(describe(wish(Want::equals, Value::list({"tty0", "ttyS0"}))) == "tty0, ttyS0");
}

TEST_CASE("an equal value satisfies by its type, not by its text") {
  CHECK(holds(Want::equals, "8G", "8589934592"));
  CHECK_FALSE(holds(Want::equals, "8G", "8589934592", ValueType::text));
  CHECK_FALSE(holds(Want::equals, "8G", "9G"));
}

TEST_CASE("at_least: beyond it is in sync, at it too, below it not") {
  CHECK(holds(Want::at_least, "500000", "9223372036854775807"));
  CHECK(holds(Want::at_least, "500000", "500000"));
  CHECK_FALSE(holds(Want::at_least, "500000", "499999"));
  CHECK(holds(Want::at_least, "64M", "1G"));
  CHECK_FALSE(holds(Want::at_least, "0", "-1"));
  CHECK_FALSE(holds(Want::at_least, "1", "max"));
}

TEST_CASE("at_most is the other way round") {
  CHECK(holds(Want::at_most, "10", "10"));
  CHECK(holds(Want::at_most, "10", "9"));
  CHECK(holds(Want::at_most, "10", "-1"));
  CHECK_FALSE(holds(Want::at_most, "10", "11"));
  CHECK_FALSE(holds(Want::at_most, "1m", "61s", ValueType::duration));
}

TEST_CASE("a bound holds for a percentage that its server shows with a fraction") {
  CHECK(holds(Want::at_least, "75", "90.000000", ValueType::option));
  CHECK_FALSE(holds(Want::at_most, "75", "90.000000", ValueType::option));
}

TEST_CASE("what just equals a bound that has no order satisfies it") {
  CHECK(holds(Want::at_least, "250 32000", "250\t32000\n", ValueType::words));
  CHECK_FALSE(holds(Want::at_least, "250 32000", "251 32000", ValueType::words));
}

TEST_CASE("a bound counts for every item of a repeated value, and a flag has none") {
  const Desired desired = wish(Want::at_least, Value::of("2"));
  CHECK(satisfies(desired, Plane::of(Value::list({"2", "3"})), ValueType::number));
  CHECK_FALSE(satisfies(desired, Plane::of(Value::list({"3", "1"})), ValueType::number));
  CHECK_FALSE(satisfies(desired, Plane::of(Value::flag()), ValueType::number));
}

TEST_CASE("absence satisfies only the wish for it, no such plane always, an unreadable one never") {
  for (const auto want : {Want::equals, Want::at_least, Want::at_most, Want::absent}) {
    const Desired desired = wish(want, Value::of("1"));
    CHECK(satisfies(desired, Plane::absent(), ValueType::text) == (want == Want::absent));
    CHECK(satisfies(desired, Plane::of("1"), ValueType::text) == (want != Want::absent));
    CHECK(satisfies(desired, Plane::not_applicable("the server is stopped"), ValueType::text));
    CHECK_FALSE(satisfies(desired, Plane::unknown("permission denied"), ValueType::text));
  }
}

TEST_CASE("planes hold a value, or the reason why they have none") {
  CHECK(Plane::of("1").has_value());
  CHECK_FALSE(Plane::absent().has_value());
  CHECK(Plane::unknown("denied").reason == "denied");
  CHECK(Plane::not_applicable("stopped") != Plane::unknown("stopped"));
  CHECK(Plane().kind == Plane::Kind::not_applicable);
  CHECK(Value::flag().is_flag());
  CHECK(Value::of("a") != Value::list({"a"}));
}

TEST_CASE("effects, states and phases are named as reports print them") {
  CHECK(to_string(Effect{Effect::Kind::now, ""}) == "now");
  CHECK(to_string(Effect{Effect::Kind::reload, "nginx"}) == "reload nginx");
  CHECK(to_string(Effect{Effect::Kind::restart, "mariadb"}) == "restart mariadb");
  CHECK(to_string(Effect{Effect::Kind::reboot, ""}) == "reboot");
  CHECK(to_string(State::in_sync) == "in_sync");
  CHECK(to_string(State::unsupported) == "unsupported");
  CHECK(to_string(Phase::daemon_reload) == "daemon-reload");
  CHECK(to_string(Phase::set_global) == "set-global");
}
