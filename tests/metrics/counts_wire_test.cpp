#include <doctest/doctest.h>

#include <sstream>

#include "core/bytes.hpp"
#include "doubles.hpp"
#include "metrics/any_samples.hpp"
#include "orderlab/bounds.hpp"
#include "sweep/counts_blob.hpp"
#include "wires.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

template <class X>
void write_range(std::ostream& text, const std::optional<ResultCounts::Range<X>>& range) {
  if (range) text << std::bit_cast<std::uint64_t>(range->min) << '-' << std::bit_cast<std::uint64_t>(range->max);
  text << ' ';
}

/// Everything public of some counts.
std::string description(const ResultCounts& counts) {
  std::ostringstream text;
  const CountingFrame& frame = counts.frame();
  text << info(frame.format).name << ' ' << bits(frame.center) << ' ' << frame.ulp_exponent << ' ' << frame.max_distinct
       << ' ' << counts.samples() << ' ' << counts.infinities() << ' ' << counts.minus_infinities() << ' '
       << counts.nans() << ' ' << counts.finite() << ' ' << counts.binned() << ' ' << to_blob(counts) << ' ';
  if (!counts.binned()) text << counts.distinct();
  if (counts.binned()) text << counts.bin_exponent() << ' ' << counts.bin_of(frame.center);
  for (const ExactSum& sum : {counts.sum(), counts.sum_of_squares()})
    text << ' ' << sum.value().decimal(60) << ' ' << bits(sum.value().to_double());
  write_range(text, counts.extremes());
  write_range(text, counts.heights());
  write_range(text, counts.running_bounds());
  if (counts.probabilistic_bound()) text << bits(*counts.probabilistic_bound());
  text << ' ' << bits(counts.extra()) << ' ' << counts.plain();
  return text.str();
}

ResultCounts counts_of(const CountingFrame& frame, const std::vector<double>& results) {
  ResultCounts counts(frame);
  for (const double result : results) counts.add(sample_of(frame, result).evaluation, 0.5, std::nullopt);
  return counts;
}

}  // namespace

TEST_CASE("counts have one wire form, however they were split, sent and merged, and nothing is lost in it") {
  std::uint64_t binned = 0;
  std::uint64_t listed = 0;
  for_each_case(15, [&](IndexGenerator& draw, const CountingFrame& frame, const std::vector<Sample>& samples) {
    const ResultCounts whole = count(frame, samples, 0, samples.size());
    ++(whole.binned() ? binned : listed);
    const ResultCounts merged = tallied_in_parts(
        draw, samples.size(), [&] { return ResultCounts(frame); },
        [&](ResultCounts& counts, std::size_t i) {
          counts.add(samples[i].evaluation, samples[i].running, samples[i].probabilistic);
        });
    REQUIRE(merged.wire() == whole.wire());
    CHECK(description(merged) == description(whole));
    CHECK(description(ResultCounts::from_wire(whole.wire())) == description(whole));
  });
  CHECK(binned >= trials(100));
  CHECK(listed >= trials(20));
}

TEST_CASE("a missing bound stays missing when counts are sent") {
  const CountingFrame frame;
  ResultCounts without = counts_of(frame, {1});  // no probabilistic bound
  without = ResultCounts::from_wire(without.wire());
  ResultCounts with(frame);
  with.add(sample_of(frame, 2).evaluation, 0.25, 3.0);
  without.merge(with);
  CHECK_FALSE(without.probabilistic_bound().has_value());
  CHECK(bits(without.running_bounds()->min) == bits(0.25));
}

TEST_CASE("counts of nothing are sent, too") {
  const CountingFrame frame{.format = Format::bf16, .center = -0.0, .ulp_exponent = -7, .max_distinct = 5};
  const ResultCounts none = ResultCounts::from_wire(ResultCounts(frame).wire());
  CHECK(description(none) == description(ResultCounts(frame)));
  const CountingFrame few{.format = Format::fp32, .max_distinct = 2};
  const ResultCounts infinite = counts_of(few, {kInfinity, -kInfinity, kNan});  // bins, and nothing in them
  REQUIRE(infinite.binned());
  CHECK(description(ResultCounts::from_wire(infinite.wire())) == description(infinite));
}

TEST_CASE("bytes of counts are those that the source describes") {
  const CountingFrame frame{.format = Format::fp16, .center = 1, .ulp_exponent = -10, .max_distinct = 300};
  const std::string expected = std::string("C\1\2\0\0\0\0\0\0\xf0\x3f\x13\xac\2\3", 15) +     // frame, 3 samples
                               std::string("\5\0\0\0\0\0\0\0\0\0\0", 11) +                    // flags, heights, extra
                               std::string("\0\0\0\0\0\0\xe0\x3f\0\0\0\0\0\0\xe0\x3f", 16) +  // D1
                               "\x80\x78\2\1\1";  // 0x3c00 twice and the next number
  CHECK(counts_of(frame, {1, 1, 1 + 0x1p-10}).wire() == expected);
}

TEST_CASE("damaged counts are refused, or are counts") {
  for_each_case(2, [&](IndexGenerator& draw, const CountingFrame& frame, const std::vector<Sample>& samples) {
    const ResultCounts whole = count(frame, samples, 0, samples.size());
    check_damaged(draw, whole, 60, [&](const ResultCounts& read) {
      ResultCounts more = read;
      more.merge(read);
      for (const Sample& s : samples) more.add(s.evaluation, s.running, s.probabilistic);
      CHECK(!description(more).empty());
    });
  });
}

TEST_CASE("counts that no samples give are refused") {
  const CountingFrame frame{.format = Format::fp16, .center = 1, .ulp_exponent = -10, .max_distinct = 2};
  const std::string wire = counts_of(frame, {1, 1, 1 + 0x1p-10}).wire();
  const auto changed = [&](std::size_t from_end, const std::string& bytes) {
    return wire.substr(0, wire.size() - from_end) + bytes;
  };
  CHECK(read_or_refused<ResultCounts>(changed(1, "\1")));
  CHECK_FALSE(read_or_refused<ResultCounts>(changed(1, "\2")));                       // 4 of 3 samples
  CHECK_FALSE(read_or_refused<ResultCounts>(changed(2, "")));                         // 2 of 3
  CHECK_FALSE(read_or_refused<ResultCounts>(changed(3, "\1\1\1\1\1")));               // 3 results, 2 are kept
  CHECK_FALSE(read_or_refused<ResultCounts>(changed(3, std::string("\2\0\1", 3))));   // twice the same
  CHECK_FALSE(read_or_refused<ResultCounts>(changed(2, "\x80\x80\4\1")));             // beyond 16 bits
  CHECK_FALSE(read_or_refused<ResultCounts>(changed(2, "\xff\x83\1\1")));             // 0x7dff, a NaN with a payload
  CHECK(read_or_refused<ResultCounts>(changed(2, "\x80\x84\1\1")));                   // 0x7e00, the NaN
  CHECK_FALSE(read_or_refused<ResultCounts>(std::string("C\1\4") + wire.substr(3)));  // no format
  CHECK_FALSE(read_or_refused<ResultCounts>(std::string("D\1\2") + wire.substr(3)));
}

TEST_CASE("bins that no samples give are refused") {
  const CountingFrame frame{.format = Format::fp16, .center = 1, .ulp_exponent = -10, .max_distinct = 3};
  const std::string wire = counts_of(frame, {1, 1 + 0x1p-10, 1 + 1000 * 0x1p-10, 1 + 1001 * 0x1p-10}).wire();
  const auto bin = [](double index, char samples) {
    std::string bytes;
    put_fp64(bytes, index);
    return bytes + samples;
  };
  const std::string front = wire.substr(0, wire.size() - 18);
  CHECK(wire == front + bin(0, 2) + bin(500, 2));
  CHECK(read_or_refused<ResultCounts>(front + bin(0, 1) + bin(7, 1) + bin(500, 2)));
  for (const std::string& bins :
       {bin(0, 2) + bin(7, 0) + bin(500, 2), bin(0, 2) + bin(500, 1), bin(0, 2) + bin(500, 3), bin(0, 2),
        bin(-0.0, 2) + bin(500, 2), bin(0, 1) + bin(7.5, 1) + bin(500, 2), bin(500, 2) + bin(0, 2),
        bin(0, 2) + bin(501, 2), bin(1, 2) + bin(500, 2), bin(0, 1) + bin(7, 1) + bin(8, 1) + bin(500, 1),
        bin(0, 2) + bin(kNan, 2), bin(0, 2) + bin(0x1p1020, 2)})
    CHECK_FALSE(read_or_refused<ResultCounts>(front + bins));
}

TEST_CASE("largest bounds have one wire form, however they were split, sent and merged") {
  for (std::uint64_t trial = 0; trial < trials(300); ++trial) {
    IndexGenerator draw(RandomStream(8, 0, trial), 0);
    std::vector<Evaluation> evaluations(below(draw, 20));
    for (Evaluation& e : evaluations) {
      e.height = draw() >> below(draw, 64);
      e.error.linear = static_cast<double>(below(draw, 100));
      e.error.extra = static_cast<double>(below(draw, 3));
      e.error.bounded = !chance(draw, 30);
      e.error.random_model = !chance(draw, 30);
      e.error.plain = !chance(draw, 30);
    }
    const auto add = [&](LargestBounds& bounds, std::size_t i) { bounds.add(evaluations[i], Format::fp32, 100); };
    LargestBounds whole;
    for (std::size_t i = 0; i < evaluations.size(); ++i) add(whole, i);
    const LargestBounds merged = tallied_in_parts(
        draw, evaluations.size(), [] { return LargestBounds(); }, add);
    CHECK(merged.wire() == whole.wire());
    const LargestBounds read = LargestBounds::from_wire(whole.wire());
    CHECK(read.running == whole.running);
    CHECK(read.probabilistic == whole.probabilistic);
    CHECK(read.height == whole.height);
    CHECK(bits(read.extra) == bits(whole.extra));
    CHECK(read.plain == whole.plain);
    CHECK(read.running_missing == whole.running_missing);
    CHECK(read.probabilistic_missing == whole.probabilistic_missing);
    check_damaged(draw, whole, 50, [](const LargestBounds&) {});
  }
}
