#include "formats/mycnf_edit.hpp"

#include "core/error.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;

namespace {

std::string set(const std::string& text, std::string_view key, const MyCnfWish& wish,
                std::string_view group = "mysqld", MyCnfDialect dialect = {}) {
  const MyCnf file(text, dialect);
  return splice(text, set_option(file, group, key, wish));
}

std::string unset(const std::string& text, std::string_view key, std::string_view group = "mysqld") {
  const MyCnf file(text);
  return splice(text, remove_option(file, group, key));
}

}  // namespace

TEST_CASE("only the value's bytes change: alignment, comment and line end stay") {
  CHECK(set("[mysqld]\r\nport\t\t= 3306  # why\r\nx=1", "port", "3307") ==
        "[mysqld]\r\nport\t\t= 3307  # why\r\nx=1");
  CHECK(set("[mysqld]\na =  # none\n", "a", "x") == "[mysqld]\na =x  # none\n");
  CHECK(set("[mysqld]\ntz = '+00:00'\n", "tz", "it's") == "[mysqld]\ntz = 'it\\'s'\n");
}

TEST_CASE("M1: the last of twin spellings is the one that is edited") {
  CHECK(set("[mysqld]\ninnodb-buffer-pool-size=1G\nInnoDB_buffer_pool_size=2G\n", "innodb_buffer_pool_size",
            "4G") == "[mysqld]\ninnodb-buffer-pool-size=1G\nInnoDB_buffer_pool_size=4G\n");
  CHECK(unset("[mysqld]\na-b=1\nc=2\nloose_a_b=3\n", "a_b") == "[mysqld]\nc=2\n");
}

TEST_CASE("M2: with two sections of a group, the last statement decides and the last section grows") {
  const std::string text = "[mysqld]\na=1\n[client]\nport=1\n[mysqld]\nb=1\n";
  CHECK(set(text, "a", "2") == "[mysqld]\na=2\n[client]\nport=1\n[mysqld]\nb=1\n");
  CHECK(set(text, "c", "2") == text + "c=2\n");
}

TEST_CASE("M3: a new line stands before an include, M5: which itself stays untouched") {
  CHECK(set("[mysqld]\na=1\n\n!includedir /etc/mysql/conf.d/\n", "b", "2") ==
        "[mysqld]\na=1\nb=2\n\n!includedir /etc/mysql/conf.d/\n");
  CHECK(set("[client]\na=1\n\n# all of it\n!includedir /d/\n", "b", "2") ==
        "[client]\na=1\n\n[mysqld]\nb=2\n\n# all of it\n!includedir /d/\n");
  CHECK(set("[client]\na=1\n!include /d/x.cnf\nc=3\n", "b", "2") ==
        "[mysqld]\nb=2\n\n[client]\na=1\n!include /d/x.cnf\nc=3\n");
}

TEST_CASE("M4: a line added to a file without a final newline stands on its own line") {
  CHECK(set("[mysqld]\na=1", "b", "2") == "[mysqld]\na=1\nb=2");
  CHECK(set("[client]\na=1", "b", "2") == "[client]\na=1\n\n[mysqld]\nb=2");
}

TEST_CASE(
    "a new line takes the style of the section: indent, blanks round the equals sign, aligned columns") {
  CHECK(set("[mysqld]\n  a   = 1\n", "max", "2") == "[mysqld]\n  a   = 1\n  max = 2\n");
  CHECK(set("[mysqld]\na\t\t= 1\n", "b", "2") == "[mysqld]\na\t\t= 1\nb\t\t= 2\n");
  CHECK(set("[mysqld]\r\na=1\r\n", "b", "2") == "[mysqld]\r\na=1\r\nb=2\r\n");
  CHECK(set("", "b", "2") == "[mysqld]\nb = 2\n");
}

TEST_CASE("a flag is given a value, and a value is taken from a flag, by the least change") {
  CHECK(set("[mysqld]\nskip-networking # x\n", "skip_networking", "0") ==
        "[mysqld]\nskip-networking = 0 # x\n");
  CHECK(set("[mysqld]\nskip-networking = 0 # x\n", "skip_networking", std::nullopt) ==
        "[mysqld]\nskip-networking # x\n");
  CHECK(set("[mysqld]\nskip-log-bin\n", "log_bin", "/var/log/b") == "[mysqld]\nlog_bin = /var/log/b\n");
  CHECK(set("[mysqld]\na=1\n", "skip_name_resolve", std::nullopt) == "[mysqld]\na=1\nskip_name_resolve\n");
}

TEST_CASE("removing what was added restores the bytes, whatever the file's end") {
  for (const std::string text :
       {"", "[mysqld]", "[mysqld]\n", "[mysqld]\n\n", "a\n", "\n[mysqld]\n", "[client]\nx=1",
        "[client]\r\nx=1\r\n", "[client]\nx=1\n\n[mysqld]\n", "[client]\nx=1\n\n[mysqld]",
        "[mysqld]\na=1\n\n# c\n", "# only", "[c]\na=1\n\n# all\n!includedir /d/\n",
        "[c]\n\n[mysqld]\n\n# all\n!includedir /d/\n", "!include /x\n[c]\nb=1\n",
        "[c]\nx=1\n!include /x\ny=1\n", "[mysqld]\n!include /x", "[mysqld]\r\n!include /x\r\n",
        "[c]\nx=1\r"}) {
    if (MyCnf(text).problem()) continue;
    const std::string added = set(text, "some_option", "12");
    INFO(text << "\n--\n" << added);
    CHECK(added != text);
    CHECK(unset(added, "some-option") == text);
  }
}

TEST_CASE("several removals and additions of one editor merge into one set of splices") {
  const std::string text = "[a]\nx=1\n\n[mysqld]\ny=1\nz=2";
  const MyCnf file(text);
  MyCnfEditor editor(file);
  editor.remove(1);
  editor.remove(3);
  editor.remove(4);
  CHECK(splice(text, editor.splices()) == "[a]");
  MyCnfEditor other(file);
  other.remove(4);
  other.add("mysqld", "q", "1");
  other.add("MYSQLD", "r", "2");
  other.add("server", "s", "3");
  CHECK(splice(text, other.splices()) == "[a]\nx=1\n\n[mysqld]\ny=1\nq=1\nr=2\n\n[server]\ns=3");
}

TEST_CASE("a file with a problem is not edited, and no value is written that would be read otherwise") {
  CHECK_THROWS_AS(set("\xEF\xBB\xBF[mysqld]\n", "a", "1"), Error);
  CHECK_THROWS_AS(set("[mysqld]\n", "a", std::string("x\0y", 3)), Error);
  CHECK_THROWS_AS(set("[mysqld]\n", "a", std::string(5000, 'x')), Error);
  CHECK_THROWS_AS(set("[mysqld]\n", "a\nb", "1"), Error);
  CHECK_NOTHROW(set("[mysqld]\n", "a", std::string(5000, 'x'), "mysqld", MyCnfDialect::of("mysql", "9.7.4")));
}
