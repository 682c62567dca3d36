#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/nginx_conf.hpp"
#include "host/host.hpp"
#include "providers/nginx/directives.hpp"

namespace tunekeeper::nginx {

inline constexpr std::string_view config_folder = "/etc/nginx/";
inline constexpr std::string_view main_config = "/etc/nginx/nginx.conf";

/// One file of the configuration.
struct ConfigFile {
  std::string path;  ///< absolute, as the include spells it
  NginxConf conf;
};

/// One directive of one file, at the level at which nginx reads it.
struct Statement {
  std::uint32_t file = 0;
  NginxConf::Id id = 0;
  Level level = Level::main;
};

/// A block that settings are added to: where its braces stand.
struct Block {
  std::uint32_t file = 0;
  NginxConf::Id id = 0;
};

/// All files that nginx would read, joined as its includes join them: relative to /etc/nginx, globs in byte
/// order, a plain file that is missing is a fault. The first thing that nginx would refuse stops the reading.
class Config {
 public:
  static Config read(const HostView& host);

  /// There is no nginx.conf: nginx is not installed here.
  bool absent() const { return absent_; }
  /// "file:line:column: what"; empty when all was read.
  const std::string& fault() const { return fault_; }

  const std::vector<ConfigFile>& files() const { return files_; }
  const ConfigFile& file(const Statement& statement) const { return files_[statement.file]; }
  /// The directives of this name at this level, in nginx's reading order; one included twice is there twice.
  std::vector<Statement> find(Level level, std::string_view name) const;
  /// The events and http blocks, at most one each; null when there is none.
  const Block* events() const { return events_.empty() ? nullptr : &events_[0]; }
  const Block* http() const { return http_.empty() ? nullptr : &http_[0]; }
  /// Whether an include of the http block reads this file, or would once it is there.
  bool http_includes(std::string_view path) const;

  /// "etc/nginx/nginx.conf:12".
  std::string place(const Statement& statement) const;

 private:
  friend class ConfigReader;

  bool absent_ = false;
  std::string fault_;
  std::vector<ConfigFile> files_;
  std::vector<Statement> statements_;
  std::vector<Block> events_, http_;
  std::vector<std::string> http_patterns_;
};

}  // namespace tunekeeper::nginx
