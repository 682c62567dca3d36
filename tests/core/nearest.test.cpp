#include "core/nearest.hpp"

#include "support/catch.hpp"

using namespace tunekeeper;

namespace {

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a letter left out, put in, mistaken or swapped with its neighbour is one step") {
  const Names names = {"vm.swappiness"};
  for (const auto* name : {"vm.swapiness", "vm.swapppiness", "vm.swoppiness", "vm.swapipness"}) {
    INFO(name);
    CHECK(nearest(name, names) == "vm.swappiness");
  }
  CHECK(nearest("dif", {"diff"}) == "diff");
  CHECK(nearest("idff", {"diff"}) == "diff");
  CHECK(nearest("aplpy", {"apply"}) == "apply");
}

TEST_CASE("a swap counts once, not twice") {
  CHECK(nearest("ab", {"ba"}) == "ba");
  CHECK_FALSE(nearest("abc", {"cba"}));
}

TEST_CASE("at most a third of the name may be wrong, and one letter in any case") {
  CHECK(nearest("abcdef", {"abcdXY"}) == "abcdXY");
  CHECK_FALSE(nearest("abcdef", {"abcXYZ"}));
  CHECK(nearest("hd", {"hdd"}) == "hdd");
  CHECK_FALSE(nearest("ab", {"cd"}));
  CHECK_FALSE(nearest("short", {"much_longer_than_it"}));
}

TEST_CASE("a name that shares no letter is not meant") {
  CHECK_FALSE(nearest("a", {"b"}));
  CHECK_FALSE(nearest("", {"b"}));
  CHECK(nearest("a", {"ab"}) == "ab");
}

TEST_CASE("the nearest of several is meant, of equally near ones the first") {
  CHECK(nearest("ssdd", {"hdd", "ssd", "nvme"}) == "ssd");
  CHECK(nearest("max_connection", {"max_connect_errors", "max_connections"}) == "max_connections");
  CHECK(nearest("cat", {"bat", "car"}) == "bat");
  CHECK_FALSE(nearest("cat", {}));
}

TEST_CASE("the question is asked only when there is one") {
  CHECK(did_you_mean("verfy", {"verify", "diff"}) == ", did you mean \"verify\"?");
  CHECK(did_you_mean("zzzzz", {"verify", "diff"}).empty());
}
