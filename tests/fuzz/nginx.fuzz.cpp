// nginx.conf: the tree of spans covers the file's directives, arguments set are the arguments read, an added
// directive is read where it was added, and removing it restores the bytes. A fault has its place in the
// file. Parts of the input: file, which directive (its bytes are summed), argument.

#include <algorithm>

#include "formats/nginx_conf.hpp"
#include "formats/nginx_lexer.hpp"
#include "fuzz/fuzz.hpp"

namespace tunekeeper::fuzz {
namespace {

/// Name, arguments and nesting of every directive, bodies of Lua as they are written.
std::vector<std::string> readings(const NginxConf& conf) {
  std::vector<std::string> all;
  for (NginxConf::Id id = 0; id < conf.size(); ++id) {
    std::string text = std::to_string(conf.at(id).parent == NginxConf::root ? 0 : conf.at(id).parent + 1);
    text += " " + nginx_statement(conf.name(id), conf.args(id));
    if (conf.is_opaque(id))
      text += conf.bytes().substr(conf.at(id).args_end, conf.at(id).end - conf.at(id).args_end);
    all.push_back(std::move(text));
  }
  return all;
}

void check_spans(const NginxConf& conf) {
  std::size_t before = 0;
  for (NginxConf::Id id = 0; id < conf.size(); ++id) {
    const NginxDirective& d = conf.at(id);
    require(d.begin < d.args_end && d.args_end < d.end && d.end <= conf.bytes().size(),
            "a directive lies in the file");
    require(d.begin >= before, "directives stand in order");
    before = d.args_end + 1;
    require(d.next > id && d.next <= conf.size(), "the next directive stands behind this one");
    require(is_place(conf.bytes(), conf.line(id), conf.column(id)), "a directive has its place in the file");
    if (d.parent == NginxConf::root) continue;
    const NginxDirective& block = conf.at(d.parent);
    require(d.parent < id && id < block.next && block.args_end < d.begin && d.end < block.end,
            "a directive lies in its block");
  }
}

NginxConf reread(const NginxConf& conf, const std::vector<Splice>& splices, const char* promise) {
  auto result = NginxConf::parse(splice(conf.bytes(), splices));
  require(std::holds_alternative<NginxConf>(result), promise);
  return std::get<NginxConf>(std::move(result));
}

/// A lone quote in the last line of a Lua body, which is no Lua: a quote that an edit brings or takes behind
/// it would open or close a string.
bool has_open_quote(const NginxConf& conf) {
  for (NginxConf::Id id = 0; id < conf.size(); ++id) {
    if (!conf.is_opaque(id)) continue;
    const std::size_t quote = conf.text(id).find_last_of("'\"");
    if (quote != std::string_view::npos && conf.text(id).find('\n', quote) == std::string_view::npos)
      return true;
  }
  return false;
}

void check_arguments(const NginxConf& conf, NginxConf::Id id, std::string_view argument) {
  auto args = conf.args(id);
  const std::vector<std::vector<std::string>> wishes = {
      {std::string(argument)},
      {},
      {args.empty() ? "" : args[0], std::string(argument), std::string(argument)}};
  for (const auto& wish : wishes) {
    const NginxConf after = reread(conf, conf.set_args(id, wish), "a file with other arguments reads well");
    require(after.size() == conf.size(), "other arguments leave the tree as it is");
    require(after.args(id) == wish, "the arguments set are the arguments read");
    auto was = readings(conf), is = readings(after);
    was.erase(was.begin() + id);
    is.erase(is.begin() + id);
    require(was == is, "other directives stay as they were");
  }
  require(conf.set_args(id, args).empty(), "setting the same arguments changes nothing");
}

void check_adding(const NginxConf& conf, NginxConf::Id block, std::string_view argument) {
  const std::vector<std::string> args = {std::string(argument)};
  const NginxConf after = reread(conf, conf.add(block, nginx_statement("tunekeeper_added", args)),
                                 "a file with one more directive reads well");
  require(after.size() == conf.size() + 1, "adding adds one directive");
  const auto found = after.find(block, "tunekeeper_added");
  const auto before = conf.find(block, "tunekeeper_added");
  require(found.size() == before.size() + 1, "an added directive stands in its block");
  if (!before.empty()) return;
  require(after.args(found[0]) == args, "an added directive is read as it was meant");
  require_same(splice(after.bytes(), after.remove(found[0])), conf.bytes(),
               "removing restores the bytes from before adding");
}

void check_removing(const NginxConf& conf, NginxConf::Id id) {
  // What stood behind the first directive would be taken for a byte order mark.
  if (conf.bytes().find("\xEF\xBB\xBF") != std::string::npos) return;
  const NginxConf after = reread(conf, conf.remove(id), "a file with one directive less reads well");
  const std::size_t gone = conf.at(id).next - id;
  require(after.size() == conf.size() - gone,
          "removing removes the directive and all in it, and nothing else");
}

}  // namespace
}  // namespace tunekeeper::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tunekeeper;
  const fuzz::Input input(data, size);
  const std::string bytes(input.part(0));
  std::string argument(input.part(2, "8192"));
  std::erase(argument, '\0');
  if (argument.size() > 500) argument.resize(500);
  auto result = NginxConf::parse(bytes);
  if (const auto* fault = std::get_if<NginxFault>(&result)) {
    fuzz::require(fuzz::is_place(bytes, fault->line, fault->column), "a fault has its place in the file");
    fuzz::require(!fault->what.empty(), "a fault says what is wrong");
    return 0;
  }
  const auto& conf = std::get<NginxConf>(result);
  fuzz::require_same(conf.bytes(), bytes, "printing gives the bytes that were read");
  fuzz::check_spans(conf);
  if (fuzz::has_open_quote(conf)) return 0;
  fuzz::check_adding(conf, NginxConf::root, argument);
  if (conf.size() == 0) return 0;
  std::size_t which = 0;
  for (char c : input.part(1)) which = which * 31 + static_cast<unsigned char>(c);
  const auto id = static_cast<NginxConf::Id>(which % conf.size());
  fuzz::check_arguments(conf, id, argument);
  fuzz::check_removing(conf, id);
  if (conf.is_block(id) && !conf.is_opaque(id)) fuzz::check_adding(conf, id, argument);
  return 0;
}
