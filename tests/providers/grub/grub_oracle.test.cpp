// The real programs decide: sh says what grub-mkconfig will read, grub-script-check what GRUB's parser takes.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "formats/grub_script.hpp"
#include "formats/kernel_cmdline.hpp"
#include "providers/fixture.hpp"
#include "providers/grub/grub_provider.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;
namespace fs = std::filesystem;

namespace {

class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "tk-grub-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string output_of(const std::string& command, int* status = nullptr) {
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string out;
  std::array<char, 4096> buffer{};
  while (const std::size_t got = fread(buffer.data(), 1, buffer.size(), pipe)) out.append(buffer.data(), got);
  const int ended = pclose(pipe);
  if (status != nullptr) *status = ended;
  return out;
}

/// /etc/default/grub as Debian's package has it.
std::string packaged_defaults() {
  const Folder folder;
  const std::string there = "cd " + folder.path().string() + " && ";
  output_of(there + "(apt-get download grub2-common && dpkg-deb -x grub2-common_*.deb .) >/dev/null 2>&1");
  std::ifstream in(folder.path() / "usr/share/grub/default/grub", std::ios::binary);
  std::ostringstream bytes;
  bytes << in.rdbuf();
  return bytes.str();
}

/// What grub-mkconfig puts into normal entries: the files sourced in its order by the real sh.
std::string linux_arguments(const MemoryHost& host) {
  const Folder folder;
  std::string script;
  std::vector<std::string> paths = {"/etc/default/grub"};
  for (const std::string& path : host.glob("/etc/default/grub.d/*.cfg")) paths.push_back(path);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const fs::path file = folder.path() / std::to_string(i);
    std::ofstream(file, std::ios::binary) << host.bytes(paths[i]);
    script += ". " + file.string() + "\n";
  }
  script += "printf '%s %s' \"$GRUB_CMDLINE_LINUX\" \"$GRUB_CMDLINE_LINUX_DEFAULT\"\n";
  std::ofstream(folder.path() / "ask") << script;
  return output_of("env -i PATH=/usr/bin:/bin sh -e " + (folder.path() / "ask").string());
}

std::vector<std::string> words(const std::string& arguments) {
  const GrubCommand command = grub_command(arguments);
  CHECK(command.end == arguments.size());
  std::vector<std::string> made;
  for (const GrubWord& word : command.words) made.push_back(word.text);
  return made;
}

Desired list(const std::string& id, std::vector<std::string> items) {
  Desired desired = Bench::want(id, "");
  desired.value = Value::list(std::move(items));
  return desired;
}

const std::vector<Desired>& wishes() {
  static const std::vector<Desired> all = {
      Bench::want("grub:transparent_hugepage", "never"),
      Bench::want("grub:blank", "a b"),
      Bench::want("grub:semicolon", "a;b"),
      Bench::want("grub:dollar", "$x"),
      Bench::want("grub:tick", "`id`"),
      Bench::want("grub:braces", "{a}|&<b>"),
      Bench::want("grub:glob", "*?[a]"),
      list("grub:console", {"tty0", "ttyS0,115200n8"}),
      list("grub:hugepagesz", {"hugepagesz=2M hugepages=64", "hugepagesz=1G hugepages=4"}),
      Bench::want("grub:quiet", "", Want::absent)};
  return all;
}

const std::vector<std::string> expected = {"transparent_hugepage=never",
                                           "blank=a b",
                                           "semicolon=a;b",
                                           "dollar=$x",
                                           "tick=`id`",
                                           "braces={a}|&<b>",
                                           "glob=*?[a]",
                                           "console=tty0",
                                           "console=ttyS0,115200n8",
                                           "hugepagesz=2M",
                                           "hugepages=64",
                                           "hugepagesz=1G",
                                           "hugepages=4"};

struct RealBench : Bench {
  explicit RealBench(const std::string& bytes) : Bench(make_grub_provider()) {
    host.add_directory("/etc/default/grub.d");
    host.add_file("/etc/default/grub", bytes);
  }
};

}  // namespace

TEST_CASE("grub oracle: sh reads from our files what was wished, and a second plan is empty") {
  for (const std::string bytes : {"GRUB_CMDLINE_LINUX_DEFAULT=\"quiet\"\nGRUB_CMDLINE_LINUX=\"\"\n",
                                  "GRUB_CMDLINE_LINUX_DEFAULT='quiet'", "GRUB_CMDLINE_LINUX_DEFAULT=\n"}) {
    RealBench bench(bytes);
    bench.apply(wishes());
    CHECK(words(linux_arguments(bench.host)) == expected);
    CHECK(bench.plan(wishes()).empty());
  }
}

TEST_CASE("grub oracle: sh reads what was wished where a later file is edited, in either quote") {
  for (const std::string later :
       {"GRUB_CMDLINE_LINUX_DEFAULT=\"quiet\"\n", "GRUB_CMDLINE_LINUX_DEFAULT='quiet'\n"}) {
    RealBench bench("GRUB_CMDLINE_LINUX=\"\"\n");
    bench.host.add_file("/etc/default/grub.d/zzz.cfg", later);
    bench.apply(wishes());
    CHECK(words(linux_arguments(bench.host)) == expected);
    CHECK(bench.plan(wishes()).empty());
  }
}

TEST_CASE("grub oracle: the package's own file is left as it is, and sh reads our drop-in after it") {
  const std::string packaged = packaged_defaults();
  REQUIRE(packaged.find("GRUB_CMDLINE_LINUX_DEFAULT=\"quiet\"") != std::string::npos);
  RealBench bench(packaged);
  const std::vector<Desired> wanted = {Bench::want("grub:transparent_hugepage", "never")};
  const std::vector<Row> rows = bench.apply(wanted);
  CHECK(rows.front().seen.persisted == Plane::of("never"));
  CHECK(bench.bytes("/etc/default/grub") == packaged);
  CHECK(words(linux_arguments(bench.host)) ==
        std::vector<std::string>{"quiet", "transparent_hugepage=never"});
}

TEST_CASE("grub oracle: GRUB's own script parser takes what we write") {
  RealBench bench("GRUB_CMDLINE_LINUX_DEFAULT='quiet'\n");
  bench.apply(wishes());
  const Folder folder;
  const fs::path file = folder.path() / "grub.cfg";
  std::ofstream(file) << "menuentry 'x' {\n\tlinux /vmlinuz root=x ro " << linux_arguments(bench.host)
                      << "\n}\n";
  int status = -1;
  output_of("grub-script-check " + file.string() + " 2>&1", &status);
  CHECK(status == 0);
}
