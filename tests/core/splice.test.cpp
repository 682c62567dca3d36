#include "core/splice.hpp"

#include <algorithm>
#include <stdexcept>

#include "support/catch.hpp"
#include "support/property.hpp"

using namespace tunekeeper;

namespace {

/// Splices that do not touch each other, and the ones that take them back.
struct Edits {
  std::string original;
  std::vector<Splice> forward, back;
};

Edits some_edits() {
  Edits edits{*rc::gen::arbitrary<std::string>(), {}, {}};
  std::size_t offset = 0;
  std::size_t shifted = 0;  // the same place in the result
  while (true) {
    const auto kept = *rc::gen::inRange<std::size_t>(1, 6);
    const auto length = *rc::gen::inRange<std::size_t>(0, 4);
    if (offset + kept + length > edits.original.size()) return edits;
    offset += kept, shifted += kept;
    const auto text = *rc::gen::arbitrary<std::string>();
    edits.forward.push_back({offset, length, text});
    edits.back.push_back({shifted, text.size(), edits.original.substr(offset, length)});
    offset += length, shifted += text.size();
  }
}

}  // namespace

TEST_CASE("what no splice names stays byte for byte") {
  const std::string original("a\r\n\0\xff b", 7);
  CHECK(splice(original, {}) == original);
  CHECK(splice("key = 1 # why\r\n", {{6, 1, "2"}}) == "key = 2 # why\r\n");
  CHECK(splice("abc", {{1, 1, ""}}) == "ac");
  CHECK(splice("", {{0, 0, "new\n"}}) == "new\n");
  CHECK(splice("abc", {{3, 0, "d"}}) == "abcd");
  CHECK(splice("abc", {{0, 3, ""}}).empty());
}

TEST_CASE("offsets are of the original bytes, in whatever order the splices come") {
  CHECK(splice("abcdef", {{4, 1, "EEE"}, {0, 1, ""}, {2, 1, "CC"}}) == "bCCdEEEf");
}

TEST_CASE("insertions at one place keep their order") {
  CHECK(splice("ab", {{1, 0, "1"}, {1, 0, "2"}, {0, 0, "0"}, {1, 0, "3"}}) == "0a123b");
}

TEST_CASE("an insertion at the begin of a replaced span stands before it, whichever was named first") {
  CHECK(splice("abc", {{1, 1, "B"}, {1, 0, "+"}}) == "a+Bc");
  CHECK(splice("abc", {{1, 0, "+"}, {1, 1, "B"}}) == "a+Bc");
}

TEST_CASE("an insertion at the end of a replaced span stands behind it") {
  CHECK(splice("abc", {{2, 0, "+"}, {1, 1, "B"}}) == "aB+c");
}

TEST_CASE("overlapping splices are refused") {
  CHECK_THROWS_AS(splice("abcdef", {{0, 3, "x"}, {2, 1, "y"}}), std::invalid_argument);
  CHECK_THROWS_AS(splice("abcdef", {{1, 1, "x"}, {1, 1, "x"}}), std::invalid_argument);
  CHECK_THROWS_AS(splice("abcdef", {{0, 3, "x"}, {1, 0, "y"}}), std::invalid_argument);
  CHECK_NOTHROW(splice("abcdef", {{0, 3, "x"}, {3, 1, "y"}}));
}

TEST_CASE("a splice outside its file is refused, also where offset and length overflow") {
  CHECK_THROWS_AS(splice("abc", {{4, 0, "x"}}), std::invalid_argument);
  CHECK_THROWS_AS(splice("abc", {{2, 2, "x"}}), std::invalid_argument);
  CHECK_THROWS_AS(splice("abc", {{1, SIZE_MAX, "x"}}), std::invalid_argument);
  CHECK_THROWS_AS(splice("abc", {{SIZE_MAX, 1, "x"}}), std::invalid_argument);
}

TEST_CASE("splices and their inverses give the original back") {
  CHECK(test::holds("inverse", [] {
    const Edits edits = some_edits();
    RC_ASSERT(splice(splice(edits.original, edits.forward), edits.back) == edits.original);
  }));
}

TEST_CASE("the order in which splices come does not matter") {
  CHECK(test::holds("any order", [] {
    const Edits edits = some_edits();
    auto turned = edits.forward;
    std::reverse(turned.begin(), turned.end());
    RC_ASSERT(splice(edits.original, turned) == splice(edits.original, edits.forward));
  }));
}
