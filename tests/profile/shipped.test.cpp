#include <filesystem>
#include <fstream>
#include <sstream>

#include "profile/workbench.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;
using test::Workbench;

namespace {

std::string content_of(const std::filesystem::path& path) {
  std::ostringstream content;
  content << std::ifstream(path).rdbuf();
  return content.str();
}

/// A host with all facts and the profiles of the source tree.
struct Shipped : Workbench {
  Shipped() {
    for (const char* name : {"cpu.model", "cpu.vendor", "mysql.datadir", "mysql.unit", "os.codename", "os.id",
                             "os.like", "virt.type", "root.storage"})
      facts.set(name, std::string("x"));
    for (const char* name : {"kernel.release", "kernel.version", "nginx.version", "os.version"})
      facts.set(name, std::string("6.1"));
    for (const char* name : {"memory.available_to_service", "memory.hugepages", "mysql.free"})
      facts.set(name, std::int64_t{64} << 30);
    facts.set("cpu.count", std::int64_t{8}).set("virt.container", false);
    facts.set("mysql.mounted_device", std::string("dm-0")).set("root.mounted_device", std::string("vda1"));
    facts.set("root.disks", std::vector<std::string>{"vda"});
    const std::filesystem::path folder = std::filesystem::path(TUNEKEEPER_SOURCE_DIR) / "profiles";
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".yaml") add(entry.path().stem().string(), content_of(entry.path()));
  }
};

/// The ```yaml blocks of a page of the docs.
std::vector<std::string> yaml_blocks(const std::string& page) {
  std::vector<std::string> blocks;
  const std::string begin = "```yaml\n";
  for (std::size_t at = page.find(begin); at != std::string::npos; at = page.find(begin, at)) {
    at += begin.size();
    const std::size_t end = page.find("```", at);
    blocks.push_back(page.substr(at, end - at));
    at = end;
  }
  return blocks;
}

}  // namespace

TEST_CASE("the shipped profiles are right, and want something of every host") {
  Shipped bench;
  const auto listed = bench.loader().list();
  REQUIRE(listed.size() >= 5);
  for (const auto& profile : listed) {
    INFO(profile.name << ": " << bench.faults(profile.name));
    CHECK(bench.faults(profile.name) == "");
    CHECK_FALSE(profile.summary.empty());
  }
  const auto evaluation = bench.evaluate("mysql-oltp");
  INFO(test::lines(evaluation));
  CHECK(evaluation.desired.size() >= 30);
  CHECK(evaluation.unresolved.empty());
}

TEST_CASE("the examples of docs/profiles.md are what they say") {
  const auto blocks =
      yaml_blocks(content_of(std::filesystem::path(TUNEKEEPER_SOURCE_DIR) / "docs/profiles.md"));
  REQUIRE(blocks.size() >= 6);
  for (const auto& block : blocks) {
    INFO(block);
    Shipped bench;
    const std::string title = block.substr(0, block.find('\n'));
    if (title.starts_with("# wrong: ")) {
      CHECK(bench.faults_of(block).find(title.substr(9)) != std::string::npos);
    } else if (title.ends_with("/host.yaml")) {
      std::vector<Diagnostic> faults;
      CHECK_FALSE(read_host_config("host.yaml", block, bench.facts.names(), faults).profiles.empty());
      CHECK(faults.empty());
    } else {
      CHECK(bench.faults_of(block) == "");
    }
  }
}
