#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/host.hpp"

// What /proc tells of processes (proc(5)), for the providers whose owners it shows.

namespace tunekeeper {

/// A decimal number that the text begins with; nothing when it begins with none.
std::optional<std::int64_t> number_in(std::string_view text);
/// The words of a text that blanks and line ends part.
std::vector<std::string_view> words_in(std::string_view text);

/// The fields of /proc/PID/stat behind the name, which may itself hold blanks and parentheses: state, ppid,
/// …; empty when there is no such process.
std::vector<std::string> stat_fields(const HostView& host, std::int64_t pid);

/// When the oldest of these processes started, in nanoseconds since the epoch, at the latest: the kernel
/// tells the time of its boot in whole seconds, so that the true start lies up to a second earlier. Nothing
/// when it cannot be read.
std::optional<std::int64_t> latest_start_ns(const HostView& host, std::span<const int> pids);

/// A resource limit as /proc/PID/limits shows it: a number, or "unlimited".
struct ResourceLimit {
  std::string soft;
  std::string hard;
};
/// By its label there ("Max open files"); nothing when it cannot be read.
std::optional<ResourceLimit> resource_limit(const HostView& host, int pid, std::string_view label);

}  // namespace tunekeeper
