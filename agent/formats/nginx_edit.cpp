#include <algorithm>

#include "formats/nginx_conf.hpp"
#include "formats/nginx_lexer.hpp"

// The writing half of NginxConf: every edit is made of spans of the original bytes.

namespace tunekeeper {

using nginx_lexer::Token;

namespace {

// The name and the arguments as spans; a parsed directive cannot fail here.
std::vector<Token> tokens_of(std::string_view text, const NginxDirective& directive) {
  std::vector<Token> tokens;
  std::size_t at = directive.begin;
  std::size_t too_long = 0;
  while (at < directive.args_end) {
    Token& token = tokens.emplace_back();
    nginx_lexer::read_token(text, at, token);
    at = nginx_lexer::skip_blanks(text, token.end, too_long);
  }
  return tokens;
}

std::string decoded(std::string_view text, const Token& token) {
  return nginx_lexer::decode(text.substr(token.inner_begin, token.inner_end - token.inner_begin));
}

std::size_t line_begin(std::string_view text, std::size_t offset) {
  if (offset == 0) return 0;
  const std::size_t newline = text.rfind('\n', offset - 1);
  return newline == std::string_view::npos ? 0 : newline + 1;
}

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

std::size_t skip_spaces(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

bool first_on_line(std::string_view text, std::size_t offset) {
  return skip_spaces(text, line_begin(text, offset)) == offset;
}

// Where the line ends (its '\n' or the text's end) when nothing but blanks and a comment follow; else npos.
std::size_t line_end_if_free(std::string_view text, std::size_t at) {
  at = skip_spaces(text, at);
  if (at < text.size() && text[at] == '#') at = std::min(text.find('\n', at), text.size());
  return at >= text.size() || text[at] == '\n' ? at : std::string_view::npos;
}

}  // namespace

std::vector<std::string> NginxConf::args(Id id) const {
  const std::vector<Token> tokens = tokens_of(bytes_, directives_[id]);
  std::vector<std::string> args;
  args.reserve(tokens.size() - 1);
  for (std::size_t i = 1; i < tokens.size(); ++i) args.push_back(decoded(bytes_, tokens[i]));
  return args;
}

std::vector<Splice> NginxConf::set_args(Id id, std::span<const std::string> args) const {
  const std::vector<Token> tokens = tokens_of(bytes_, directives_[id]);
  std::vector<Splice> splices;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (i > args.size()) {
      std::size_t begin = token.begin;
      while (begin > tokens[i - 1].end && (bytes_[begin - 1] == ' ' || bytes_[begin - 1] == '\t')) --begin;
      // "${" would begin a variable, not the block.
      const bool ends_in_dollar = bytes_[tokens[args.size()].end - 1] == '$';
      splices.push_back({begin, token.end - begin, ends_in_dollar && i == args.size() + 1 ? " " : ""});
    } else if (decoded(bytes_, token) != args[i - 1]) {
      // A ")" may follow a closing quote at once; neither may grow onto the other.
      const std::string before = token.begin == tokens[i - 1].end ? " " : "";
      const std::string behind = bytes_[token.end] == ')' ? " " : "";
      splices.push_back({token.begin, token.end - token.begin, before + nginx_quote(args[i - 1]) + behind});
    }
  }
  std::string more;
  for (std::size_t i = tokens.size() - 1; i < args.size(); ++i) more += " " + nginx_quote(args[i]);
  if (!more.empty()) splices.push_back({tokens.back().end, 0, more});
  return splices;
}

Splice NginxConf::replace(Id id, std::string_view statement) const {
  const NginxDirective& d = directives_[id];
  return {d.begin, d.end - d.begin, std::string(statement)};
}

NginxConf::Id NginxConf::anchor(Id block) const {
  Id plain = root;
  Id behind = root;
  for (Id id = first(block); id < last(block); id = directives_[id].next) {
    behind = id;
    if (is_block(id)) {
      if (plain != root) return plain;
    } else {
      plain = id;
    }
  }
  return behind;
}

std::string NginxConf::indent_at(std::size_t offset) const {
  const std::size_t begin = line_begin(bytes_, offset);
  const std::size_t end = std::min(bytes_.find_first_not_of(" \t", begin), bytes_.size());
  return bytes_.substr(begin, end - begin);
}

// What one more level of nesting adds in this file: asked of the first directive that stands deeper than its
// block.
std::string NginxConf::indent_unit() const {
  for (const NginxDirective& d : directives_) {
    if (d.parent == root || !first_on_line(bytes_, d.begin)) continue;
    const std::string outer = indent_at(directives_[d.parent].begin);
    const std::string inner = indent_at(d.begin);
    if (inner.size() > outer.size() && inner.starts_with(outer)) return inner.substr(outer.size());
  }
  return "    ";
}

std::string NginxConf::child_indent(Id block) const {
  return block == root ? "" : indent_at(directives_[block].begin) + indent_unit();
}

std::string NginxConf::anchor_indent(Id block, Id anchor) const {
  const std::size_t begin = directives_[anchor].begin;
  const bool behind_its_block = block != root && line_begin(bytes_, begin) <= directives_[block].args_end;
  return behind_its_block ? child_indent(block) : indent_at(begin);
}

std::string NginxConf::newline_near(std::size_t offset) const {
  // A carriage return that ends the file belongs to it, not to the line end that is added: remove() keeps it
  // so.
  if (offset == bytes_.size() && bytes_.ends_with('\r')) return "\r\n";
  std::size_t newline = bytes_.find('\n', offset);
  if (newline == std::string::npos) newline = bytes_.rfind('\n');
  return newline != std::string::npos && newline > 0 && bytes_[newline - 1] == '\r' ? "\r\n" : "\n";
}

std::vector<Splice> NginxConf::add(Id block, std::string_view statement) const {
  const Id beside = anchor(block);
  if (beside == root && block == root) {  // nothing in the file but comments: a line at its end
    const std::string newline = newline_near(bytes_.size());
    const bool open_line = !bytes_.empty() && bytes_.back() != '\n';
    const std::string text(statement);
    return {{bytes_.size(), 0, open_line ? newline + text : text + newline}};
  }
  const std::size_t behind = beside != root ? directives_[beside].end : directives_[block].args_end + 1;
  const std::size_t line_end = line_end_if_free(bytes_, behind);
  if (line_end == std::string::npos) return {{behind, 0, " " + std::string(statement)}};
  const std::string indent = beside != root ? anchor_indent(block, beside) : child_indent(block);
  const std::string line = indent + std::string(statement);
  const std::string newline = newline_near(line_end);
  if (line_end >= bytes_.size()) return {{bytes_.size(), 0, newline + line}};
  return {{line_end + 1, 0, line + newline}};
}

std::vector<Splice> NginxConf::remove(Id id) const {
  const std::string_view text = bytes_;
  std::size_t begin = directives_[id].begin;
  std::size_t end = directives_[id].end;
  const std::size_t behind = skip_spaces(text, end);
  const bool ends_line = behind >= text.size() || text[behind] == '\n';
  if (first_on_line(text, begin)) {
    if (ends_line) {
      begin = line_begin(text, begin);
      end = std::min(behind + 1, text.size());
      // The last line without a newline goes with the newline before it.
      if (behind >= text.size() && begin > 0) begin -= begin > 1 && text[begin - 2] == '\r' ? 2 : 1;
    } else {
      end = behind;
    }
  } else {
    const std::size_t line = line_begin(text, begin);
    while (begin > line && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
  }
  return {{begin, end - begin, ""}};
}

std::string nginx_quote(std::string_view argument) {
  const bool bare =
      !argument.empty() && argument.find_first_of(" \t\r\n;{}\"'\\#$") == std::string_view::npos;
  if (bare) return std::string(argument);
  const bool single =
      argument.find('"') != std::string_view::npos && argument.find('\'') == std::string_view::npos;
  const char quote = single ? '\'' : '"';
  std::string out(1, quote);
  for (char c : argument) {
    if (c == quote || c == '\\') out += '\\';
    if (c == '\n' || c == '\t' || c == '\r') {
      out += '\\';
      out += c == '\n' ? 'n' : c == '\t' ? 't' : 'r';
    } else {
      out += c;
    }
  }
  return out + quote;
}

std::string nginx_statement(std::string_view name, std::span<const std::string> args) {
  std::string out(name);
  for (const std::string& arg : args) out += " " + nginx_quote(arg);
  return out + ";";
}

}  // namespace tunekeeper
