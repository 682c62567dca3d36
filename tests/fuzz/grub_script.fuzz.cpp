// GRUB's script: words lie in order in the text, and a quoted parameter is one word with exactly its text.
// Parts of the input: script, parameter.

#include "formats/grub_script.hpp"

#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tunekeeper;
  const fuzz::Input input(data, size);
  const std::string_view text = input.part(0);
  for (std::size_t at = 0; at < text.size();) {
    const GrubCommand command = grub_command(text, at);
    std::size_t end = at;
    for (const GrubWord& word : command.words) {
      fuzz::require(word.begin >= end && word.end > word.begin && word.end <= command.end,
                    "words stand in order");
      end = word.end;
    }
    fuzz::require(command.end >= end && command.end <= text.size(), "a command ends in the text");
    fuzz::require(command.end == text.size() ||
                      std::string_view("\n;{}|&<>").find(text[command.end]) != std::string_view::npos,
                  "a command ends where GRUB ends it");
    at = command.end + 1;
  }
  const std::string_view parameter = input.part(1);
  for (char quote : {'\'', '"'}) {
    const GrubCommand read = grub_command("linux " + grub_quoted(parameter, quote) + " ro\n");
    fuzz::require(read.words.size() == 3, "a quoted parameter is one word");
    fuzz::require_same(read.words[1].text, parameter, "a quoted parameter is read as it was meant");
  }
  return 0;
}
