#include "snapshot/etckeeper_conf.hpp"

#include <array>
#include <sstream>

#include <fmt/format.h>

#include "formats/shell_vars.hpp"

namespace tunekeeper {
namespace {

constexpr const char* kConf = "/etc/etckeeper/etckeeper.conf";

/// By what stands in /etc; etckeeper asks in this order.
std::string vcs_by_folder(const HostView& host) {
  constexpr std::array<std::pair<const char*, const char*>, 4> folders{
      {{"/etc/.git", "git"}, {"/etc/.hg", "hg"}, {"/etc/_darcs", "darcs"}, {"/etc/.bzr", "bzr"}}};
  for (const auto& [folder, vcs] : folders) {
    const auto info = host.info(folder);
    if (info && info->kind == FileKind::directory) return vcs;
  }
  return {};
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace

EtckeeperConf read_etckeeper_conf(const HostView& host) {
  EtckeeperConf conf;
  const ReadResult read = host.read(kConf);
  if (!read.ok()) return conf;
  conf.installed = true;
  conf.vcs = vcs_by_folder(host);
  try {
    ShellEnvironment environment("");
    environment.run(ShellFile::parse(read.bytes), 0);
    const auto vcs = environment.get("VCS");
    if (conf.vcs.empty() && vcs && !vcs->computed) conf.vcs = vcs->text();
    const auto remotes = environment.get("PUSH_REMOTE");
    if (remotes && remotes->computed)
      conf.problem = fmt::format("{} sets PUSH_REMOTE by {}", kConf, remotes->reason);
    if (remotes && !remotes->computed) conf.push_remotes = words_of(remotes->text());
  } catch (const ShellSyntaxError& error) {
    conf.problem = fmt::format("{}: {}", kConf, error.what());
  }
  return conf;
}

}  // namespace tunekeeper
