#include "providers/mysql/option_cache.hpp"

#include <fmt/format.h>

#include "core/digest.hpp"
#include "core/places.hpp"
#include "host/trust.hpp"

namespace tunekeeper::mysql {
namespace {

constexpr std::string_view schema = "tunekeeper.server-options/1";
constexpr std::size_t size_limit = 1U << 20;  ///< bytes; a listing of a thousand options has 30 KiB

/// Says which program answered. No hash of its bytes, which are tens of megabytes to read: ctime cannot be
/// set, so no other content can come under this path with all its stamps as they were. Stamps that changed
/// without the bytes (a restored backup, a moved disk) only cost one more question.
std::string mark_of(const HostView& host, const std::string& program) {
  const auto info = host.info(program);
  if (!info) return {};
  return fmt::format("{} device {} inode {} size {} mtime {} ctime {}", program, info->device, info->inode,
                     info->size, info->mtime_ns, info->ctime_ns);
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

/// The listing in such a file; nothing unless it is whole and of the program that has this mark.
std::optional<ProgramOptions> parse(std::string_view text, std::string_view mark) {
  if (take_line(text) != schema) return std::nullopt;
  const std::string_view seal = take_line(text);
  if (seal != digest(text) || take_line(text) != mark) return std::nullopt;
  ProgramOptions listing = ProgramOptions::from_text(text);
  if (listing.empty()) return std::nullopt;
  return listing;
}

}  // namespace

std::optional<ProgramOptions> known_listing(const Context& context, const Server& server) {
  const auto program = server_program(context.host, server);
  if (!program) return std::nullopt;
  const std::string mark = mark_of(context.host, *program);
  for (const Lesson& lesson : context.lessons) {
    if (lesson.path == places::kServerOptions) return parse(lesson.bytes, mark);
  }
  // Read first: most callers find nothing, and then there is nothing to judge.
  const ReadResult kept = context.host.read(places::kServerOptions, size_limit);
  if (!kept.ok()) return std::nullopt;
  if (Trust(context.host, context.caller_uid).problem(places::kServerOptions)) return std::nullopt;
  return parse(kept.bytes, mark);
}

std::optional<Lesson> ask_for_listing(const Context& context, const Server& server) {
  const auto program = server_program(context.host, server);
  if (!program) return std::nullopt;
  // Before the question: a program that is replaced while it answers is asked again.
  const std::string mark = mark_of(context.host, *program);
  const auto listing = ProgramOptions::ask(context.host, *program);
  if (!listing) return std::nullopt;
  const std::string body = fmt::format("{}\n{}", mark, listing->to_text());
  return Lesson{std::string(places::kServerOptions), fmt::format("{}\n{}\n{}", schema, digest(body), body)};
}

}  // namespace tunekeeper::mysql
