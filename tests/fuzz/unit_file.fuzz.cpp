// Unit files: the assignment stated is the value decided, other assignments stay, and what was added is gone
// without a trace when it is taken away. Parts of the input: file, section, key, value.

#include "formats/unit_file.hpp"

#include "formats/systemd_lines.hpp"
#include "fuzz/fuzz.hpp"

namespace tunekeeper::fuzz {
namespace {

std::vector<std::string> other(std::string_view bytes, std::string_view section, std::string_view key) {
  std::vector<std::string> all;
  std::size_t at = 0;
  for (const UnitAssignment& a : read_unit(bytes)) {
    require(a.offset >= at && a.text_length <= a.length && a.offset + a.length <= bytes.size() && a.line >= 1,
            "assignments lie in order in the file");
    at = a.offset + a.length;
    if (a.section != section || a.key != key) all.push_back(a.section + "." + a.key + "=" + a.value);
  }
  return all;
}

bool is_word(std::string_view word) {
  return word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") ==
         std::string_view::npos;
}

}  // namespace
}  // namespace tunekeeper::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tunekeeper;
  const fuzz::Input input(data, size);
  const std::string_view bytes = input.part(0);
  std::string section(input.part(1, "Service")), key(input.part(2, "LimitNOFILE")),
      value(input.part(3, "65536"));
  if (!fuzz::is_word(section)) section = "Service";
  if (!fuzz::is_word(key)) key = "LimitNOFILE";
  std::erase_if(value, [](char c) {
    return c == '\0' || c == '\n' || c == '\r' || c == '\\' || c == ' ' || c == '\t';
  });
  if (value.empty()) value = "1";
  const auto was = unit_statements(bytes, section, key);
  fuzz::require(restate_unit(bytes, section, key, was).empty(), "stating the same changes nothing");

  const std::vector<std::string> wish = {key + "=" + value};
  const std::string after = splice(bytes, restate_unit(bytes, section, key, wish));
  fuzz::require(unit_statements(after, section, key) == wish, "what was stated is there");
  const std::vector<std::string_view> files = {after};
  fuzz::require_same(decide_unit(files, section, key).value, value, "the value stated is the value read");
  fuzz::require(fuzz::other(bytes, section, key) == fuzz::other(after, section, key),
                "other assignments stay");
  const std::string without = splice(after, restate_unit(after, section, key, {}));
  fuzz::require(unit_statements(without, section, key).empty(), "what was taken away is gone");
  fuzz::require(fuzz::other(bytes, section, key) == fuzz::other(without, section, key),
                "other assignments stay");
  // A last line that goes on and has no end needs two line ends behind it, and keeps one.
  const bool goes_on = lacks_final_line_end(bytes) && bytes.find('\\') != std::string_view::npos;
  if (was.empty() && !goes_on)
    fuzz::require_same(without, bytes, "taking away restores the bytes from before adding");
  return 0;
}
