#include "host/command.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "host/fd.hpp"

namespace tunekeeper {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array search_path = {"/usr/sbin", "/usr/bin", "/sbin", "/bin"};
constexpr const char* path_variable = "PATH=/usr/sbin:/usr/bin:/sbin:/bin";
constexpr std::chrono::milliseconds tick{
    20};  // how often an exit is looked for where the kernel has no pidfd

struct Pipe {
  Fd read_end, write_end;

  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read_end = Fd(ends[0]);
    write_end = Fd(ends[1]);
    return true;
  }
};

/// All that the child needs, made before fork: between fork and exec nothing may allocate.
struct Launch {
  std::vector<std::string> programs;  ///< paths to try, in order
  std::vector<char*> argv;
  std::array<char*, 3> environment;
  int chroot_fd = -1;
  Pipe out, err, failure;
};

std::vector<std::string> programs_of(const std::string& name) {
  if (name.find('/') != std::string::npos) return {name};
  std::vector<std::string> programs;
  for (const char* folder : search_path) programs.push_back(fmt::format("{}/{}", folder, name));
  return programs;
}

void reset_signals() {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  for (const int signal : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD})
    ::sigaction(signal, &action, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Runs in the child, after fork. Returns only when it failed, with errno set.
void enter_and_exec(const Launch& launch) {
  ::setpgid(0, 0);
  reset_signals();
#ifdef SYS_close_range
  ::syscall(SYS_close_range, 3U, ~0U, 4U /* CLOSE_RANGE_CLOEXEC */);
#endif
  if (launch.chroot_fd >= 0 && (::fchdir(launch.chroot_fd) != 0 || ::chroot(".") != 0)) return;
  if (::chdir("/") != 0) return;
  const int null = ::open("/dev/null", O_RDWR);
  if (null >= 0)
    ::dup2(null, STDIN_FILENO);
  else
    ::close(STDIN_FILENO);  // a root without /dev: no input all the same
  if (::dup2(launch.out.write_end.get(), STDOUT_FILENO) < 0) return;
  if (::dup2(launch.err.write_end.get(), STDERR_FILENO) < 0) return;
  int error = ENOENT;
  for (const auto& program : launch.programs) {
    ::execve(program.c_str(), launch.argv.data(), launch.environment.data());
    if (errno != ENOENT && errno != ENOTDIR) error = errno;
  }
  errno = error;
}

/// One of the two output streams, kept up to a limit and then only drained.
struct Stream {
  Fd& fd;
  std::string& kept;
  std::size_t limit;

  /// Takes what is there; false at the end of the stream.
  bool take() {
    char buffer[16384];
    const ssize_t count = ::read(fd.get(), buffer, sizeof buffer);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    kept.append(buffer, std::min(static_cast<std::size_t>(count), limit - kept.size()));
    return count > 0;
  }
};

int exit_status(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/// Waits for the child while reading what it says.
class Watch {
 public:
  Watch(pid_t child, Launch& launch, const CommandOptions& options, CommandResult& result)
      : child_(child),
        deadline_(Clock::now() + options.deadline),
        result_(result),
        streams_{{{launch.out.read_end, result.out, options.output_limit},
                  {launch.err.read_end, result.err, options.output_limit}}} {
    for (auto& stream : streams_) ::fcntl(stream.fd.get(), F_SETFL, O_NONBLOCK);
#ifdef SYS_pidfd_open
    pidfd_ = Fd(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
#endif
  }

  void until_exit() {
    while (!has_exited()) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline_ - Clock::now());
      if (left.count() <= 0) return kill_group();
      wait_for_news(left);
    }
    for (auto& stream : streams_) drain(stream);
  }

 private:
  bool has_exited() {
    int status = 0;
    const pid_t ended = ::waitpid(child_, &status, WNOHANG);
    if (ended == child_) result_.status = exit_status(status);
    return ended == child_ || (ended < 0 && errno == ECHILD);
  }

  void wait_for_news(std::chrono::milliseconds left) {
    std::array<pollfd, 3> waits = {
        {{streams_[0].fd.get(), POLLIN, 0}, {streams_[1].fd.get(), POLLIN, 0}, {pidfd_.get(), POLLIN, 0}}};
    if (!pidfd_) left = std::min(left, tick);
    const int timeout = static_cast<int>(std::min<std::chrono::milliseconds::rep>(left.count(), 1 << 30));
    if (::poll(waits.data(), waits.size(), timeout) <= 0) return;
    for (std::size_t i = 0; i < streams_.size(); ++i) {
      if (waits[i].revents != 0 && !streams_[i].take()) streams_[i].fd.reset();
    }
  }

  /// What the child wrote before its end. A daemon may hold the pipe open, so this does not wait for its end.
  static void drain(Stream& stream) {
    while (stream.fd) {
      pollfd wait = {stream.fd.get(), POLLIN, 0};
      if (::poll(&wait, 1, 0) <= 0 || !stream.take()) return;
    }
  }

  void kill_group() {
    result_.timed_out = true;
    ::kill(-child_, SIGKILL);
    int status = 0;
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    result_.status = exit_status(status);
  }

  pid_t child_;
  Clock::time_point deadline_;
  CommandResult& result_;
  std::array<Stream, 2> streams_;
  Fd pidfd_;
};

CommandResult not_started(const std::string& program, int error) {
  return {-1, false, "", fmt::format("cannot start {}: {}", program, std::strerror(error))};
}

}  // namespace

CommandResult run_command(const std::vector<std::string>& argv, const CommandOptions& options,
                          int chroot_fd) {
  if (argv.empty()) return not_started("a program without a name", EINVAL);
  Launch launch;
  launch.programs = programs_of(argv[0]);
  for (const auto& word : argv) launch.argv.push_back(const_cast<char*>(word.c_str()));
  launch.argv.push_back(nullptr);
  launch.environment = {const_cast<char*>("LC_ALL=C"), const_cast<char*>(path_variable), nullptr};
  launch.chroot_fd = chroot_fd;
  if (!launch.out.open() || !launch.err.open() || !launch.failure.open()) return not_started(argv[0], errno);

  const pid_t child = ::fork();
  if (child < 0) return not_started(argv[0], errno);
  if (child == 0) {
    enter_and_exec(launch);
    const int error = errno;
    const ssize_t told = ::write(launch.failure.write_end.get(), &error, sizeof error);
    ::_exit(told < 0 ? 126 : 127);
  }
  ::setpgid(child, child);  // here as well, so that the group is there before it may be killed
  for (Pipe* pipe : {&launch.out, &launch.err, &launch.failure}) pipe->write_end.reset();

  int error = 0;
  ssize_t told = 0;
  while ((told = ::read(launch.failure.read_end.get(), &error, sizeof error)) < 0 && errno == EINTR) {
  }
  CommandResult result;
  Watch(child, launch, options, result).until_exit();
  if (told == static_cast<ssize_t>(sizeof error)) return not_started(argv[0], error);
  return result;
}

}  // namespace tunekeeper
