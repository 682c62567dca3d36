#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/splice.hpp"

namespace tunekeeper {

/// Why nginx would refuse a file, and where; line and column count from 1, columns in bytes.
struct NginxFault {
  int line = 0;
  int column = 0;
  std::string what;

  bool operator==(const NginxFault&) const = default;
};

/// One directive as spans of the file: 20 bytes, so that the tree of a file stays about as small as the file.
struct NginxDirective {
  std::uint32_t begin = 0;     ///< first byte of the name, its quote included
  std::uint32_t args_end = 0;  ///< the `;` or `{` that ends the arguments
  std::uint32_t end = 0;       ///< behind the `;`, or behind the `}` of a block
  std::uint32_t parent = 0;    ///< index of the block around it, or NginxConf::root
  std::uint32_t next = 0;      ///< index of the first directive behind it and all that is within it
};

/// A lossless view of one nginx configuration file: every byte is kept, directives are spans, edits are
/// splices.
///
/// The token rules are those of nginx's ngx_conf_read_token: quotes, `}` and comments are special at the
/// start of a token only, `${` opens no block, a token or comment that does not fit nginx's buffer of 4096
/// bytes is an error. Bodies of *_by_lua_block are read as Lua and kept opaque.
class NginxConf {
 public:
  using Id = std::uint32_t;
  static constexpr Id root = UINT32_MAX;          ///< the context of the file itself
  static constexpr std::size_t max_depth = 1000;  ///< blocks within blocks; nginx itself would recurse

  /// The file's directives, or the first thing that nginx would refuse. Linear in the size; never recurses.
  static std::variant<NginxConf, NginxFault> parse(std::string bytes);

  const std::string& bytes() const { return bytes_; }
  std::size_t size() const { return directives_.size(); }
  const NginxDirective& at(Id id) const { return directives_[id]; }

  /// The first directive of a block, or the index behind the block when it is empty; step on with
  /// `at(id).next` until `last(block)`.
  Id first(Id block) const { return block == root ? 0 : block + 1; }
  Id last(Id block) const { return block == root ? Id(directives_.size()) : directives_[block].next; }
  /// The directives directly within a block that have this name, in order. Names are case-sensitive.
  std::vector<Id> find(Id block, std::string_view name) const;

  /// Whether the directive has this name, quotes and escapes decoded.
  bool is_named(Id id, std::string_view name) const;
  std::string name(Id id) const;
  /// The arguments as nginx would see them, quotes and escapes decoded.
  std::vector<std::string> args(Id id) const;
  bool is_block(Id id) const { return bytes_[directives_[id].args_end] == '{'; }
  /// A block whose body is not nginx's own language (Lua).
  bool is_opaque(Id id) const;
  /// The exact bytes, from the name to the `;` or the closing `}`.
  std::string_view text(Id id) const;
  int line(Id id) const { return line_of(directives_[id].begin); }
  int column(Id id) const { return column_of(directives_[id].begin); }

  /// Gives a directive other arguments: only arguments that differ are touched, comments between them stay.
  std::vector<Splice> set_args(Id id, std::span<const std::string> args) const;
  /// Puts a statement ("worker_connections 1024;") into a block in the file's own style: behind the last
  /// plain directive before the first block, else behind the last directive, else at the block's beginning.
  std::vector<Splice> add(Id block, std::string_view statement) const;
  /// Takes a directive away: with its line where it stands alone on it, else with the blanks that set it
  /// apart. Undoes `add` byte for byte.
  std::vector<Splice> remove(Id id) const;
  /// Gives a directive other bytes in its place.
  Splice replace(Id id, std::string_view statement) const;

 private:
  friend class NginxParser;

  NginxConf() = default;
  int line_of(std::size_t offset) const;
  int column_of(std::size_t offset) const;
  void index_lines();
  Id anchor(Id block) const;
  std::string indent_at(std::size_t offset) const;
  std::string indent_unit() const;
  std::string newline_near(std::size_t offset) const;
  std::string child_indent(Id block) const;
  std::string anchor_indent(Id block, Id anchor) const;

  std::string bytes_;
  std::vector<NginxDirective> directives_;
  std::vector<std::uint32_t> lines_before_;  ///< newlines before each 4096th byte
};

/// The shortest spelling that nginx decodes to exactly this argument.
std::string nginx_quote(std::string_view argument);

/// "name arg arg;", each argument quoted where it must be.
std::string nginx_statement(std::string_view name, std::span<const std::string> args);

}  // namespace tunekeeper
