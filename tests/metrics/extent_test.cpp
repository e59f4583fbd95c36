#include <doctest/doctest.h>

#include "doubles.hpp"
#include "metrics/any_samples.hpp"
#include "orderlab/counts.hpp"
#include "wires.hpp"

using namespace orderlab;
using namespace orderlab::testing;

TEST_CASE("an extent says what counts say, however it was split, sent and merged") {
  for_each_case(30, [&](IndexGenerator& draw, const CountingFrame& frame, const std::vector<Sample>& samples) {
    const bool first = chance(draw, 2);
    const std::uint64_t reference = first ? samples.front().evaluation.bits : round_to_bits(frame.format, frame.center);
    const auto add = [&](Extent& extent, std::size_t i) { extent.add(samples[i].evaluation.bits); };
    Extent whole(frame.format, reference);
    std::uint64_t different = 0;
    for (std::size_t i = 0; i < samples.size(); ++i) {
      add(whole, i);
      if (samples[i].evaluation.bits != reference) ++different;
    }
    const Extent merged = tallied_in_parts(
        draw, samples.size(), [&] { return Extent(frame.format, reference); }, add);
    REQUIRE(merged.wire() == whole.wire());
    const ResultCounts counts = count(frame, samples, 0, samples.size());
    for (const Extent& extent : {whole, merged, Extent::from_wire(whole.wire())}) {
      CHECK(extent.format() == frame.format);
      CHECK(extent.reference() == reference);
      CHECK(extent.samples() == counts.samples());
      CHECK(extent.different() == different);
      CHECK(extent.nonfinite() == counts.samples() - counts.finite());
      REQUIRE(extent.least().has_value() == counts.extremes().has_value());
      REQUIRE(extent.greatest().has_value() == counts.extremes().has_value());
      if (!counts.extremes()) continue;
      CHECK(bits(*extent.least()) == bits(counts.extremes()->min));
      CHECK(bits(*extent.greatest()) == bits(counts.extremes()->max));
    }
  });
}

TEST_CASE("an extent of no samples, and of one") {
  const Extent none = Extent::from_wire(Extent(Format::fp16, 0x7e00).wire());
  CHECK(none.samples() == 0);
  CHECK_FALSE(none.least().has_value());
  Extent one(Format::fp16, 0x8000);
  one.add(0x0000);
  CHECK(one.different() == 1);  // -0 and +0 differ in bits
  CHECK(bits(*one.greatest()) == 0);
  one.add(0x8000);
  CHECK(one.different() == 1);
  CHECK(bits(*one.least()) == 0);
}

TEST_CASE("an extent's bytes are those that its source describes") {
  Extent extent(Format::bf16, 0x3f80);
  extent.add(0x3f80);
  extent.add(0x7f80);
  CHECK(extent.wire() == std::string("X\1\3\x80\x3f\2\1\1\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\xf0\x3f", 24));
}

TEST_CASE("extents with different references or formats are not merged") {
  Extent extent(Format::fp32, 1);
  CHECK_THROWS_AS(extent.merge(Extent(Format::fp32, 2)), Error);
  CHECK_THROWS_AS(extent.merge(Extent(Format::fp64, 1)), Error);
  extent.merge(Extent(Format::fp32, 1));
  CHECK(extent.samples() == 0);
}

TEST_CASE("damaged extents are refused, or are extents") {
  for_each_case(4, [&](IndexGenerator& draw, const CountingFrame& frame, const std::vector<Sample>& samples) {
    Extent extent(frame.format, samples.front().evaluation.bits);
    for (const Sample& s : samples) extent.add(s.evaluation.bits);
    check_damaged(draw, extent, 100, [](const Extent& read) {
      Extent more = read;
      more.merge(read);
      CHECK(more.samples() == 2 * read.samples());
    });
  });
}

TEST_CASE("extents that no samples give are refused") {
  Extent extent(Format::fp32, round_to_bits(Format::fp32, 1.0));
  extent.add(round_to_bits(Format::fp32, 1.0));
  extent.add(round_to_bits(Format::fp32, 2.0));
  const std::string wire = extent.wire();  // 3 bytes, a reference of 4, counts of 1 byte each, 2 doubles
  const auto changed = [&](std::size_t place, char byte) {
    std::string other = wire;
    other[place] = byte;
    return read_or_refused<Extent>(other);
  };
  CHECK(changed(8, 2));        // both differ from the reference
  CHECK_FALSE(changed(8, 3));  // 3 of 2
  CHECK_FALSE(changed(9, 3));
  CHECK_FALSE(changed(9, 2));                         // one is the reference, which is finite
  CHECK_FALSE(changed(10, 1));                        // 1 + 2^-52 is not in fp32
  CHECK_FALSE(changed(25, static_cast<char>(0xc0)));  // the greatest is below the least
  CHECK_FALSE(changed(16, static_cast<char>(0xf8)));  // the reference, 1, is below the least
  CHECK_FALSE(changed(2, 4));
}
