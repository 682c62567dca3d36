#include "core/secret.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace tunekeeper {
namespace {

constexpr std::string_view kRedacted = "(redacted)";

/// How names of secrets end: options of MariaDB 10.11, MySQL 8 and their key and authentication plugins;
/// systemd.exec(5); Documentation/networking/ip-sysctl.rst.
constexpr std::array<std::string_view, 12> endings = {
    "password",     "passwd",       "_pwd",     "passphrase",     "secret",
    "secret_id",    "token",        "_filekey", "wsrep_sst_auth", "wsrep_provider_options",
    "fastopen_key", "setcredential"};

/// Settings about passwords whose names end like one.
constexpr std::array<std::string_view, 2> policies = {"disconnect_on_expired_password", "validate_password"};

std::string last_name(std::string_view id) {
  std::string name(id.substr(id.find_last_of("./:") + 1));
  std::transform(name.begin(), name.end(), name.begin(), [](char c) {
    if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
    return c == '-' ? '_' : c;
  });
  return name;
}

Value redacted_value() {
  return Value::of(std::string(kRedacted));
}

void redact(Plane& plane, std::set<std::string>& secrets) {
  if (!plane.has_value()) return;
  secrets.insert(plane.value.items.begin(), plane.value.items.end());
  plane.value = redacted_value();
}

void scrub(std::string& text, const std::set<std::string>& secrets) {
  for (const std::string& secret : secrets) {
    if (secret.empty()) continue;
    for (std::size_t at = text.find(secret); at != std::string::npos;
         at = text.find(secret, at + kRedacted.size()))
      text.replace(at, secret.size(), kRedacted);
  }
}

}  // namespace

bool is_secret(std::string_view id) {
  const std::string name = last_name(id);
  if (std::find(policies.begin(), policies.end(), name) != policies.end()) return false;
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

std::string shown(std::string_view id, const Value& value) {
  return is_secret(id) ? std::string(kRedacted) : to_string(value);
}

Row without_secrets(Row row) {
  if (!is_secret(row.desired.id)) return row;
  std::set<std::string> secrets(row.desired.value.items.begin(), row.desired.value.items.end());
  if (row.desired.want != Want::absent) row.desired.value = redacted_value();
  for (Plane* plane : {&row.seen.live, &row.seen.persisted, &row.seen.boot}) redact(*plane, secrets);
  for (std::string* text : {&row.reason, &row.seen.note, &row.seen.live_reason, &row.seen.live.reason,
                            &row.seen.persisted.reason, &row.seen.boot.reason})
    scrub(*text, secrets);
  for (std::string& entry : row.seen.boot_entries) scrub(entry, secrets);
  return row;
}

}  // namespace tunekeeper
