#include "host/cached_view.hpp"

namespace tunekeeper {
namespace {

/// What is remembered of this path; the host is asked when that is nothing.
template <typename Answers, typename Ask>
const auto& remembered(Answers& answers, std::string_view path, Ask ask) {
  const auto place = answers.lower_bound(path);
  if (place != answers.end() && place->first == path) return place->second;
  return answers.emplace_hint(place, std::string(path), ask())->second;
}

/// A larger file is read each time it is asked for, so that its bytes are not held twice.
constexpr std::size_t most_kept = std::size_t{4} << 20;

}  // namespace

bool CachedView::Read::covers(std::size_t wanted) const {
  return !result.ok() || wanted <= limit || result.bytes.size() < limit;
}

void CachedView::forget() {
  memory_ = {};
}

ReadResult CachedView::read(std::string_view path, std::size_t limit) const {
  auto known = memory_.reads.find(path);
  if (known == memory_.reads.end() || !known->second.covers(limit)) {
    ReadResult read = host_.read(path, limit);
    if (read.bytes.size() > most_kept) return read;
    known = memory_.reads.insert_or_assign(std::string(path), Read{std::move(read), limit}).first;
  }
  const ReadResult& result = known->second.result;
  return {result.error, result.bytes.substr(0, limit)};
}

int CachedView::read_pieces(std::string_view path, const std::function<bool(std::string_view)>& take) const {
  return host_.read_pieces(path, take);
}

std::optional<FileInfo> CachedView::info(std::string_view path, bool follow) const {
  return remembered(follow ? memory_.infos : memory_.own_infos, path,
                    [&] { return host_.info(path, follow); });
}

std::optional<std::string> CachedView::read_link(std::string_view path) const {
  return remembered(memory_.links, path, [&] { return host_.read_link(path); });
}

std::vector<std::string> CachedView::list(std::string_view directory) const {
  return remembered(memory_.lists, directory, [&] { return host_.list(directory); });
}

std::string CachedView::resolve(std::string_view path) const {
  return remembered(memory_.resolved, path, [&] { return host_.resolve(path); });
}

bool CachedView::is_staged(std::string_view path) const {
  return remembered(memory_.staged, path, [&] { return host_.is_staged(path); });
}

std::optional<std::uint64_t> CachedView::free_space(std::string_view path) const {
  return host_.free_space(path);
}

CommandResult CachedView::probe(const std::vector<std::string>& argv, const CommandOptions& options) const {
  return host_.probe(argv, options);
}

}  // namespace tunekeeper
