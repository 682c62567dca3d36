#include "snapshot/index_file.hpp"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/host.hpp"

namespace tunekeeper {

namespace {

constexpr std::string_view our_mark = "tunekeeper\n";
constexpr std::string_view unborn_lock = "index.lock.tunekeeper-";
constexpr int attempts = 20;
constexpr std::chrono::milliseconds pause{50};

void refuse_conflicts(git_index* index, const std::string& directory) {
  if (git().index_has_conflicts(index) == 0) return;
  throw Error(fmt::format("{} holds an unfinished merge", directory))
      .with_next("finish it with git, or: git merge --abort");
}

IndexFile read_at(const std::string& index_path, const std::string& read_path, const std::string& directory) {
  IndexFile file;
  struct stat status {};
  if (stat(index_path.c_str(), &status) == 0) {
    file.time = status.st_mtim;
  } else if (errno != ENOENT) {
    throw HostError("look at", index_path, errno);
  }
  file.index = make_git<IndexHandle>("index_open", git().index_open, read_path.c_str());
  refuse_conflicts(file.index.get(), directory);
  return file;
}

/// The index's lock that a killed tunekeeper left, locked by us now; invalid where there is none.
Fd open_stale(const std::string& path) {
  Fd stale(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
  char content[our_mark.size() + 1];
  const ssize_t count = stale ? read(stale.get(), content, sizeof content) : -1;
  if (count < 0 || std::string_view(content, static_cast<std::size_t>(count)) != our_mark) return Fd();
  return flock(stale.get(), LOCK_EX | LOCK_NB) == 0 ? std::move(stale) : Fd();
}

std::string copy_in(const std::string& git_directory) {
  return git_directory + "/index.tunekeeper-tmp";
}

/// Removes the copy of the index that is to be changed, and libgit2's own lock of that.
void remove_copies(const std::string& git_directory) {
  unlink((copy_in(git_directory) + ".lock").c_str());
  unlink(copy_in(git_directory).c_str());
}

/// The reference that HEAD names ("refs/heads/main"); empty for a detached one.
std::string branch_of(const std::string& git_directory) {
  constexpr std::string_view mark = "ref: ";
  std::ifstream file(git_directory + "/HEAD");
  std::string line;
  std::getline(file, line);
  return line.starts_with(mark) ? line.substr(mark.size()) : std::string();
}

/// libgit2 locks references by files that bear no mark. Those that are as young as the index's stale lock are
/// of the same death: while it held that, no other git changed a branch here.
void remove_reference_locks(const std::string& git_directory, int stale) {
  struct stat index_lock {};
  if (fstat(stale, &index_lock) != 0) return;
  for (const std::string& name : {std::string("HEAD"), branch_of(git_directory)}) {
    const std::string path = git_directory + "/" + name + ".lock";
    struct stat status {};
    if (name.empty() || lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    if (status.st_mtim.tv_sec >= index_lock.st_mtim.tv_sec) unlink(path.c_str());
  }
}

/// libgit2 puts a reference in place by a link to its lock, and does not mind when it cannot remove the lock
/// then: it would stop every later commit. One that is the reference itself is no one's lock any more.
void remove_spent_reference_lock(const std::string& git_directory) {
  const std::string path = git_directory + "/" + branch_of(git_directory);
  struct stat reference {};
  struct stat lock {};
  if (lstat(path.c_str(), &reference) != 0 || lstat((path + ".lock").c_str(), &lock) != 0) return;
  if (S_ISREG(lock.st_mode) && reference.st_dev == lock.st_dev && reference.st_ino == lock.st_ino)
    unlink((path + ".lock").c_str());
}

}  // namespace

void clear_stale_locks(const std::string& git_directory) {
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(git_directory, failure)) {
    if (!entry.path().filename().string().starts_with(unborn_lock)) continue;
    const Fd file(open(entry.path().c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC));
    if (file && flock(file.get(), LOCK_EX | LOCK_NB) == 0) unlink(entry.path().c_str());
  }
  const std::string path = git_directory + "/index.lock";
  const Fd stale = open_stale(path);
  if (!stale) return;
  remove_reference_locks(git_directory, stale.get());
  remove_copies(git_directory);
  unlink(path.c_str());
}

IndexFile read_index(const std::string& git_directory) {
  const std::string path = git_directory + "/index";
  return read_at(path, path, git_directory);
}

IndexLock::IndexLock(const std::string& git_directory)
    : directory_(git_directory), path_(git_directory + "/index.lock") {
  for (int attempt = 0; attempt < attempts; ++attempt) {
    if (take() || (take_over() && take())) return;
    std::this_thread::sleep_for(pause);
  }
  throw Error(fmt::format("another git program is at work in {} ({} is there)", git_directory, path_),
              ExitStatus::busy)
      .with_next(fmt::format("wait for it to end; if no git or etckeeper runs: rm {}", path_));
}

IndexLock::~IndexLock() {
  remove_copies(directory_);
  remove_spent_reference_lock(directory_);
  unlink(path_.c_str());
}

bool IndexLock::take() {
  // Made beside and linked, so that it never stands there without the mark that says whose it is. The flock
  // says whether its maker still lives.
  const std::string unborn = fmt::format("{}/{}{}", directory_, unborn_lock, getpid());
  unlink(unborn.c_str());
  file_ = Fd(open(unborn.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file_) throw HostError("create", path_, errno);
  flock(file_.get(), LOCK_EX);
  errno = 0;
  const bool taken =
      write(file_.get(), our_mark.data(), our_mark.size()) == static_cast<ssize_t>(our_mark.size()) &&
      link(unborn.c_str(), path_.c_str()) == 0;
  const int error = errno != 0 ? errno : EIO;  // a write cut short sets none
  unlink(unborn.c_str());
  if (!taken && error != EEXIST) throw HostError("create", path_, error);
  return taken;
}

bool IndexLock::take_over() {
  const Fd stale = open_stale(path_);
  if (!stale) return false;
  remove_reference_locks(directory_, stale.get());
  return unlink(path_.c_str()) == 0;
}

IndexFile IndexLock::open_copy() const {
  std::error_code failure;
  const std::string original = directory_ + "/index";
  remove_copies(directory_);
  if (std::filesystem::exists(original, failure)) {
    std::filesystem::copy_file(original, copy_in(directory_), failure);
    if (failure) throw HostError("copy the index to", copy_in(directory_), failure.value());
  }
  return read_at(original, copy_in(directory_), directory_);
}

void IndexLock::publish(git_index* copy) const {
  check_git(git().index_write(copy), "index_write");
  const std::string original = directory_ + "/index";
  if (std::rename(copy_in(directory_).c_str(), original.c_str()) != 0)
    throw HostError("replace", original, errno);
}

}  // namespace tunekeeper
