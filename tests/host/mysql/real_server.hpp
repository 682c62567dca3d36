#pragma once

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/temp_dir.hpp"

namespace tunekeeper::test {

/// A real MariaDB server in a temporary folder, on a unix socket only; it ends with its owner, or with the
/// test.
class RealServer {
 public:
  explicit RealServer(const std::vector<std::string>& options = {}) {
    run({"mariadb-install-db", "--no-defaults", "--auth-root-authentication-method=normal", "--skip-test-db",
         "--user=root", "--datadir=" + data()});
    std::vector<std::string> argv{"mariadbd",
                                  "--no-defaults",
                                  "--user=root",
                                  "--skip-networking",
                                  "--datadir=" + data(),
                                  "--socket=" + socket(),
                                  "--pid-file=" + folder_.inside("/pid"),
                                  "--log-error=" + folder_.inside("/log"),
                                  "--innodb-buffer-pool-size=16M"};
    argv.insert(argv.end(), options.begin(), options.end());
    process_ = start(argv);
    await();
  }
  ~RealServer() {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  RealServer(const RealServer&) = delete;
  RealServer& operator=(const RealServer&) = delete;

  std::string socket() const { return folder_.inside("/s"); }
  /// Runs statements as root, with the given password.
  void sql(const std::string& statements, const std::string& password = "") const {
    run({"mariadb", "--no-defaults", "--socket=" + socket(), "--user=root", "--password=" + password, "-e",
         statements});
  }
  void freeze() const { kill(process_, SIGSTOP); }

 private:
  std::string data() const { return folder_.inside("/data"); }

  pid_t start(const std::vector<std::string>& words) const {
    const std::string output = folder_.inside("/output");
    std::cout.flush();  // what is buffered would be printed twice
    const pid_t child = fork();
    if (child != 0) return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (freopen(output.c_str(), "a", stdout) == nullptr || dup2(1, 2) < 0) _exit(126);
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    setenv("PATH", "/usr/sbin:/usr/bin:/sbin:/bin", 1);
    // One that starts removes what it takes for temporary tables of a dead one, also those of a neighbour.
    setenv("TMPDIR", folder_.inside("/").c_str(), 1);
    execvp(argv[0], argv.data());
    _exit(127);
  }

  std::string output() const {
    std::ostringstream text;
    for (const char* name : {"/output", "/log"}) text << std::ifstream(folder_.inside(name)).rdbuf();
    return text.str();
  }

  void run(const std::vector<std::string>& words) const {
    int status = 0;
    waitpid(start(words), &status, 0);
    if (status != 0) throw std::runtime_error(words.front() + ": " + output());
  }

  void await() const {
    for (int i = 0; i < 600; ++i) {
      if (std::filesystem::exists(socket())) return;
      if (waitpid(process_, nullptr, WNOHANG) != 0) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    throw std::runtime_error("mariadbd did not start: " + output());
  }

  TempDir folder_;
  pid_t process_ = -1;
};

}  // namespace tunekeeper::test
