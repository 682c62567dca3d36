#include "formats/sysctl_d.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

#include <fnmatch.h>

#include "formats/statement_lines.hpp"

namespace tunekeeper {
namespace {

/// Slashes once, no `.` components, none at either end.
void simplify(std::string& path) {
  if (path.find("//") == std::string::npos && path.find("./") == std::string::npos &&
      path.find("/.") == std::string::npos && !path.empty() && path.front() != '/' && path.back() != '/') {
    return;
  }
  std::string simple;
  for (std::size_t at = 0; at < path.size();) {
    const auto end = std::min(path.find('/', at), path.size());
    const auto component = std::string_view(path).substr(at, end - at);
    at = end + 1;
    if (component.empty() || component == ".") continue;
    if (!simple.empty()) simple += '/';
    simple += component;
  }
  path = std::move(simple);
}

void put_path(std::string_view written, std::string& path) {
  path.assign(written);
  const auto first = path.find_first_of("/.");
  if (first != std::string::npos && path[first] == '.') {
    for (auto& c : path) c = c == '.' ? '/' : c == '/' ? '.' : c;
  }
  simplify(path);
}

struct GlobRule {
  std::string pattern;
  std::string_view value;
  bool excludes;
  std::size_t file;
  int line;
};

/// Globs in the order in which systemd-sysctl applies them: one that is stated anew goes to the end.
class GlobRules {
 public:
  void note(GlobRule rule) {
    const auto [newest, is_new] = newest_.try_emplace(rule.pattern, rules_.size());
    if (!is_new) {
      const GlobRule& known = rules_[newest->second];
      if (known.excludes == rule.excludes && known.value == rule.value) return;
      newest->second = rules_.size();
    }
    rules_.push_back(std::move(rule));
  }

  void match(const std::string& key, SysctlDecision& decision) const {
    for (std::size_t i = rules_.size(); i-- > 0;) {
      const GlobRule& rule = rules_[i];
      if (rule.excludes || !sysctl_glob_matches(rule.pattern, key) || newest_.at(rule.pattern) != i) continue;
      decision.kind = SysctlDecision::Kind::matched;
      decision.value = rule.value;
      decision.file = rule.file;
      decision.line = rule.line;
      return;
    }
  }

 private:
  std::vector<GlobRule> rules_;
  std::unordered_map<std::string, std::size_t> newest_;
};

void take(SysctlDecision& decision, const SysctlLine& line, std::size_t file) {
  const auto kind = line.excludes ? SysctlDecision::Kind::excluded : SysctlDecision::Kind::assigned;
  decision.kind = kind;
  decision.value = line.value;
  decision.file = file;
  decision.line = line.line.number;
  if (decision.stated_in.empty() || decision.stated_in.back() != file) decision.stated_in.push_back(file);
}

std::vector<SysctlLine> lines_of(std::string_view bytes, std::span<const std::string> keys) {
  std::vector<SysctlLine> found;
  SysctlReader reader(bytes);
  std::string path;
  for (SysctlLine line; reader.next(line);) {
    put_path(line.key, path);
    if (std::find(keys.begin(), keys.end(), path) != keys.end()) found.push_back(line);
  }
  return found;
}

std::vector<SystemdLine> spans_of(const std::vector<SysctlLine>& lines) {
  std::vector<SystemdLine> spans;
  for (const auto& line : lines) spans.push_back(line.line);
  return spans;
}

/// `key = value` with the spelling and the spacing that the file's last assignment has.
std::string in_style_of(std::string_view bytes, std::string_view key, std::string_view value) {
  std::string_view gap_before = " ", gap_after = " ";
  bool slashes = false;
  SysctlReader reader(bytes);
  for (SysctlLine line; reader.next(line);) {
    if (line.excludes || line.key.empty() || line.value.empty()) continue;
    const auto* key_end = line.key.data() + line.key.size();
    const std::string_view between(key_end, static_cast<std::size_t>(line.value.data() - key_end));
    gap_before = between.substr(0, between.find('='));
    gap_after = between.substr(gap_before.size() + 1);
    slashes = line.key.find('/') < line.key.find('.');
  }
  std::string text =
      slashes && key.find('/') != std::string_view::npos ? std::string(key) : sysctl_dotted(key);
  return text.append(gap_before).append("=").append(gap_after).append(value);
}

}  // namespace

std::string sysctl_path(std::string_view written) {
  std::string path;
  put_path(written, path);
  return path;
}

std::string sysctl_dotted(std::string_view path) {
  std::string dotted(path);
  for (auto& c : dotted) c = c == '.' ? '/' : c == '/' ? '.' : c;
  return dotted;
}

bool is_sysctl_glob(std::string_view key) {
  return key.find_first_of("*?[") != std::string_view::npos;
}

bool sysctl_glob_matches(const std::string& pattern, const std::string& path) {
  return fnmatch(pattern.c_str(), path.c_str(), FNM_PATHNAME | FNM_PERIOD) == 0;
}

bool SysctlReader::next(SysctlLine& line) {
  while (lines_.next(line.line)) {
    auto text = stripped(lines_.text(line.line));
    if (text.empty() || text.front() == '#' || text.front() == ';') continue;
    const auto equals = text.find('=');
    const bool minus = text.front() == '-';
    if (equals == std::string_view::npos && !minus) continue;
    line.excludes = equals == std::string_view::npos;
    line.ignores_errors = minus && !line.excludes;
    line.key = stripped(text.substr(minus ? 1 : 0, line.excludes ? equals : equals - (minus ? 1 : 0)));
    // An empty key stands where it would be written, so that distances can be taken from it.
    if (line.key.empty()) line.key = text.substr(minus ? 1 : 0, 0);
    line.value = line.excludes ? std::string_view{} : stripped(text.substr(equals + 1));
    if (line.value.empty() && !line.excludes) line.value = text.substr(text.size());
    return true;
  }
  return false;
}

std::vector<SysctlDecision> decide_sysctl(std::span<const std::string_view> files,
                                          std::span<const std::string> keys) {
  std::vector<SysctlDecision> decisions(keys.size());
  std::unordered_multimap<std::string_view, std::size_t> wanted;
  for (std::size_t i = 0; i < keys.size(); ++i) wanted.emplace(keys[i], i);

  GlobRules globs;
  std::string path;
  for (std::size_t file = 0; file < files.size(); ++file) {
    SysctlReader reader(files[file]);
    for (SysctlLine line; reader.next(line);) {
      put_path(line.key, path);
      if (is_sysctl_glob(path)) globs.note({path, line.value, line.excludes, file, line.line.number});
      const auto [first, last] = wanted.equal_range(path);
      for (auto at = first; at != last; ++at) take(decisions[at->second], line, file);
    }
  }
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (decisions[i].kind == SysctlDecision::Kind::unstated) globs.match(keys[i], decisions[i]);
  }
  return decisions;
}

std::vector<std::string> sysctl_statements(std::string_view bytes, std::span<const std::string> keys) {
  std::vector<std::string> statements;
  for (const auto& line : lines_of(bytes, keys)) {
    statements.emplace_back(bytes.substr(line.line.offset, line.line.text_length));
  }
  return statements;
}

std::vector<Splice> restate_sysctl(std::string_view bytes, std::span<const std::string> keys,
                                   const std::vector<std::string>& statements) {
  return restate_lines(bytes, spans_of(lines_of(bytes, keys)), statements);
}

std::vector<std::string> sysctl_statements(std::string_view bytes, std::string_view key) {
  const std::vector<std::string> keys{std::string(key)};
  return sysctl_statements(bytes, keys);
}

std::vector<Splice> restate_sysctl(std::string_view bytes, std::string_view key,
                                   const std::vector<std::string>& statements) {
  const std::vector<std::string> keys{std::string(key)};
  return restate_sysctl(bytes, keys, statements);
}

std::vector<Splice> set_sysctl(std::string_view bytes, std::string_view key, std::string_view value) {
  if (value.find_first_of(std::string_view("\n\r\0", 3)) != std::string_view::npos ||
      stripped(value) != value) {
    throw std::invalid_argument("a sysctl.d file cannot hold this value");
  }
  const std::vector<std::string> keys{std::string(key)};
  const auto lines = lines_of(bytes, keys);
  if (lines.empty() || lines.back().excludes) {
    if (lines.empty()) return {appended_line(bytes, in_style_of(bytes, key, value))};
    const auto& last = lines.back().line;
    return {{last.offset, last.text_length, in_style_of(bytes, key, value)}};
  }
  const auto& present = lines.back().value;
  if (present == value) return {};
  const auto offset = static_cast<std::size_t>(present.data() - bytes.data());
  return {{offset, present.size(), std::string(value)}};
}

std::vector<Splice> unset_sysctl(std::string_view bytes, std::string_view key) {
  return restate_sysctl(bytes, key, {});
}

std::vector<Splice> exclude_sysctl(std::string_view bytes, std::string_view key) {
  return restate_sysctl(bytes, key, {"-" + sysctl_dotted(key)});
}

}  // namespace tunekeeper
