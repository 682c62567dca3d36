#include "snapshot/message.hpp"

#include "support/catch.hpp"

namespace tunekeeper {

namespace {

Commit parsed(std::string_view text) {
  Commit commit;
  parse_message(text, commit);
  return commit;
}

}  // namespace

TEST_CASE("commit message: a subject with a colon is no trailer") {
  const Commit commit = parsed("fix: a thing\n");
  CHECK(commit.subject == "fix: a thing");
  CHECK(commit.trailers.empty());
  CHECK(commit.body.empty());
}

TEST_CASE("commit message: a last paragraph with one ordinary line is body") {
  const Commit commit = parsed("s\n\nKey: value\nplain words\n");
  CHECK(commit.body == "Key: value\nplain words");
  CHECK(commit.trailers.empty());
}

TEST_CASE("commit message: lines right below the subject are no trailers") {
  CHECK(parsed("saving uncommitted changes\nKey: value\n").trailers.empty());
}

TEST_CASE("commit message: an indented line goes on with the trailer above") {
  CHECK(parsed("s\n\nKey: one\n two\n").trailers.at("Key") == "one two");
}

TEST_CASE("commit message: empty, and only breaks") {
  CHECK(parsed("").subject.empty());
  CHECK(parsed("\n\n\n").subject.empty());
}

}  // namespace tunekeeper
