#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/apply.hpp"

namespace tunekeeper {

/// A plan as `diff -o` keeps it ("tunekeeper.plan/1"): what it was made for, and digests of all that it saw,
/// so that `apply` performs just what was shown, or nothing.
struct SavedPlan {
  std::vector<std::string> profiles;  ///< empty: host.yaml's
  std::vector<std::string> only;
  std::vector<std::string> drop;
  PlaneSet planes;
  std::string wishes;                        ///< digest of what the profiles asked for
  std::map<std::string, std::string> seen;   ///< setting id to the digest of its planes
  std::map<std::string, std::string> files;  ///< path to the digest of the bytes that would be edited
};

SavedPlan save_plan(const Wishes& wishes, const RunOptions& options, const Plan& plan);
std::string to_json_text(const SavedPlan& saved, const Plan& plan);
/// Throws Error (invalid) when the text is no plan.
SavedPlan parse_plan(std::string_view text);

/// What is no longer as the plan saw it, in words; empty when nothing changed.
std::string changed_since(const SavedPlan& saved, const SavedPlan& now);

}  // namespace tunekeeper
