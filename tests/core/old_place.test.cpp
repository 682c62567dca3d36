#include "core/old_place.hpp"

#include "support/catch.hpp"

using namespace tunekeeper;

namespace {

/// What comes of appending the line to `now`, when it stood in `then`.
std::string brought_back(const std::string& now, const std::string& line, const std::string& then) {
  const bool open = !now.empty() && now.back() != '\n';
  return splice(now, at_old_places(now, {{now.size(), 0, open ? "\n" + line + "\n" : line + "\n"}}, then));
}

}  // namespace

TEST_CASE("a line comes back after its upper neighbour, wherever that stands now") {
  CHECK(brought_back("a\nc\nnew\n", "b", "a\nb\nc\n") == "a\nb\nc\nnew\n");
  CHECK(brought_back("new\nc\na\n", "b", "a\nb\nc\n") == "new\nc\na\nb\n");
}

TEST_CASE("where the upper neighbour is gone, the lower one tells the place, then the next nearest") {
  CHECK(brought_back("x\nc\ny\n", "b", "a\nb\nc\n") == "x\nb\nc\ny\n");
  CHECK(brought_back("x\nd\ny\n", "b", "a\nb\nc\nd\n") == "x\nb\nd\ny\n");
}

TEST_CASE("without a neighbour that still stands the line goes where it was put") {
  CHECK(brought_back("x\ny\n", "b", "a\nb\nc\n") == "x\ny\nb\n");
  CHECK(brought_back("x\ny", "b", "a\nb\nc\n") == "x\ny\nb\n");
  CHECK(brought_back("a\nc\n", "new", "a\nb\nc\n") == "a\nc\nnew\n");
}

TEST_CASE("blank lines and lines that stand twice are no neighbours") {
  CHECK(brought_back("a\n\nz\n", "b", "a\n\nb\n\nc\n") == "a\nb\n\nz\n");
  CHECK(brought_back("}\nz\n}\nc\n", "b", "a\n}\nb\nc\n}\n") == "}\nz\n}\nb\nc\n");
}

TEST_CASE("a statement that stood twice has no one old place") {
  CHECK(brought_back("a\nc\n", "b", "a\nb\nc\nb\n") == "a\nc\nb\n");
}

TEST_CASE("the neighbour's line end is taken, and a last line without one gets one") {
  CHECK(brought_back("a\r\nc\r\n", "b", "a\r\nb\r\nc\r\n") == "a\r\nb\r\nc\r\n");
  CHECK(brought_back("x\na", "b", "a\nb\n") == "x\na\nb");
}

TEST_CASE("a comment behind the statement does not hide its old place, indents do not either") {
  CHECK(brought_back("\ta 1;\n\tc 3;\n", "\tb 2;", "\ta 1;\n\tb 2;  # why\n\tc 3;\n") ==
        "\ta 1;\n\tb 2;\n\tc 3;\n");
}

TEST_CASE("splices within a line, and removals, stay as they are") {
  const std::vector<Splice> splices = {{1, 0, "x"}, {2, 2, ""}};
  CHECK(at_old_places("a\nb\nc\n", splices, "a\nx\nb\n") == splices);
}

TEST_CASE("several lines go each to its own place") {
  const std::string now = "a\nc\ne\n";
  CHECK(splice(now, at_old_places(now, {{now.size(), 0, "b\nd\n"}}, "a\nb\nc\nd\ne\n")) == "a\nb\nc\nd\ne\n");
}
