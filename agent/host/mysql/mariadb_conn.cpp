#include <algorithm>
#include <cctype>
#include <cerrno>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.hpp"
#include "host/mysql/mariadb_library.hpp"
#include "host/mysql/server_conn.hpp"

namespace tunekeeper {

namespace {

constexpr unsigned patience_seconds = 3;
constexpr unsigned access_denied = 1045;
constexpr unsigned access_denied_no_password = 1698;
constexpr unsigned cannot_connect_to_socket = 2002;
constexpr unsigned cannot_connect_to_host = 2003;
constexpr unsigned privilege_missing = 1227;

using Status = ServerVariables::Status;
using Row = std::vector<std::string>;

std::string calling_user() {
  if (geteuid() == 0) return "root";
  const passwd* entry = getpwuid(geteuid());
  return entry != nullptr ? entry->pw_name : "";
}

/// "Can't connect to … (111)" ends in errno; 0 where it does not.
int errno_in(std::string_view message) {
  const std::size_t open = message.rfind('(');
  if (open == std::string_view::npos) return 0;
  int number = 0;
  for (std::size_t i = open + 1;
       i < message.size() && std::isdigit(static_cast<unsigned char>(message[i])) != 0; ++i) {
    number = 10 * number + (message[i] - '0');
  }
  return number;
}

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

/// A server asked through libmariadb.
class MariadbConnector : public ServerConnector {
 public:
  explicit MariadbConnector(ServerAddress address) : address_(std::move(address)) {}

  const ServerVariables& variables() const override {
    if (!variables_) {
      try {
        variables_ = ask_variables();
      } catch (const Error& error) {
        variables_ = ServerVariables{Status::denied, error.what(), {}};
      }
    }
    return *variables_;
  }

  void forget() const override {
    variables_.reset();
    role_.reset();
    connection_.reset();
  }

  const std::string& role() const override {
    if (!role_) role_ = variables().status == Status::answered ? find_role() : "";
    return *role_;
  }

 private:
  ServerVariables ask_variables() const {
    if (address_.defaults_file.empty() && !socket_is_there()) {
      return {Status::not_running,
              address_.socket.empty() ? "no socket is named"
                                      : fmt::format("there is no socket {}", address_.socket),
              {}};
    }
    ServerVariables failed;
    if (!connect(failed)) return failed;
    const auto rows = query("SHOW GLOBAL VARIABLES");
    if (!rows) return {Status::denied, last_error(), {}};
    ServerVariables result;
    for (const Row& row : *rows) {
      if (row.size() == 2) result.variables[lower_case(row[0])] = row[1];
    }
    result.status = Status::answered;
    return result;
  }

  bool socket_is_there() const {
    struct stat status {};
    return !address_.socket.empty() && (stat(address_.socket.c_str(), &status) == 0 || errno != ENOENT);
  }

  /// The socket as the calling user; where that user is refused, what the option file says.
  bool connect(ServerVariables& failed) const {
    bool refused = true;
    if (socket_is_there()) {
      if (open(calling_user(), false)) return true;
      const unsigned number = mariadb().mysql_errno(connection_.get());
      refused = number == access_denied || number == access_denied_no_password;
      failed = failure(number);
    }
    if (!refused || address_.defaults_file.empty()) return false;
    if (access(address_.defaults_file.c_str(), R_OK) != 0) {
      failed = {Status::denied, fmt::format("cannot read {}", address_.defaults_file), {}};
      return false;
    }
    if (open("", true)) return true;
    failed = failure(mariadb().mysql_errno(connection_.get()));
    return false;
  }

  bool open(const std::string& user, bool with_defaults) const {
    hide_environment_from_mariadb();
    connection_.reset(mariadb().mysql_init(nullptr));
    if (!connection_) throw Error("mysql_init: out of memory");
    MYSQL* connection = connection_.get();
    for (const mysql_option option :
         {MYSQL_OPT_CONNECT_TIMEOUT, MYSQL_OPT_READ_TIMEOUT, MYSQL_OPT_WRITE_TIMEOUT}) {
      mariadb().mysql_options(connection, option, &patience_seconds);
    }
    const unsigned off = 0;
    mariadb().mysql_options(connection, MYSQL_OPT_LOCAL_INFILE, &off);
    mariadb().mysql_options(connection, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    if (with_defaults) {
      mariadb().mysql_options(connection, MYSQL_READ_DEFAULT_FILE, address_.defaults_file.c_str());
      // Where the file names no socket; the library's own default could be another server's.
      mariadb().mysql_optionsv(connection, MARIADB_OPT_UNIXSOCKET,
                               address_.socket.empty() ? "/dev/null" : address_.socket.c_str());
    }
    return mariadb().mysql_real_connect(connection, with_defaults ? nullptr : "localhost",
                                        user.empty() ? nullptr : user.c_str(), nullptr, nullptr, 0,
                                        with_defaults ? nullptr : address_.socket.c_str(), 0) != nullptr;
  }

  ServerVariables failure(unsigned number) const {
    const int error = errno_in(mariadb().mysql_error(connection_.get()));
    const bool nobody = (number == cannot_connect_to_socket || number == cannot_connect_to_host) &&
                        (error == ENOENT || error == ECONNREFUSED || error == ENOTSOCK);
    return {nobody ? Status::not_running : Status::denied, last_error(), {}};
  }

  std::string last_error() const {
    const unsigned number = mariadb().mysql_errno(connection_.get());
    return fmt::format("{} ({})", mariadb().mysql_error(connection_.get()), number);
  }

  /// All rows of an answer; nothing on an error.
  std::optional<std::vector<Row>> query(std::string_view statement) const {
    MYSQL* connection = connection_.get();
    if (mariadb().mysql_real_query(connection, statement.data(), statement.size()) != 0) return std::nullopt;
    const ResultHandle result(mariadb().mysql_store_result(connection));
    if (!result) return std::nullopt;
    const unsigned columns = mariadb().mysql_num_fields(result.get());
    std::vector<Row> rows;
    while (MYSQL_ROW fields = mariadb().mysql_fetch_row(result.get())) {
      const unsigned long* lengths = mariadb().mysql_fetch_lengths(result.get());
      Row row;
      for (unsigned i = 0; i < columns; ++i) {
        row.push_back(fields[i] != nullptr ? std::string(fields[i], lengths[i]) : std::string());
      }
      rows.push_back(std::move(row));
    }
    return rows;
  }

  std::string value(const std::string& name) const {
    const auto found = variables().variables.find(name);
    return found == variables().variables.end() ? "" : found->second;
  }

  std::string find_role() const {
    if (value("wsrep_on") == "ON" && !value("wsrep_cluster_address").empty()) return "galera";
    bool forbidden = false;
    // Of MySQL since 8.0.22 and MariaDB since 10.5; of MariaDB, named connections too; of MySQL before.
    for (const char* statement : {"SHOW REPLICA STATUS", "SHOW ALL SLAVES STATUS", "SHOW SLAVE STATUS"}) {
      const auto rows = query(statement);
      if (rows && !rows->empty()) return "replica";
      forbidden |= !rows && mariadb().mysql_errno(connection_.get()) == privilege_missing;
    }
    return forbidden ? "" : "primary";
  }

  ServerAddress address_;
  mutable ConnectionHandle connection_;
  mutable std::optional<ServerVariables> variables_;
  mutable std::optional<std::string> role_;
};

}  // namespace

std::unique_ptr<ServerConnector> make_server_connector(ServerAddress address) {
  return std::make_unique<MariadbConnector>(std::move(address));
}

}  // namespace tunekeeper
