#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/expression.hpp"
#include "core/facts.hpp"
#include "core/setting.hpp"
#include "profile/profile.hpp"

namespace tunekeeper {

/// A setting that is stated, but of which this host cannot tell the value. `wish` has the id (with the keys
/// as written where they are computed from the missing fact), place, why and source, but no value. Nothing of
/// it is to be released.
struct Unresolved {
  Desired wish;
  std::string reason;           ///< "mysql.storage is not known here: …"; empty when the section is absent
  bool section_absent = false;  ///< the section's owner is not on this host: nothing was evaluated
};

/// What a profile wants of this host.
struct Evaluation {
  std::vector<Desired> desired;
  std::vector<Unresolved> unresolved;
};

/// Evaluates every setting whose section is present and whose `when` holds; one that does not hold is not
/// wanted at all. A missing fact makes the setting unresolved; any other fault of evaluation throws
/// InvalidProfile, with all of them. Facts are asked for only where an expression that counts uses them.
Evaluation evaluate(const Profile& profile, const FactSource& facts, Evaluator& evaluator,
                    const std::function<bool(std::string_view section)>& section_present);

/// Joins the wishes of several profiles; of one setting the last profile's counts.
Evaluation combine(std::vector<Evaluation> evaluations);

}  // namespace tunekeeper
