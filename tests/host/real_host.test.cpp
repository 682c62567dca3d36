// What only the real host can show: the kernel's own files, programs, mounts.
#include "host/real_host.hpp"

#include <cerrno>

#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <sys/xattr.h>

#include "support/catch.hpp"
#include "support/temp_dir.hpp"

using namespace tunekeeper;
using namespace tunekeeper::test;
using namespace std::chrono_literals;

namespace {

FileImage image_of(std::string bytes, std::uint32_t mode = 0644) {
  return {false, std::move(bytes), mode, ::geteuid(), ::getegid(), {}};
}

/// Runs the deed in a child with mounts of its own; the child's exit status, 0 when the deed gave true.
int in_own_mounts(const std::function<bool()>& deed) {
  const pid_t child = ::fork();
  if (child == 0) {
    const int spaces = ::geteuid() == 0 ? CLONE_NEWNS : CLONE_NEWNS | CLONE_NEWUSER;
    if (::unshare(spaces) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0)
      ::_exit(50);
    bool right = false;
    try {
      right = deed();
    } catch (...) {
      ::_exit(51);
    }
    ::_exit(right ? 0 : 52);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

TEST_CASE("the machine's own kernel files are read, and are not staged") {
  const RealHost host;
  CHECK_FALSE(host.is_other_root());
  CHECK_FALSE(RealHost("//").is_other_root());
  CHECK_FALSE(host.read("/proc/meminfo").bytes.empty());
  CHECK(host.read("/proc/self/mountinfo").bytes.ends_with('\n'));
  CHECK_FALSE(host.is_staged("/proc/sys/vm/swappiness"));
  CHECK_FALSE(host.is_staged("/sys/devices/system/cpu/online"));
  CHECK(host.is_staged("/etc/passwd"));
  CHECK(host.read_link("/proc/self/exe").value_or("").find("tests_host") != std::string::npos);
}

TEST_CASE("a root that is not there is an error with its name") {
  CHECK_THROWS_WITH(RealHost("/no/such/root"),
                    "cannot open the root /no/such/root: No such file or directory");
}

TEST_CASE("a FIFO in the place of a file does not stop the agent") {
  const TempDir dir;
  REQUIRE(::mkfifo(dir.inside("/fifo").c_str(), 0644) == 0);
  const RealHost host(dir.path());
  CHECK(host.read("/fifo").bytes.empty());
  CHECK_THROWS_AS(RealHost(dir.path()).put("/fifo", image_of("x")), HostError);
}

TEST_CASE("F4: a bind-mounted file is rewritten in place, and no temp file stays") {
  const TempDir dir;
  dir.write("/etc/hosts", "a longer old content\n");
  dir.write("/behind", "mounted, and longer than the new one\n");
  const int status = in_own_mounts([&] {
    if (::mount(dir.inside("/behind").c_str(), dir.inside("/etc/hosts").c_str(), nullptr, MS_BIND, nullptr) !=
        0) {
      return false;
    }
    RealHost host(dir.path());
    host.put("/etc/hosts", image_of("new\n", 0600));
    return host.read("/etc/hosts").bytes == "new\n" && host.info("/etc/hosts")->mode == 0600 &&
           host.list("/etc") == std::vector<std::string>{"hosts"};
  });
  CHECK(status == 0);
  CHECK(RealHost(dir.path()).read("/behind").bytes == "new\n");
  CHECK(RealHost(dir.path()).read("/etc/hosts").bytes == "a longer old content\n");
}

TEST_CASE(
    "a read-only file system is told as such, and a full one leaves neither a torn file nor a temp file") {
  const TempDir dir;
  dir.write("/etc/keep", "");
  const int status = in_own_mounts([&] {
    const auto etc = dir.inside("/etc");
    if (::mount("none", etc.c_str(), "tmpfs", 0, "size=64k") != 0) return false;
    RealHost host(dir.path());
    host.put("/etc/x", image_of("old"));
    bool full = false;
    try {
      host.put("/etc/x", image_of(std::string(200'000, 'x')));
    } catch (const HostError& error) {
      full = error.error_number() == ENOSPC;
    }
    const bool whole = host.read("/etc/x").bytes == "old" && host.list("/etc").size() == 1;
    if (::mount("none", etc.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) != 0) return false;
    try {
      host.put("/etc/x", image_of("new"));
    } catch (const HostError& error) {
      return full && whole && std::string(error.what()) == "cannot write /etc/x: Read-only file system";
    }
    return false;
  });
  CHECK(status == 0);
}

TEST_CASE("F3: an ACL is kept, and one that the folder hands down does not stick to a file without") {
  const TempDir dir;
  dir.write("/etc/x", "old");
  // acl(5) by its bytes: version 2; user::rw-, user:12345:r--, group::r--, mask::r--, other::---
  std::string entries("\x02\0\0\0", 4);
  const auto entry = [&](char tag, char permissions, std::uint32_t id) {
    entries += std::string{tag, 0, permissions, 0};
    entries.append(reinterpret_cast<const char*>(&id), 4);
  };
  entry(0x01, 6, ~0U), entry(0x02, 4, 12345), entry(0x04, 4, ~0U), entry(0x10, 4, ~0U), entry(0x20, 0, ~0U);
  REQUIRE(::setxattr(dir.inside("/etc/x").c_str(), "system.posix_acl_access", entries.data(), entries.size(),
                     0) == 0);
  REQUIRE(::setxattr(dir.inside("/etc").c_str(), "system.posix_acl_default", entries.data(), entries.size(),
                     0) == 0);
  RealHost host(dir.path());
  auto image = host.image("/etc/x");
  CHECK(image.xattrs.at("system.posix_acl_access") == entries);
  image.bytes = "new";
  host.put("/etc/x", image);
  CHECK(host.image("/etc/x") == image);
  host.put("/etc/plain", image_of("plain", 0640));
  CHECK(host.image("/etc/plain") == image_of("plain", 0640));
}

TEST_CASE("a temp file that a dead process left is no obstacle, and a setuid bit survives") {
  const TempDir dir;
  dir.write("/etc/.x.tunekeeper-tmp", "torn");
  RealHost host(dir.path());
  host.put("/etc/x", image_of("whole", 04755));
  CHECK(host.image("/etc/x") == image_of("whole", 04755));
  CHECK(host.list("/etc") == std::vector<std::string>{"x"});
}

TEST_CASE("a program gets its arguments as they are, LC_ALL, PATH and no more environment") {
  RealHost host;
  ::setenv("MYSQL_PWD", "secret", 1);
  ::setenv("HOME", "/root", 1);
  CHECK(host.run({"env"}).out == "LC_ALL=C\nPATH=/usr/sbin:/usr/bin:/sbin:/bin\n");
  ::unsetenv("MYSQL_PWD");
  const auto echo = host.run({"printf", "%s|", "a b", "$HOME", "*", ""});
  CHECK(echo.out == "a b|$HOME|*||");
  CHECK(echo.ok());
  CHECK(host.run({"cat"}).out.empty());
  CHECK(host.run({"pwd"}).out == "/\n");
}

TEST_CASE("on another root the root's own program runs, chrooted into it") {
  const TempDir dir;
  const RealHost machine;
  // env and all that it is linked with.
  const auto libraries = machine.probe({"ldd", "/usr/bin/env"});
  REQUIRE(libraries.ok());
  std::vector<std::string> files = {"/usr/bin/env"};
  for (std::size_t at = libraries.out.find('/'); at != std::string::npos; at = libraries.out.find('/', at)) {
    const auto end = libraries.out.find(' ', at);
    files.push_back(libraries.out.substr(at, end - at));
    at = libraries.out.find('\n', at);
  }
  for (const auto& file : files) {
    std::filesystem::create_directories(std::filesystem::path(dir.inside(file)).parent_path());
    std::filesystem::copy_file(file, dir.inside(file));
  }
  const int status = in_own_mounts([&] {
    RealHost host(dir.path());
    CommandOptions options;
    options.in_root = true;
    const auto inside = host.run({"env"}, options);
    return inside.ok() && inside.out == "LC_ALL=C\nPATH=/usr/sbin:/usr/bin:/sbin:/bin\n" &&
           host.run({"sh", "-c", "true"}, options).status ==
               -1;  // this root has no sh, and the machine's is not taken
  });
  CHECK(status == 0);
}

TEST_CASE("exit status, signal, both outputs and a missing program are told") {
  RealHost host;
  const auto both = host.run({"sh", "-c", "echo out; echo err >&2; exit 3"});
  CHECK(both.status == 3);
  CHECK(both.out == "out\n");
  CHECK(both.err == "err\n");
  CHECK(host.run({"sh", "-c", "kill -TERM $$"}).status == 128 + SIGTERM);
  const auto missing = host.probe({"tunekeeper-no-such-program"});
  CHECK(missing.status == -1);
  CHECK(missing.err == "cannot start tunekeeper-no-such-program: No such file or directory");
}

TEST_CASE("a program that hangs is killed with its children at the deadline") {
  RealHost host;
  const auto start = std::chrono::steady_clock::now();
  const auto result = host.run({"sh", "-c", "echo started; sleep 60 & sleep 60"}, {300ms, 1000, false});
  CHECK(result.timed_out);
  CHECK_FALSE(result.ok());
  CHECK(std::chrono::steady_clock::now() - start < 10s);
}

TEST_CASE("a daemon that keeps the outputs open is not waited for") {
  RealHost host;
  const auto start = std::chrono::steady_clock::now();
  const auto result = host.run({"sh", "-c", "sleep 30 & echo up"}, {20s, 1000, false});
  CHECK(result.out == "up\n");
  CHECK(result.ok());
  CHECK(std::chrono::steady_clock::now() - start < 10s);
}

TEST_CASE("more output than the limit is read and dropped, so that the program does not block") {
  RealHost host;
  const auto result = host.run({"sh", "-c", "head -c 1000000 /dev/zero"}, {20s, 1000, false});
  CHECK(result.ok());
  CHECK(result.out.size() == 1000);
}
