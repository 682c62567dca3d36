#include "core/secret.hpp"

#include "support/catch.hpp"

using namespace tunekeeper;

TEST_CASE("a secret is known by its name") {
  for (const char* id :
       {"mysql:wsrep_sst_auth", "mysql:loose-report-password", "sysctl:net.ipv4.tcp_fastopen_key",
        "sysctl:net.ipv6.conf.all.stable_secret", "/proc/sys/net/ipv4/tcp_fastopen_key",
        "unit:mariadb.service:Service.SetCredential", "mysql:authentication_ldap_simple_bind_root_pwd"})
    CHECK(is_secret(id));
}

TEST_CASE("a policy about passwords is no secret, nor is a value near one") {
  for (const char* id : {"mysql:disconnect_on_expired_password", "mysql:default_password_lifetime",
                         "mysql:old_passwords", "sysctl:vm.swappiness", "nginx:http.server_tokens",
                         "mysql:innodb_buffer_pool_size", "nginx:http.ssl_password_file"})
    CHECK_FALSE(is_secret(id));
}

TEST_CASE("of a secret no value is left in its row, in reasons and notes neither") {
  Row row;
  row.desired.id = "mysql:wsrep_sst_auth";
  row.desired.value = Value::of("new:one");
  row.seen.persisted = Plane::of("old:one");
  row.seen.live = Plane::absent();
  row.reason = "old:one is not new:one";
  row.seen.note = "was new:one";
  const Row told = without_secrets(row);
  CHECK(describe(told.desired) == "(redacted)");
  CHECK(to_string(told.seen.persisted.value) == "(redacted)");
  CHECK(told.seen.live == Plane::absent());
  CHECK(told.reason == "(redacted) is not (redacted)");
  CHECK(told.seen.note == "was (redacted)");
}
