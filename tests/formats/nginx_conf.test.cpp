#include "formats/nginx_conf.hpp"

#include <algorithm>

#include "support/catch.hpp"

using namespace tunekeeper;

namespace {

NginxConf parsed(std::string bytes) {
  auto result = NginxConf::parse(std::move(bytes));
  if (const auto* fault = std::get_if<NginxFault>(&result)) FAIL(fault->line << ": " << fault->what);
  return std::get<NginxConf>(std::move(result));
}

NginxFault fault_of(std::string bytes) {
  auto result = NginxConf::parse(std::move(bytes));
  REQUIRE(std::holds_alternative<NginxFault>(result));
  return std::get<NginxFault>(result);
}

NginxConf::Id only(const NginxConf& conf, NginxConf::Id block, std::string_view name) {
  const auto found = conf.find(block, name);
  REQUIRE(found.size() == 1);
  return found[0];
}

std::string with_args(const std::string& bytes, std::string_view name, std::vector<std::string> args) {
  const NginxConf conf = parsed(bytes);
  return splice(bytes, conf.set_args(only(conf, NginxConf::root, name), args));
}

std::string in_events(const std::string& bytes, std::string_view statement) {
  const NginxConf conf = parsed(bytes);
  return splice(bytes, conf.add(only(conf, NginxConf::root, "events"), statement));
}

std::string at_top(const std::string& bytes, std::string_view statement) {
  return splice(bytes, parsed(bytes).add(NginxConf::root, statement));
}

std::string without(const std::string& bytes, std::string_view name) {
  const NginxConf conf = parsed(bytes);
  for (NginxConf::Id id = 0; id < conf.size(); ++id) {
    if (conf.is_named(id, name)) return splice(bytes, conf.remove(id));
  }
  FAIL("no " << name);
  return {};
}

using Args = std::vector<std::string>;

}  // namespace

TEST_CASE("N1: a block on one line, two directives a line and CRLF are parsed and edited in place") {
  const std::string bytes = "user a; worker_processes 2;\r\nevents { worker_connections 1024; }\r\n";
  const NginxConf conf = parsed(bytes);
  const auto events = only(conf, NginxConf::root, "events");
  const auto connections = only(conf, events, "worker_connections");
  CHECK(conf.args(connections) == Args{"1024"});
  CHECK(conf.line(connections) == 2);
  CHECK(conf.column(connections) == 10);
  CHECK(conf.text(events) == "events { worker_connections 1024; }");
  CHECK(splice(bytes, conf.set_args(connections, Args{"8192"})) ==
        "user a; worker_processes 2;\r\nevents { worker_connections 8192; }\r\n");
  CHECK(with_args(bytes, "worker_processes", {"auto"}) ==
        "user a; worker_processes auto;\r\nevents { worker_connections 1024; }\r\n");
}

TEST_CASE("N2: an empty argument, an empty name and an empty block are parsed") {
  const NginxConf conf = parsed("http { map $a $b { \"\" close; default up; } server_name \"\"; types { } }");
  const auto http = only(conf, NginxConf::root, "http");
  const auto map = only(conf, http, "map");
  CHECK(conf.args(map) == Args{"$a", "$b"});
  CHECK(conf.args(only(conf, map, "")) == Args{"close"});
  CHECK(conf.args(only(conf, http, "server_name")) == Args{""});
  const auto types = only(conf, http, "types");
  CHECK(conf.first(types) == conf.last(types));
}

TEST_CASE("N3: ${ opens no block, $pass{ does, and braces in quotes are text") {
  const NginxConf conf = parsed("set $x a${b}c; if ($pass{ y \"}\" '{'; } set ${{{z 1;");
  CHECK(conf.args(only(conf, NginxConf::root, "if")) == Args{"($pass"});
  CHECK(conf.args(conf.find(NginxConf::root, "set")[0]) == Args{"$x", "a${b}c"});
  CHECK(conf.args(conf.find(NginxConf::root, "set")[1]) == Args{"${{{z", "1"});
}

TEST_CASE("N3: a Lua body is read as Lua and kept opaque") {
  const std::string bytes =
      "location / {\n  content_by_lua_block {\n    -- it's a } comment\n    local t = { \"}\", '{', [[ } ]], "
      "[=[ ]] } ]=] }\n"
      "    --[[ }\n } ]] ngx.say(t[1])\n  }\n  root /x;\n}\n";
  const NginxConf conf = parsed(bytes);
  const auto location = only(conf, NginxConf::root, "location");
  const auto lua = only(conf, location, "content_by_lua_block");
  CHECK(conf.is_opaque(lua));
  CHECK(conf.first(lua) == conf.last(lua));
  CHECK(conf.args(only(conf, location, "root")) == Args{"/x"});
  // A quote that is not closed on its line opens no string.
  CHECK(parsed("content_by_lua_block { it's }\na 'b';").size() == 2);
  CHECK(fault_of("content_by_lua_block { if x then -- }\n").what == "this Lua block is not closed");
}

TEST_CASE("N5: bytes that are no UTF-8 pass through") {
  const NginxConf conf = parsed("# caf\xE9\ntypes { a/b \xE9\xFF; }\n");
  CHECK(conf.args(only(conf, only(conf, NginxConf::root, "types"), "a/b")) == Args{"\xE9\xFF"});
}

TEST_CASE("quotes, braces and comments are special at the start of a token only") {
  const NginxConf conf = parsed("a on}; b a#b; c it's; d x\"y; # e f;\n\"g\" 'h i';");
  CHECK(conf.args(only(conf, NginxConf::root, "a")) == Args{"on}"});
  CHECK(conf.args(only(conf, NginxConf::root, "b")) == Args{"a#b"});
  CHECK(conf.args(only(conf, NginxConf::root, "c")) == Args{"it's"});
  CHECK(conf.args(only(conf, NginxConf::root, "d")) == Args{"x\"y"});
  CHECK(conf.find(NginxConf::root, "e").empty());
  CHECK(conf.args(only(conf, NginxConf::root, "g")) == Args{"h i"});
}

TEST_CASE("escapes decode as nginx decodes them") {
  const NginxConf conf = parsed("a \"\\\"\\'\\\\\" \\t\\r\\n \\2\\. b\\;c \"x\")y;");
  CHECK(conf.args(0) == Args{"\"'\\", "\t\r\n", "\\2\\.", "b\\;c", "x", ")y"});
}

TEST_CASE("what nginx refuses is refused, with its line and column") {
  CHECK(fault_of("a 1;\n b 2\n") ==
        NginxFault{2, 2, "the file ends within a directive, a \";\" or \"{\" is missing"});
  CHECK(fault_of("a 1;\n\n  }") == NginxFault{3, 3, "unexpected \"}\""});
  CHECK(fault_of("a {\n b 1;\n") == NginxFault{1, 3, "this block is not closed, a \"}\" is missing"});
  CHECK(fault_of("a { b 1 }").column == 9);
  CHECK(fault_of("a \"1;\n").what == "a quote is not closed");
  CHECK(fault_of("a \"1\"2;").what == "text follows a closing quote");
  CHECK(fault_of(";").what == "unexpected \";\"");
  CHECK(fault_of("{ }").what == "unexpected \"{\"");
  CHECK(fault_of("\xEF\xBB\xBFuser a;").what == "the file begins with a byte order mark");
  CHECK(fault_of("a b\\").line == 1);
}

TEST_CASE("10,000 blocks within each other are an error, not a crash") {
  std::string deep;
  for (int i = 0; i < 10000; ++i) deep += "a {";
  CHECK(fault_of(deep).what == "blocks are nested deeper than 1000");
}

TEST_CASE("N4: replacing arguments touches nothing but them") {
  CHECK(with_args("worker_rlimit_nofile\t1024 ; # files\n", "worker_rlimit_nofile", {"65536"}) ==
        "worker_rlimit_nofile\t65536 ; # files\n");
  CHECK(with_args("a 1\n  2 # two\n  3;", "a", {"1", "two", "3"}) == "a 1\n  two # two\n  3;");
  CHECK(with_args("a 1 2 3;", "a", {"x"}) == "a x;");
  CHECK(with_args("a;", "a", {"x", "y z"}) == "a x \"y z\";");
  CHECK(with_args("a \"1\")2;", "a", {"x", ")2"}) == "a x )2;");
  CHECK(with_args("a '4';", "a", {"4"}) == "a '4';");
}

TEST_CASE("a directive is added in the file's own style, and removing it gives the bytes back") {
  const auto cycle = [](const std::string& before, const std::string& after, bool top) {
    CHECK((top ? at_top(before, "new 1;") : in_events(before, "new 1;")) == after);
    CHECK(without(after, "new") == before);
  };
  cycle("events {\n\tuse epoll; # fast\n\t# end\n}\n",
        "events {\n\tuse epoll; # fast\n\tnew 1;\n\t# end\n}\n", false);
  cycle("events {\r\n  use epoll;\r\n}\r\n", "events {\r\n  use epoll;\r\n  new 1;\r\n}\r\n", false);
  cycle("events { use epoll; }\n", "events { use epoll; new 1; }\n", false);
  cycle("events { }", "events { new 1; }", false);
  cycle("events {}", "events { new 1;}", false);
  cycle("events {\n}\n", "events {\n    new 1;\n}\n", false);
  cycle("http {\n  a 1;\n}\nevents {\n}\n", "http {\n  a 1;\n}\nevents {\n  new 1;\n}\n", false);
  cycle("events { use epoll;\n}\n", "events { use epoll;\n    new 1;\n}\n", false);
  cycle("user a;\n\nevents {\n}\n", "user a;\nnew 1;\n\nevents {\n}\n", true);
  cycle("user a; events { }\n", "user a; new 1; events { }\n", true);
  cycle("events { }\nhttp { }\n", "events { }\nhttp { }\nnew 1;\n", true);
  cycle("user a;", "user a;\nnew 1;", true);
  cycle("user a;\r\ngroup b; # x", "user a;\r\ngroup b; # x\r\nnew 1;", true);
  cycle("", "new 1;\n", true);
  cycle("# nothing\n", "# nothing\nnew 1;\n", true);
  cycle("# nothing", "# nothing\nnew 1;", true);
}

TEST_CASE("F1: bytes outside the edit stay: no final newline, CRLF, 0xE9") {
  CHECK(with_args("# \xE9\r\nuser  a;\r\n\t", "user", {"b"}) == "# \xE9\r\nuser  b;\r\n\t");
  CHECK(without("a 1; b 2; c 3;", "b") == "a 1; c 3;");
  CHECK(without("  a 1; b 2;\n", "a") == "  b 2;\n");
  CHECK(without("a 1; # one\n", "a") == "# one\n");
  CHECK(without("x 1;\n  a 1\n   2;\ny 1;", "a") == "x 1;\ny 1;");
}

TEST_CASE("an argument is quoted only where nginx needs it") {
  CHECK(nginx_quote("max=1000") == "max=1000");
  CHECK(nginx_quote("") == "\"\"");
  CHECK(nginx_quote("a b") == "\"a b\"");
  CHECK(nginx_quote("say \"x\"") == "'say \"x\"'");
  CHECK(nginx_quote("a\\d;") == "\"a\\\\d;\"");
  CHECK(nginx_quote("a\tb") == "\"a\\tb\"");
  CHECK(nginx_statement("open_file_cache", Args{"max=1000", "inactive=20s"}) ==
        "open_file_cache max=1000 inactive=20s;");
}
