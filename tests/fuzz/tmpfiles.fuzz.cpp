// tmpfiles.d: the value set is what is written at boot, other lines stay, and what was added is gone without
// a trace when it is unset. Parts of the input: file, path, value.

#include <algorithm>

#include "formats/tmpfiles_d.hpp"
#include "fuzz/fuzz.hpp"

namespace tunekeeper::fuzz {
namespace {

std::vector<std::string> other_lines(std::string_view bytes, std::string_view path) {
  const auto stated = tmpfiles_statements(bytes, path);
  std::vector<std::string> all;
  for (const TmpfilesLine& line : read_tmpfiles(bytes)) {
    require(line.line.offset + line.line.length <= bytes.size(), "a line lies in the file");
    require(line.argument_length == 0 ||
                line.argument_offset + line.argument_length <= line.line.offset + line.line.text_length,
            "an argument lies in its line");
    std::string text(bytes.substr(line.line.offset, line.line.text_length));
    if (std::find(stated.begin(), stated.end(), text) == stated.end()) all.push_back(std::move(text));
  }
  return all;
}

TmpfilesDecision decided(std::string_view bytes, const std::string& path) {
  const std::vector<std::string_view> files = {bytes};
  return decide_tmpfiles(files, std::vector<std::string>{path}).front();
}

}  // namespace
}  // namespace tunekeeper::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tunekeeper;
  const fuzz::Input input(data, size);
  const std::string_view bytes = input.part(0);
  std::string path(input.part(1));
  // A path below /sys as the kernel names them: no line end, no empty and no dot component.
  const bool is_path =
      path.starts_with("/sys/") && path.find_first_of(std::string_view("\n\r\0", 3)) == std::string::npos &&
      path.find("//") == std::string::npos && path.find("/.") == std::string::npos && path.back() != '/';
  if (!is_path) path = "/sys/kernel/mm/transparent_hugepage/enabled";
  std::string value(input.part(2, "never"));
  std::erase(value, '\0');
  if (value.empty()) value = "never";
  const auto was = tmpfiles_statements(bytes, path);
  const std::string after = splice(bytes, set_tmpfiles(bytes, path, value));
  if (was.empty()) {
    const auto lines = read_tmpfiles(after);
    fuzz::require(!lines.empty() && lines.back().type == 'w', "what was set is there");
    fuzz::require_same(lines.back().argument, value, "the value set is the value read");
    fuzz::require(!lines.back().argument_computed && !lines.back().path_computed,
                  "what was set needs no system");
    const auto alone = fuzz::decided(after.substr(lines.back().line.offset), path);
    fuzz::require(alone.stated, "what was set reaches its path");
    fuzz::require_same(alone.value, value, "what was set is what its path gets");
    fuzz::require_same(splice(after, unset_tmpfiles(after, path)), bytes,
                       "unsetting restores the bytes from before adding");
  } else {
    const auto now = tmpfiles_statements(after, path);
    fuzz::require(now.size() == was.size(), "setting a line leaves the number of lines");
  }
  fuzz::require(fuzz::other_lines(bytes, path) == fuzz::other_lines(after, path),
                "other lines stay as they were");
  fuzz::require(set_tmpfiles(after, path, value).empty(), "setting again changes nothing");
  fuzz::require(tmpfiles_statements(splice(after, unset_tmpfiles(after, path)), path).empty(),
                "what was unset is gone");
  fuzz::require(restate_tmpfiles(bytes, path, was).empty(), "stating the same changes nothing");
  return 0;
}
