#pragma once

#include "engine/apply.hpp"

namespace tunekeeper {

/// Generates each boot file of the plan from the inputs as they are now. Where that already differs from the
/// installed one (a new default kernel, a hand edit), putting a generated file in its place brings changes
/// that this run did not ask for: unattended refuses, a person must say yes. Throws Error when refused.
void refuse_foreign_boot(const Session& session, const Plan& plan, bool unattended, Dialogue& dialogue);

}  // namespace tunekeeper
