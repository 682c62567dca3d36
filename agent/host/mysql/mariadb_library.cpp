#include "host/mysql/mariadb_library.hpp"

#include <cstdlib>

#include "host/dynamic_library.hpp"

namespace tunekeeper {

const MariadbLibrary& mariadb() {
  static const MariadbLibrary table = [] {
    const DynamicLibrary file("MySQL servers", {"libmariadb.so.3"});
    MariadbLibrary loaded;
#define TUNEKEEPER_MYSQL_BIND(name) file.bind(loaded.mysql_##name, "mysql_" #name);
    TUNEKEEPER_MYSQL_FUNCTIONS(TUNEKEEPER_MYSQL_BIND)
#undef TUNEKEEPER_MYSQL_BIND
    return loaded;
  }();
  return table;
}

void hide_environment_from_mariadb() {
  for (const char* name :
       {"MYSQL_UNIX_PORT", "MYSQL_TCP_PORT", "MYSQL_PWD", "MYSQL_HOME", "MYSQL_GROUP_SUFFIX", "MYSQL_HOST",
        "LIBMYSQL_PLUGINS", "LIBMYSQL_PLUGIN_DIR", "MARIADB_PLUGIN_DIR", "LIBMYSQL_ENABLE_CLEARTEXT_PLUGIN",
        "MARIADB_TLS_DISABLE_PEER_VERIFICATION"}) {
    unsetenv(name);
  }
}

}  // namespace tunekeeper
