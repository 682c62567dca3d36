#pragma once

#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <utility>

#include <rapidcheck.h>

namespace tunekeeper::test {

/// The parameters of this process's generated tests, with a seed drawn where RC_PARAMS gives none. They are
/// printed before anything is generated, so that a crash or a hang can be repeated as well. rapidcheck reads
/// them once, at its first use.
inline void fix_seed() {
  static const bool fixed = [] {
    const char* given = std::getenv("RC_PARAMS");
    std::string parameters = given == nullptr ? "" : given;
    if (parameters.find("seed=") == std::string::npos && parameters.find("reproduce=") == std::string::npos)
      parameters += (parameters.empty() ? "seed=" : " seed=") + std::to_string(std::random_device{}());
    ::setenv("RC_PARAMS", parameters.c_str(), 1);
    std::cout << "to repeat what is generated here: RC_PARAMS='" << parameters << "'" << std::endl;
    return true;
  }();
  static_cast<void>(fixed);
}

/// rc::check, in a run that can be repeated.
template <typename Property>
bool holds(const std::string& name, Property&& property) {
  fix_seed();
  return rc::check(name, std::forward<Property>(property));
}

/// The same with the number of cases to try.
template <typename Property>
bool holds(const std::string& name, Property&& property, int cases) {
  fix_seed();
  rc::detail::TestParams parameters = rc::detail::configuration().testParams;
  parameters.maxSuccess = cases;
  const auto result = rc::detail::checkTestable(std::forward<Property>(property),
                                                rc::detail::TestMetadata{name, name}, parameters);
  if (result.template is<rc::detail::SuccessResult>()) return true;
  rc::detail::printResultMessage(result, std::cerr);
  return false;
}

}  // namespace tunekeeper::test
