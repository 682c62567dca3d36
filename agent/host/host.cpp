#include "host/host.hpp"

#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace tunekeeper {

bool ReadResult::absent() const {
  return error == ENOENT || error == ENOTDIR;
}

int HostView::read_pieces(std::string_view path, const std::function<bool(std::string_view)>& take) const {
  const auto file = read(path);
  if (file.ok()) take(file.bytes);
  return file.error;
}

namespace {

ExitStatus status_of(int error_number) {
  return error_number == EACCES || error_number == EPERM ? ExitStatus::denied : ExitStatus::error;
}

/// What a person can do about it, where the error alone tells.
std::string cure_of(int error_number, std::string_view path) {
  switch (error_number) {
    case EROFS:
      return fmt::format("make its file system writable (findmnt --target {}), then run the command again",
                         path);
    case ENOSPC:
    case EDQUOT:
      return fmt::format("make room on its file system (df {}), then run the command again", path);
    default:
      return {};
  }
}

}  // namespace

FileImage link_image(std::string text, std::uint32_t uid, std::uint32_t gid) {
  return {.absent = false,
          .bytes = std::move(text),
          .mode = 0,
          .uid = uid,
          .gid = gid,
          .xattrs = {},
          .is_link = true};
}

void Host::remove_leftover(std::string_view, bool) {}

std::optional<CommandResult> Host::run_on_candidate(const std::vector<std::string>&,
                                                    const std::vector<std::pair<std::string, FileImage>>&,
                                                    const CommandOptions&) {
  return std::nullopt;
}

HostError::HostError(const std::string& doing, std::string_view path, int error_number)
    : Error(fmt::format("cannot {} {}: {}", doing, path, std::strerror(error_number)),
            status_of(error_number)),
      error_number_(error_number) {
  with_next(cure_of(error_number, path));
}

}  // namespace tunekeeper
