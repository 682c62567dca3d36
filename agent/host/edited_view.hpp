#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/host.hpp"

namespace tunekeeper {

/// A host as it would be with other bytes in some of its files: all else is asked of the real one.
class EditedView : public HostView {
 public:
  /// Paths are absolute; nothing: the file is not there. The host must outlive the view.
  EditedView(const HostView& host, const std::map<std::string, std::optional<std::string>>& files);

  ReadResult read(std::string_view path, std::size_t limit = SIZE_MAX) const override;
  std::optional<FileInfo> info(std::string_view path, bool follow = true) const override;
  std::optional<std::string> read_link(std::string_view path) const override;
  std::vector<std::string> list(std::string_view directory) const override;
  std::string resolve(std::string_view path) const override;
  bool is_staged(std::string_view path) const override;
  bool is_other_root() const override { return host_.is_other_root(); }
  std::optional<std::uint64_t> free_space(std::string_view path) const override;
  CommandResult probe(const std::vector<std::string>& argv,
                      const CommandOptions& options = {}) const override;

 private:
  using Files = std::map<std::string, std::optional<std::string>>;

  /// The file's place among the edited ones, links followed; the end when it is none of them.
  Files::const_iterator find(std::string_view path) const;

  const HostView& host_;
  Files files_;  ///< by resolved path
};

}  // namespace tunekeeper
