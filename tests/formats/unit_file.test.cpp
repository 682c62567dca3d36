#include "formats/unit_file.hpp"

#include "core/splice.hpp"
#include "support/catch.hpp"
#include "support/property.hpp"
#include "support/stage.hpp"

using namespace tunekeeper;

namespace {

UnitDecision decide(std::vector<std::string_view> files, std::string_view key) {
  return decide_unit(files, "Service", key);
}

std::string restate(const std::string& bytes, std::string_view key,
                    const std::vector<std::string>& statements) {
  return splice(bytes, restate_unit(bytes, "Service", key, statements));
}

}  // namespace

TEST_CASE("the last assignment of a key decides, over the unit and its drop-ins") {
  const auto decision =
      decide({"[Service]\nLimitNOFILE=1\n", "[Service]\nLimitNOFILE = 2 \n"}, "LimitNOFILE");
  CHECK(decision.value == "2");
  CHECK(decision.file == 1);
  CHECK(decision.line == 2);
}

TEST_CASE("a key of another section, before any section, or in a comment is another one") {
  CHECK_FALSE(decide({"Nice=1\n[Unit]\nNice=2\n[Service]\n# Nice=3\n;Nice=4\nNice\n"}, "Nice").mentioned);
}

TEST_CASE("an empty assignment resets a list, and makes another key its default") {
  CHECK(decide({"[Service]\nCPUAffinity=0\nCPUAffinity=1\n"}, "CPUAffinity").value == "0 1");
  CHECK(decide({"[Service]\nCPUAffinity=0\n", "[Service]\nCPUAffinity=\nCPUAffinity=1\n"}, "CPUAffinity")
            .value == "1");
  CHECK_FALSE(decide({"[Service]\nNice=1\nNice=\n"}, "Nice").stated);
}

TEST_CASE("a line goes on after a backslash, comments in between passed over") {
  const std::string bytes = "[Service]\nEnvironment=A=1 \\\n# no\n  B=2\nNice=1\n";
  const auto lines = read_unit(bytes);
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].value == "A=1  B=2");
  CHECK(lines[1].line == 5);
  CHECK(restate(bytes, "Environment", {}) == "[Service]\nNice=1\n");
}

TEST_CASE("an assignment is put into its section, or a new one at the end") {
  CHECK(restate("[Service]\nNice=1\n\n[Install]\nWantedBy=x\n", "CPUAffinity", {"CPUAffinity=0"}) ==
        "[Service]\nNice=1\nCPUAffinity=0\n\n[Install]\nWantedBy=x\n");
  CHECK(restate("# c", "Nice", {"Nice=1"}) == "# c\n[Service]\nNice=1");
}

TEST_CASE("a section that has nothing left goes with its last assignment") {
  CHECK(restate("# c\n[Service]\nNice=1\n", "Nice", {}) == "# c\n");
  CHECK(restate("[Service]\nNice=1\nA=b\n", "Nice", {}) == "[Service]\nA=b\n");
}

TEST_CASE("F1: bytes outside the edit stay") {
  CHECK(restate("\xef\xbb\xbf[Service]\r\nNice=1\r\n#\xe9", "Nice", {"Nice=2"}) ==
        "\xef\xbb\xbf[Service]\r\nNice=2\r\n#\xe9");
}

TEST_CASE("statements of a unit come back as they were") {
  const std::string bytes = "[Service]\nNice=1\nA=\\\n 2\n[Unit]\nNice=9\n[Service]\n Nice = 3";
  for (const auto& wanted : std::vector<std::vector<std::string>>{
           {}, {"Nice=5"}, {"Nice=5", "Nice=6", "Nice=\\\n7"}, unit_statements(bytes, "Service", "Nice")}) {
    const auto edited = restate(bytes, "Nice", wanted);
    CHECK(unit_statements(edited, "Service", "Nice") == wanted);
    CHECK(unit_statements(edited, "Unit", "Nice") == std::vector<std::string>{"Nice=9"});
  }
}

TEST_CASE("systemd reads from generated units what we do") {
  const Stage probe;
  if (probe.shell("systemd-analyze security --help | grep -q -- --offline") != 0) {
    WARN("no systemd-analyze that reads units offline: nothing was compared");
    return;
  }
  CHECK(test::holds("decide_unit is systemd's parser", [] {
    const auto key = rc::gen::elementOf(std::vector<std::string>{
        "PrivateNetwork", "#PrivateNetwork", " PrivateNetwork ", "PrivateMounts", "[Unit]\nPrivateNetwork",
        "[Service]\nPrivateNetwork", "Nice=1 \\\nPrivateNetwork", "Environment=A=\\\n# x\nPrivateNetwork"});
    const auto value = rc::gen::elementOf(
        std::vector<std::string>{"yes", "no", " yes ", "\\\n yes", "\\\n# c\n;d\nno", "no\r"});
    const auto line = rc::gen::map(rc::gen::tuple(key, value), [](const auto& p) {
      return std::get<0>(p) + "=" + std::get<1>(p) + "\n";
    });
    const Stage stage;
    const std::string unit = "[Service]\nExecStart=/bin/true\nPrivateNetwork=no\n";
    stage.write("/bin/true", "");
    stage.write("/etc/systemd/system/x.service", unit);
    std::string dropin = "[Service]\n";
    for (const auto& text : *rc::gen::container<std::vector<std::string>>(line)) dropin += text;
    stage.write("/etc/systemd/system/x.service.d/a.conf", dropin);
    const int status =
        stage.shell("systemd-analyze security --offline=true --root=\"$ROOT\" --json=short x.service");
    RC_PRE(status == 0);
    const auto report = stage.read("/out");
    const auto at = report.find("\"json_field\":\"PrivateNetwork\"");
    RC_ASSERT(at != std::string::npos);
    const auto set = report.rfind("\"set\":", at);
    const bool yes = report.compare(set + 6, 4, "true") == 0;
    const std::vector<std::string_view> files{unit, dropin};
    RC_ASSERT((decide_unit(files, "Service", "PrivateNetwork").value == "yes") == yes);
  }));
}
