#include "formats/nginx_conf.hpp"
#include "support/catch.hpp"
#include "support/nginx_program.hpp"
#include "support/property.hpp"

// The real Lua module says where its blocks end; it compiles nothing at -t, so that only its lexer is asked.

using namespace tunekeeper;

namespace {

std::string around(const std::string& lua) {
  return "events { }\nhttp { server { location / { content_by_lua_block { x " + lua + "} } } }\n";
}

enum class Judged { accepted, refused, unjudged };

// What nginx says of the tokens; the modules are loaded before it. A file that it refuses for what a
// directive means (a body closed early leaves words that are no directive) is unjudged: its tokens were not
// read to the end.
Judged ask(const std::string& bytes) {
  static const test::TempFolder folder;
  const std::string modules = "/usr/lib/nginx/modules/";
  if (!std::filesystem::exists(modules + "ngx_http_lua_module.so")) FAIL("install libnginx-mod-http-lua");
  folder.write("nginx.conf", "load_module " + modules + "ndk_http_module.so; load_module " + modules +
                                 "ngx_http_lua_module.so; " + bytes);
  const test::NginxVerdict verdict = test::ask_nginx(folder);
  if (verdict.accepted) return Judged::accepted;
  const bool by_lua = verdict.words.find("Lua code block") != std::string::npos;
  return by_lua || test::refused_for_syntax(verdict) ? Judged::refused : Judged::unjudged;
}

bool we_accept(const std::string& bytes) {
  return std::holds_alternative<NginxConf>(NginxConf::parse(bytes));
}

rc::Gen<std::string> lua_body() {
  const std::vector<std::string> pieces = {"{",
                                           "}",
                                           "\"",
                                           "'",
                                           "--",
                                           "\n",
                                           "[[",
                                           "]]",
                                           "[=[",
                                           "]=]",
                                           "\\",
                                           "x",
                                           " ",
                                           "\"}\"",
                                           "'{'",
                                           "[",
                                           "]",
                                           "-",
                                           "=",
                                           "-- }\n",
                                           "[[ } ]]",
                                           "--[[ } ]]",
                                           "--[=[ ]] } ]=]",
                                           "\"\\\"}\"",
                                           "{ }"};
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(pieces)),
                      [](const std::vector<std::string>& chosen) {
                        std::string out;
                        for (const std::string& piece : chosen) out += piece;
                        return out;
                      });
}

}  // namespace

TEST_CASE("N3: the Lua module and we agree on where its blocks end") {
  for (const std::string lua :
       {" -- it's }\n", " \"}\" ", " '{' ", " [[ } ]] ", " [=[ ]] } ]=] ", " --[[ }\n } ]] ", " { } ", " { ",
        " } ", " \" ", " ' ", " [[ ", " --[[ ", " a[b[1]] ", " 1 - -1 ", " '\\'}' ", " \"a\n}\" "}) {
    INFO(lua);
    const Judged judged = ask(around(lua));
    REQUIRE(judged != Judged::unjudged);
    CHECK(we_accept(around(lua)) == (judged == Judged::accepted));
  }
}

TEST_CASE("N3: the Lua module and we agree on bent bodies") {
  CHECK(test::holds("accept what the Lua module accepts", [] {
    const std::string bytes = around(*lua_body());
    const Judged judged = ask(bytes);
    RC_PRE(judged != Judged::unjudged);
    const bool accepted = judged == Judged::accepted;
    if (we_accept(bytes) != accepted) RC_FAIL((accepted ? "nginx accepts\n" : "nginx refuses\n") + bytes);
  }));
}
