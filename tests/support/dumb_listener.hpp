#pragma once

#include <cstring>
#include <stdexcept>
#include <string>

#include <sys/socket.h>
#include <sys/un.h>

#include "host/fd.hpp"

namespace tunekeeper::test {

/// A unix socket that lets clients connect and never answers: the kernel's queue accepts, nobody reads.
class DumbListener {
 public:
  explicit DumbListener(const std::string& path) : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.size() >= sizeof address.sun_path) throw std::runtime_error("too long for a socket: " + path);
    std::memcpy(address.sun_path, path.data(), path.size());
    if (bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        listen(socket_.get(), 8) != 0) {
      throw std::runtime_error("listen on " + path);
    }
  }

  int fd() const { return socket_.get(); }

 private:
  Fd socket_;
};

}  // namespace tunekeeper::test
