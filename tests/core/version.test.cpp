#include "core/version.hpp"

#include "support/catch.hpp"
#include "support/property.hpp"

using tunekeeper::compare_versions;

TEST_CASE("versions compare part by part, as numbers") {
  CHECK(compare_versions("10.11.19", "10.2") > 0);
  CHECK(compare_versions("10.11", "10.11.0") == 0);
  CHECK(compare_versions("8.0.36", "8.0.30") > 0);
  CHECK(compare_versions("8.0.4", "8.0.30") < 0);
  CHECK(compare_versions("08.1", "8.01") == 0);
  CHECK(compare_versions("99999999999999999999.1", "99999999999999999999.2") < 0);
  CHECK(compare_versions("6.1.0-23-amd64", "6.1.0-9-amd64") > 0);
  CHECK(compare_versions("1.0-rc1", "1.0.1") < 0);
  CHECK(compare_versions("", "") == 0);
}

TEST_CASE("a version begins with a digit") {
  CHECK(tunekeeper::is_version("10.11.19-MariaDB"));
  CHECK_FALSE(tunekeeper::is_version("v10"));
  CHECK_FALSE(tunekeeper::is_version(""));
}

TEST_CASE("the order of versions is antisymmetric and transitive") {
  const auto a_version =
      rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(std::vector<std::string>{
                       "0", "1", "02", "10", ".", "-", "rc", "a", "~", "99999999999999999999"})),
                   [](const auto& pieces) {
                     std::string text;
                     for (const auto& piece : pieces) text += piece;
                     return text;
                   });
  CHECK(tunekeeper::test::holds("order", [&] {
    const auto a = *a_version, b = *a_version, c = *a_version;
    RC_ASSERT(compare_versions(a, a) == 0);
    RC_ASSERT(compare_versions(a, b) == -compare_versions(b, a));
    if (compare_versions(a, b) <= 0 && compare_versions(b, c) <= 0) RC_ASSERT(compare_versions(a, c) <= 0);
  }));
}
