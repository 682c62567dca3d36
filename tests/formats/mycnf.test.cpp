#include "formats/mycnf.hpp"

#include <string>

#include "formats/mycnf_names.hpp"
#include "support/catch.hpp"

using namespace tunekeeper;

namespace {

MyCnfOption only_option(const std::string& text) {
  const MyCnf file(text);
  REQUIRE_FALSE(file.problem());
  const auto options = file.options();
  REQUIRE(options.size() == 1);
  return options.front();
}

std::string value_of(std::string_view raw) {
  static std::string text;
  text = "[mysqld]\na = ";
  text += raw;
  text += "\n";
  return only_option(text).value();
}

std::string name_of(std::string_view key, MyCnfDialect dialect = {}) {
  return option_name(key, dialect).name;
}

}  // namespace

TEST_CASE("an option's key, raw value and place are views into the original bytes") {
  const std::string text = "# head\n[mysqld]\n\tport\t\t= 3306  # why\n";
  const MyCnf file(text);
  const MyCnfOption option = file.options().at(0);
  CHECK(option.group == "mysqld");
  CHECK(option.key == "port");
  CHECK(option.raw_value == "3306");
  CHECK(option.line == 3);
  CHECK(text.substr(option.value_offset, option.raw_value.size()) == "3306");
  CHECK(text.substr(option.begin, option.end - option.begin) == "\tport\t\t= 3306  # why\n");
}

TEST_CASE("a hash starts a comment anywhere outside quotes, a semicolon only at the line's start") {
  CHECK(value_of("b#c") == "b");
  CHECK(value_of("b;c") == "b;c");
  CHECK(value_of("it's # x") == "it's # x");
  CHECK(value_of("\"x # y\" # z") == "x # y");
  const std::string text = "[mysqld]\n ; a=1\n # b=2\n";
  CHECK(MyCnf(text).options().empty());
}

TEST_CASE("outer quotes go only in pairs, and escapes decode with and without quotes") {
  CHECK(value_of(R"("a" b")") == "a\" b");
  CHECK(value_of(R"("a')") == "\"a'");
  CHECK(value_of(R"(a\tb\sc\\d\q)") == "a\tb c\\d\\q");
  CHECK(value_of(R"(C:\new\temp)") == "C:\new\temp");
  CHECK(value_of("x\\") == "x\\");
  CHECK(value_of("\"\"").empty());
}

TEST_CASE("a line without an equals sign is one flag, whatever else is on it") {
  const std::string text = "[mysqld]\nskip-name-resolve   # why\nopt val\n";
  const MyCnf file(text);
  const auto options = file.options();
  CHECK(options.at(0).key == "skip-name-resolve");
  CHECK_FALSE(options.at(0).has_value);
  CHECK(options.at(1).key == "opt val");
}

TEST_CASE("an empty value stands right behind the equals sign") {
  const std::string text = "[mysqld]\nsql_mode=   # none\n";
  const MyCnfOption option = only_option(text);
  CHECK(option.has_value);
  CHECK(option.raw_value.empty());
  CHECK(option.value_offset == text.find('=') + 1);
}

TEST_CASE("a group's name ends at the first bracket, the rest of its line is lost") {
  const std::string text = "[mysqld  ]x=1\na=1\n[ mysqld]\nb=2\n";
  const MyCnf file(text);
  CHECK(file.group_name(0) == "mysqld");
  CHECK(file.options().at(0).group == "mysqld");
  CHECK(file.options().at(1).group == " mysqld");
}

TEST_CASE("F1: a byte order mark is told with its place, as the server's error") {
  const std::string text = "\xEF\xBB\xBF[mysqld]\na=1\n";
  const MyCnf file(text);
  REQUIRE(file.problem());
  CHECK(file.problem()->line == 1);
  CHECK(file.problem()->column == 1);
  CHECK(file.problem()->what == "a byte order mark, which no server reads");
  CHECK(file.size() == 0);
}

TEST_CASE("reading stops at what the server stops at, with line and column") {
  const auto problem_of = [](const std::string& text) {
    const auto problem = MyCnf(text).problem();
    REQUIRE(problem);
    return std::to_string(problem->line) + ":" + std::to_string(problem->column) + " " + problem->what;
  };
  CHECK(problem_of("# x\n  a=1\n") == "2:3 an option before the first [group] header");
  CHECK(problem_of("[a]\nb=1\n [c\n") == "3:2 a group header without `]`");
  CHECK(problem_of("[a]\n!include \n") == "2:1 an include directive without a path");
}

TEST_CASE("what stands before a problem is still there") {
  const std::string text = "[a]\nb=1\n[c\nd=2\n";
  CHECK(MyCnf(text).options().size() == 1);
}

TEST_CASE("CRLF, bytes that are no UTF-8, and a missing final newline are read") {
  const std::string text = "[mysqld]\r\na=\xE9t\xE9\r\nb=2";
  const MyCnf file(text);
  CHECK(file.options().at(0).value() == "\xE9t\xE9");
  CHECK(file.options().at(1).value() == "2");
  CHECK(file.options().at(1).end == text.size());
}

TEST_CASE("a line longer than the reader's buffer is two options, but for MySQL 9 it is one") {
  const std::string text = "[mysqld]\na=" + std::string(4092, 'b') + "c=1\n";
  CHECK(MyCnf(text).options().size() == 2);
  CHECK(MyCnf(text).options().at(1).key == "c");
  CHECK(MyCnf(text, MyCnfDialect::of("mysql", "9.7.4")).options().size() == 1);
}

TEST_CASE(
    "an include at the end of a file without a final newline loses its last byte, as in the reader, not in "
    "MySQL 9's") {
  const std::string text = "!include /etc/x.cnf\n!includedir /etc/mysql/conf.d/";
  const MyCnf file(text);
  CHECK(file.include_path(0) == "/etc/x.cnf");
  CHECK(file.kind(1) == MyCnf::Kind::include_dir);
  CHECK(file.include_path(1) == "/etc/mysql/conf.d");
  CHECK(MyCnf("!include /etc/x.cnf", MyCnfDialect::of("mysql", "9.7.4")).include_path(0) == "/etc/x.cnf");
}

TEST_CASE("a NUL byte is a fault with its place where the server joins lines at it") {
  const std::string text("[mysqld]\nab=\0c\n", 15);
  CHECK_FALSE(MyCnf(text).problem());
  const MyCnf file(text, MyCnfDialect::of("mysql", "9.7.4"));
  REQUIRE(file.problem());
  CHECK(file.problem()->line == 2);
  CHECK(file.problem()->column == 4);
}

TEST_CASE("a comment behind an include is a part of the path for MariaDB only") {
  const std::string text = "!include /etc/x.cnf # c\n";
  CHECK(MyCnf(text).include_path(0) == "/etc/x.cnf # c");
  CHECK(MyCnf(text, MyCnfDialect::of("mysql", "8.4.0")).include_path(0) == "/etc/x.cnf");
}

TEST_CASE("values are written so that the reader gets exactly them back") {
  for (const std::string value :
       {"", "8G", "a b", " lead", "trail ", "a#b", "it's", "say \"x\"", "C:\\new", "a\\", "\\", "\"q\"",
        "a\nb", "\t", "\xA0nbsp", "'", "a = b", "# x", "a\\\"#b"}) {
    for (char quote : {'\0', '"', '\''}) {
      const std::string raw = encode_mycnf_value(value, quote);
      INFO(raw);
      CHECK(value_of(raw) == value);
    }
  }
  CHECK(encode_mycnf_value("O_DIRECT") == "O_DIRECT");
}

TEST_CASE(
    "M1: dashes, underscores, case and loose- spell one option for MariaDB, MySQL knows no other case") {
  CHECK(name_of("innodb-buffer-pool-size") == "innodb_buffer_pool_size");
  CHECK(name_of("Loose_InnoDB-buffer_pool_size") == "innodb_buffer_pool_size");
  CHECK(name_of("Max-Connections", MyCnfDialect::of("mysql", "8.0.36")) == "Max_Connections");
}

TEST_CASE("skip-, disable- and enable- are prefixes, but skip_name_resolve is a name") {
  const auto read = [](const std::string& line) {
    static std::string text;
    text = "[mysqld]\n" + line + "\n";
    const MyCnfOption option = only_option(text);
    const OptionName name = option_name(option.key, {});
    return name.name + " " + name.value(option);
  };
  CHECK(read("skip-name-resolve") == "skip_name_resolve ON");
  CHECK(read("skip-log-bin") == "log_bin OFF");
  CHECK(read("disable-x=0") == "x ON");
  CHECK(read("enable_x") == "x ON");
  CHECK(read("enable_x=0") == "x OFF");
  CHECK(option_name("maximum-max_connections", {}).maximum);
}

TEST_CASE("MariaDB completes a beginning that only one known name has") {
  const std::vector<std::string> known = {"innodb_buffer_pool_size", "innodb_buffer_pool_size_max",
                                          "max_connections"};
  CHECK(option_name("max_conn", {}, known).name == "max_connections");
  CHECK(option_name("innodb_buffer_pool_siz", {}, known).name == "innodb_buffer_pool_siz");
  CHECK(option_name("innodb_buffer_pool_size", {}, known).name == "innodb_buffer_pool_size");
  CHECK(option_name("max_conn", MyCnfDialect::of("mysql", "8.0.36"), known).name == "max_conn");
  CHECK(name_of("max_conn") == "max_conn");
}

TEST_CASE("each flavour and version reads its own groups") {
  CHECK(server_groups("mariadb", "10.11.19") ==
        std::vector<std::string>{"mysqld", "server", "mysqld-10.11", "mariadb", "mariadb-10.11", "mariadbd",
                                 "mariadbd-10.11", "client-server", "galera"});
  CHECK(server_groups("mysql", "8.0.36") ==
        std::vector<std::string>{"mysql_cluster", "mysqld", "server", "mysqld-8.0"});
  CHECK(is_server_group("MariaDB-11.4"));
  CHECK_FALSE(is_server_group("mysqld_safe"));
  CHECK_FALSE(is_server_group("client"));
}
