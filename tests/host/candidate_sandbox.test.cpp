#include "host/candidate_sandbox.hpp"

#include <filesystem>

#include "host/real_host.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;

namespace {

constexpr const char* kPath = "/etc/tunekeeper-sandbox-test/candidate.conf";

std::vector<std::pair<std::string, FileImage>> candidate(const std::string& bytes) {
  return {{kPath, {.absent = false, .bytes = bytes, .mode = 0640, .uid = 0, .gid = 0, .xattrs = {}}}};
}

/// Whether this machine lets a process lay overlays in a mount namespace of its own.
bool sandbox_is_refused() {
  if (run_in_candidate_sandbox({"true"}, {}, {})) return false;
  WARN("this machine refuses mount namespaces or overlays: the fallback is what it would use");
  return true;
}

}  // namespace

TEST_CASE("a check sees the candidate while the real file system stays as it is") {
  if (sandbox_is_refused()) return;
  const auto result = run_in_candidate_sandbox({"cat", kPath}, candidate("tuned = 1\n"), {});
  REQUIRE(result);
  CHECK(result->ok());
  CHECK(result->out == "tuned = 1\n");
  CHECK_FALSE(std::filesystem::exists("/etc/tunekeeper-sandbox-test"));
}

TEST_CASE("what a check writes below /etc, /var, /run and /tmp goes away with it") {
  if (sandbox_is_refused()) return;
  for (const std::string folder : {"/etc", "/var/log", "/var/lib", "/run", "/tmp"}) {
    const std::string path = folder + "/tunekeeper-sandbox-test.pid";
    const auto result = run_in_candidate_sandbox({"sh", "-c", "echo 1 >" + path + " && cat " + path}, {}, {});
    REQUIRE(result);
    CHECK(result->out == "1\n");
    CHECK_FALSE(std::filesystem::exists(path));
  }
}

TEST_CASE("a candidate may take a present file away") {
  if (sandbox_is_refused()) return;
  REQUIRE(std::filesystem::exists("/etc/passwd"));
  const auto result = run_in_candidate_sandbox({"cat", "/etc/passwd"}, {{"/etc/passwd", FileImage{}}}, {});
  REQUIRE(result);
  CHECK_FALSE(result->ok());
  CHECK(std::filesystem::exists("/etc/passwd"));
}

TEST_CASE("the check's exit status and words come back, and so does a time-out") {
  if (sandbox_is_refused()) return;
  const auto failed = run_in_candidate_sandbox({"sh", "-c", "echo out; echo words >&2; exit 7"}, {}, {});
  REQUIRE(failed);
  CHECK(failed->status == 7);
  CHECK(failed->out == "out\n");
  CHECK(failed->err == "words\n");
  CommandOptions hurried;
  hurried.deadline = std::chrono::milliseconds(100);
  const auto late = run_in_candidate_sandbox({"sleep", "10"}, {}, hurried);
  REQUIRE(late);
  CHECK(late->timed_out);
}
