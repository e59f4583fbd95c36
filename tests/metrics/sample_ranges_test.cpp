#include <doctest/doctest.h>

#include <set>

#include "orderlab/counts.hpp"
#include "orderlab/philox.hpp"
#include "reference/hard_inputs.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

using SampleNumbers = std::set<std::uint64_t>;

SampleNumbers numbers_of(const SampleRanges& samples) {
  SampleNumbers all;
  std::uint64_t after = 0;
  for (const auto& [begin, end] : samples.ranges()) {
    CHECK(begin < end);
    if (!all.empty()) CHECK(begin > after);  // apart
    after = end;
    for (std::uint64_t i = begin; i < end; ++i) all.insert(i);
  }
  CHECK(all.size() == samples.size());
  return all;
}

SampleRange drawn_range(IndexGenerator& draw) {
  const std::uint64_t begin = below(draw, 30);
  return {begin, begin + below(draw, 8)};
}

SampleNumbers numbers_of(const SampleRange& range) { return numbers_of(SampleRanges(range)); }

}  // namespace

TEST_CASE("sets of samples are those of their numbers") {
  IndexGenerator draw(RandomStream(11, 0, 0), 0);
  for (int trial = 0; trial < 300; ++trial) {
    SampleRanges one;
    SampleRanges other;
    SampleNumbers in_one;
    SampleNumbers in_other;
    for (std::uint64_t k = below(draw, 8); k > 0; --k) {
      const SampleRange range = drawn_range(draw);
      (k % 2 == 0 ? one : other).add(range);
      (k % 2 == 0 ? in_one : in_other).merge(numbers_of(range));
    }
    CHECK(numbers_of(one) == in_one);
    CHECK(numbers_of(other) == in_other);
    const SampleRange whole = drawn_range(draw);
    SampleNumbers within;
    SampleNumbers missing;
    for (const std::uint64_t i : numbers_of(whole)) (in_one.contains(i) ? within : missing).insert(i);
    CHECK(numbers_of(one.within(whole)) == within);
    CHECK(numbers_of(one.missing_from(whole)) == missing);
    SampleNumbers common;
    for (const std::uint64_t i : in_one)
      if (in_other.contains(i)) common.insert(i);
    CHECK(numbers_of(one.common_with(other)) == common);
    one.add(other);
    in_one.merge(in_other);
    CHECK(numbers_of(one) == in_one);
  }
}

TEST_CASE("sets of samples in words") {
  SampleRanges samples;
  CHECK(samples.text().empty());
  samples.add({0, 500});
  samples.add({750, 1000});
  CHECK(samples.text() == "0:500, 750:1000");
  CHECK(samples.text(1) == "0:500 and 1 more range");
  samples.add({500, 750});
  CHECK(samples.text() == "0:1000");
}
