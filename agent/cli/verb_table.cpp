#include <array>

#include "cli/verb.hpp"
#include "cli/verbs.hpp"

namespace tunekeeper {

std::span<const Verb> all_verbs() {
  static const std::array<Verb, 14> verbs = {{
      {"diff", "what differs, on which plane, and when a change would take effect", prepare_diff},
      {"apply", "make it so: all or nothing, read back, committed", prepare_apply},
      {"verify", "the check for cron and monitoring", prepare_verify},
      {"status", "last run, generation, hold, what waits for a restart or reboot", prepare_status},
      {"history", "generations, newest first", prepare_history},
      {"show", "one generation with its changed lines", prepare_show},
      {"rollback", "back to a generation, live values included", prepare_rollback},
      {"hold", "stop every apply until unhold", prepare_hold},
      {"unhold", "end a hold", prepare_unhold},
      {"list", "profiles on the search path", prepare_list},
      {"check", "every fault of a profile file", prepare_check},
      {"explain", "why a setting or profile is what it is", prepare_explain},
      {"facts", "what is known of this host", prepare_facts},
      {"init", "keep /etc in git", prepare_init},
  }};
  return verbs;
}

}  // namespace tunekeeper
