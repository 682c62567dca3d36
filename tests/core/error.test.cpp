#include "core/error.hpp"

#include "support/catch.hpp"

using namespace tunekeeper;

TEST_CASE("an error says what, while doing what, how the host stands, and what to do next") {
  Error error("cannot write /etc/default/grub: read-only file system");
  error.with_frame("setting grub transparent_hugepage (mysql-oltp.yaml:22)")
      .with_state("2 earlier changes undone; host as before")
      .with_next("remount / read-write, then: tunekeeper apply mysql-oltp");
  CHECK(format_error(error) ==
        "tunekeeper: cannot write /etc/default/grub: read-only file system\n"
        "  while   setting grub transparent_hugepage (mysql-oltp.yaml:22)\n"
        "  state   2 earlier changes undone; host as before\n"
        "  next    remount / read-write, then: tunekeeper apply mysql-oltp");
}

TEST_CASE("what an error does not know it does not print") {
  CHECK(format_error(Error("no such profile")) == "tunekeeper: no such profile");
}

TEST_CASE("frames are told from the innermost out") {
  Error error("x");
  error.with_frame("inner").with_frame("outer");
  CHECK(format_error(error) == "tunekeeper: x\n  while   inner\n  while   outer");
}

TEST_CASE("further lines of a text stand below its first one") {
  Error error("nginx refuses its configuration");
  error.with_state("line 1\nline 2");
  CHECK(format_error(error) ==
        "tunekeeper: nginx refuses its configuration\n  state   line 1\n          line 2");
}

TEST_CASE("an error ends the program with 1 unless it says otherwise") {
  CHECK(Error("x").status() == ExitStatus::error);
  CHECK(Error("x", ExitStatus::usage).status() == ExitStatus::usage);
  CHECK(Error("x").with_status(ExitStatus::denied).status() == ExitStatus::denied);
}
