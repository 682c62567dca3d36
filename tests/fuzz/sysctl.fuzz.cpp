// sysctl.d: the value set decides, other keys keep theirs, and what was added is gone without a trace when it
// is unset. Parts of the input: file, key in its path spelling, value, a file read before it.

#include "formats/sysctl_d.hpp"
#include "fuzz/fuzz.hpp"

namespace tunekeeper::fuzz {
namespace {

std::vector<std::string> other_lines(std::string_view bytes, const std::string& key) {
  std::vector<std::string> all;
  SysctlReader reader(bytes);
  for (SysctlLine line; reader.next(line);) {
    require(line.line.offset + line.line.length <= bytes.size() && line.line.number >= 1,
            "a line lies in the file");
    const std::string path = sysctl_path(line.key);
    if (path != key) all.push_back(path + (line.excludes ? "-" : "=") + std::string(line.value));
  }
  return all;
}

SysctlDecision decided(std::string_view before, std::string_view bytes, const std::string& key) {
  const std::vector<std::string_view> files = {before, bytes};
  return decide_sysctl(files, std::vector<std::string>{key}).front();
}

void check_set(std::string_view before, std::string_view bytes, const std::string& key,
               std::string_view value) {
  const std::string after = splice(bytes, set_sysctl(bytes, key, value));
  const SysctlDecision now = decided(before, after, key);
  require(now.kind == SysctlDecision::Kind::assigned && now.file == 1, "what was set decides");
  require_same(now.value, value, "the value set is the value read");
  require(other_lines(bytes, key) == other_lines(after, key), "other keys keep their lines");
  require(set_sysctl(after, key, value).empty(), "setting again changes nothing");
  const std::string without = splice(after, unset_sysctl(after, key));
  require(sysctl_statements(without, key).empty(), "what was unset is gone");
  if (sysctl_statements(bytes, key).empty())
    require_same(without, bytes, "unsetting restores the bytes from before adding");
}

void check_statements(std::string_view bytes, const std::string& key) {
  const auto stated = sysctl_statements(bytes, key);
  require(restate_sysctl(bytes, key, stated).empty(), "stating the same changes nothing");
  const std::string gone = splice(bytes, unset_sysctl(bytes, key));
  const std::string back = splice(gone, restate_sysctl(gone, key, stated));
  require(sysctl_statements(back, key) == stated, "statements taken away can be put back");
  const std::string excluded = splice(bytes, exclude_sysctl(bytes, key));
  require(decided("", excluded, key).kind == SysctlDecision::Kind::excluded, "an exclusion is the last word");
}

/// A key that a provider may name: a path below /proc/sys.
bool is_key(std::string_view key) {
  return key.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-/.") == std::string_view::npos &&
         key.find_first_not_of("./-") != std::string_view::npos && key.front() != '-' &&
         key.find('/') != std::string_view::npos && sysctl_path(sysctl_dotted(key)) == key;
}

}  // namespace
}  // namespace tunekeeper::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tunekeeper;
  const fuzz::Input input(data, size);
  const std::string_view bytes = input.part(0);
  std::string key(input.part(1, "vm/swappiness"));
  if (!fuzz::is_key(key)) key = "vm/swappiness";
  std::string value(stripped(input.part(2)));
  if (value.find_first_of(std::string_view("\n\r\0", 3)) != std::string::npos) value = "1";
  fuzz::check_set(input.part(3), bytes, key, value);
  fuzz::check_statements(bytes, key);
  return 0;
}
