#include "formats/grub_cfg.hpp"

#include "support/catch.hpp"

using namespace tunekeeper;

namespace {

/// Shaped as Debian's grub-mkconfig prints it.
const std::string menu = R"(### BEGIN /etc/grub.d/00_header ###
if [ -s $prefix/grubenv ]; then
  set have_grubenv=true
  load_env
fi
if [ "${next_entry}" ] ; then
   set default="${next_entry}"
   set next_entry=
   save_env next_entry
   set boot_once=true
else
   set default="0"
fi
function savedefault {
  if [ -z "${boot_once}" ]; then
    saved_entry="${chosen}"
  fi
}
menuentry 'Debian GNU/Linux' --class debian --class os $menuentry_id_option 'gnulinux-simple-u1' {
	load_video
	if [ x$grub_platform = xxen ]; then insmod xzio; insmod lzopio; fi
	echo	'Loading {Linux} ...'
	linux	/boot/vmlinuz-6.1.0-44-amd64 root=UUID=u1 ro console=ttyS0 quiet k='a b'
	initrd	/boot/initrd.img-6.1.0-44-amd64
}
submenu 'Advanced options for Debian GNU/Linux' $menuentry_id_option 'gnulinux-advanced-u1' {
	menuentry 'Debian GNU/Linux, with Linux 6.1.0-44-amd64' --class debian $menuentry_id_option 'gnulinux-6.1.0-44-amd64-advanced-u1' {
		linux	/boot/vmlinuz-6.1.0-44-amd64 root=UUID=u1 ro console=ttyS0 quiet ; lost
	}
	menuentry 'Debian GNU/Linux, with Linux 6.1.0-44-amd64 (recovery mode)' $menuentry_id_option 'gnulinux-6.1.0-44-amd64-recovery-u1' {
		linux	/boot/vmlinuz-6.1.0-44-amd64 root=UUID=u1 ro single console=ttyS0
	}
}
menuentry 'Memory test' { linux16 /boot/memtest86+x64.bin }
menuentry 'Windows' --class windows $menuentry_id_option 'osprober-chain-AA' {
	chainloader /efi/Microsoft/Boot/bootmgfw.efi
}
menuentry 'Other Linux' $menuentry_id_option 'osprober-gnulinux-simple-u2' {
	linux /boot/vmlinuz-5.0 root=UUID=u2
}
)";

GrubCfg read(const std::string& bytes, const std::string& grubenv = "") {
  return GrubCfg::parse(
      bytes, grubenv, [](std::string_view kernel) { return kernel.find("6.1.0") != std::string_view::npos; });
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

std::string default_id(const std::string& spec, const std::string& grubenv = "") {
  const GrubCfg cfg = read(replaced(menu, "set default=\"0\"", "set default=\"" + spec + "\""), grubenv);
  return cfg.default_entry()->id;
}

}  // namespace

TEST_CASE("grub.cfg: normal entries are told from recovery, memtest, chain loaders and other systems") {
  const GrubCfg cfg = read(menu);
  std::vector<std::pair<std::string, GrubEntryKind>> kinds;
  for (const GrubEntry& entry : cfg.entries()) kinds.emplace_back(entry.title, entry.kind);
  REQUIRE(kinds.size() == 6);
  CHECK(kinds[0] == std::pair{std::string("Debian GNU/Linux"), GrubEntryKind::normal});
  CHECK(kinds[1].second == GrubEntryKind::normal);
  CHECK(kinds[2].second == GrubEntryKind::recovery);
  CHECK(kinds[3] == std::pair{std::string("Memory test"), GrubEntryKind::other});
  CHECK(kinds[4].second == GrubEntryKind::other);
  CHECK(kinds[5].second == GrubEntryKind::other);
}

TEST_CASE("grub.cfg: the command line is unquoted by GRUB's rules and ends at a bare semicolon") {
  const GrubCfg cfg = read(menu);
  CHECK(cfg.entries()[0].kernel == "/boot/vmlinuz-6.1.0-44-amd64");
  CHECK(cfg.entries()[0].tokens.back().text() == "k=a b");
  CHECK(cfg.entries()[1].tokens.back().text() == "quiet");
}

TEST_CASE("grub.cfg: the default is found by number, id, title, path and saved entry") {
  CHECK(default_id("0") == "gnulinux-simple-u1");
  CHECK(default_id("1>0") == "gnulinux-6.1.0-44-amd64-advanced-u1");
  CHECK(default_id("gnulinux-advanced-u1>gnulinux-6.1.0-44-amd64-recovery-u1") ==
        "gnulinux-6.1.0-44-amd64-recovery-u1");
  CHECK(default_id("1") == "gnulinux-6.1.0-44-amd64-advanced-u1");
  CHECK(default_id("Windows") == "osprober-chain-AA");
  CHECK(default_id("no such entry") == "gnulinux-simple-u1");
  const std::string saved = "# GRUB Environment Block\nsaved_entry=gnulinux-advanced-u1>1\n#####";
  CHECK(default_id("${saved_entry}", saved) == "gnulinux-6.1.0-44-amd64-recovery-u1");
  CHECK(default_id("${saved_entry}", "") == "gnulinux-simple-u1");
  CHECK(default_id("0", "next_entry=Windows\n") == "osprober-chain-AA");
}
