// The real reader decides: what sh makes of a file, variable for variable.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <unistd.h>

#include "core/splice.hpp"
#include "formats/shell_vars.hpp"
#include "support/catch.hpp"
#include "support/property.hpp"

using namespace tunekeeper;
namespace fs = std::filesystem;

namespace {

class Folder {
 public:
  Folder() {
    std::string pattern = (fs::temp_directory_path() / "tk-shell-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  fs::path operator/(const std::string& name) const { return path_ / name; }

 private:
  fs::path path_;
};

std::string slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

struct ShellAnswer {
  bool accepted = false;
  std::map<std::string, std::string> values;  ///< of the names asked for that are set
};

/// Sources the files in one sh, and asks it for these variables.
ShellAnswer ask_sh(const std::vector<std::string>& files, const std::set<std::string>& names) {
  const Folder folder;
  std::ofstream script(folder / "ask");
  for (std::size_t i = 0; i < files.size(); ++i) {
    const fs::path file = folder / ("f" + std::to_string(i));
    std::ofstream(file, std::ios::binary) << files[i];
    script << ". " << file.string() << " >/dev/null 2>&1\n";
  }
  for (const std::string& name : names) {
    script << "[ -n \"${" << name << "+x}\" ] && printf '%s\\0%s\\0' " << name << " \"$" << name << "\"\n";
  }
  script << "printf 'end\\0'\n";
  script.close();
  const std::string command = "env -i PATH=/usr/bin:/bin sh " + (folder / "ask").string() + " 2>/dev/null";
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::string out;
  std::array<char, 4096> buffer{};
  while (const std::size_t got = fread(buffer.data(), 1, buffer.size(), pipe)) out.append(buffer.data(), got);
  pclose(pipe);
  ShellAnswer answer;
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < out.size();) {
    const std::size_t end = out.find('\0', at);
    parts.push_back(out.substr(at, end - at));
    at = end + 1;
  }
  answer.accepted = !parts.empty() && parts.back() == "end";
  for (std::size_t i = 0; i + 1 < parts.size(); i += 2) answer.values[parts[i]] = parts[i + 1];
  return answer;
}

std::set<std::string> names_in(const std::vector<std::string>& files) {
  std::set<std::string> names;
  for (const std::string& bytes : files) {
    const ShellFile file = ShellFile::parse(bytes);
    for (const ShellStatement& statement : file.statements()) {
      if (!statement.name.empty()) names.insert(statement.name);
    }
  }
  return names;
}

/// The first variable about which we and sh disagree; empty when there is none.
std::string disagreement(const std::vector<std::string>& files, std::size_t* known = nullptr) {
  const std::set<std::string> names = names_in(files);
  const ShellAnswer answer = ask_sh(files, names);
  if (!answer.accepted) return "sh refuses a file that we accept";
  ShellEnvironment environment("");
  for (std::size_t i = 0; i < files.size(); ++i)
    environment.run(ShellFile::parse(files[i]), static_cast<std::uint16_t>(i));
  for (const std::string& name : names) {
    const auto ours = environment.get(name);
    if (ours && ours->computed) continue;
    if (known != nullptr) ++*known;
    const auto theirs = answer.values.find(name);
    const std::string text = theirs == answer.values.end() ? "(unset)" : theirs->second;
    if (ours->text() != text) return name + ": ours [" + ours->text() + "], sh [" + text + "]";
  }
  return {};
}

fs::path corpus() {
  const char* given = std::getenv("TUNEKEEPER_CORPUS");
  return (given != nullptr ? fs::path(given) : fs::path(TUNEKEEPER_SOURCE_DIR) / ".." / "shared" / "corpus") /
         "grub";
}

rc::Gen<std::string> text_of(const std::string& alphabet) {
  return rc::gen::container<std::string>(rc::gen::elementOf(alphabet));
}

rc::Gen<std::string> part() {
  using namespace rc::gen;
  const auto quoted = [](const char* q, rc::Gen<std::string> inner) {
    return map(std::move(inner), [q](const std::string& s) { return q + s + q; });
  };
  const auto piece =
      oneOf(text_of("ab =,.;#'~:"),
            elementOf(std::vector<std::string>{"\\\"", "\\$", "\\\\", "\\n", "\\\n", "$A", "${GRUB_B}", "$",
                                               "\\`", "!", "\xE9", "\t", "$ "}));
  const auto twofold =
      map(container<std::vector<std::string>>(piece), [](const std::vector<std::string>& list) {
        std::string all;
        for (const std::string& s : list) all += s;
        return all;
      });
  return oneOf(quoted("'", text_of("ab \"$\\`;#=\n")), quoted("\"", twofold), text_of("abc=,.#:/@%^+-"),
               elementOf(std::vector<std::string>{"$A", "${A}", "\\ ", "\\'", "\\\"", "\\$A", "\\\n", "$",
                                                  "a~", "{b}", "*"}));
}

rc::Gen<std::string> assignment() {
  return rc::gen::apply(
      [](const std::string& name, const std::vector<std::string>& parts) {
        std::string made = name + "=";
        for (const std::string& part : parts) made += part;
        return made;
      },
      rc::gen::elementOf(std::vector<std::string>{"A", "GRUB_B", "c_1"}),
      rc::gen::container<std::vector<std::string>>(part()));
}

rc::Gen<std::string> shell_line() {
  using namespace rc::gen;
  return oneOf(
      map(assignment(), [](const std::string& a) { return a + "\n"; }),
      apply([](const std::string& a, const std::string& b, const std::string& c) { return a + b + c + "\n"; },
            assignment(), elementOf(std::vector<std::string>{" ", "; ", "\t", " \\\n", "\n", " && ", " || "}),
            assignment()),
      map(assignment(), [](const std::string& a) { return "export " + a + " # note's\n"; }),
      map(assignment(), [](const std::string& a) { return "if [ 1 = 2 ]; then " + a + "; fi\n"; }),
      map(assignment(), [](const std::string& a) { return "case x in (x) " + a + ";; *) :;; esac\n"; }),
      map(assignment(), [](const std::string& a) { return "( " + a + " )\n"; }),
      map(assignment(), [](const std::string& a) { return a + " | cat; " + a + " >/dev/null\n"; }),
      elementOf(std::vector<std::string>{"# it's a \"comment\" `\n", "\n", "  \t\n", "unset A\n", ":\n",
                                         "true && A=1\n"}));
}

rc::Gen<std::string> shell_text() {
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(shell_line()),
                      [](const std::vector<std::string>& lines) {
                        std::string all;
                        for (const std::string& line : lines) all += line;
                        return all;
                      });
}

}  // namespace

TEST_CASE("shell oracle: sh agrees on hand-written files, variable for variable") {
  const std::vector<std::string> files = {
      "A=\"x y\"\nGRUB_B='single \" $A'\nexport C=\"$A-${GRUB_B}\"\nD=a\\ b\"c\"'d' # e\nE=\"l1 "
      "\\\nl2\"\nF=$A G=\"$F\"\n",
      "A=\"$A more\"\nif [ -n \"$A\" ]; then H=1; fi\nI=#x\nJ=\"`echo q`\"\nK=\"\\a\\\"\\$\\`\"\nL=$(echo "
      "'(')\nM=\"$\"\n",
      "A=\"$A\"\"$A\"\nN=\nO=''P\nQ=\"a\"b'c'\nR=\"${A}\"; S=2\nfoo() { S=3; }\nT={a}*?\n"};
  CHECK(disagreement(files) == "");
}

TEST_CASE("shell oracle: sh refuses what we refuse") {
  for (const std::string bytes : {"X=\"a\n", "X='a", "fi\n", "if true; then X=1\n", "X=${a\n", "X=(a)\n",
                                  "A=1 &&\n", "; A=1\n", "case x in x) A=1;;\n", "A=1\n)\n", "X=`a\n",
                                  "A=1 ;; B=2\n", "! ", "!\nA=1\n", "if !; then A=1; fi\n", "! ! A=1\n"}) {
    INFO(bytes);
    CHECK_THROWS_AS(ShellFile::parse(bytes), ShellSyntaxError);
    CHECK_FALSE(ask_sh({bytes}, {}).accepted);
  }
}

TEST_CASE("shell oracle: sh agrees on generated files") {
  std::size_t known = 0;
  const auto result = test::holds(
      "sh and we give every variable the same value",
      [&known] {
        const std::vector<std::string> files = {*rc::gen::resize(9, shell_text()),
                                                *rc::gen::resize(9, shell_text())};
        const std::string wrong = disagreement(files, &known);
        if (!wrong.empty()) RC_FAIL(wrong);
      },
      1000);
  CHECK(result);
  CHECK(known > 20);
}

TEST_CASE("shell oracle: sh reads back what we set and unset, in generated files") {
  CHECK(test::holds(
      "a value set is a value read",
      [] {
        const std::string bytes = *rc::gen::resize(9, shell_text());
        const std::string wanted = *rc::gen::resize(20, text_of("ab '\"$\\`;#=!\n"));
        const std::string after = splice(bytes, ShellFile::parse(bytes).set("GRUB_Z", wanted));
        const ShellAnswer added = ask_sh({after}, {"GRUB_Z"});
        RC_ASSERT(added.values.at("GRUB_Z") == wanted);
        const ShellFile file = ShellFile::parse(after);
        RC_ASSERT(splice(after, file.set("GRUB_Z", wanted)) == after);
        RC_ASSERT(ask_sh({splice(after, file.unset("GRUB_Z"))}, {"GRUB_Z"}).values.empty());
      },
      500));
}

TEST_CASE("shell oracle: sh agrees on real files, and reads back what we set in them") {
  if (!fs::exists(corpus())) {
    WARN("no corpus at " << corpus());
    return;
  }
  std::size_t known = 0;
  for (const auto& entry : fs::directory_iterator(corpus())) {
    INFO(entry.path());
    const std::string bytes = slurp(entry.path());
    CHECK(disagreement({bytes}, &known) == "");
    for (const std::string& name : names_in({bytes})) {
      const ShellFile file = ShellFile::parse(bytes);
      const std::string after = splice(bytes, file.set(name, "a 'b' \"c\" $d"));
      CHECK(ask_sh({after}, {name}).values[name] == "a 'b' \"c\" $d");
      const std::string gone = splice(bytes, file.unset(name));
      if (file.last_assignment(name) != nullptr) CHECK(ask_sh({gone}, {name}).values[name].empty());
    }
  }
  CHECK(known > 20);
}
