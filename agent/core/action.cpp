#include "core/action.hpp"

#include <fmt/format.h>

#include "core/secret.hpp"

namespace tunekeeper {
namespace {

std::string join(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

struct Describe {
  std::string operator()(const EditFile& edit) const {
    return (edit.remove ? "remove " : "write ") + edit.path;
  }
  std::string operator()(const ReplaceEntry& entry) const {
    if (entry.kind == ReplaceEntry::Kind::absent) return "remove " + entry.path;
    if (entry.kind == ReplaceEntry::Kind::file) return "write " + entry.path;
    return fmt::format("link {} to {}", entry.path, entry.content);
  }
  std::string operator()(const WriteLive& write) const {
    return fmt::format("set {} to {}", write.path, shown(write.path, Value::of(write.value)));
  }
  std::string operator()(const GenerateFile& generate) const {
    return fmt::format("generate {} with {}", generate.path, join(generate.generator));
  }
  std::string operator()(const CheckFiles& check) const { return "check with " + join(check.argv); }
  std::string operator()(const ServiceJob& job) const {
    return (job.kind == ServiceJob::Kind::reload ? "reload " : "restart ") + job.service;
  }
  std::string operator()(const SetGlobal& set) const {
    return fmt::format("set {} of the running {} to {}", set.name, set.service,
                       shown(set.name, Value::of(set.value)));
  }
  std::string operator()(const DaemonReload&) const { return "make systemd read its unit files again"; }
};

}  // namespace

std::string_view to_string(Phase phase) {
  switch (phase) {
    case Phase::check:
      return "check";
    case Phase::files:
      return "files";
    case Phase::generate:
      return "generate";
    case Phase::daemon_reload:
      return "daemon-reload";
    case Phase::kernel:
      return "kernel";
    case Phase::set_global:
      return "set-global";
    case Phase::reload:
      return "reload";
    case Phase::restart:
      return "restart";
    case Phase::prove:
      return "prove";
  }
  return "prove";
}

std::string describe(const Action& action) {
  return std::visit(Describe{}, action.deed);
}

}  // namespace tunekeeper
