#include "core/compare.hpp"

#include "support/catch.hpp"
#include "support/property.hpp"

using namespace tunekeeper;

namespace {

constexpr ValueType all_types[] = {ValueType::text,      ValueType::text_nocase,   ValueType::number,
                                   ValueType::size,      ValueType::boolean,       ValueType::words,
                                   ValueType::selection, ValueType::cpu_list,      ValueType::cpu_mask,
                                   ValueType::duration,  ValueType::number_ranges, ValueType::option};

/// Texts that look like values of every type, and ones that nearly do.
rc::Gen<std::string> a_text() {
  const auto piece = rc::gen::elementOf(std::vector<std::string>{
      "0",  "1",    "05",     "10", "0x10", "0x1", "f", "-", ",", ".", "+",  " ", "\t",
      "[",  "]",    "always", "ON", "no",   "8G",  "k", "M", "m", "s", "ms", "h", "18446744073709551615",
      "\n", "\xff", "0-3",    "e"});
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece), [](const auto& pieces) {
    std::string text;
    for (const auto& each : pieces) text += each;
    return text;
  });
}

rc::Gen<std::string> a_number() {
  const auto whole =
      rc::gen::map(rc::gen::arbitrary<std::int32_t>(), [](auto n) { return std::to_string(n); });
  const auto fraction = rc::gen::elementOf(std::vector<std::string>{"", "", ".0", ".5", ".50", ".125"});
  return rc::gen::map(rc::gen::pair(whole, fraction),
                      [](const auto& parts) { return parts.first + parts.second; });
}

}  // namespace

TEST_CASE("text is exact, but for surrounding blanks") {
  CHECK(same(ValueType::text, " |/bin/x %p\n", "|/bin/x %p"));
  CHECK_FALSE(same(ValueType::text, "a b", "a  b"));
  CHECK_FALSE(same(ValueType::text, "never", "Never"));
  CHECK_FALSE(same(ValueType::text, "05", "5"));
  CHECK(same(ValueType::text, "", " \t\n"));
}

TEST_CASE("an enumeration's case does not matter where its type says so") {
  CHECK(same(ValueType::text_nocase, "o_direct", "O_DIRECT\n"));
  CHECK_FALSE(same(ValueType::text_nocase, "O_DIRECT", "O_DIRECT_NO_FSYNC"));
}

TEST_CASE("C2: a hexadecimal number never equals the decimal one with its digits") {
  for (const auto type : {ValueType::number, ValueType::size, ValueType::words, ValueType::option}) {
    CHECK_FALSE(same(type, "10", "0x10"));
    CHECK(same(type, "1", "0x1"));
  }
  CHECK(same(ValueType::number, "0x10", "16"));
  CHECK(same(ValueType::number, "0X1f", "31"));
  CHECK_FALSE(same(ValueType::number, "0x", "0"));
}

TEST_CASE("C3: leading zeros do not make another number") {
  CHECK(same(ValueType::number, "05", "5"));
  CHECK(same(ValueType::size, "05", "5"));
  CHECK(same(ValueType::words, "05", "5"));
  CHECK(same(ValueType::option, "05", "5"));
  CHECK(same(ValueType::number, "000", "0"));
}

TEST_CASE("a number has a sign and a fraction") {
  CHECK(same(ValueType::number, "-1", " -1\n"));
  CHECK(same(ValueType::number, "+5", "5"));
  CHECK(same(ValueType::number, "-0", "0"));
  CHECK(same(ValueType::number, "90.000000", "90"));
  CHECK(same(ValueType::number, "0.70", "0.7"));
  CHECK_FALSE(same(ValueType::number, "1", "-1"));
  CHECK_FALSE(same(ValueType::number, "0.7", "0.07"));
  CHECK_FALSE(same(ValueType::number, "5.", "5"));
  CHECK_FALSE(same(ValueType::number, "", "0"));
}

TEST_CASE("numbers beyond 64 bits are compared whole") {
  CHECK(same(ValueType::number, "018446744073709551616", "18446744073709551616"));
  CHECK_FALSE(same(ValueType::number, "18446744073709551616", "18446744073709551617"));
}

TEST_CASE("a size has one suffix, a power of 1024") {
  CHECK(same(ValueType::size, "8G", "8589934592"));
  CHECK(same(ValueType::size, "8g", "8192M"));
  CHECK(same(ValueType::size, "1K", "1024"));
  CHECK(same(ValueType::size, "1T", "1024G"));
  CHECK(same(ValueType::size, "1P", "1024t"));
  CHECK(same(ValueType::size, "1E", "1024p"));
  CHECK_FALSE(same(ValueType::size, "8G", "8"));
  CHECK_FALSE(same(ValueType::size, "8G", "8000000000"));
  CHECK_FALSE(same(ValueType::size, "8GB", "8G"));
  CHECK_FALSE(same(ValueType::size, "-1", "18446744073709551615"));
}

TEST_CASE("a size is parsed in bytes, or is none") {
  CHECK(parse_size(" 128k\n") == 131072U);
  CHECK(parse_size("42") == 42U);
  CHECK(parse_size("15E") == std::uint64_t{15} << 60);
  CHECK(parse_size("18446744073709551615") == UINT64_MAX);
  for (const auto* text :
       {"", "k", "16E", "18446744073709551616", "1.5G", "-1", "8 G", "8GB", "0x1f", "0xe"}) {
    INFO(text);
    CHECK_FALSE(parse_size(text));
  }
}

TEST_CASE("booleans are the same in any of their words") {
  for (const auto* yes : {"ON", "true", "Yes", "y", "1", " 1\n"})
    for (const auto* no : {"OFF", "false", "No", "N", "0"}) {
      CHECK(same(ValueType::boolean, yes, "on"));
      CHECK(same(ValueType::boolean, no, "off"));
      CHECK_FALSE(same(ValueType::boolean, yes, no));
    }
  CHECK(same(ValueType::boolean, "Auto", "auto"));
  CHECK_FALSE(same(ValueType::boolean, "2", "1"));
  CHECK_FALSE(same(ValueType::boolean, "", "0"));
}

TEST_CASE("C1: a list of words is the same with blanks or tabs") {
  CHECK(same(ValueType::words, "250 32000 100 128", "250\t32000\t100\t128\n"));
  CHECK(same(ValueType::words, "  4096   87380 6291456", "4096\t87380\t6291456"));
  CHECK_FALSE(same(ValueType::words, "250 32000", "32000 250"));
  CHECK_FALSE(same(ValueType::words, "250 32000", "250 32000 100"));
  CHECK_FALSE(same(ValueType::words, "25032000", "250 32000"));
}

TEST_CASE("C8: of a selection the word in brackets counts") {
  CHECK(same(ValueType::selection, "madvise", "always [madvise] never\n"));
  CHECK(same(ValueType::selection, "none", "[none] mq-deadline"));
  CHECK(same(ValueType::selection, "none", "none"));
  CHECK_FALSE(same(ValueType::selection, "always", "always [madvise] never"));
  CHECK_FALSE(same(ValueType::selection, "madv", "always [madvise] never"));
}

TEST_CASE("a selection names its word, and what it offers") {
  CHECK(selected("always [madvise] never\n") == "madvise");
  CHECK(selected(" tsc \n") == "tsc");
  CHECK(selected("x [y") == "x [y");
  CHECK(selected("x]y[z") == "x]y[z");
  CHECK(offers("none [mq-deadline] kyber\n", "kyber"));
  CHECK(offers("none [mq-deadline] kyber\n", "mq-deadline"));
  CHECK_FALSE(offers("none [mq-deadline] kyber", "bfq"));
  CHECK_FALSE(offers("none [mq-deadline]", "deadline"));
  CHECK(offers("mq-deadline", "bfq"));
}

TEST_CASE("C4: reserved ports are the same however the kernel joins their ranges") {
  CHECK(same(ValueType::number_ranges, "1,2-5,10-20", "1-5,10-20\n"));
  CHECK(same(ValueType::number_ranges, "10-20,1-5", "1-5,10-20"));
  CHECK(same(ValueType::number_ranges, "", "\n"));
  CHECK_FALSE(same(ValueType::number_ranges, "1-5,10-20", "1-20"));
  CHECK_FALSE(same(ValueType::number_ranges, "1-5", "1-6"));
  CHECK_FALSE(same(ValueType::number_ranges, "5-1", "1-5"));
}

TEST_CASE("a list of CPUs is the same as single numbers and as ranges") {
  CHECK(same(ValueType::cpu_list, "0-3", "0,1,2,3"));
  CHECK(same(ValueType::cpu_list, "3,2,1,0", "0-3\n"));
  CHECK(same(ValueType::cpu_list, "0-3,2-5", "0-5"));
  CHECK(same(ValueType::cpu_list, "all", " all"));
  CHECK_FALSE(same(ValueType::cpu_list, "0-3", "0-2"));
  CHECK_FALSE(same(ValueType::cpu_list, "0-", "0"));
  CHECK_FALSE(same(ValueType::cpu_list, "", "0"));
}

TEST_CASE("a range that ends at the greatest number takes in what lies within it") {
  CHECK(same(ValueType::cpu_list, "0-18446744073709551615,5", "0-18446744073709551615"));
}

TEST_CASE("a mask of CPUs is the same with and without empty groups") {
  CHECK(same(ValueType::cpu_mask, "00000000,0000000f", "f"));
  CHECK(same(ValueType::cpu_mask, "1,00000000", "100000000"));
  CHECK(same(ValueType::cpu_mask, "1,0", "100000000"));
  CHECK(same(ValueType::cpu_mask, "FF", "ff\n"));
  CHECK(same(ValueType::cpu_mask, "00000000,00000000", "0"));
  CHECK_FALSE(same(ValueType::cpu_mask, "f,00000000", "f"));
  CHECK_FALSE(same(ValueType::cpu_mask, "10", "16"));
  CHECK_FALSE(same(ValueType::cpu_mask, "f,g", "f"));
}

TEST_CASE("a time of nginx is the same in any units") {
  CHECK(same(ValueType::duration, "75", "75s"));
  CHECK(same(ValueType::duration, "1m15s", "75s"));
  CHECK(same(ValueType::duration, "1m 15s", "75"));
  CHECK(same(ValueType::duration, "90m", "1h30m"));
  CHECK(same(ValueType::duration, "1000ms", "1s"));
  CHECK(same(ValueType::duration, "1M", "30d"));
  CHECK(same(ValueType::duration, "1y", "365d"));
  CHECK(same(ValueType::duration, "1w", "7d"));
  CHECK(same(ValueType::duration, "075", "75"));
  CHECK_FALSE(same(ValueType::duration, "1M", "1m"));
  CHECK_FALSE(same(ValueType::duration, "1m", "1"));
  CHECK_FALSE(same(ValueType::duration, "off", "0"));
}

TEST_CASE("a list of times is the same time by time") {
  CHECK(same(ValueType::duration, "75s  60s", "1m15s 60"));
  CHECK_FALSE(same(ValueType::duration, "75s 60s", "75s"));
  CHECK_FALSE(same(ValueType::duration, "75s 60s", "75s 61s"));
}

TEST_CASE("an option of unknown type is a size, a boolean, or a text whose case does not matter") {
  CHECK(same(ValueType::option, "8G", "8589934592"));
  CHECK(same(ValueType::option, "ON", "1"));
  CHECK(same(ValueType::option, "FALSE", "0"));
  CHECK(same(ValueType::option, "row", "ROW"));
  CHECK(same(ValueType::option, "90", "90.000000"));
  CHECK_FALSE(same(ValueType::option, "ON", "OFF"));
  CHECK_FALSE(same(ValueType::option, "2", "ON"));
}

TEST_CASE("YES is no boolean to a server: it would warn and keep its default") {
  CHECK_FALSE(same(ValueType::option, "YES", "1"));
  CHECK_FALSE(same(ValueType::option, "no", "OFF"));
  CHECK(same(ValueType::option, "yes", "YES"));
}

TEST_CASE("a repeated token is compared item by item, in order") {
  const Value consoles = Value::list({"tty0", "ttyS0,115200"});
  CHECK(same(ValueType::text, consoles, Value::list({"tty0", "ttyS0,115200"})));
  CHECK_FALSE(same(ValueType::text, consoles, Value::list({"ttyS0,115200", "tty0"})));
  CHECK_FALSE(same(ValueType::text, consoles, Value::of("tty0")));
  CHECK(same(ValueType::text, Value::list({"tty0"}), Value::of("tty0")));
  CHECK(same(ValueType::text, Value::flag(), Value::flag()));
  CHECK_FALSE(same(ValueType::text, Value::flag(), Value::of("")));
}

TEST_CASE("C7: a token that is there twice is not the one value that is wanted") {
  CHECK_FALSE(same(ValueType::text, Value::of("off"), Value::list({"off", "auto"})));
  CHECK_FALSE(same(ValueType::text, Value::of("off"), Value::of("auto")));
}

TEST_CASE("numbers and sizes have an order") {
  CHECK(order(ValueType::number, "5", "10") == -1);
  CHECK(order(ValueType::number, "010", "10") == 0);
  CHECK(order(ValueType::size, "1G", "512M") == 1);
  CHECK(order(ValueType::size, "1G", "1024M") == 0);
  CHECK(order(ValueType::number, "-2", "-1") == -1);
  CHECK(order(ValueType::number, "-1", "0") == -1);
  CHECK(order(ValueType::size, "-1", "8G") == -1);
  CHECK(order(ValueType::number, "0x10", "10") == 1);
  CHECK(order(ValueType::number, "18446744073709551616", "18446744073709551615") == 1);
  CHECK(order(ValueType::duration, "1m", "59s") == 1);
  CHECK(order(ValueType::duration, "1m", "1M") == -1);
}

TEST_CASE("fractions have an order: a server shows a percentage as 90.000000") {
  CHECK(order(ValueType::number, "90.000000", "75") == 1);
  CHECK(order(ValueType::number, "0.5", "0.45") == 1);
  CHECK(order(ValueType::number, "0.5", "0.55") == -1);
  CHECK(order(ValueType::number, "75.000", "75") == 0);
  CHECK(order(ValueType::number, "-0.5", "-0.25") == -1);
  CHECK(order(ValueType::number, "9.9", "10") == -1);
}

TEST_CASE("what is no number has no order") {
  for (const auto* text : {"", "max", "8GB", "250 32000", "1.2.3", "-"}) {
    INFO(text);
    CHECK_FALSE(order(ValueType::size, text, "1"));
    CHECK_FALSE(order(ValueType::size, "1", text));
  }
}

TEST_CASE("a fraction and a negative number are no time") {
  CHECK_FALSE(order(ValueType::duration, "0.5", "0"));
  CHECK_FALSE(order(ValueType::duration, "-1", "0"));
}

TEST_CASE("every text is the same as itself, and sameness has no direction") {
  CHECK(test::holds("reflexive and symmetric", [] {
    const auto left = *a_text();
    const auto right = *a_text();
    for (const auto type : all_types) {
      RC_ASSERT(same(type, left, left));
      RC_ASSERT(same(type, left, right) == same(type, right, left));
    }
  }));
}

TEST_CASE("surrounding blanks never make a difference") {
  CHECK(test::holds("blanks", [] {
    const auto text = *a_text();
    for (const auto type : all_types) RC_ASSERT(same(type, text, " \t" + text + "\n"));
  }));
}

TEST_CASE("order is antisymmetric, transitive, and 0 just where two numbers are the same") {
  CHECK(test::holds("order", [] {
    const auto a = *a_number(), b = *a_number(), c = *a_number();
    const auto sign = [](const std::string& x, const std::string& y) {
      return order(ValueType::number, x, y).value();
    };
    RC_ASSERT(sign(a, b) == -sign(b, a));
    RC_ASSERT((sign(a, b) == 0) == same(ValueType::number, a, b));
    if (sign(a, b) <= 0 && sign(b, c) <= 0) RC_ASSERT(sign(a, c) <= 0);
    RC_ASSERT(sign(a, b) == (std::stod(a) < std::stod(b) ? -1 : std::stod(a) > std::stod(b) ? 1 : 0));
  }));
}
