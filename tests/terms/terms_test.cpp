#include "orderlab/terms.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <string_view>

#include "terms/temporary_file.hpp"

using namespace orderlab;

TEST_CASE("the hash is XXH3-128 of the storage, as xxhsum -H2 prints it") {
  Terms letters(Format::fp64, 2);
  std::memcpy(letters.bytes().data(), "0123456789abcdef", 16);
  CHECK(letters.hash() == "xxh3:ccba8085a0434e9e0befb4873dbe58f8");
  Terms zeros(Format::fp32, 1000);
  CHECK(zeros.hash() == "xxh3:89737c8cfa0803824ecda0ef8e2cafb9");
}

TEST_CASE("a product hashes both factors, one after the other") {
  Terms letters(Format::fp64, 1);
  std::memcpy(letters.bytes().data(), "01234567", 8);
  Terms more(Format::fp64, 1);
  std::memcpy(more.bytes().data(), "89abcdef", 8);
  letters.multiply_by(more);
  CHECK(letters.hash() == "xxh3:ccba8085a0434e9e0befb4873dbe58f8");
}

TEST_CASE("every NaN is stored as the canonical one") {
  Terms a(Format::fp64, 1);
  Terms b(Format::fp64, 1);
  a.set(0, -std::numeric_limits<double>::quiet_NaN());
  b.set(0, std::numeric_limits<double>::signaling_NaN());
  CHECK(a.hash() == b.hash());
}

TEST_CASE("set rounds to the format") {
  for (const FormatInfo& f : kFormats) {
    INFO(f.name);
    Terms terms(f.format, 3);
    terms.set(0, 0.1);
    terms.set(1, -0.0);
    terms.set(2, 1e300);
    CHECK(terms.bytes().size() == static_cast<std::size_t>(3 * f.bits / 8));
    for (const auto& [i, value] : {std::pair<std::size_t, double>{0, 0.1}, {1, -0.0}, {2, 1e300}})
      CHECK(round_to_bits(f.format, terms.view().left(i)) == round_to_bits(f.format, value));
  }
}

TEST_CASE("multiply_by makes products and adds up inexact conversions") {
  Terms x = parse_terms("2,3", Format::fp64);
  Terms y = parse_terms("5,0.1", Format::fp64);
  CHECK_FALSE(x.view().products());
  x.multiply_by(y);
  CHECK(x.view().products());
  CHECK(x.view().right(0) * x.view().left(0) == 10);  // small whole numbers: exact
  CHECK(x.inexact_conversions() == 1);
  const Terms copy = x;
  CHECK(copy.view().left(1) == 3);
}

TEST_CASE("multiply_by refuses what does not fit") {
  const auto refusal = [](const char* a, Format fa, const char* b, Format fb) {
    return message_of(ErrorKind::input, [&] { parse_terms(a, fa).multiply_by(parse_terms(b, fb)); });
  };
  CHECK(contains(refusal("1,2", Format::fp64, "1", Format::fp64), "2 terms and 1 factors"));
  CHECK(contains(refusal("1", Format::fp64, "1", Format::fp32), "formats differ"));
}

TEST_CASE("no terms are refused") {
  CHECK(
      contains(message_of(ErrorKind::usage, [] { (void)generate_terms("constant(1)", 0, Format::fp64, 1); }), "n = 0"));
}

TEST_CASE("more terms than memory holds are refused with the size needed") {
  const auto refusal = [](std::size_t n) {
    return message_of(ErrorKind::unsupported, [&] { (void)generate_terms("constant(1)", n, Format::fp64, 1); });
  };
  CHECK(contains(refusal(std::size_t{1} << 47), "needs 1.0 PiB"));
  CHECK(contains(refusal(std::numeric_limits<std::size_t>::max()), "needs 128.0 EiB"));
}
