#include "engine/push.hpp"

#include <fmt/format.h>

#include "snapshot/etckeeper_conf.hpp"

namespace tunekeeper {
namespace {

constexpr std::chrono::seconds kPatience{30};

std::string words_on(const CommandResult& result) {
  if (result.timed_out) return fmt::format("no answer within {} s", kPatience.count());
  std::string words = result.err.empty() ? result.out : result.err;
  while (!words.empty() && words.back() == '\n') words.pop_back();
  return words.empty() ? fmt::format("git exits with {}", result.status) : words;
}

}  // namespace

void push_commits(Session& session, const std::function<void(const std::string&)>& tell) {
  if (session.host.is_other_root()) return;
  const EtckeeperConf conf = read_etckeeper_conf(session.host);
  if (!conf.installed || conf.vcs != "git") return;
  if (!conf.problem.empty()) return tell("nothing was pushed: " + conf.problem);
  for (const std::string& remote : conf.push_remotes) {
    CommandOptions options;
    options.deadline = kPatience;
    const CommandResult result =
        session.host.run({"git", "-C", "/etc", "push", "--quiet", "--", remote}, options);
    if (!result.ok()) tell(fmt::format("the commit was not pushed to {}: {}", remote, words_on(result)));
  }
}

}  // namespace tunekeeper
