#include "core/bytes.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "doubles.hpp"
#include "reference/hard_inputs.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

ByteReader reader_of(std::string_view bytes) { return {bytes, "bytes", "a test's"}; }

}  // namespace

TEST_CASE("bytes give back the numbers that were put") {
  IndexGenerator draw(RandomStream(3, 0, 0), 0);
  for (std::uint64_t trial = 0; trial < trials(2000); ++trial) {
    const std::uint64_t x = draw() >> below(draw, 64);
    const auto y = static_cast<std::int64_t>(draw()) >> below(draw, 64);
    const double z = std::bit_cast<double>(draw());
    std::string bytes;
    put_varint(bytes, x);
    put_varint(bytes, zigzag(y));
    put_fp64(bytes, z);
    put_bytes(bytes, "some");
    ByteReader reader = reader_of(bytes);
    CHECK(reader.varint() == x);
    CHECK(from_zigzag(reader.varint()) == y);
    CHECK(bits(reader.fp64()) == bits(z));
    CHECK(reader.bytes() == "some");
    CHECK(reader.done());
  }
  for (const std::int64_t y : {std::int64_t{0}, std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()})
    CHECK(from_zigzag(zigzag(y)) == y);
  CHECK(zigzag(-1) == 1);
  CHECK(zigzag(1) == 2);
}

TEST_CASE("a varint has 7 bits a byte, an fp64 its lowest byte first") {
  std::string bytes;
  put_varint(bytes, 300);
  put_fp64(bytes, 1.5);
  CHECK(bytes == std::string("\xac\x02\0\0\0\0\0\0\xf8\x3f", 10));
}

TEST_CASE("bytes that nothing put are refused, in words") {
  const std::string_view long_zero("\x80\0", 2);
  CHECK_THROWS_AS(reader_of(long_zero).varint(), Error);
  CHECK_THROWS_AS(reader_of("\x80").varint(), Error);
  CHECK_THROWS_AS(reader_of("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02").varint(), Error);
  CHECK(reader_of("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01").varint() == ~std::uint64_t{0});
  CHECK_THROWS_AS(reader_of("1234567").fp64(), Error);
  CHECK_THROWS_AS(reader_of("\5abcd").bytes(), Error);
  CHECK_THROWS_AS(reader_of("a").end(), Error);
  CHECK_THROWS_AS(reader_of("B\1").header('A', 1), Error);
  for (const double x : {-0.0, -1.0, kNan}) {
    std::string bytes;
    put_fp64(bytes, x);
    CHECK_THROWS_AS(reader_of(bytes).magnitude(), Error);
  }
  CHECK_THROWS_WITH(reader_of("A\2").header('A', 1), "bytes: its form has version 2, not 1; this is not a test's");
  CHECK_THROWS_WITH(reader_of("").byte(), "bytes: the bytes end too early; this is not a test's");
}
