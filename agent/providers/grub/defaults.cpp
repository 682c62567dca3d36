#include "providers/grub/defaults.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "providers/conf_files.hpp"

namespace tunekeeper::grub {
namespace {

std::string relative(std::string_view path) {
  return std::string(path.substr(1));
}

std::vector<std::string> sourced(const HostView& host) {
  std::vector<std::string> paths = {std::string(main_file)};
  for (std::string& path : host.glob(std::string(drop_in_folder) + "/*.cfg"))
    paths.push_back(std::move(path));
  return paths;
}

void read_files(const HostView& host, Defaults& made) {
  for (const std::string& path : sourced(host)) {
    const ReadResult read = host.read(path);
    // grub-mkconfig passes over a dangling link.
    if (read.absent()) continue;
    if (!read.ok()) {
      made.failed = fmt::format("cannot read {}: {}", path, std::strerror(read.error));
      return;
    }
    try {
      const auto info = host.info(path);
      made.files.push_back({path, read.bytes, ShellFile::parse(read.bytes), info ? info->mtime_ns : 0});
    } catch (const ShellSyntaxError& error) {
      made.failed = fmt::format("{}:{}:{}: sh cannot read it: {}", relative(path), error.line(),
                                error.column(), error.what());
      return;
    }
  }
}

/// A parameter can only be changed where it stands in a value of the two variables themselves.
void mark_editable(Defaults& made) {
  for (Token& token : made.tokens) {
    const ShellFile& shell = made.files[token.file].shell;
    const std::string& name = shell.statements()[token.statement].name;
    token.editable = token.editable && (name == every_entry || name == normal_entries);
  }
}

void evaluate(Defaults& made) {
  ShellEnvironment environment;
  for (std::size_t i = 0; i < made.files.size(); ++i)
    environment.run(made.files[i].shell, static_cast<std::uint16_t>(i));
  for (const std::string_view name : {every_entry, normal_entries}) {
    const std::optional<ShellValue> value = environment.get(name);
    if (!value) continue;
    const std::string place = fmt::format("{}:{}", relative(made.files[value->file].path), value->line);
    made.decides = place;
    if (value->computed) {
      made.unsupported = fmt::format("computed by the shell ({}: {})", relative(made.files[value->file].path),
                                     value->reason);
      return;
    }
    if (!made.cut.empty()) continue;
    for (Token& token : tokens_in(value->bytes, &made.cut)) made.tokens.push_back(std::move(token));
    if (!made.cut.empty())
      made.cut = fmt::format("{}: {}; nothing after it reaches the kernel", place, made.cut);
  }
  mark_editable(made);
}

}  // namespace

std::string place_of(const DefaultsFile& file, std::size_t offset) {
  const auto line = 1 + std::count(file.bytes.begin(), file.bytes.begin() + static_cast<long>(offset), '\n');
  return fmt::format("{}:{}", relative(file.path), line);
}

Defaults read_defaults(const HostView& host) {
  Defaults made;
  if (!host.exists(main_file)) {
    made.unsupported = "GRUB is not installed here";
  } else if (!host.glob("/boot/loader/entries/*.conf").empty()) {
    made.unsupported = "this host boots by /boot/loader/entries, which tunekeeper does not write yet";
  } else {
    made.own_masked = masked_reason(host, std::string(own_file));
    read_files(host, made);
    if (made.failed.empty()) evaluate(made);
  }
  return made;
}

std::string menu_path(const HostView& host) {
  const bool second = !host.exists("/boot/grub/grub.cfg") && host.exists("/boot/grub2/grub.cfg");
  return second ? "/boot/grub2/grub.cfg" : "/boot/grub/grub.cfg";
}

std::string program(const std::string& menu, const std::string& name) {
  return (menu.find("/grub2/") == std::string::npos ? "grub-" : "grub2-") + name;
}

Menu read_menu(const HostView& host) {
  Menu menu;
  menu.path = menu_path(host);
  const ReadResult read = host.read(menu.path);
  menu.exists = !read.absent();
  if (!read.ok()) {
    if (menu.exists) menu.unknown = fmt::format("cannot read {}: {}", menu.path, std::strerror(read.error));
    return menu;
  }
  const auto info = host.info(menu.path);
  menu.mtime_ns = info ? info->mtime_ns : 0;
  const std::vector<std::string> names = host.list("/boot");
  const bool any = std::any_of(names.begin(), names.end(),
                               [](const std::string& name) { return name.compare(0, 6, "vmlinu") == 0; });
  const std::string environment = menu.path.substr(0, menu.path.rfind('/')) + "/grubenv";
  menu.cfg = GrubCfg::parse(read.bytes, host.read(environment).bytes, [&](std::string_view kernel) {
    return !any || std::find(names.begin(), names.end(), kernel) != names.end();
  });
  return menu;
}

}  // namespace tunekeeper::grub
