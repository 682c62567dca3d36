#pragma once

#include <utility>

#include "host/mysql/server_conn.hpp"

namespace tunekeeper {

/// The in-memory twin of a running server, for tests: answers what was staged.
class MemoryServer : public ServerConnector {
 public:
  /// A server that does not run.
  MemoryServer() { variables_.reason = "there is no socket"; }
  explicit MemoryServer(std::map<std::string, std::string> variables, std::string role = "primary")
      : role_(std::move(role)) {
    variables_.status = ServerVariables::Status::answered;
    variables_.variables = std::move(variables);
  }
  /// One that refuses to answer.
  static MemoryServer refusing(std::string reason) {
    MemoryServer server;
    server.variables_ = {ServerVariables::Status::denied, std::move(reason), {}};
    return server;
  }

  void set(const std::string& name, std::string value) { variables_.variables[name] = std::move(value); }

  const ServerVariables& variables() const override { return variables_; }
  const std::string& role() const override { return role_; }

 private:
  ServerVariables variables_;
  std::string role_;
};

}  // namespace tunekeeper
