// nginx's tokens: whatever stands where, a token lies in the text and ends where nginx lets it end; an
// argument is quoted so that it is read as it was. The input is the text.

#include "formats/nginx_lexer.hpp"

#include "formats/nginx_conf.hpp"
#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tunekeeper;
  using namespace tunekeeper::nginx_lexer;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (std::size_t at = 0; at < text.size() && at < 256; ++at) {
    Token token;
    if (read_token(text, at, token) == TokenFault::none) {
      fuzz::require(token.begin == at && token.inner_begin >= at && token.inner_begin <= token.inner_end &&
                        token.inner_end <= token.end && token.end < text.size(),
                    "a token lies in the text");
      fuzz::require(is_blank(text[token.end]) ||
                        std::string_view(";{)").find(text[token.end]) != std::string_view::npos,
                    "a token ends at a separator");
    }
    std::size_t too_long = std::string_view::npos;
    const std::size_t next = skip_blanks(text, at, too_long);
    fuzz::require(next >= at && next <= text.size(), "blanks end in the text");
    const std::size_t body = lua_body_end(text, at);
    fuzz::require(body == std::string_view::npos || (body < text.size() && text[body] == '}'),
                  "a Lua body ends at a brace");
  }
  if (text.find('\0') != std::string_view::npos || text.size() > 2000) return 0;
  const std::string quoted = nginx_quote(text) + ";";
  Token token;
  fuzz::require(read_token(quoted, 0, token) == TokenFault::none && token.end + 1 == quoted.size(),
                "a quoted argument is one token");
  fuzz::require_same(
      decode(std::string_view(quoted).substr(token.inner_begin, token.inner_end - token.inner_begin)), text,
      "a quoted argument is read as it was meant");
  return 0;
}
