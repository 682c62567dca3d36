#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formats/grub_cfg.hpp"
#include "host/host.hpp"
#include "providers/grub/tokens.hpp"

namespace tunekeeper::grub {

/// One file that grub-mkconfig sources.
struct DefaultsFile {
  std::string path;
  std::string bytes;
  ShellFile shell;
  std::int64_t mtime_ns = 0;
};

/// What grub-mkconfig would put into normal entries: /etc/default/grub, then grub.d/*.cfg in the shell's
/// order.
struct Defaults {
  std::string unsupported;  ///< no GRUB here, boot loader specification, computed by the shell
  std::string failed;       ///< a file cannot be read or parsed
  std::vector<DefaultsFile> files;
  std::vector<Token> tokens;
  std::string cut;         ///< why nothing after `tokens` reaches the kernel; empty when all does
  std::string own_masked;  ///< why nothing may be added to our drop-in; empty when it may
  std::string decides;     ///< file and line of the last assignment: "etc/default/grub:9"
};

Defaults read_defaults(const HostView& host);

/// "etc/default/grub:9" of a raw place in one of the files.
std::string place_of(const DefaultsFile& file, std::size_t offset);

/// The generated menu and what belongs to it.
struct Menu {
  std::string path;  ///< "/boot/grub/grub.cfg"
  bool exists = false;
  std::string unknown;  ///< why it could not be read
  GrubCfg cfg;
  std::int64_t mtime_ns = 0;
};

Menu read_menu(const HostView& host);

/// Where this host's menu is, and its family of programs ("grub" or "grub2").
std::string menu_path(const HostView& host);
std::string program(const std::string& menu, const std::string& name);

}  // namespace tunekeeper::grub
