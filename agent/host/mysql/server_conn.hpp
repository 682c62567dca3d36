#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tunekeeper {

/// What asking a server for variables came to.
struct ServerVariables {
  enum class Status {
    answered,
    not_running,  ///< no socket, or nobody listens: the live plane does not apply
    denied,       ///< access denied, a time-out, a broken answer: the live plane is unknown
  };

  Status status = Status::not_running;
  std::string reason;                            ///< in words, for the two others
  std::map<std::string, std::string> variables;  ///< names as the server prints them (lower case)
};

/// A running MySQL or MariaDB server, as something to ask.
class ServerConnector {
 public:
  virtual ~ServerConnector() = default;

  /// SHOW GLOBAL VARIABLES in one query; remembered until forget(). Gives up after 3 s.
  virtual const ServerVariables& variables() const = 0;
  /// What was answered holds no more: the server was restarted. The next question connects anew.
  virtual void forget() const {}
  /// "primary", "replica" or "galera"; empty where the server does not answer, or does not let the caller
  /// see.
  virtual const std::string& role() const = 0;
};

/// How to reach the server: a unix socket as the caller's user, else what an option file says.
struct ServerAddress {
  std::string socket;         ///< path on this machine
  std::string defaults_file;  ///< [client] section: user, password, socket; empty for none
};

/// Opens libmariadb at first use, not before.
std::unique_ptr<ServerConnector> make_server_connector(ServerAddress address);

}  // namespace tunekeeper
