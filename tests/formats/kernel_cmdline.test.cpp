#include "formats/kernel_cmdline.hpp"

#include "formats/grub_script.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;

namespace {

std::vector<std::string> texts(const std::string& line) {
  std::vector<std::string> made;
  for (const KernelToken& token : kernel_tokens(line)) made.push_back(token.text());
  return made;
}

using Texts = std::vector<std::string>;

std::string through_grub(const std::string& word) {
  const GrubCommand command = grub_command(word);
  return command.words.size() == 1 && command.end == word.size() ? command.words[0].text : "(not one word)";
}

}  // namespace

TEST_CASE("cmdline: quoted values with blanks are one token, however the quotes stand") {
  CHECK(kernel_tokens("k=\"a b\" x") == kernel_tokens("\"k=a b\" x"));
  CHECK(texts("quiet k=\"a b\"\tc=1\n") == Texts{"quiet", "k=a b", "c=1"});
  CHECK(texts("\"a b\"") == Texts{"a b"});
  CHECK(texts("k=") == Texts{"k="});
}

TEST_CASE("cmdline: what stands after -- is init's") {
  CHECK(texts("a -- b") == Texts{"a"});
  CHECK(texts("a --- b") == Texts{"a", "---", "b"});
}

TEST_CASE("cmdline: a value with any blank of the kernel's is written in quotes") {
  for (const std::string value : {"a b", "a\tb", "a\vb",
                                  "a\xa0"
                                  "b"}) {
    const KernelRun run = {{"k", value, true}};
    CHECK(kernel_tokens(to_string(run)) == run);
  }
}

TEST_CASE("cmdline: a hyphen in a name is an underscore, in a value it is not") {
  CHECK(kernel_token("transparent-hugepage=never") == kernel_token("transparent_hugepage=never"));
  CHECK_FALSE(kernel_token("a=x-y") == kernel_token("a=x_y"));
  CHECK_FALSE(kernel_token("a=") == kernel_token("a"));
}

TEST_CASE("G6: huge page sizes keep their counts, and a count before any size stands for itself") {
  const auto tokens = kernel_tokens("hugepages=8 quiet hugepagesz=2M hugepages=64 hugepagesz=1G hugepages=4");
  const auto sizes = kernel_runs(tokens, "hugepagesz");
  REQUIRE(sizes.size() == 2);
  CHECK(sizes[0] == std::pair<std::size_t, std::size_t>{2, 2});
  CHECK(sizes[1] == std::pair<std::size_t, std::size_t>{4, 2});
  CHECK(kernel_runs(tokens, "hugepages").size() == 1);
}

TEST_CASE("cmdline: an item is a run where it names its parameter, else a value") {
  CHECK(to_string(kernel_run("hugepagesz", "hugepagesz=2M hugepages=64")) == "hugepagesz=2M hugepages=64");
  CHECK(to_string(kernel_run("hugepagesz", "2M hugepages=64")) == "hugepagesz=2M hugepages=64");
  CHECK(to_string(kernel_run("console", "ttyS0,115200n8")) == "console=ttyS0,115200n8");
  CHECK(to_string(kernel_run("acpi_osi", "Windows 2012")) == "acpi_osi=\"Windows 2012\"");
}

TEST_CASE("cmdline: what GRUB or its shell would eat is told") {
  CHECK(cmdline_danger(kernel_token("a=b;c")).find(';') != std::string::npos);
  CHECK(cmdline_danger(kernel_token("a=$b")).find('$') != std::string::npos);
  CHECK_FALSE(cmdline_danger(kernel_token("a=\"b\"")).empty());
  CHECK(cmdline_danger(kernel_token("pci=noaer,a:b@c")).empty());
}

TEST_CASE("GRUB script: words, quotes, variables and the end of a command") {
  const GrubCommand command = grub_command("linux /v root=UUID=x 'a b'=\"c \\\" $d\" x=$y z\\ z ; dropped");
  Texts words;
  for (const GrubWord& word : command.words) words.push_back(word.text);
  CHECK(words == Texts{"linux", "/v", "root=UUID=x", "a b=c \" ", "x=", "z z"});
  CHECK(command.end == 47);
}

TEST_CASE("GRUB script: a quoted parameter comes out as it went in, in either quote") {
  for (const std::string text :
       {"quiet", "k=a b", "k=a;b", "k=$x", "k=it's", "k=\"q\"", "k=a\\b", "k={x}", "a b", "k=a|b&c<d>"}) {
    CHECK(through_grub(grub_quoted(text, '\'')) == text);
    CHECK(through_grub(grub_quoted(text, '"')) == text);
  }
  CHECK(grub_quoted("k=a b") == "k='a b'");
  CHECK(grub_quoted("k=1,2") == "k=1,2");
}
