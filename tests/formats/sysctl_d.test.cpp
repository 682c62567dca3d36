#include "formats/sysctl_d.hpp"

#include <stdexcept>

#include "core/splice.hpp"
#include "formats/conf_dirs.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;

namespace {

SysctlDecision decide(std::vector<std::string_view> files, const std::string& key) {
  const std::vector<std::string> keys{key};
  return decide_sysctl(files, keys).front();
}

std::string set(const std::string& bytes, std::string_view key, std::string_view value) {
  return splice(bytes, set_sysctl(bytes, key, value));
}

std::string unset(const std::string& bytes, std::string_view key) {
  return splice(bytes, unset_sysctl(bytes, key));
}

}  // namespace

TEST_CASE("S3: an interface with a dot in its name has two spellings and is one key") {
  CHECK(sysctl_path("net.ipv6.conf.eth0/103.accept_ra") == "net/ipv6/conf/eth0.103/accept_ra");
  CHECK(sysctl_path("net/ipv6/conf/eth0.103/accept_ra") == "net/ipv6/conf/eth0.103/accept_ra");
  CHECK(sysctl_dotted("net/ipv6/conf/eth0.103/accept_ra") == "net.ipv6.conf.eth0/103.accept_ra");
  CHECK(sysctl_path("/net//ipv4/./ip_forward/") == "net/ipv4/ip_forward");
}

TEST_CASE("S4: a key in whatever spelling is edited in place, without a second line") {
  CHECK(set("net/ipv4/ip_forward=1\n", "net/ipv4/ip_forward", "0") == "net/ipv4/ip_forward=0\n");
  CHECK(set("-kernel.panic = 3\n", "kernel/panic", "5") == "-kernel.panic = 5\n");
  CHECK(set(" - kernel.panic  =\t3 \r\nx=1", "kernel/panic", "5") == " - kernel.panic  =\t5 \r\nx=1");
  CHECK(set("kernel.panic =\n", "kernel/panic", "5").find("5") != std::string::npos);
}

TEST_CASE("S6: there are no comments within a line") {
  const auto decision = decide({"kernel.core_pattern = |/bin/x # y\n"}, "kernel/core_pattern");
  CHECK(decision.value == "|/bin/x # y");
}

TEST_CASE("a line without an equals sign, a comment and a blank line say nothing") {
  CHECK(decide({"vm.swappiness\n# vm.swappiness=1\n ;vm.swappiness=2\n\n"}, "vm/swappiness").kind ==
        SysctlDecision::Kind::unstated);
}

TEST_CASE("the last line of a key decides, over all files") {
  const auto decision = decide({"vm.swappiness=1\nvm/swappiness = 2\n", "# nothing\n"}, "vm/swappiness");
  CHECK(decision.value == "2");
  CHECK(decision.file == 0);
  CHECK(decision.line == 2);
  CHECK(decision.stated_in == std::vector<std::size_t>{0});
}

TEST_CASE("S5: a line with exactly the key outranks a later glob, an exclusion keeps globs away") {
  const std::string key = "net/ipv4/conf/eth0/rp_filter";
  CHECK(decide({"net.ipv4.conf.eth0.rp_filter=1\n", "net.ipv4.conf.*.rp_filter=2\n"}, key).value == "1");
  CHECK(decide({"net.ipv4.conf.*.rp_filter=2\n"}, key).kind == SysctlDecision::Kind::matched);
  CHECK(decide({"net.ipv4.conf.*.rp_filter=2\n-net.ipv4.conf.eth0.rp_filter\n"}, key).kind ==
        SysctlDecision::Kind::excluded);
  CHECK(decide({"net.*.rp_filter=2\n"}, key).kind == SysctlDecision::Kind::unstated);
}

TEST_CASE("a glob stated again with the same value keeps its place among globs") {
  CHECK(decide({"a.*=1\n*.b=2\na.*=1\n"}, "a/b").value == "2");
  CHECK(decide({"a.*=1\n*.b=2\na.*=3\n"}, "a/b").value == "3");
}

TEST_CASE("a new line takes the spelling, the spacing and the line end of the file") {
  CHECK(set("", "vm/swappiness", "1") == "vm.swappiness = 1\n");
  CHECK(set("vm.dirty_ratio=5\n", "vm/swappiness", "1") == "vm.dirty_ratio=5\nvm.swappiness=1\n");
  CHECK(set("vm/dirty_ratio =\t5\r\n", "vm/swappiness", "1") ==
        "vm/dirty_ratio =\t5\r\nvm/swappiness =\t1\r\n");
}

TEST_CASE("F1: a line added to a file without a final newline stands on its own line") {
  CHECK(set("vm.dirty_ratio=5", "vm/swappiness", "1") == "vm.dirty_ratio=5\nvm.swappiness=1");
}

TEST_CASE("F1: bytes outside the edit stay, whatever they are") {
  const std::string bytes = "\xef\xbb\xbf# caf\xe9\r\nvm.swappiness = 60  \r\n\tx = \xe9";
  CHECK(set(bytes, "vm/swappiness", "1") == "\xef\xbb\xbf# caf\xe9\r\nvm.swappiness = 1  \r\n\tx = \xe9");
  CHECK(unset(bytes, "vm/swappiness") == "\xef\xbb\xbf# caf\xe9\r\n\tx = \xe9");
}

TEST_CASE("every line of a key is removed, no other") {
  CHECK(unset("a.b=1\nc.d=2\n-a/b=3\na.bc=4\n-a.b", "a/b") == "c.d=2\na.bc=4");
}

TEST_CASE("a value that does not fit on a line is refused") {
  CHECK_THROWS_AS(set_sysctl("", "a/b", "1\n2"), std::invalid_argument);
  CHECK_THROWS_AS(set_sysctl("", "a/b", " 1"), std::invalid_argument);
}

TEST_CASE("sysctl lines come back as they were") {
  const std::string bytes = "a.b = 1 \n# c\n-a/b=2\nx=1";
  const std::vector<std::string> none, one{"  a.b=7"}, three{"a/b = 1", "-a.b", "a.b=\t3"};
  for (const auto& wanted : {none, one, three, sysctl_statements(bytes, "a/b")}) {
    const auto edited = splice(bytes, restate_sysctl(bytes, "a/b", wanted));
    CHECK(sysctl_statements(edited, "a/b") == wanted);
    CHECK(sysctl_statements(edited, "x") == std::vector<std::string>{"x=1"});
  }
}

TEST_CASE("S1: the base name decides the order over all folders, and the stronger folder wins a name") {
  const std::vector<std::string> paths{
      "/usr/lib/sysctl.d/protect-links.conf", "/etc/sysctl.d/allow.conf", "/usr/lib/sysctl.d/allow.conf",
      "/run/sysctl.d/.hidden.conf",           "/etc/sysctl.conf",         "/run/sysctl.d/x.conf.bak"};
  CHECK(conf_read_order(paths, conf_folders("sysctl.d")) == std::vector<std::size_t>{1, 0});
}
