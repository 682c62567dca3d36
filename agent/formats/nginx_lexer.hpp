#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tunekeeper::nginx_lexer {

/// One argument: the span with its quotes, and the span between them.
struct Token {
  std::size_t begin = 0, end = 0;
  std::size_t inner_begin = 0, inner_end = 0;
};

/// What is wrong with a token; `none` when nothing is.
enum class TokenFault { none, end_of_file, unterminated_quote, text_after_quote, too_long };

inline bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// Reads the token at `at`, which is no separator, `;`, `{`, `}` or `#`. On success `token.end` is a
/// separator, `;`,
/// `{`, or the `)` that nginx lets follow a closing quote. Source: ngx_conf_read_token.
TokenFault read_token(std::string_view text, std::size_t at, Token& token);

/// The first byte at or behind `at` that is neither a separator nor within a comment; the text's size at its
/// end. `too_long` is set to the comment that does not fit nginx's buffer, else left alone.
std::size_t skip_blanks(std::string_view text, std::size_t at, std::size_t& too_long);

/// What nginx makes of the bytes between a token's quotes.
std::string decode(std::string_view inner);

/// The offset of the `}` that closes a Lua body beginning at `at`, or npos. Strings, long brackets and
/// comments of Lua are skipped.
std::size_t lua_body_end(std::string_view text, std::size_t at);

}  // namespace tunekeeper::nginx_lexer
