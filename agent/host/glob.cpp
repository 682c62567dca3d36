#include "host/glob.hpp"

#include <algorithm>

#include "host/host.hpp"

namespace tunekeeper {

namespace {

/// Matches one character against the bracket expression that starts at pattern[0] == '['. The bytes it takes
/// are put into `length`; 0 where no bracket closes it, and the '[' stands for itself.
bool bracket_matches(std::string_view pattern, unsigned char c, std::size_t& length) {
  std::size_t i = 1;
  const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
  if (negated) ++i;
  bool matched = false;
  for (bool first = true; i < pattern.size() && (first || pattern[i] != ']'); first = false) {
    const auto member = [&] {
      if (pattern[i] == '\\' && i + 1 < pattern.size()) ++i;
      return static_cast<unsigned char>(pattern[i]);
    };
    const unsigned char low = member();
    unsigned char high = low;
    if (i + 2 < pattern.size() && pattern[i + 1] == '-' && pattern[i + 2] != ']') {
      i += 2;
      high = member();
    }
    matched = matched || (low <= c && c <= high);
    ++i;
  }
  length = i < pattern.size() ? i + 1 : 0;
  return matched != negated;
}

/// Matches one pattern item other than `*` at the front of `name`; the bytes it takes of the pattern, or 0.
std::size_t match_one(std::string_view pattern, char c) {
  if (pattern[0] == '?') return 1;
  if (pattern[0] == '[') {
    std::size_t length = 0;
    const bool matched = bracket_matches(pattern, static_cast<unsigned char>(c), length);
    if (length != 0) return matched ? length : 0;
  }
  if (pattern[0] == '\\') return pattern.size() > 1 && pattern[1] == c ? 2 : 0;
  return pattern[0] == c ? 1 : 0;
}

bool has_wildcard(std::string_view component) {
  return component.find_first_of("*?[\\") != std::string_view::npos;
}

void expand(const HostView& host, const std::string& base, std::string_view rest,
            std::vector<std::string>& found) {
  const auto slash = rest.find('/');
  const auto component = rest.substr(0, slash);
  const bool last = slash == std::string_view::npos;
  const auto after = last ? std::string_view() : rest.substr(slash + 1);
  if (component.empty() && !last) return expand(host, base, after, found);
  if (!has_wildcard(component)) {
    const std::string next = component.empty() ? base : base + "/" + std::string(component);
    if (!last) return expand(host, next, after, found);
    if (host.info(next, false)) found.push_back(next);
    return;
  }
  for (const auto& name : host.list(base.empty() ? "/" : base)) {
    if (!glob_matches(component, name)) continue;
    const std::string next = base + "/" + name;
    if (last)
      found.push_back(next);
    else
      expand(host, next, after, found);
  }
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view name) {
  if (name.starts_with('.') && !pattern.starts_with('.') && !pattern.starts_with("\\.")) return false;
  // The classic walk with one point of return: after a mismatch the last star takes one more byte.
  std::size_t p = 0, n = 0, star = std::string_view::npos, star_name = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_name = n;
      continue;
    }
    const std::size_t taken = p < pattern.size() ? match_one(pattern.substr(p), name[n]) : 0;
    if (taken != 0) {
      p += taken;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++star_name;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::vector<std::string> HostView::glob(std::string_view pattern) const {
  std::vector<std::string> found;
  expand(*this, "", pattern, found);
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace tunekeeper
