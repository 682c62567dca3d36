#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/facts.hpp"
#include "facts/packages.hpp"
#include "host/host.hpp"
#include "host/mysql/server_conn.hpp"

namespace tunekeeper {

/// What host.yaml's `facts:` says instead of what would be gathered, by dotted name. A text stands for a
/// number (also with a size's suffix), a boolean or a list where the fact is one.
using FactOverrides = std::map<std::string, Scalar, std::less<>>;

/// What a gatherer came to: the fact, and what a reader should know beside it ("assumed: as Debian 12 ships
/// it").
struct Found {
  FactValue value;
  std::string note;
};

/// Facts about one host, gathered at first use, each once, from below its root only.
class HostFacts : public FactSource {
 public:
  /// A fact for the `facts` verb.
  struct Entry {
    std::string name;
    FactValue value;
    std::string note;
  };

  /// `server` may be null: then no server is asked. Both references and the pointer must outlive the facts.
  explicit HostFacts(const HostView& host, const ServerConnector* server = nullptr,
                     FactOverrides overrides = {});

  FactValue fact(std::string_view name) const override;
  const std::vector<std::string>& names() const override;
  std::vector<std::string> values(std::string_view name) const override;

  /// Where the value is from when that is not the obvious place; else empty.
  std::string note(std::string_view name) const;
  /// Gathers every fact; in the order of names().
  std::vector<Entry> all() const;

  const HostView& host() const { return host_; }
  const ServerConnector* server() const { return server_; }
  /// Read at first use.
  const InstalledVersions& installed() const;

 private:
  const Found& found(std::string_view name) const;

  const HostView& host_;
  const ServerConnector* server_;
  FactOverrides overrides_;
  mutable std::map<std::string, Found, std::less<>> gathered_;
  mutable std::optional<InstalledVersions> installed_;
};

}  // namespace tunekeeper
