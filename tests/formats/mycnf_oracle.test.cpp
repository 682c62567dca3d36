// Truth for the option-file reader: the server's own my_print_defaults, run on files in a temporary
// directory.

#include <filesystem>
#include <iostream>
#include <sstream>

#include "formats/mycnf_edit.hpp"
#include "support/catch.hpp"
#include "support/mycnf_reader.hpp"
#include "support/property.hpp"

using namespace tunekeeper;
namespace fs = std::filesystem;
using test::mycnf_readers;
using test::MyCnfReader;
using test::OptionFiles;

namespace {

/// What each reader makes of my.cnf in the folder, MariaDB's first; checked against ours.
std::vector<std::string> check_agreement(const OptionFiles& files) {
  std::vector<std::string> answers;
  for (const MyCnfReader& reader : mycnf_readers()) {
    INFO(reader.flavor << " " << reader.version);
    answers.push_back(reader.theirs(files / "my.cnf"));
    CHECK(reader.ours(files / "my.cnf") == answers.back());
  }
  return answers;
}

std::vector<std::string> check_agreement(const std::string& bytes,
                                         const std::string& included = "[mysqld]\ninc=1\n") {
  const OptionFiles files;
  files.write("d/x.cnf", included);
  files.write("my.cnf", bytes);
  INFO(bytes.substr(0, 400));
  return check_agreement(files);
}

template <typename T>
rc::Gen<T> any_of(std::vector<T> choices) {
  return rc::gen::elementOf(std::move(choices));
}

rc::Gen<std::string> pieces(std::vector<std::string> alphabet) {
  return rc::gen::map(
      rc::gen::resize(8, rc::gen::container<std::vector<std::string>>(any_of(std::move(alphabet)))),
      [](const std::vector<std::string>& parts) {
        std::string text;
        for (const auto& part : parts) text += part;
        return text;
      });
}

enum class may_be_fatal { no, yes };

/// Lines that a person might write, and worse. A key is never empty: the reader then looks before its buffer.
rc::Gen<std::string> any_line(may_be_fatal fatal) {
  const auto value = pieces({"a", "1", " ", "\t", "#",    "'",    "\"",   "\\",  "n",    "s",   ";",
                             "=", "[", "]", "!",  "\xE9", "\xA0", "\x0B", "x y", "\\\\", "\\'", "\\\""});
  const auto option =
      rc::gen::apply([](const std::string& indent, const std::string& key, const std::string& equals,
                        const std::string& text) { return indent + key + equals + text; },
                     any_of<std::string>({"", " ", "\t", "\xA0"}),
                     any_of<std::string>({"a", "max-x", "B_c", "loose-q", "k'k", "k v"}),
                     any_of<std::string>({"=", " = ", "\t\t= ", "", " ", "= "}), value);
  return rc::gen::oneOf(option, option, option,
                        any_of<std::string>({"[mysqld]",
                                             "[MYSQLD ]",
                                             "[mariadb-10.11]",
                                             "[mariadb-10.6]",
                                             "[client]",
                                             "[ mysqld]",
                                             "[mysqld]x=1",
                                             "  [server] # x",
                                             "[]",
                                             "[galera]",
                                             "",
                                             "   ",
                                             "# x",
                                             " ; y=1",
                                             "!include",
                                             "!nothing x",
                                             "!include @DIR@/d/x.cnf",
                                             "  ! include\t@DIR@/d/x.cnf  ",
                                             "!includedir @DIR@/d/",
                                             "!include @DIR@/none.cnf",
                                             "!include @DIR@/d/x.cnf # c",
                                             fatal == may_be_fatal::yes ? "!includedir @DIR@/none" : "#",
                                             "[x"}));
}

/// The rare fatal lines are kept rare, so that most files are read to their end.
rc::Gen<std::string> any_file(may_be_fatal fatal = may_be_fatal::yes) {
  const auto line = rc::gen::apply([](const std::string& text, const std::string& end) { return text + end; },
                                   any_line(fatal), any_of<std::string>({"\n", "\n", "\n", "\r\n"}));
  return rc::gen::apply(
      [](const std::string& head, const std::vector<std::string>& lines, bool cut) {
        std::string text = head;
        for (const auto& each : lines) text += each;
        while (cut && !text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
        return text;
      },
      any_of<std::string>({"[mysqld]\n", "[mysqld]\n", "", "# c\n[client]\r\n"}),
      rc::gen::container<std::vector<std::string>>(line), rc::gen::arbitrary<bool>());
}

/// The lines of options that the property set. A decoded line end would break a line; none is generated.
std::string only_tuned(const std::string& printed) {
  std::istringstream lines(printed);
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("--tuned_", 0) == 0) kept += line + "\n";
  }
  return kept;
}

}  // namespace

TEST_CASE("the real reader agrees on every point of the grammar") {
  for (const char* text : {"[mysqld]\na=b#c\nb=b;c\n;d=1\n # e=1\n",
                           "[mysqld]\na5 = it's # x\n",
                           "[mysqld]\na15 val\n",
                           "[mysqld]\na=\"a\" b\"\nb=\"\"x\"\"\nc='x'\nd='x\"\n",
                           R"([mysqld]
a=\n|\t|\r|\s|\"|\'|\\|\q|\
b=C:\new\temp
c="\"
d='x\'
e=x\' # q
)",
                           "[mysqld]\r\na=1\r\nb\r\n",
                           "\xEF\xBB\xBF[mysqld]\na=1\n",
                           "a=1\n",
                           "[mysqld\n",
                           "[mysqld]\na=1",
                           "[ mysqld]\na=1\n[mysqld ]\nb=1\n[mysqld]x=1\nc=1\n[MySQLd]\nd=1\n",
                           "[mysqld-10]\na=1\n[mariadb-10.6]\nb=1\n[embedded]\nc=1\n[mariadbd-10.11]\nd=1\n["
                           "client-server]\ne=1\n",
                           "[mysqld]\n!include @DIR@/d/x.cnf\na=1\n",
                           "[mysqld]\n!include @DIR@/d/x.cnf # c\na=1\n",
                           "[client]\n!includedir @DIR@/d\nq=1\n",
                           "!includedir @DIR@/none\n",
                           "[mysqld]\n!include @DIR@/d/x.cnf",
                           "[mysqld]\n!include @DIR@/d/x.cnfX",
                           "[mysqld]\n!include\na=1",
                           "[mysqld]\n!include @DIR@/my.cnf\na=1\n",
                           "[mysqld]\na=x\xA0\nb\xA0=\xA0y\n\xA0"
                           "c=1\nd=\x0Bq\x0C\n"}) {
    check_agreement(text);
  }
}

TEST_CASE("a NUL byte ends a line early for MariaDB; MySQL 9 joins lines there, which we do not read") {
  const OptionFiles files;
  files.write("my.cnf", std::string("[mysqld]\na=\0b\nc\0d=1\nz=1\n", 24));
  const MyCnfReader& mariadb = mycnf_readers().front();
  CHECK(mariadb.ours(files / "my.cnf") == "--a=\n--c\n--z=1\n");
  CHECK(mariadb.theirs(files / "my.cnf") == "--a=\n--c\n--z=1\n");
  if (mycnf_readers().size() < 2) return;
  CHECK(mycnf_readers()[1].theirs(files / "my.cnf") == "--a=cz=1\n");
  CHECK(mycnf_readers()[1].ours(files / "my.cnf") == "fatal");
}

TEST_CASE("the real reader agrees on where long lines break") {
  for (std::size_t length : {4090U, 4091U, 4092U, 4093U, 4094U, 8190U}) {
    for (const std::string& real : check_agreement("[mysqld]\na=" + std::string(length, 'b') + "\n#" +
                                                   std::string(length, '#') + "y=1\n")) {
      CHECK(real.size() > 4000);
    }
  }
}

TEST_CASE("the real reader agrees on an included file with a fault") {
  for (const char* included : {"[mysqld]\na=1\n[x\nb=1\n", "b=1\n[mysqld]\nc=1\n", "", "[client]\nz=1\n"}) {
    check_agreement("[mysqld]\n!include @DIR@/d/x.cnf\nq=1\n", included);
    check_agreement("[mysqld]\n!includedir @DIR@/d/\nq=1\n", included);
  }
}

TEST_CASE("the real reader agrees on the order and the names in an include directory, and M8") {
  const OptionFiles files;
  files.write("my.cnf", "!includedir @DIR@/d\n");
  for (const char* name :
       {".hid.cnf", "10.cnf", "9.cnf", "B.cnf", "_u.cnf", "a-b.cnf", "a.cnf", "ab.cnf", "x.y.cnf", "n.CNF",
        "n.cnf.bak", "n.ini", "cnf", ".cnf", "open.cnf", "sub.cnf/z.cnf"}) {
    files.write(std::string("d/") + name, "[mysqld]\nwho=" + std::string(name) + "\n");
  }
  fs::permissions(files / "d/open.cnf", fs::perms(0666));
  for (const std::string& real : check_agreement(files)) {
    CHECK(real.find("x.y.cnf") != std::string::npos);
    CHECK(real.find("open.cnf") == std::string::npos);
  }
}

TEST_CASE("each server reads the groups that we say, and its own program prints from them what we read") {
  std::string every = "[mysqld]\nfirst=1\n";
  for (const char* group :
       {"mysqld-10", "mariadb-10.6", "embedded", "mysqld_safe", "client", "client-mariadb", "mysql", "server",
        "mariadb", "mariadbd", "MariaDB-10.11", "mariadbd-10.11", "mysqld-10.11", "client-server", "galera",
        "mysql_cluster", "mysqld-9.7", "mysqld-9", "mysqld-8.0"}) {
    every += "[" + std::string(group) + "]\nof=" + group + "\n";
  }
  const OptionFiles files;
  files.write("my.cnf", every);
  for (const MyCnfReader& reader : mycnf_readers()) {
    INFO(reader.flavor << " " << reader.version);
    const std::string file = " --defaults-file=" + (files / "my.cnf").string();
    std::string words;
    for (const std::string& group : server_groups(reader.flavor, reader.version)) words += " " + group;
    const auto help = test::ask_command("LC_ALL=C " + reader.server + " --no-defaults --help --verbose 2>&1");
    CHECK(help.out.find("groups are read:" + words + "\n") != std::string::npos);

    std::string printed;
    for (const char c : reader.ours(files / "my.cnf")) printed += c == '\n' ? ' ' : c;
    const auto told = test::ask_command("LC_ALL=C " + reader.server + file + " --print-defaults 2>/dev/null");
    CHECK(told.out.find(printed) != std::string::npos);
  }
}

TEST_CASE("MySQL's own reader is asked as well") {
  if (mycnf_readers().size() < 2) {
    WARN("MySQL 9's programs could not be had (scripts/mysql9 tells why): only MariaDB's reader was asked");
    return;
  }
  CHECK(mycnf_readers().back().version >= "9");
}

TEST_CASE("the real reader agrees on random option files") {
  for (const MyCnfReader& reader : mycnf_readers()) {
    INFO(reader.flavor);
    CHECK(test::holds(
        "ours = theirs, " + reader.flavor,
        [&] {
          const OptionFiles files;
          files.write("my.cnf", *any_file());
          const std::string included = *any_file();
          files.write("d/x.cnf", included.find("@DIR@") == std::string::npos ? included : "[mysqld]\ni=1\n");
          RC_ASSERT(reader.ours(files / "my.cnf") == reader.theirs(files / "my.cnf"));
        },
        100));
  }
}

// One process reads a folder of files, so that thousands can be asked about. A mark stands before each.
TEST_CASE("the real reader agrees on thousands of random option files in a folder") {
  for (const MyCnfReader& reader : mycnf_readers()) {
    INFO(reader.flavor);
    std::size_t asked = 0;
    CHECK(test::holds(
        "ours = theirs in a folder, " + reader.flavor,
        [&] {
          const OptionFiles files;
          files.write("my.cnf", "!includedir @DIR@/many\n");
          files.write("d/x.cnf", "[mysqld]\ni=1\n");
          const auto all = *rc::gen::resize(80, rc::gen::container<std::vector<std::string>>(
                                                    rc::gen::resize(15, any_file(may_be_fatal::no))));
          for (std::size_t i = 0; i < all.size(); ++i) {
            const std::string name = "many/" + std::to_string(1000 + i);
            files.write(name + ".a.cnf", "[mysqld]\nfile=" + std::to_string(i) + "\n");
            files.write(name + ".b.cnf", all[i]);
          }
          asked += all.size();
          RC_ASSERT(reader.ours(files / "my.cnf") == reader.theirs(files / "my.cnf"));
        },
        70));
    std::cerr << reader.flavor << ": " << asked << " files compared\n";
    CHECK(asked > 1500);
  }
}

// Many files, each with a value set in it, one process to read them all.
TEST_CASE("a value set in a random file is what the real reader gets, and removing it restores the bytes") {
  for (const MyCnfReader& reader : mycnf_readers()) {
    INFO(reader.flavor);
    std::size_t asked = 0;
    CHECK(test::holds(
        "set, read, remove, " + reader.flavor,
        [&] {
          const auto cases = *rc::gen::resize(
              80, rc::gen::container<std::vector<std::pair<std::string, std::string>>>(
                      rc::gen::pair(rc::gen::resize(15, any_file()),
                                    rc::gen::resize(15, pieces({"a", "8G", " ", "\t", "#", "'", "\"", "\\",
                                                                "n", "\r", "\xE9", "\xA0", ";"})))));
          const OptionFiles files;
          files.write("my.cnf", "!includedir @DIR@/many\n");
          std::string wanted;
          for (std::size_t i = 0; i < cases.size(); ++i) {
            const auto& [text, value] = cases[i];
            const auto dialect = MyCnfDialect::of(reader.flavor, reader.version);
            const MyCnf before(text, dialect);
            if (before.problem() || text.find("!include") != std::string::npos) continue;
            const std::string option = "tuned_" + std::to_string(i);
            const std::string added = splice(text, set_option(before, "mysqld", option, value));
            RC_ASSERT(splice(added, remove_option(MyCnf(added, dialect), "mysqld", option)) == text);
            files.write("many/" + std::to_string(1000 + i) + ".cnf", added);
            wanted += "--" + option + "=" + value + "\n";
            ++asked;
          }
          fs::create_directories(files / "many");
          RC_ASSERT(only_tuned(reader.theirs(files / "my.cnf")) == wanted);
        },
        40));
    std::cerr << reader.flavor << ": " << asked << " values read back\n";
    CHECK(asked > 500);
  }
}
