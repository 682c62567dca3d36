// A generated grub.cfg: entries stand in the menu's order, each in a place of its own, and the default is one
// of them. Parts of the input: grub.cfg, grubenv.

#include "formats/grub_cfg.hpp"

#include <algorithm>

#include "fuzz/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tunekeeper;
  const fuzz::Input input(data, size);
  const auto is_ours = [](std::string_view kernel) { return kernel.starts_with("vmlinuz"); };
  const GrubCfg cfg = GrubCfg::parse(input.part(0), input.part(1), is_ours);
  const auto& entries = cfg.entries();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    fuzz::require(!entries[i].place.empty(), "an entry has its place in the menu");
    fuzz::require(!entries[i].kernel.empty() || entries[i].kind == GrubEntryKind::other,
                  "an entry without a kernel is not ours to count");
    for (std::size_t j = 0; j < i && i < 40; ++j) {
      fuzz::require(entries[j].place != entries[i].place, "no two entries share a place");
    }
  }
  const GrubEntry* standard = cfg.default_entry();
  fuzz::require((standard == nullptr) == entries.empty(), "a menu with entries has a default");
  fuzz::require(
      standard == nullptr || (standard >= entries.data() && standard < entries.data() + entries.size()),
      "the default is one of the entries");
  return 0;
}
