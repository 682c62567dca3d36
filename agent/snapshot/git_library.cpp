#include "snapshot/git_library.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "host/dynamic_library.hpp"

namespace tunekeeper {

namespace {

GitLibrary load() {
  // The first is the version whose headers this is built with; the others agree with it in all that is used
  // here.
  const DynamicLibrary file("git", {"libgit2.so.1.5", "libgit2.so.1.9", "libgit2.so.1.8", "libgit2.so.1.7",
                                    "libgit2.so.1.6", "libgit2.so.1.4", "libgit2.so.1.3", "libgit2.so.1.1"});
  GitLibrary table;
#define TUNEKEEPER_GIT_BIND(name) file.bind(table.name, "git_" #name);
  TUNEKEEPER_GIT_FUNCTIONS(TUNEKEEPER_GIT_BIND)
#undef TUNEKEEPER_GIT_BIND
  return table;
}

void shut_out_user_configuration(const GitLibrary& table) {
  for (const int level : {GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG,
                          GIT_CONFIG_LEVEL_GLOBAL}) {
    table.libgit2_opts(GIT_OPT_SET_SEARCH_PATH, level, "");
  }
  table.libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 1);
}

}  // namespace

const GitLibrary& git() {
  static const GitLibrary table = [] {
    GitLibrary loaded = load();
    if (loaded.libgit2_init() < 0) throw Error("git_libgit2_init failed");
    shut_out_user_configuration(loaded);
    return loaded;
  }();
  return table;
}

void check_git(int result, std::string_view call) {
  if (result >= 0) return;
  const git_error* last = git().error_last();
  throw Error(fmt::format("git_{}: {}", call,
                          last != nullptr && last->message != nullptr ? last->message : "no message"));
}

std::string to_hex(const git_oid& id) {
  char text[GIT_OID_HEXSZ + 1];
  return git().oid_tostr(text, sizeof text, &id);
}

}  // namespace tunekeeper
