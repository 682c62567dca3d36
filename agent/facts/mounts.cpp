#include "facts/mounts.hpp"

#include <algorithm>
#include <array>

#include "facts/text.hpp"
#include "host/path_walk.hpp"

namespace tunekeeper {

namespace {

/// Blanks and backslashes are written \040 in these tables (proc(5), fstab(5)).
std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto octal = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '7'; };
    if (text[i] == '\\' && octal(i + 1) && octal(i + 2) && octal(i + 3)) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

bool covers(std::string_view point, std::string_view path) {
  if (!point.starts_with('/') || !path.starts_with(point)) return false;
  return point == "/" || path.size() == point.size() || path[point.size()] == '/';
}

std::string_view next_field(std::string_view& rest) {
  const auto start = std::min(rest.find_first_not_of(" \t"), rest.size());
  const auto end = std::min(rest.find_first_of(" \t", start), rest.size());
  const auto field = rest.substr(start, end - start);
  rest.remove_prefix(end);
  return field;
}

/// "36 35 98:0 /root /point options [optional…] - type source options"
Mount from_mountinfo(std::string_view line) {
  next_field(line);
  next_field(line);
  Mount mount;
  mount.number = next_field(line);
  next_field(line);
  mount.point = unescaped(next_field(line));
  const auto separator = line.find(" - ");
  if (separator == std::string_view::npos) return {};
  line.remove_prefix(separator + 3);
  mount.type = next_field(line);
  mount.source = unescaped(next_field(line));
  return mount;
}

/// "source point type options", of /proc/mounts and of fstab.
Mount from_fstab(std::string_view line) {
  Mount mount;
  mount.source = unescaped(next_field(line));
  mount.point = unescaped(next_field(line));
  mount.type = next_field(line);
  return mount.source.starts_with('#') ? Mount() : mount;
}

/// The mount point alone, so that a line that does not cover the path costs no string.
std::string_view point_of(std::string_view line, int fields_before) {
  for (int i = 0; i < fields_before; ++i) next_field(line);
  return next_field(line);
}

struct Table {
  const char* path;
  int fields_before_point;
  Mount (*parse)(std::string_view line);
};

constexpr std::array tables = {Table{"/proc/self/mountinfo", 4, from_mountinfo},
                               Table{"/proc/mounts", 1, from_fstab}, Table{"/etc/fstab", 1, from_fstab}};

Mount longest(const Table& table, std::string_view text, std::string_view path) {
  Mount best;
  std::string_view line;
  while (next_line(text, line)) {
    const auto raw = point_of(line, table.fields_before_point);
    if (raw.find('\\') == std::string_view::npos && (!covers(raw, path) || raw.size() < best.point.size()))
      continue;
    Mount mount = table.parse(line);
    if (covers(mount.point, path) && mount.point.size() >= best.point.size()) best = std::move(mount);
  }
  if (!best.point.empty()) best.table = table.path;
  return best;
}

}  // namespace

std::string nearest_existing(const HostView& host, std::string_view path) {
  std::string at(path);
  while (at != "/" && !host.exists(at)) at = parent_path(at);
  return host.resolve(at);
}

Mount mount_of(const HostView& host, std::string_view path) {
  for (const auto& table : tables) {
    const auto text = host.read(table.path);
    if (!text.ok()) continue;
    Mount mount = longest(table, text.bytes, path);
    if (!mount.point.empty()) return mount;
  }
  return {};
}

}  // namespace tunekeeper
