#pragma once

#include <memory>

#include <mariadb/mysql.h>

namespace tunekeeper {

// clang-format off
/// Every libmariadb function that is used, without its prefix.
#define TUNEKEEPER_MYSQL_FUNCTIONS(F) \
  F(init) F(close) F(options) F(optionsv) F(real_connect) F(errno) F(error) F(real_query) F(store_result) \
  F(fetch_row) F(fetch_lengths) F(num_fields) F(num_rows) F(free_result)
// clang-format on

/// libmariadb as a table of typed pointers.
struct MariadbLibrary {
#define TUNEKEEPER_MYSQL_MEMBER(name) decltype(&::mysql_##name) mysql_##name = nullptr;
  TUNEKEEPER_MYSQL_FUNCTIONS(TUNEKEEPER_MYSQL_MEMBER)
#undef TUNEKEEPER_MYSQL_MEMBER
};

/// The table, opened at the first call, with the caller's MYSQL_* and plugin variables out of the library's
/// sight; throws Error when libmariadb or a function of it is not there.
const MariadbLibrary& mariadb();

/// Drops the variables from which the library would take a password, a socket, a port and code to load.
void hide_environment_from_mariadb();

struct ConnectionCloser {
  void operator()(MYSQL* connection) const { mariadb().mysql_close(connection); }
};
struct ResultFreer {
  void operator()(MYSQL_RES* result) const { mariadb().mysql_free_result(result); }
};

using ConnectionHandle = std::unique_ptr<MYSQL, ConnectionCloser>;
using ResultHandle = std::unique_ptr<MYSQL_RES, ResultFreer>;

}  // namespace tunekeeper
