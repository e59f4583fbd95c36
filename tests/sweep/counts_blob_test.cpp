#include "sweep/counts_blob.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "orderlab/error.hpp"
#include "orderlab/philox.hpp"

using namespace orderlab;

namespace {

ResultCounts counts_of(Format format, const std::vector<double>& values, std::uint64_t max_distinct = 1000) {
  CountingFrame frame{.format = format, .center = 0, .ulp_exponent = 0, .max_distinct = max_distinct};
  ResultCounts counts(frame);
  for (const double value : values) {
    Evaluation sample;
    sample.bits = round_to_bits(format, value);
    sample.value = value;
    counts.add(sample, 0.0, 0.0);
  }
  return counts;
}

void check_same(const Distribution& a, const Distribution& b) {
  CHECK(a.width == b.width);
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    CHECK(round_to_bits(Format::fp64, a.values[i].value) == round_to_bits(Format::fp64, b.values[i].value));
    CHECK(a.values[i].weight == b.values[i].weight);
  }
}

}  // namespace

TEST_CASE("a blob gives back every result and its count") {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const std::vector<double> values{-kInf, -65504, -1.5, -1.5,    -0x1p-24,
                                   -0.0,  0.0,    0.0,  0x1p-24, 1,
                                   1,     1,      300,  kInf,    std::numeric_limits<double>::quiet_NaN()};
  for (const Format format : {Format::fp64, Format::fp32, Format::fp16, Format::bf16}) {
    const ResultCounts counts = counts_of(format, values);
    const BlobCounts read = from_blob(to_blob(counts), format);
    CHECK(!read.bin_exponent);
    check_same(read.values, counts.results());
  }
}

TEST_CASE("a blob of bins gives back the bins") {
  std::vector<double> values;
  for (int i = -300; i < 500; ++i) values.push_back(i * 1.25);
  const ResultCounts counts = counts_of(Format::fp64, values, 50);
  REQUIRE(counts.binned());
  const BlobCounts read = from_blob(to_blob(counts), Format::fp64);
  CHECK(read.bin_exponent == counts.bin_exponent());
  check_same(read.values, counts.bins());
}

TEST_CASE("the bytes are those that the header describes") {
  // 1.0 twice and the next number above 300 times: the key 0x3ff0000000000000 in zigzag code is its double.
  const std::string blob = to_blob(counts_of(Format::fp64, {1.0, 1.0, 1 + 0x1p-52}));
  CHECK(blob == std::string("L\x80\x80\x80\x80\x80\x80\x80\xf0\x7f\x02\x01\x01", 13));
}

TEST_CASE("what is no blob is refused") {
  for (const std::string blob : {"", "X", "L\x80", "L\x01", "B"}) CHECK_THROWS_AS(from_blob(blob, Format::fp64), Error);
  CHECK(from_blob("L", Format::fp64).values.empty());
}

TEST_CASE("a blob that no counts give is refused") {
  const std::string one("\0\0\0\0\0\0\xf0\x3f\1", 9);  // a bin of index 1 with 1 sample
  const std::string no_index("\0\0\0\0\0\0\xf8\x7f\1", 9);
  for (const std::string& blob :
       {std::string("L\x78\x02\x80\xfc\x01\x09"),                              // a NaN that is not canonical
        std::string("L\x80\x80\x08\x01"),                                      // beyond 16 bits
        std::string("L\x02\x01\x00\x01", 5),                                   // the same result twice
        std::string("L\x02\x00", 3),                                           // no sample has it
        std::string("L\x02\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x01"),  // below the one before
        std::string("L\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"),          // a count of 65 bits
        "B\x02" + one + one, "B\x02" + no_index, "B\xff\xff\xff\xff\xff\x01" + one}) {
    CAPTURE(blob);
    CHECK_THROWS_AS(from_blob(blob, Format::fp16), Error);
  }
  CHECK(from_blob("B\x02" + one, Format::fp16).values.size() == 1);
  CHECK(from_blob("L\x80\xf0\x03\x01\x80\x04\x01", Format::fp16).values.size() == 2);  // inf and NaN
}
