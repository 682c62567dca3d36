#include "formats/nginx_conf.hpp"

#include <algorithm>

#include "formats/nginx_lexer.hpp"

namespace tunekeeper {

using nginx_lexer::Token;
using nginx_lexer::TokenFault;

namespace {

constexpr std::size_t line_step = 4096;

bool is_lua_block(std::string_view name) {
  return name.ends_with("_by_lua_block");
}

std::string fault_text(TokenFault fault) {
  switch (fault) {
    case TokenFault::unterminated_quote:
      return "a quote is not closed";
    case TokenFault::text_after_quote:
      return "text follows a closing quote";
    case TokenFault::too_long:
      return "an argument is longer than nginx's 4096 bytes";
    default:
      return "the file ends within a directive, a \";\" or \"{\" is missing";
  }
}

}  // namespace

/// Reads one file from front to back; the chain of parents in the directives is its stack.
class NginxParser {
 public:
  explicit NginxParser(NginxConf& conf) : conf_(conf), text_(conf.bytes_) {}

  bool run() {
    if (text_.size() >= UINT32_MAX) return fail(0, "the file is larger than 4 GiB");
    if (text_.starts_with("\xEF\xBB\xBF")) return fail(0, "the file begins with a byte order mark");
    // Each directive ends in one of these: the vector never grows, so that memory is not held twice.
    const auto ends = static_cast<std::size_t>(
        std::count_if(text_.begin(), text_.end(), [](char c) { return c == ';' || c == '{'; }));
    conf_.directives_.reserve(std::min(ends, most_directives()));
    while (skip()) {
      const char c = text_[at_];
      if (c == '}') {
        if (!close_block()) return false;
      } else if (c == ';' || c == '{') {
        return fail(at_, std::string("unexpected \"") + c + "\"");
      } else if (!directive()) {
        return false;
      }
    }
    if (failed_) return false;
    if (parent_ != NginxConf::root) {
      return fail(conf_.directives_[parent_].args_end, "this block is not closed, a \"}\" is missing");
    }
    return true;
  }

  std::size_t fault_at() const { return fault_at_; }
  const std::string& fault() const { return fault_; }

 private:
  bool fail(std::size_t at, std::string what) {
    failed_ = true;
    fault_at_ = at;
    fault_ = std::move(what);
    return false;
  }

  // To the next byte that means something; false at the end of the file or on a fault.
  bool skip() {
    std::size_t too_long = std::string::npos;
    at_ = nginx_lexer::skip_blanks(text_, at_, too_long);
    if (too_long != std::string::npos) return fail(too_long, "a comment is longer than nginx's 4096 bytes");
    return at_ < text_.size();
  }

  bool close_block() {
    if (parent_ == NginxConf::root) return fail(at_, "unexpected \"}\"");
    NginxDirective& block = conf_.directives_[parent_];
    block.end = std::uint32_t(++at_);
    block.next = std::uint32_t(conf_.directives_.size());
    parent_ = block.parent;
    --depth_;
    return true;
  }

  bool directive() {
    const std::size_t begin = at_;
    Token token;
    while (true) {
      const TokenFault fault = nginx_lexer::read_token(text_, at_, token);
      if (fault != TokenFault::none) return fail(at_, fault_text(fault));
      if (at_ == begin) name_ = {token.inner_begin, token.inner_end};
      at_ = token.end;
      if (text_[at_] == ';' || text_[at_] == '{') break;
      if (text_[at_] != ')' && !skip()) {
        return failed_ ? false : fail(begin, fault_text(TokenFault::end_of_file));
      }
      if (text_[at_] == ';' || text_[at_] == '{') break;
      if (text_[at_] == '}') return fail(at_, "unexpected \"}\", a \";\" is missing before it");
    }
    return end_directive(begin);
  }

  // As many as take no more memory than the file, and some.
  std::size_t most_directives() const { return 500'000 + text_.size() / sizeof(NginxDirective); }

  bool end_directive(std::size_t begin) {
    const auto id = std::uint32_t(conf_.directives_.size());
    const auto args_end = std::uint32_t(at_++);
    if (id == most_directives())
      return fail(begin, "more directives than this program holds of a file of this size");
    conf_.directives_.push_back({std::uint32_t(begin), args_end, std::uint32_t(at_), parent_, id + 1});
    if (text_[args_end] == ';') return true;
    if (is_lua_block(text_.substr(name_.first, name_.second - name_.first))) return lua_body(id);
    if (++depth_ > NginxConf::max_depth) {
      return fail(begin, "blocks are nested deeper than " + std::to_string(NginxConf::max_depth));
    }
    parent_ = id;
    return true;
  }

  bool lua_body(std::uint32_t id) {
    const std::size_t end = nginx_lexer::lua_body_end(text_, at_);
    if (end == std::string::npos) return fail(at_ - 1, "this Lua block is not closed");
    at_ = end + 1;
    conf_.directives_[id].end = std::uint32_t(at_);
    return true;
  }

  NginxConf& conf_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::pair<std::size_t, std::size_t> name_;
  std::uint32_t parent_ = NginxConf::root;
  std::size_t depth_ = 0;
  bool failed_ = false;
  std::size_t fault_at_ = 0;
  std::string fault_;
};

std::variant<NginxConf, NginxFault> NginxConf::parse(std::string bytes) {
  NginxConf conf;
  conf.bytes_ = std::move(bytes);
  conf.index_lines();
  NginxParser parser(conf);
  if (parser.run()) return conf;
  return NginxFault{conf.line_of(parser.fault_at()), conf.column_of(parser.fault_at()), parser.fault()};
}

void NginxConf::index_lines() {
  lines_before_.reserve(bytes_.size() / line_step + 1);
  std::uint32_t lines = 0;
  for (std::size_t at = 0; at <= bytes_.size(); at += line_step) {
    lines_before_.push_back(lines);
    const auto end = bytes_.begin() + std::ptrdiff_t(std::min(at + line_step, bytes_.size()));
    lines += std::uint32_t(std::count(bytes_.begin() + std::ptrdiff_t(at), end, '\n'));
  }
}

int NginxConf::line_of(std::size_t offset) const {
  const std::size_t step = offset / line_step;
  const auto from = bytes_.begin() + std::ptrdiff_t(step * line_step);
  const auto rest = std::count(from, bytes_.begin() + std::ptrdiff_t(offset), '\n');
  return int(lines_before_[step] + std::uint32_t(rest)) + 1;
}

int NginxConf::column_of(std::size_t offset) const {
  if (offset == 0) return 1;
  const std::size_t newline = bytes_.rfind('\n', offset - 1);
  return int(newline == std::string::npos ? offset + 1 : offset - newline);
}

bool NginxConf::is_named(Id id, std::string_view name) const {
  const std::size_t begin = directives_[id].begin;
  const char first = bytes_[begin];
  if (first == '"' || first == '\'') return this->name(id) == name;
  if (bytes_.compare(begin, name.size(), name) != 0) return false;
  const char behind = bytes_[begin + name.size()];  // the ';' or '{' at the latest
  return nginx_lexer::is_blank(behind) || behind == ';' || behind == '{';
}

std::vector<NginxConf::Id> NginxConf::find(Id block, std::string_view name) const {
  std::vector<Id> found;
  for (Id id = first(block); id < last(block); id = directives_[id].next) {
    if (is_named(id, name)) found.push_back(id);
  }
  return found;
}

std::string NginxConf::name(Id id) const {
  Token token;
  nginx_lexer::read_token(bytes_, directives_[id].begin, token);
  return nginx_lexer::decode(
      std::string_view(bytes_).substr(token.inner_begin, token.inner_end - token.inner_begin));
}

bool NginxConf::is_opaque(Id id) const {
  return is_block(id) && is_lua_block(name(id));
}

std::string_view NginxConf::text(Id id) const {
  const NginxDirective& d = directives_[id];
  return std::string_view(bytes_).substr(d.begin, d.end - d.begin);
}

}  // namespace tunekeeper
