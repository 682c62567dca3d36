#include "host/candidate_sandbox.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/command.hpp"
#include "host/fd.hpp"
#include "host/real_host.hpp"

namespace tunekeeper {
namespace {

/// Where the throwaway layers lie: on a tmpfs of the child's own, over a folder that every host has.
constexpr const char* kScratch = "/tmp";
constexpr std::string_view kCovered[] = {"/etc", "/var", "/run"};

bool is_covered(const std::string& path) {
  return std::any_of(std::begin(kCovered), std::end(kCovered), [&path](std::string_view top) {
    return path == top || (path.starts_with(top) && path[top.size()] == '/');
  });
}

/// mountinfo writes blanks and backslashes as octal escapes (proc(5)).
std::string unescaped(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

/// The covered folders and every folder mounted below one, each before those that it holds.
std::vector<std::string> folders_to_cover() {
  std::vector<std::string> folders(std::begin(kCovered), std::end(kCovered));
  const std::string table = RealHost().read("/proc/self/mountinfo").bytes;
  for (std::size_t start = 0; start < table.size();) {
    const std::size_t end = std::min(table.find('\n', start), table.size());
    std::string_view line = std::string_view(table).substr(start, end - start);
    for (int field = 0; field < 4; ++field) line.remove_prefix(std::min(line.find(' ') + 1, line.size()));
    std::string path = unescaped(line.substr(0, line.find(' ')));
    struct stat info = {};
    if (is_covered(path) && ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode))
      folders.push_back(std::move(path));
    start = end + 1;
  }
  std::sort(folders.begin(), folders.end());
  folders.erase(std::unique(folders.begin(), folders.end()), folders.end());
  return folders;
}

bool cover(const std::string& folder, std::size_t number) {
  const std::string upper = fmt::format("{}/{}.upper", kScratch, number);
  const std::string work = fmt::format("{}/{}.work", kScratch, number);
  struct stat info = {};
  if (::stat(folder.c_str(), &info) != 0) return false;
  if (::mkdir(upper.c_str(), 0755) != 0 || ::mkdir(work.c_str(), 0700) != 0) return false;
  // The upper folder is what the covered one then seems to be.
  if (::chown(upper.c_str(), info.st_uid, info.st_gid) != 0 ||
      ::chmod(upper.c_str(), info.st_mode & 07777) != 0)
    return false;
  const std::string options = fmt::format("lowerdir={},upperdir={},workdir={}", folder, upper, work);
  return ::mount("overlay", folder.c_str(), "overlay", 0, options.c_str()) == 0;
}

bool enter_sandbox() {
  if (::unshare(CLONE_NEWNS) != 0) return false;
  if (::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return false;
  const std::vector<std::string> folders = folders_to_cover();
  if (::mount("tmpfs", kScratch, "tmpfs", 0, "mode=0700") != 0) return false;
  for (std::size_t i = 0; i < folders.size(); ++i) {
    if (!cover(folders[i], i)) return false;
  }
  // The check sees an empty /tmp of the usual mode, not the layers.
  return ::mount("tmpfs", kScratch, "tmpfs", 0, "mode=1777") == 0;
}

std::string folder_of(const std::string& path) {
  return path.substr(0, std::max<std::size_t>(path.rfind('/'), 1));
}

void write_candidate(const std::vector<std::pair<std::string, FileImage>>& files) {
  RealHost host;
  for (const auto& [path, image] : files) {
    if (!image.absent) host.make_directory(folder_of(path));
    host.put(path, image);
  }
}

std::string packed(const CommandResult& result) {
  return fmt::format("{} {} {}\n", result.status, result.timed_out ? 1 : 0, result.out.size()) + result.out +
         result.err;
}

std::optional<CommandResult> unpacked(const std::string& text) {
  CommandResult result;
  int timed_out = 0;
  std::size_t out_size = 0;
  const std::size_t body = text.find('\n');
  if (body == std::string::npos) return std::nullopt;
  if (std::sscanf(text.c_str(), "%d %d %zu", &result.status, &timed_out, &out_size) != 3) return std::nullopt;
  result.timed_out = timed_out == 1;
  result.out = text.substr(body + 1, out_size);
  result.err = text.substr(std::min(body + 1 + out_size, text.size()));
  return result;
}

/// The child: says nothing where the sandbox cannot be had.
[[noreturn]] void check_and_exit(int answer, const std::vector<std::string>& argv,
                                 const std::vector<std::pair<std::string, FileImage>>& files,
                                 const CommandOptions& options) {
  try {
    if (enter_sandbox()) {
      write_candidate(files);
      const std::string text = packed(run_command(argv, options));
      for (std::size_t done = 0; done < text.size();) {
        const ssize_t count = ::write(answer, text.data() + done, text.size() - done);
        if (count < 0) break;
        done += static_cast<std::size_t>(count);
      }
    }
  } catch (const std::exception&) {
    ::_exit(1);
  }
  ::_exit(0);
}

}  // namespace

std::optional<CommandResult> run_in_candidate_sandbox(
    const std::vector<std::string>& argv, const std::vector<std::pair<std::string, FileImage>>& files,
    const CommandOptions& options) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
  const Fd read_end(ends[0]);
  Fd write_end(ends[1]);
  const pid_t child = ::fork();
  if (child < 0) return std::nullopt;
  if (child == 0) check_and_exit(write_end.get(), argv, files, options);
  write_end.reset();
  std::string text;
  char buffer[16384];
  for (ssize_t count = 0; (count = ::read(read_end.get(), buffer, sizeof buffer)) != 0;) {
    if (count > 0) text.append(buffer, static_cast<std::size_t>(count));
    if (count < 0 && errno != EINTR) break;
  }
  while (::waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
  }
  return unpacked(text);
}

}  // namespace tunekeeper
