#include "facts/packages.hpp"

#include <algorithm>
#include <array>

#include "facts/text.hpp"

namespace tunekeeper {

namespace {

/// "mariadb-server" and "mariadb-server-10.5", not "mariadb-server-core".
bool is_package(std::string_view name, std::string_view base) {
  if (!name.starts_with(base)) return false;
  const auto rest = name.substr(base.size());
  return rest.empty() || (rest.size() > 1 && rest[0] == '-' && rest[1] >= '0' && rest[1] <= '9');
}

std::string* wanted(InstalledVersions& versions, std::string_view name) {
  if (is_package(name, "mariadb-server")) return &versions.mariadb;
  for (const auto base : {"mysql-server", "mysql-community-server", "percona-server-server"}) {
    if (is_package(name, base)) return &versions.mysql;
  }
  for (const auto one : {"nginx", "nginx-core", "nginx-light", "nginx-full", "nginx-extras"}) {
    if (name == one) return &versions.nginx;
  }
  return nullptr;
}

std::string_view field_of(std::string_view stanza, std::string_view name) {
  const auto at = stanza.find(name);
  if (at == std::string_view::npos) return {};
  const auto value = stanza.substr(at + name.size());
  return trimmed(value.substr(0, value.find('\n')));
}

void take_stanza(InstalledVersions& versions, std::string_view stanza) {
  constexpr std::string_view package = "Package: ";
  std::string* version = wanted(versions, stanza.substr(package.size(), stanza.find('\n') - package.size()));
  if (version == nullptr || !version->empty()) return;
  // "install ok installed", "hold ok installed"; not "deinstall ok config-files".
  if (field_of(stanza, "\nStatus: ").ends_with(" installed"))
    *version = version_number(field_of(stanza, "\nVersion: "));
}

constexpr std::string_view stanza_end = "\n\n";

bool starts_interesting(std::string_view name) {
  return name.starts_with('m') || name.starts_with("nginx") || name.starts_with("percona");
}

/// Looks at whole stanzas that stand one after another. Only the starts of most are touched.
void take_stanzas(InstalledVersions& versions, std::string_view text) {
  constexpr std::string_view mark = "\nPackage: ";
  for (std::size_t at = text.starts_with(mark.substr(1)) ? 0 : text.find(mark);
       at != std::string_view::npos;) {
    const std::size_t start = text[at] == '\n' ? at + 1 : at;
    const std::size_t next = text.find(mark, start);
    if (starts_interesting(text.substr(start + mark.size() - 1, 8))) {
      take_stanza(versions, text.substr(start, next == std::string_view::npos ? next : next - start));
    }
    at = next;
  }
}

struct Release {
  std::string_view id, version;
  ShippedVersions ships;
};

/// The distributions' own package lists. A version without a dot stands for its point releases too
/// (RHEL 9.4).
constexpr std::array releases = {
    Release{"debian", "11", {"10.5", "", "1.18.0", "mariadb"}},
    Release{"debian", "12", {"10.11", "", "1.22.1", "mariadb"}},
    Release{"debian", "13", {"11.8", "", "1.26.3", "mariadb"}},
    Release{"ubuntu", "20.04", {"10.3", "8.0", "1.18.0", "mysql"}},
    Release{"ubuntu", "22.04", {"10.6", "8.0", "1.18.0", "mysql"}},
    Release{"ubuntu", "24.04", {"10.11", "8.0", "1.24.0", "mysql"}},
    Release{"ubuntu", "25.04", {"11.4", "8.4", "1.26.3", "mysql"}},
    Release{"rhel", "8", {"10.3", "8.0", "1.14.1", "mariadb"}},
    Release{"rhel", "9", {"10.5", "8.0", "1.20.1", "mariadb"}},
    Release{"rhel", "10", {"10.11", "8.4", "1.26.3", "mariadb"}},
};

std::string_view family(std::string_view id) {
  for (const auto clone : {"rocky", "almalinux", "centos", "ol"}) {
    if (id == clone) return "rhel";
  }
  return id;
}

}  // namespace

InstalledVersions installed_versions(const HostView& host) {
  InstalledVersions versions;
  // Pieces, because the file is some 1 MB and this is on the quiet path; `begun` is the stanza that a piece
  // cut.
  std::string begun;
  const auto take = [&](std::string_view piece) {
    const auto first_end = piece.find(stanza_end);
    const auto last_end = piece.rfind(stanza_end);
    if (first_end == std::string_view::npos) {
      begun += piece;
      return true;
    }
    begun += piece.substr(0, first_end + 1);
    take_stanzas(versions, begun);
    if (last_end > first_end) take_stanzas(versions, piece.substr(first_end + 2, last_end - first_end - 1));
    begun = piece.substr(last_end + 2);
    return true;
  };
  if (host.read_pieces("/var/lib/dpkg/status", take) == 0) {
    take_stanzas(versions, begun);
  } else {
    versions.rpm = host.exists("/var/lib/rpm") || host.exists("/usr/lib/sysimage/rpm");
  }
  return versions;
}

const ShippedVersions* shipped_versions(std::string_view os_id, std::string_view os_version) {
  const auto release = std::find_if(releases.begin(), releases.end(), [&](const Release& one) {
    return one.id == family(os_id) && (one.version == os_version || (os_version.starts_with(one.version) &&
                                                                     os_version[one.version.size()] == '.'));
  });
  return release == releases.end() ? nullptr : &release->ships;
}

}  // namespace tunekeeper
