#include "snapshot/identity.hpp"

#include <array>
#include <cstdlib>

#include <unistd.h>

namespace tunekeeper {

namespace {

// A commit's identity line has no quoting: only plain characters may pass.
std::string plain(const char* text) {
  std::string result;
  for (; text != nullptr && *text != '\0'; ++text) {
    const char c = *text;
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || c == '.' || c == '_' || c == '-') result += c;
  }
  return result;
}

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "localhost";
  const std::string text = plain(name.data());
  return text.empty() ? "localhost" : text;
}

}  // namespace

Identity caller_identity() {
  const bool root = geteuid() == 0;
  std::string name = plain(std::getenv(root ? "SUDO_USER" : "LOGNAME"));
  if (name.empty()) name = root ? "root" : "uid" + std::to_string(geteuid());
  return {name, name + "@" + host_name()};
}

}  // namespace tunekeeper
