#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "formats/nginx_conf.hpp"
#include "support/catch.hpp"
#include "support/nginx_program.hpp"
#include "support/property.hpp"

// The real nginx says what its tokens are; nothing is started, all files are in a temp folder.

using namespace tunekeeper;
using test::ask_nginx;
using test::NginxVerdict;
using test::refused_for_syntax;

namespace {

// `types` takes any tokens, so that nothing but syntax can be wrong within it.
std::string around(const std::string& types_body) {
  return "events { }\nhttp {\n  types {\n" + types_body + "\n  }\n}\n";
}

bool we_accept(const std::string& bytes) {
  return std::holds_alternative<NginxConf>(NginxConf::parse(bytes));
}

NginxVerdict nginx_on(const std::string& bytes) {
  static const test::TempFolder folder;
  folder.write("nginx.conf", bytes);
  return ask_nginx(folder);
}

// Agreement where nginx decides by tokens; a file refused for what it means says nothing about its tokens.
void check_agreement(const std::string& bytes) {
  INFO(bytes.substr(0, 400));
  const NginxVerdict verdict = nginx_on(bytes);
  INFO(verdict.words.substr(0, 400));
  REQUIRE((verdict.accepted || refused_for_syntax(verdict)));
  CHECK(we_accept(bytes) == verdict.accepted);
}

// What nginx decodes an argument to: it quotes the offending value of a flag in its message.
std::string decoded_by_nginx(const std::string& argument) {
  const NginxVerdict verdict = nginx_on("events { accept_mutex " + argument + "; }\nhttp { }\n");
  const std::string opening = "invalid value \"";
  const std::string closing = "\" in \"accept_mutex\" directive";
  const std::size_t begin = verdict.words.find(opening);
  const std::size_t end = verdict.words.find(closing);
  if (begin == std::string::npos || end == std::string::npos) return "(nginx says: " + verdict.words + ")";
  return verdict.words.substr(begin + opening.size(), end - begin - opening.size());
}

std::string decoded_by_us(const std::string& argument) {
  const auto result = NginxConf::parse("accept_mutex " + argument + ";");
  const auto* conf = std::get_if<NginxConf>(&result);
  return conf != nullptr && conf->args(0).size() == 1 ? conf->args(0)[0] : "(refused)";
}

rc::Gen<std::string> text_of(const std::string& alphabet) {
  return rc::gen::container<std::string>(rc::gen::elementOf(alphabet));
}

// Mostly right files with all that is special to nginx, then bent at one to three places.
rc::Gen<std::string> bent_types() {
  const std::vector<std::string> tokens = {"a",    "x}",         "b#c",    "\"\"",  "'a b'", "\"}\"",
                                           "'{'",  "${v}",       "a${b}c", "$",     "\\;",   "\\\"",
                                           "it's", "\"a\\\"b\"", "\xE9",   "c\\ d", "# }\n", "\"x\")",
                                           "\t",   "\r\n",       "$\\{",   "\\",    ")",     "\"$\""};
  const auto line = rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(tokens)),
                                 [](const std::vector<std::string>& words) {
                                   std::string out = "t/t";
                                   for (const std::string& word : words) out += " " + word;
                                   return out + " z;\n";
                                 });
  const auto edit = rc::gen::tuple(
      rc::gen::inRange(0, 1000), rc::gen::elementOf(std::string(" ;{}\"'\\#$\n)ax")), rc::gen::inRange(0, 3));
  const auto body = rc::gen::resize(6, rc::gen::container<std::vector<std::string>>(line));
  return rc::gen::map(
      rc::gen::tuple(body,
                     rc::gen::resize(3, rc::gen::container<std::vector<std::tuple<int, char, int>>>(edit))),
      [](const auto& both) {
        std::string out;
        for (const std::string& l : std::get<0>(both)) out += l;
        for (const auto& [place, c, kind] : std::get<1>(both)) {
          const std::size_t at = out.empty() ? 0 : std::size_t(place) % out.size();
          if (kind == 0)
            out.insert(at, 1, c);
          else if (kind == 1 && !out.empty())
            out.erase(at, 1);
          else if (!out.empty())
            out[at] = c;
        }
        return out;
      });
}

}  // namespace

TEST_CASE("nginx and we agree on hand-written tokens") {
  const std::array bodies = {"t/t a b;",
                             "t/t a; # comment }",
                             "t/t a}b;",
                             "t/t }a;",
                             "t/t \"a\"b;",
                             "t/t \"a\");",
                             "t/t \"a\")b c;",
                             "t/t 'a'#b;",
                             "t/t ${a};",
                             "t/t ${{a};",
                             "t/t $a${b}{c};",
                             "t/t a",
                             "t/t \"a;",
                             "t/t a;;",
                             ";",
                             "t/t \\; b;",
                             "t/t a\\",
                             "\"t/t\" 'b;c';",
                             "t/t a#b;",
                             "t/t #b\n c;",
                             "t/t a\tb\r\nc ;",
                             "t/t \"\" '';",
                             "t/t \"$\";",
                             "t/t \"a\\\"\" b;",
                             "t/t caf\xE9 \xFF\xFE;",
                             "t/t a; } http { }",
                             "t/t \"a\n\nb\";",
                             "t/t a; t/u b; }",
                             "t/t 'it\\'s';",
                             "t/t $\\{a;"};
  for (const char* body : bodies) {
    const std::string bytes = around(body);
    const NginxVerdict verdict = nginx_on(bytes);
    INFO(body << "\n" << verdict.words);
    if (verdict.accepted || refused_for_syntax(verdict)) CHECK(we_accept(bytes) == verdict.accepted);
  }
  check_agreement("events { }\nhttp { }\n}\n");
  check_agreement("events { }\nhttp {\n");
  check_agreement("events { } http { server { location / { } } }");
  CHECK_FALSE(nginx_on("\xEF\xBB\xBF" + std::string("events { }\nhttp { }\n")).accepted);
}

TEST_CASE("nginx and we agree on the length at which a token or comment is too long") {
  for (std::size_t length = 4089; length <= 4098; ++length) {
    const std::string run(length, 'x');
    for (const std::string& body :
         {"t/t " + run + ";", "t/t " + run + " ;", "t/t " + run + " b;", "t/t \"" + run + "\";",
          "t/t '" + run + "' ;", "t/t '" + run + "' b;", "#" + run, "t/t #" + run + "\nb;"}) {
      check_agreement(around(body));
      check_agreement(around("t/t filler filler filler;\n" + body));
    }
    check_agreement("events { }\nhttp { }\n#" + run);
    check_agreement("events { }\nhttp { }\n#" + run + "\n");
  }
}

TEST_CASE("nginx and we decode arguments alike") {
  for (const std::string argument :
       {"\"a\\\"b\"", "'it\\'s'", "a\\\\b", "\\2\\.", "a\\;b", "\"a b\"", "'\"'", "a#b", "x}", "${a}b",
        "it's", "a\\ b", "\"a\\xb\"", "\"\\\\n\"", "'a\\\"b'"}) {
    INFO(argument);
    CHECK(decoded_by_us(argument) == decoded_by_nginx(argument));
  }
}

TEST_CASE("nginx decodes what we quote to exactly the value") {
  CHECK(test::holds(
      "quote, then nginx",
      [] {
        // nginx escapes nothing in its messages; a bare line break would only make the message hard to find.
        const std::string value = *text_of("ab \\\"';{}#$ntr\t)\xE9");
        if (decoded_by_us(nginx_quote(value)) != value)
          RC_FAIL("we read back " + decoded_by_us(nginx_quote(value)));
        RC_ASSERT(decoded_by_nginx(nginx_quote(value)) == value);
      },
      500));
}

TEST_CASE("nginx and we agree on bent files") {
  int decisive = 0;
  int all = 0;
  CHECK(test::holds(
      "accept what nginx accepts, refuse what it refuses",
      [&] {
        const std::string bytes = around(*bent_types());
        const NginxVerdict verdict = nginx_on(bytes);
        ++all;
        const bool by_tokens = verdict.accepted || refused_for_syntax(verdict);
        // nginx's `types` refuses a block, which is no matter of tokens.
        if (!by_tokens || verdict.words.find("unexpected \"{\"") != std::string::npos) return;
        ++decisive;
        if (we_accept(bytes) != verdict.accepted) RC_FAIL(verdict.words + "\n" + bytes);
      },
      1500));
  std::cerr << "decisive: " << decisive << " of " << all << '\n';
  CHECK(decisive * 2 > all);
}

TEST_CASE("nginx -T shows the directives that we report") {
  const test::TempFolder folder;
  folder.write("nginx.conf",
               "worker_processes 2; events { worker_connections 64; }\nhttp { include \"in c.conf\"; }\n");
  folder.write("in c.conf", "sendfile on; keepalive_timeout '75' 60;\n");
  const NginxVerdict verdict = ask_nginx(folder, "-T");
  INFO(verdict.words);
  REQUIRE(verdict.accepted);
  const std::string marker = "# configuration file " + folder.path().string() + "/in c.conf:\n";
  const std::size_t at = verdict.words.find(marker);
  REQUIRE(at != std::string::npos);
  const auto result = NginxConf::parse(verdict.words.substr(at + marker.size()));
  REQUIRE(std::holds_alternative<NginxConf>(result));
  const auto& conf = std::get<NginxConf>(result);
  REQUIRE(conf.size() == 2);
  CHECK(conf.args(1) == std::vector<std::string>{"75", "60"});
}

namespace {

/// Configurations that administrators wrote, by name; they lie beside the source tree, or where
/// TUNEKEEPER_CORPUS says.
std::vector<std::pair<std::string, std::string>> corpus_files() {
  const char* given = std::getenv("TUNEKEEPER_CORPUS");
  const std::filesystem::path corpus =
      std::filesystem::path(given != nullptr ? given : TUNEKEEPER_SOURCE_DIR "/../shared/corpus") / "nginx";
  std::vector<std::pair<std::string, std::string>> files;
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(corpus, failed)) {
    std::ifstream file(entry.path(), std::ios::binary);
    files.emplace_back(entry.path().filename(), std::string{std::istreambuf_iterator<char>(file), {}});
  }
  if (files.empty()) WARN("no corpus at " << corpus << ": real files were not tested");
  return files;
}

}  // namespace

TEST_CASE("each file of the corpus is read, kept byte for byte, and set and unset without a trace") {
  for (const auto& [name, bytes] : corpus_files()) {
    INFO(name);
    auto result = NginxConf::parse(bytes);
    if (const auto* fault = std::get_if<NginxFault>(&result)) {
      FAIL_CHECK("line " << fault->line << ": " << fault->what);
      continue;
    }
    const auto& conf = std::get<NginxConf>(result);
    CHECK(splice(conf.bytes(), {}) == bytes);
    for (NginxConf::Id id = 0; id <= conf.size(); ++id) {
      const NginxConf::Id block = id == conf.size() ? NginxConf::root : id;
      if (block != NginxConf::root && (!conf.is_block(id) || conf.is_opaque(id))) continue;
      const auto set = NginxConf::parse(splice(bytes, conf.add(block, "tk_new 1 \"two words\";")));
      REQUIRE(std::holds_alternative<NginxConf>(set));
      const auto& edited = std::get<NginxConf>(set);
      const auto added = edited.find(block, "tk_new");
      REQUIRE(added.size() == 1);
      CHECK(splice(edited.bytes(), edited.remove(added[0])) == bytes);
    }
    for (NginxConf::Id id = 0; id < conf.size(); ++id) {
      CHECK(conf.set_args(id, conf.args(id)).empty());
    }
  }
}

namespace {

/// The line in nginx.conf that nginx says it refuses; 0 when it names none there.
int refused_line(const NginxVerdict& verdict) {
  const std::size_t at = verdict.words.find("/nginx.conf:");
  return at == std::string::npos ? 0 : std::atoi(verdict.words.c_str() + at + 12);
}

/// A real file as the http block's inside where it is only a part of a configuration, less the directives
/// that this nginx or this machine lacks (modules, users, certificates): what is left, nginx accepts. Empty
/// when that cannot be had.
std::string pared_to_what_is_accepted(const std::string& bytes) {
  auto conf = std::get<NginxConf>(NginxConf::parse(bytes));
  const bool is_whole = !conf.find(NginxConf::root, "events").empty();
  std::string text = is_whole ? bytes : "events { }\nhttp {\n" + bytes + "\n}\n";
  for (int tries = 0; tries < 100; ++tries) {
    const NginxVerdict verdict = nginx_on(text);
    if (verdict.accepted) return text;
    const int line = refused_line(verdict);
    conf = std::get<NginxConf>(NginxConf::parse(text));
    NginxConf::Id refused = NginxConf::root;
    for (NginxConf::Id id = 0; id < conf.size(); ++id) {
      if (conf.line(id) <= line && line > 0) refused = id;
    }
    if (refused == NginxConf::root) return {};
    text = splice(text, conf.remove(refused));
  }
  return {};
}

}  // namespace

TEST_CASE("real files: nginx accepts each with a directive set in every block, and with it unset") {
  int accepted = 0;
  int all = 0;
  for (const auto& [name, bytes] : corpus_files()) {
    INFO(name);
    ++all;
    const std::string text = pared_to_what_is_accepted(bytes);
    if (text.empty()) continue;
    ++accepted;
    const auto conf = std::get<NginxConf>(NginxConf::parse(text));
    const std::vector<std::string> wanted = {"4711"};
    const auto check = [&](NginxConf::Id block, const std::string& directive) {
      const auto found = conf.find(block, directive);
      if (found.size() > 1) return;
      const std::string edited = splice(
          text, found.empty() ? conf.add(block, directive + " 4711;") : conf.set_args(found[0], wanted));
      const NginxVerdict verdict = nginx_on(edited);
      INFO(verdict.words);
      CHECK(verdict.accepted);
      const auto again = std::get<NginxConf>(NginxConf::parse(edited));
      REQUIRE(again.find(block, directive).size() == 1);
      CHECK(again.args(again.find(block, directive)[0]) == wanted);
      CHECK(again.size() == conf.size() + (found.empty() ? 1 : 0));
      if (found.empty()) CHECK(splice(edited, again.remove(again.find(block, directive)[0])) == text);
    };
    check(NginxConf::root, "worker_rlimit_nofile");
    for (NginxConf::Id id = 0; id < conf.size(); ++id) {
      if (!conf.is_block(id)) continue;
      if (conf.name(id) == "events") check(id, "worker_connections");
      if (conf.name(id) == "http" || conf.name(id) == "server") check(id, "client_header_timeout");
    }
  }
  std::cerr << "real files that nginx accepts, less what this machine lacks: " << accepted << " of " << all
            << '\n';
  CHECK(accepted * 2 >= all);
}
