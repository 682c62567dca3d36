// What the engine keeps: records, saved plans, the hold's file, digests.
#include <cerrno>

#include "core/digest.hpp"
#include "engine/bench.hpp"
#include "engine/bytes_json.hpp"
#include "engine/saved_plan.hpp"
#include "engine/survey.hpp"
#include "engine/time_text.hpp"

using namespace tunekeeper;
using namespace tunekeeper::test;

namespace {

SavedPlan saved(EngineBench& bench, const std::vector<Desired>& wishes, const RunOptions& options = {}) {
  const Wishes whole = EngineBench::whole(wishes);
  const Plan plan = make_plan(bench.session("diff"), whole, options);
  return parse_plan(to_json_text(save_plan(whole, options, plan), plan));
}

const std::vector<Desired> kWishes = {sysctl("vm.swappiness", "1"), mysql("max_connections", "500")};

}  // namespace

TEST_CASE("a record comes back as it was written, bytes that are no UTF-8 too") {
  GenerationRecord record;
  record.generation = 7;
  record.parent = 3;
  record.time = 1'767'225'600;
  record.profiles = {"tuned", "caf\xc3\xa9"};
  record.extra_profiles = {"trial"};
  record.changed = {"sysctl:vm.swappiness"};
  RecordedSetting setting;
  setting.id = "mysql:x";
  setting.path = {"x"};
  setting.profile = "tuned";
  setting.wanted = "1";
  setting.restore_on_release = false;
  setting.live = RecordedLive{"\xff\xfe", ""};
  setting.files = {{"/etc/caf\xe9", {"a = \xe9\r\n", std::string("\0", 1)}, {}}};
  record.settings = {setting};
  record.paths["/etc/caf\xe9"] = {"fnv1a:1-2", true, {"/etc/a", "/etc/a/b"}};

  const std::string text = to_json_text(record);
  const GenerationRecord read = parse_record(text);
  CHECK(read.settings == record.settings);
  CHECK(read.paths == record.paths);
  CHECK(read.profiles == record.profiles);
  CHECK(read.extra_profiles == record.extra_profiles);
  CHECK(read.changed == record.changed);
  CHECK(read.generation == 7);
  CHECK(read.parent == 3);
  CHECK(read.time == record.time);
  CHECK(to_json_text(read) == text);
  CHECK(text.ends_with("}\n"));
  CHECK(text.find("\"time\": \"2026-01-01T00:00:00Z\"") != std::string::npos);
  CHECK(text.find("\"folders\"") != std::string::npos);
}

TEST_CASE("a damaged record, and one of another schema, are errors") {
  const std::string good = to_json_text(GenerationRecord{});
  CHECK_NOTHROW(parse_record(good));
  for (std::size_t cut = 0; cut < good.size() - 2; cut += 7) {
    INFO(cut);
    CHECK_THROWS_AS(parse_record(good.substr(0, cut)), Error);
  }
  std::string other = good;
  other.replace(other.find("generation/1"), 12, "generation/2");
  CHECK_THROWS_AS(parse_record(other), Error);
}

TEST_CASE("R3: a damaged record in /etc is taken from the history, and the originals with it") {
  EngineBench bench;
  const std::string before = bench.host.bytes("/proc/sys/vm/swappiness");
  bench.apply(kWishes);
  bench.host.add_file(places::kRecord, "{");
  CHECK_FALSE(bench.apply(kWishes).changed);
  bench.rollback();
  CHECK(bench.host.bytes("/proc/sys/vm/swappiness") == before);
}

TEST_CASE("a damaged record without a history is an error that says what to do") {
  EngineBench bench;
  bench.host.add_file(places::kRecord, "{");
  CHECK_THROWS_AS(bench.apply(kWishes), Error);
}

TEST_CASE("a digest is 64-bit FNV-1a with the length") {
  // The published vectors of the algorithm: "" and "foobar".
  CHECK(digest("") == "fnv1a:cbf29ce484222325-0");
  CHECK(digest("foobar") == "fnv1a:85944171f73967e8-6");
  CHECK(digest("a") != digest("b"));
}

TEST_CASE("times are RFC 3339 in UTC, and come back") {
  CHECK(rfc3339(0) == "1970-01-01T00:00:00Z");
  CHECK(rfc3339(1'767'225'600) == "2026-01-01T00:00:00Z");
  CHECK(parse_rfc3339("2026-01-01T00:00:00Z") == 1'767'225'600);
  CHECK(parse_rfc3339("yesterday") == 0);
}

TEST_CASE("bytes in a document: text where they are UTF-8, else hexadecimal") {
  for (const std::string& bytes :
       {std::string(), std::string("caf\xc3\xa9"), std::string("caf\xe9"), std::string("\0\xff", 2)}) {
    CHECK(bytes_from_json(Json::parse(bytes_to_json(bytes).dump())) == bytes);
  }
  CHECK(bytes_to_json("caf\xc3\xa9").is_string());
  CHECK(bytes_to_json("caf\xe9").is_object());
  CHECK_THROWS(bytes_from_json(Json::parse("{\"hex\": \"zz\"}")));
  CHECK_THROWS(bytes_from_json(Json::parse("7")));
}

TEST_CASE("a saved plan fits the host that it was made on, until that changes") {
  EngineBench bench;
  const SavedPlan plan = saved(bench, kWishes);
  CHECK(plan.profiles.empty());
  CHECK(changed_since(plan, saved(bench, kWishes)).empty());

  bench.host.add_file(kSwappiness, "10\n");
  CHECK(changed_since(plan, saved(bench, kWishes)).find("sysctl:vm.swappiness") != std::string::npos);
  bench.host.add_file(kSwappiness, "60\n");
  CHECK(changed_since(plan, saved(bench, kWishes)).empty());

  bench.host.add_file(kMysqlDropIn, "# mine\n");
  CHECK(changed_since(plan, saved(bench, kWishes)).find(kMysqlDropIn) != std::string::npos);
  bench.host.remove(kMysqlDropIn);

  const std::vector<Desired> others = {sysctl("vm.swappiness", "2"), mysql("max_connections", "500")};
  CHECK_FALSE(changed_since(plan, saved(bench, others)).empty());
  CHECK_FALSE(changed_since(plan, saved(bench, {kWishes.front()})).empty());
}

TEST_CASE("a saved plan keeps what it was asked with, text that is none is invalid") {
  EngineBench bench;
  const SavedPlan plan = saved(
      bench, kWishes,
      {.planes = {.live = false, .persisted = true, .boot = true}, .drop = {"trial"}, .only = {"sysctl:*"}});
  CHECK(plan.only == std::vector<std::string>{"sysctl:*"});
  CHECK(plan.drop == std::vector<std::string>{"trial"});
  CHECK_FALSE(plan.planes.live);
  CHECK(plan.planes.persisted);
}

TEST_CASE("what keeps a file from being a plan is told in plain words") {
  EngineBench bench;
  const std::string whole =
      to_json_text(saved(bench, kWishes), make_plan(bench.session("diff"), EngineBench::whole(kWishes), {}));
  const std::pair<std::string, std::string> faults[] = {
      {"", "it is empty"},
      {whole.substr(0, whole.size() / 2), "it is cut short"},
      {"summary: x\n", "it is not JSON"},
      {"[]", "it is JSON of something else (no \"schema\")"},
      {R"({"schema": "tunekeeper.diff/1"})", R"(its schema is "tunekeeper.diff/1", not "tunekeeper.plan/1")"},
      {R"({"schema": "tunekeeper.plan/1"})", "a key of it is missing, or is not what diff -o writes there"}};
  for (const auto& [text, why] : faults) {
    INFO(text);
    try {
      parse_plan(text);
      FAIL("it was read");
    } catch (const Error& error) {
      CHECK(error.what() == "this is no saved plan: " + why);
      CHECK(error.status() == ExitStatus::invalid);
      CHECK(error.state() == "host unchanged");
      CHECK(error.next() == "make one: tunekeeper diff -o FILE");
    }
  }
}

TEST_CASE("a file that changes between the plan and its writing stops the run") {
  EngineBench bench;
  bench.apply(kWishes);
  // Somebody edits our drop-in while the person looks at the plan.
  class EditingDialogue : public ToldDialogue {
   public:
    explicit EditingDialogue(MemoryHost& host) : host_(host) {}
    bool confirm_plan(const Plan&) override {
      return host_.add_file(kSysctlDropIn, "vm.swappiness = 8\n"), true;
    }

   private:
    MemoryHost& host_;
  };
  EditingDialogue editing(bench.host);
  Session session = bench.session("apply");
  try {
    apply(session, EngineBench::whole({sysctl("vm.swappiness", "2"), kWishes[1]}), {}, editing);
    FAIL("the run ended well");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("changed while tunekeeper was running") != std::string::npos);
  }
  CHECK(bench.bytes(kSysctlDropIn) == "vm.swappiness = 8\n");
  CHECK(bench.bytes(kSwappiness) == "1\n");
}

TEST_CASE("a hold comes back as it was set, a damaged file still holds") {
  EngineBench bench;
  CHECK_FALSE(read_hold(bench.host));
  write_hold(bench.host, {.by = Hold::By::failed_apply,
                          .message = "caf\xe9",
                          .since = 1'767'225'600,
                          .plan_digest = "d",
                          .generation = -1});
  const auto hold = read_hold(bench.host);
  REQUIRE(hold);
  CHECK(hold->by == Hold::By::failed_apply);
  CHECK(hold->message == "caf\xe9");
  CHECK(hold->since == 1'767'225'600);
  CHECK(hold->plan_digest == "d");
  CHECK(bench.host.info(places::kHold)->mode == 0600);
  bench.host.add_file(places::kHold, "{\"by\":");
  REQUIRE(read_hold(bench.host));
  CHECK(read_hold(bench.host)->by == Hold::By::person);
  CHECK_THROWS_AS(bench.apply(kWishes), Error);
  bench.host.deny_read(places::kHold, EIO);
  CHECK(read_hold(bench.host));
  CHECK(end_hold(bench.host));
  CHECK_FALSE(end_hold(bench.host));
}

TEST_CASE("globs of --only: any that matches, and none that begins with an exclamation mark") {
  CHECK(selected_by({}, "sysctl:vm.swappiness"));
  CHECK(selected_by({"sysctl:*"}, "sysctl:vm.swappiness"));
  CHECK_FALSE(selected_by({"mysql:*"}, "sysctl:vm.swappiness"));
  CHECK(selected_by({"mysql:*", "sysctl:vm.*"}, "sysctl:vm.swappiness"));
  CHECK_FALSE(selected_by({"sysctl:*", "!*swappiness"}, "sysctl:vm.swappiness"));
  CHECK(selected_by({"!mysql:*"}, "sysctl:vm.swappiness"));
}
