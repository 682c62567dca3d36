#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/host.hpp"

namespace tunekeeper {

/// A host as one observation sees it: what a path once answered, kernel values included, it answers until
/// forget(), so that facts and providers that look at the same file read it once and agree on it. Not for
/// several threads.
class CachedView : public HostView {
 public:
  /// The host must outlive the view. What is written through it is seen only after forget().
  explicit CachedView(const HostView& host) : host_(host) {}

  /// Drops all that is remembered: after each write, and before a new observation.
  void forget();

  ReadResult read(std::string_view path, std::size_t limit = SIZE_MAX) const override;
  /// Not remembered: this is for files that are too big to keep. Asks the host each time.
  int read_pieces(std::string_view path, const std::function<bool(std::string_view)>& take) const override;
  std::optional<FileInfo> info(std::string_view path, bool follow = true) const override;
  std::optional<std::string> read_link(std::string_view path) const override;
  std::vector<std::string> list(std::string_view directory) const override;
  std::string resolve(std::string_view path) const override;
  bool is_staged(std::string_view path) const override;
  bool is_other_root() const override { return host_.is_other_root(); }
  /// Not remembered.
  std::optional<std::uint64_t> free_space(std::string_view path) const override;
  /// Not remembered: the answer of a program may depend on more than its arguments.
  CommandResult probe(const std::vector<std::string>& argv,
                      const CommandOptions& options = {}) const override;

 private:
  template <typename Answer>
  using ByPath = std::map<std::string, Answer, std::less<>>;

  struct Read {
    ReadResult result;
    std::size_t limit = 0;  ///< the one it was read with

    /// Whether a read with this limit gives nothing that is not remembered.
    bool covers(std::size_t wanted) const;
  };

  /// All that is remembered, so that it can be dropped as one.
  struct Memory {
    ByPath<Read> reads;
    ByPath<std::optional<FileInfo>> infos, own_infos;  ///< links followed, and not
    ByPath<std::optional<std::string>> links;
    ByPath<std::vector<std::string>> lists;
    ByPath<std::string> resolved;
    ByPath<bool> staged;
  };

  const HostView& host_;
  mutable Memory memory_;
};

}  // namespace tunekeeper
