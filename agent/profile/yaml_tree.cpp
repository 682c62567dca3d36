#include "profile/yaml_tree.hpp"

#include <algorithm>
#include <array>
#include <istream>
#include <streambuf>
#include <unordered_map>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

namespace tunekeeper {
namespace {

constexpr std::size_t size_limit = 4U << 20;
constexpr std::size_t depth_limit = 32;

/// A fault after which the rest of the file cannot be read.
struct Stop {
  Diagnostic fault;
};

/// A stream over bytes that are not copied.
class ViewBuffer : public std::streambuf {
 public:
  explicit ViewBuffer(std::string_view bytes) {
    char* begin = const_cast<char*>(bytes.data());
    setg(begin, begin, begin + bytes.size());
  }
};

/// Where the text in quotes at `at` ends; npos when it does not (yaml-cpp lets the end of the file close it).
std::size_t closing_quote(std::string_view source, std::size_t at) {
  const char quote = source[at];
  for (std::size_t i = at + 1; i < source.size(); ++i) {
    if (quote == '"' && source[i] == '\\') {
      ++i;
    } else if (source[i] == quote) {
      if (quote == '"' || i + 1 == source.size() || source[i + 1] != '\'') return i;
      ++i;
    }
  }
  return std::string_view::npos;
}

/// Builds the tree of nodes out of yaml-cpp's events.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(YamlDocument& document, std::vector<Diagnostic>& faults)
      : document_(document), faults_(faults) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (documents_++ > 0) stop(mark, "a second document begins here: a profile is one");
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    YamlNode node = node_at(mark, YamlNode::Kind::empty);
    if (is_word(node.offset, "~")) node.kind = YamlNode::Kind::absent;
    for (const std::string_view word : {"null", "Null", "NULL"})
      if (is_word(node.offset, word))
        stop(mark,
             fmt::format("\"{0}\" is no value here: write ~ for \"must be absent\", or '{0}' for the word",
                         word));
    add(std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    stop(mark, "aliases (*name) are not understood: write the value out, or quote it if it begins with *");
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& text) override {
    refuse_tag(mark, tag);
    YamlNode node = node_at(mark, YamlNode::Kind::scalar);
    node.text = text;
    node.quoted = tag == "!";
    const char first = node.offset < source().size() ? source()[node.offset] : '\0';
    if (node.quoted && (first == '"' || first == '\'') &&
        closing_quote(source(), node.offset) == std::string::npos)
      stop(mark, "the quotes are never closed");
    add(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, YamlNode::Kind::list);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, YamlNode::Kind::map);
  }
  void OnMapEnd() override { close(); }

 private:
  const std::string& source() const { return document_.source; }

  [[noreturn]] void stop(const YAML::Mark& mark, std::string message) const {
    throw Stop{{{document_.file, mark.line + 1, mark.column + 1}, std::move(message)}};
  }

  static YamlNode node_at(const YAML::Mark& mark, YamlNode::Kind kind) {
    YamlNode node;
    node.kind = kind;
    node.line = mark.line + 1;
    node.column = mark.column + 1;
    node.offset = static_cast<std::size_t>(std::max(mark.pos, 0));
    return node;
  }

  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (!tag.empty() && tag != "?" && tag != "!")
      stop(mark, "tags (!name) are not understood; quote the text instead");
  }

  /// Whether just this word stands at the offset: yaml-cpp marks a missing value by the token that follows
  /// it.
  bool is_word(std::size_t offset, std::string_view word) const {
    const std::string_view text = std::string_view(source()).substr(std::min(offset, source().size()));
    if (!text.starts_with(word)) return false;
    return text.size() == word.size() ||
           std::string_view(" \t\r\n,]}").find(text[word.size()]) != std::string::npos;
  }

  void open(const YAML::Mark& mark, const std::string& tag, YamlNode::Kind kind) {
    refuse_tag(mark, tag);
    if (open_.size() == depth_limit) stop(mark, fmt::format("nested deeper than {}", depth_limit));
    if (wants_key()) stop(mark, "a key must be a plain text; quote it if it begins with [, { or ?");
    open_.push_back({node_at(mark, kind), std::nullopt, {}});
  }

  void close() {
    YamlNode node = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(node));
  }

  bool wants_key() const {
    return !open_.empty() && open_.back().node.kind == YamlNode::Kind::map && !open_.back().key;
  }

  void add(YamlNode node) {
    if (open_.empty()) {
      document_.root = std::move(node);
    } else if (wants_key()) {
      add_key(std::move(node));
    } else if (open_.back().node.kind == YamlNode::Kind::map) {
      add_value(std::move(node));
    } else {
      open_.back().node.items.push_back(std::move(node));
    }
  }

  void add_key(YamlNode key) {
    if (key.kind != YamlNode::Kind::scalar)
      throw Stop{{document_.at(key), "a key is missing here; quote it if it is ~ itself"}};
    open_.back().key = std::move(key);
  }

  void add_value(YamlNode value) {
    auto& [map, key, key_lines] = open_.back();
    const auto [first, is_new] = key_lines.try_emplace(key->text, key->line);
    if (is_new) {
      map.entries.push_back({std::move(*key), std::move(value)});
    } else {
      faults_.push_back({document_.at(*key),
                         fmt::format("\"{}\" is given twice, first in line {}", key->text, first->second)});
    }
    key.reset();
  }

  struct Open {
    YamlNode node;
    std::optional<YamlNode> key;
    std::unordered_map<std::string, int> key_lines;
  };

  YamlDocument& document_;
  std::vector<Diagnostic>& faults_;
  std::vector<Open> open_;
  int documents_ = 0;
};

/// The line of the source that begins with line 1.
std::string_view line_of(std::string_view source, int line) {
  for (; line > 1 && !source.empty(); --line)
    source.remove_prefix(std::min(source.find('\n'), source.size() - 1) + 1);
  return source.substr(0, source.find('\n'));
}

/// yaml-cpp's words in plain ones.
std::string plain_words(std::string_view source, const YAML::Exception& error) {
  const auto offset = static_cast<std::size_t>(std::max(error.mark.pos, 0));
  if (offset > 0 && offset < source.size() && source.substr(offset - 1, 2) == "${")
    return "an expression within { } or [ ] must be quoted: \"${ … }\"";
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> words = {{
      {"end of map not found", "this line is indented otherwise than its neighbours"},
      {"end of sequence not found", "this line is indented otherwise than its neighbours"},
      {"end of map flow not found", "the { before this is never closed"},
      {"end of sequence flow not found", "the [ before this is never closed"},
      {"illegal map value",
       "a \": \" cannot stand here: the line is indented wrongly, or the text needs quotes"},
      {"illegal block entry",
       "a \"- \" cannot stand here: the line is indented wrongly, or the text needs quotes"},
      {"illegal flow end", "this bracket closes nothing"},
      {"unknown token", "a text cannot begin with this character: quote it"},
      {"the referenced anchor is not defined", "a text that begins with * must be quoted"},
  }};
  for (const auto& [theirs, ours] : words)
    if (error.msg == theirs) return std::string(ours);
  return error.msg;
}

/// The fault with its likely cause, where the person has to look: yaml-cpp stops behind a tab that it cannot
/// read as indentation.
Diagnostic plain_fault(const YamlDocument& document, const YAML::Exception& error) {
  const std::string_view line = line_of(document.source, error.mark.line + 1);
  const std::size_t tab = line.substr(0, line.find_first_not_of(" \t")).find('\t');
  if (tab != std::string_view::npos)
    return {{document.file, error.mark.line + 1, static_cast<int>(tab) + 1},
            "a tab indents this line: YAML is indented by blanks"};
  return {{document.file, error.mark.line + 1, error.mark.column + 1}, plain_words(document.source, error)};
}

/// Characters that no profile needs; yaml-cpp takes some of them for the end of the file.
std::optional<Diagnostic> control_character(const YamlDocument& document) {
  int line = 1, column = 0;
  for (const unsigned char c : document.source) {
    ++column;
    if (c == '\n') ++line, column = 0;
    if ((c < 0x20 && c != '\t' && c != '\r' && c != '\n') || c == 0x7f)
      return Diagnostic{{document.file, line, column},
                        fmt::format("a control character (0x{:02x}) is in the text", c)};
  }
  return std::nullopt;
}

}  // namespace

YamlDocument parse_yaml(std::string file, std::string_view bytes, std::vector<Diagnostic>& faults) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  YamlDocument document{std::move(file), std::string(bytes), std::nullopt};
  if (bytes.size() > size_limit) {
    faults.push_back({{document.file}, fmt::format("the file is larger than {} MiB", size_limit >> 20)});
    return document;
  }
  if (auto fault = control_character(document)) {
    faults.push_back(std::move(*fault));
    return document;
  }
  ViewBuffer buffer(document.source);
  std::istream stream(&buffer);
  try {
    YAML::Parser parser(stream);
    TreeBuilder builder(document, faults);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const Stop& stop) {
    document.root.reset();
    faults.push_back(stop.fault);
  } catch (const YAML::Exception& error) {
    document.root.reset();
    faults.push_back(plain_fault(document, error));
  }
  return document;
}

}  // namespace tunekeeper
