// host.yaml: reading it gives the host's configuration or faults with a place in the file. The input is the
// file.

#include "profile/host_config.hpp"

#include "fuzz/fuzz.hpp"
#include "profile/yaml_tree.hpp"

namespace tunekeeper::fuzz {
namespace {

void check_tree(const YamlNode& node, std::string_view source, int depth) {
  require(depth <= 40, "nesting is bounded");
  require(node.offset <= source.size(), "a node lies in its source");
  for (const YamlNode& item : node.items) check_tree(item, source, depth + 1);
  for (std::size_t i = 0; i < node.entries.size(); ++i) {
    require(node.entries[i].key.kind == YamlNode::Kind::scalar, "a key is a scalar");
    for (std::size_t j = 0; j < i && i < 50; ++j)
      require(node.entries[i].key.text != node.entries[j].key.text, "no key stands twice");
    check_tree(node.entries[i].value, source, depth + 1);
  }
}

}  // namespace
}  // namespace tunekeeper::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tunekeeper;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  std::vector<Diagnostic> faults;
  const YamlDocument document = parse_yaml("host.yaml", bytes, faults);
  if (document.root && faults.empty()) fuzz::check_tree(*document.root, document.source, 0);
  fuzz::require(document.root || !faults.empty() ||
                    document.source.find_first_not_of(" \t\r\n\xEF\xBB\xBF") == std::string::npos ||
                    document.source.find_first_of("#-.%") != std::string::npos,
                "a file that is no YAML has a fault");
  faults.clear();
  const HostConfig config =
      read_host_config("host.yaml", bytes, {"memory.total", "numa.nodes", "os.id"}, faults);
  for (const Diagnostic& fault : faults) {
    fuzz::require(!fault.message.empty(), "a fault says what is wrong");
    fuzz::require(fault.at.line == 0 || fuzz::is_place(document.source, fault.at.line, 1),
                  "a fault has its line in the file");
  }
  if (faults.empty()) config.policy("nginx");
  return 0;
}
