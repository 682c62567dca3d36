#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "formats/kernel_cmdline.hpp"

namespace tunekeeper {

/// What kind of boot an entry of the menu makes.
enum class GrubEntryKind {
  normal,    ///< boots a kernel of this host for ordinary work
  recovery,  ///< single user, rescue, emergency
  other,     ///< memtest, a chain loader, another system, firmware: not ours to count
};

/// One menu entry of a generated grub.cfg.
struct GrubEntry {
  std::string title;
  std::string id;
  std::string kernel;               ///< "/boot/vmlinuz-6.1.0-44-amd64"; empty without a linux line
  std::vector<KernelToken> tokens;  ///< its parameters, unquoted by GRUB's rules
  GrubEntryKind kind = GrubEntryKind::other;
  std::vector<std::size_t>
      place;  ///< indices from the top of the menu: {1, 0} is the first of the second's submenu
};

/// A generated grub.cfg: its entries, in order, and which of them the next boot takes.
class GrubCfg {
 public:
  /// `is_ours` tells by a kernel's base name whether this host has it. `grubenv` is that file's content.
  static GrubCfg parse(std::string_view bytes, std::string_view grubenv,
                       const std::function<bool(std::string_view kernel)>& is_ours);

  const std::vector<GrubEntry>& entries() const { return entries_; }
  /// The entry that the next boot takes: next_entry, else the default; the first where that names none. Null
  /// in an empty menu.
  const GrubEntry* default_entry() const;

 private:
  struct Menu {
    std::string title;
    std::string id;
    std::vector<std::size_t> place;
  };

  friend class GrubCfgReader;
  std::optional<std::vector<std::size_t>> find(std::string_view spec) const;

  std::vector<GrubEntry> entries_;
  std::vector<Menu> menus_;  ///< entries and submenus
  std::string default_;
};

/// The variables of a GRUB environment block.
std::map<std::string, std::string, std::less<>> grub_environment(std::string_view bytes);

}  // namespace tunekeeper
