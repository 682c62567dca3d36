#include "formats/tmpfiles_d.hpp"

#include <stdexcept>

#include "core/splice.hpp"
#include "support/catch.hpp"
#include "support/property.hpp"
#include "support/stage.hpp"

using namespace tunekeeper;

namespace {

const std::string thp = "/sys/kernel/mm/transparent_hugepage/enabled";

TmpfilesDecision decide(std::vector<std::string_view> files, const std::string& path) {
  const std::vector<std::string> paths{path};
  return decide_tmpfiles(files, paths).front();
}

std::string set(const std::string& bytes, std::string_view path, std::string_view value) {
  return splice(bytes, set_tmpfiles(bytes, path, value));
}

bool tmpfiles_runs() {
  const Stage stage;
  return stage.shell("command -v systemd-tmpfiles") == 0;
}

}  // namespace

TEST_CASE("a w line gives the value of its path") {
  const auto decision = decide({"# c\nd /run/x\n  w " + thp + " - - - - never\n"}, thp);
  CHECK(decision.stated);
  CHECK(decision.value == "never");
  CHECK(decision.line == 3);
}

TEST_CASE("of lines for the same path the first counts, of different patterns the last") {
  CHECK(decide({"w /sys/a - - - - 1\n", "w /sys/a - - - - 2\n"}, "/sys/a").value == "1");
  CHECK(decide({"w /sys/a - - - - 1\n", "w /sys/* - - - - 2\n"}, "/sys/a").value == "2");
  CHECK(decide({"w /sys/* - - - - 2\n", "w /sys/a - - - - 1\n"}, "/sys/a").value == "1");
  CHECK(decide({"w /sys/* - - - - 2\n"}, "/sys/a").pattern == "/sys/*");
  CHECK_FALSE(decide({"w /sys/* - - - - 2\n"}, "/sys/a/b").stated);
}

TEST_CASE("a line whose value hangs on the host is known to be there, and its value is not") {
  CHECK(decide({"w /sys/a - - - - %H\n"}, "/sys/a").computed);
  CHECK(decide({"w /sys/a - - - - 100%%\n"}, "/sys/a").value == "100%");
}

TEST_CASE("what systemd-tmpfiles rejects is no line") {
  CHECK(read_tmpfiles("w /sys/a\nw relative - - - - 1\nwq /sys/a - - - - 1\nw \"/sys/a - - - - 1\n").empty());
}

TEST_CASE("the argument is edited where it stands, a new line is written in full") {
  CHECK(set("w\t" + thp + "\t-\t-\t-\t-\talways\r\nx", thp, "never") ==
        "w\t" + thp + "\t-\t-\t-\t-\tnever\r\nx");
  CHECK(set("", thp, "never") == "w " + thp + " - - - - never\n");
  CHECK(set("# no end", "/sys/a", "50%") == "# no end\nw /sys/a - - - - 50%%");
  CHECK_THROWS_AS(set_tmpfiles("", "/sys/a", ""), std::invalid_argument);
}

TEST_CASE("w lines come back as they were") {
  const std::string bytes = "w /sys/a - - - - 1 \n#c\nw /sys//a - - - - 2\nw /sys/b - - - - 3";
  for (const auto& wanted : std::vector<std::vector<std::string>>{
           {},
           {"w! /sys/a - - - - 9"},
           tmpfiles_statements(bytes, "/sys/a"),
           {"w /sys/a - - - - 1", "w /sys/a/ - - - - 2", "w /sys/a 0644 - - - 3"}}) {
    const auto edited = splice(bytes, restate_tmpfiles(bytes, "/sys/a", wanted));
    CHECK(tmpfiles_statements(edited, "/sys/a") == wanted);
    CHECK(tmpfiles_statements(edited, "/sys/b").size() == 1);
  }
}

TEST_CASE("systemd-tmpfiles writes the very bytes that a line of ours was given") {
  if (!tmpfiles_runs()) {
    WARN("no systemd-tmpfiles: nothing was compared");
    return;
  }
  CHECK(test::holds("any path, any value", [] {
    const auto letters = rc::gen::elementOf(std::string("ab%\\ \"'*?[]-#\tx0.=;"));
    const auto value = *rc::gen::nonEmpty(rc::gen::container<std::string>(letters));
    const auto name = *rc::gen::nonEmpty(rc::gen::container<std::string>(letters));
    RC_PRE(name != "." && name != "..");
    const auto path = "/sys/" + name;
    const Stage stage;
    stage.write(path, "");
    stage.write("/etc/tmpfiles.d/a.conf", set("", path, value));
    stage.shell("systemd-tmpfiles --create --boot --root=\"$ROOT\" --prefix=/sys");
    RC_ASSERT(stage.read(path) == value);
    const std::string bytes = stage.read("/etc/tmpfiles.d/a.conf");
    const std::vector<std::string_view> files{bytes};
    const std::vector<std::string> paths{path};
    RC_ASSERT(decide_tmpfiles(files, paths).front().value == value);
  }));
}

TEST_CASE("systemd-tmpfiles writes what we say it will, over files and patterns") {
  if (!tmpfiles_runs()) {
    WARN("no systemd-tmpfiles: nothing was compared");
    return;
  }
  CHECK(test::holds("decide_tmpfiles is systemd-tmpfiles", [] {
    const std::vector<std::string> paths{"/sys/a/one", "/sys/a/two", "/sys/b/one"};
    const auto type =
        rc::gen::elementOf(std::vector<std::string>{"w", "w", "w!", "#w", " w", "w-", "wq", "x", "\"w\""});
    const auto path = rc::gen::elementOf(
        std::vector<std::string>{"/sys/a/one", "/sys//a/one/", "'/sys/a/two'", "/sys/b/one", "/sys/*/one",
                                 "/sys/a/*", "/sys/?/t[w]o", "/sys/*", "sys"});
    const auto fields = rc::gen::elementOf(
        std::vector<std::string>{" - - - - ", "\t0644 root root 10d ", " - - - ", " - - - - \t"});
    const auto value = rc::gen::elementOf(
        std::vector<std::string>{"1", "2", "%%", "\\x41", "\\\\", "-", "\"", "B  \r", "#"});
    const auto line = rc::gen::map(rc::gen::tuple(type, path, fields, value), [](const auto& p) {
      return std::get<0>(p) + " " + std::get<1>(p) + std::get<2>(p) + std::get<3>(p) + "\n";
    });
    const Stage stage;
    for (const auto& at : paths) stage.write(at, "");
    std::vector<std::string> files;
    for (const char* name : {"/etc/tmpfiles.d/1.conf", "/usr/lib/tmpfiles.d/2.conf"}) {
      std::string bytes;
      for (const auto& text : *rc::gen::container<std::vector<std::string>>(line)) bytes += text;
      stage.write(name, bytes);
      files.push_back(bytes);
    }
    stage.shell("systemd-tmpfiles --create --boot --root=\"$ROOT\" --prefix=/sys");
    const auto decisions = decide_tmpfiles(std::vector<std::string_view>(files.begin(), files.end()), paths);
    for (std::size_t i = 0; i < paths.size(); ++i) RC_ASSERT(stage.read(paths[i]) == decisions[i].value);
  }));
}
