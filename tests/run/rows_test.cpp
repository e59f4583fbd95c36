// Steps in vectors against the interpreter, on every vector extension of this machine.
#include <doctest/doctest.h>
#include <hwy/targets.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "order/trouble.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/order.hpp"
#include "reference/vector_targets.hpp"
#include "run/fast_paths.hpp"
#include "run/heights.hpp"

namespace orderlab {
namespace {

using testing::OnTarget;
using testing::Trouble;
using testing::TypedTerms;

/// What a stage left, and what it added up for the error bounds.
struct Left {
  std::vector<std::uint64_t> bits;
  std::vector<std::uint64_t> heights;
  RunningError error;
};

RandomStream any_stream() { return {1, streams::kFirstStage, 0}; }

template <class T>
Left left_by_interpreter(const Step& step, std::span<const T> terms, double scale) {
  RunningError start;
  start.scale = scale;
  Heights<T> arith((Floats<T>(start)));
  StepMemory memory;
  std::vector<WithHeight<T>> out(count_left(step, terms.size()));
  Interpreter<Heights<T>>(arith, memory, any_stream()).run(step, Input<Heights<T>>::of_leaves(terms), out);
  Left left{{}, {}, arith.error()};
  for (const WithHeight<T>& sum : out) {
    left.bits.push_back(bits_of(sum.number));
    left.heights.push_back(sum.height);
  }
  return left;
}

template <class A, class T = typename A::Value>
std::vector<std::uint64_t> bits_by_vectors(const Step& step, std::span<const T> terms, A& arith) {
  StepMemory memory;
  std::vector<T> out(count_left(step, terms.size()));
  run_step<A>(step, arith, Input<A>(terms), out, memory, any_stream());
  std::vector<std::uint64_t> bits;
  for (const T sum : out) bits.push_back(bits_of(sum));
  return bits;
}

template <class T>
Left left_by_vectors(const Step& step, std::span<const T> terms, double scale) {
  RunningError start;
  start.scale = scale;
  Floats<T> arith(start);
  const std::vector<std::uint64_t> bits = bits_by_vectors(step, terms, arith);
  return {bits, {}, arith.error()};
}

// At most as many roundings of numbers that are not negative as there are additions and squares: u each, u = 2^-53.
void check_near(double vectors, double one_by_one, std::uint64_t roundings) {
  if (!std::isfinite(vectors) || !std::isfinite(one_by_one)) {
    CHECK(std::isfinite(vectors) == std::isfinite(one_by_one));
    return;
  }
  const double tolerance = 0x1p-51 * static_cast<double>(roundings + 1) * std::fabs(one_by_one);
  CHECK(std::fabs(vectors - one_by_one) <= tolerance + static_cast<double>(roundings) * 0x1p-1022);
}

void check_same_bounds(const RunningError& a, const RunningError& b) {
  CHECK(std::bit_cast<std::uint64_t>(a.linear + 0.0) == std::bit_cast<std::uint64_t>(b.linear + 0.0));
  CHECK(std::bit_cast<std::uint64_t>(a.square + 0.0) == std::bit_cast<std::uint64_t>(b.square + 0.0));
  CHECK(a.roundings == b.roundings);
}

template <class T>
void check_step(const Step& step, std::span<const T> terms, double scale) {
  const Left expected = left_by_interpreter(step, terms, scale);
  CHECK(heights_after(step, HeightRuns(terms.size(), 0)).one_by_one() == expected.heights);

  std::optional<RunningError> first;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(hwy::TargetName(target));
    const OnTarget on(target);
    const Left left = left_by_vectors(step, terms, scale);
    CHECK(left.bits == expected.bits);
    Floats<T, false> sums_alone;
    CHECK(bits_by_vectors(step, terms, sums_alone) == expected.bits);
    CHECK(left.error.roundings == expected.error.roundings);
    const bool fits = scale != 1 || std::isfinite(left.error.square);  // else the evaluator chooses another scale
    if (fits) check_near(left.error.linear, expected.error.linear, expected.error.roundings);
    if (fits) check_near(left.error.square, expected.error.square, expected.error.roundings);
    if (!first) first = left.error;
    if (std::isfinite(first->square) || std::isfinite(left.error.square)) check_same_bounds(*first, left.error);
  }
}

const std::vector<std::string> kStages{"halving(2)",
                                       "halving(8)",
                                       "halving(16)",
                                       "halving(32)",
                                       "halving(256)",
                                       "halving(4096)",
                                       "adjacent(2)",
                                       "adjacent(32)",
                                       "adjacent(33)",
                                       "adjacent(300)",
                                       "seq(2)",
                                       "seq(7)",
                                       "seq(400)",
                                       "seq(40,from=zero)",
                                       "seq",
                                       "strided(3)",
                                       "strided(4)",
                                       "strided(8)",
                                       "strided(64)",
                                       "strided(100,from=zero)",
                                       "strided(1000)",
                                       "tile(8,16)",
                                       "tile(256,4)",
                                       "tile(33,3)",
                                       "tile(64,1)",
                                       "tile(64,2,grid=3)",
                                       "chunks(5)",
                                       "chunks(70)",
                                       "chunks(70,from=zero)",
                                       "pairwise(128)",
                                       "pairwise",
                                       "pairwise(5,from=zero)",
                                       "pairwise(300)",
                                       "numpy",
                                       "power_of_two",
                                       "polars",
                                       "cub_tile(3)",
                                       "cub_tile(2,striped)",
                                       "cub_rake(96)",
                                       "cub_rake(96,commutative_only)",
                                       "double_tree(8)",
                                       "rank_tree",
                                       "rank_tree(binomial)",
                                       "rank_tree(in_order)"};

Step step_of(const std::string& text, std::size_t m, Format format = Format::fp64) {
  return describe(parse_order(text).stages()[0], m, format).front();
}

template <class T>
void check_all(const std::vector<std::size_t>& sizes, std::uint64_t seed) {
  std::uint64_t combination = 10'000 * seed;
  for (const Trouble trouble : testing::kTroubles)
    for (const std::size_t n : sizes) {
      const TypedTerms terms(kFormatOf<T>, testing::troublesome_numbers(seed, kFormatOf<T>, trouble, n));
      const std::span numbers(static_cast<const T*>(terms.view().x), n);
      for (const std::string& text : kStages) {
        if (!testing::tried(++combination)) continue;
        CAPTURE(text);
        CAPTURE(n);
        CAPTURE(static_cast<int>(trouble));
        check_step<T>(step_of(text, n, kFormatOf<T>), numbers, 1);
        if constexpr (std::is_same_v<T, double>)
          if (n == sizes.back()) check_step<T>(step_of(text, n, kFormatOf<T>), numbers, 0x1p-500);
      }
    }
}

TEST_CASE("steps in vectors leave the bits, heights and figures of the interpreter") {
  const std::vector<std::size_t> sizes{1, 2, 17, 255, 300, 1025, 4131, 20011};
  check_all<double>(sizes, 1);
  check_all<float>(sizes, 2);
  check_all<Half>(sizes, 3);
  check_all<Bfloat16>(sizes, 4);
}

TEST_CASE("steps in vectors add a hundred thousand terms") {
  const std::vector<double> numbers = testing::troublesome_numbers(5, Format::fp64, Trouble::near_one, 100'007);
  for (const std::string& text : kStages) {
    CAPTURE(text);
    check_step<double>(step_of(text, numbers.size()), std::span<const double>(numbers), 1);
  }
}

TEST_CASE("a halving so large that what its first additions leave is halved by rows again") {
  for (const Format format : {Format::fp64, Format::fp16})
    with_type_of(format, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      const std::size_t n = 2 * 131'072 + 5;
      const TypedTerms terms(format, testing::troublesome_numbers(7, format, Trouble::near_one, n));
      const std::span numbers(static_cast<const T*>(terms.view().x), n);
      check_step<T>(step_of("halving(131072)", n, format), numbers, 1);
    });
}

// Runs of up to 40 partial sums, each of one height below 50.
HeightRuns random_heights(std::uint64_t seed, std::size_t n) {
  const RandomStream stream(seed, 0, 0);
  HeightRuns runs;
  for (std::uint64_t i = 0; runs.size() < n; ++i) {
    const RandomStream::Block words = stream.block(i);
    runs.append(std::min<std::size_t>(1 + words[0] % 40, n - runs.size()), words[1] % 50);
  }
  return runs;
}

TEST_CASE("heights that are found from runs are those of additions one by one") {
  for (const std::size_t n : {1u, 2u, 17u, 255u, 300u, 1025u, 4131u})
    for (const std::string& text : kStages) {
      CAPTURE(text);
      CAPTURE(n);
      const Step step = step_of(text, n);
      const HeightRuns runs = random_heights(n, n);
      const std::vector<std::uint64_t> heights = runs.one_by_one();
      std::vector<std::uint64_t> expected(count_left(step, n));
      HeightsAlone arith;
      StepMemory memory;
      Interpreter<HeightsAlone>(arith, memory, any_stream()).run(step, Input<HeightsAlone>(heights), expected);
      CHECK(heights_after(step, runs).one_by_one() == expected);
    }
}

// Every number of 16 bits is added to these, as the first and as the second.
template <class T>
void check_every_code() {
  std::vector<T> terms;
  for (const double other : {0.0, -0.0, 1.0, -3.5, 0x1p-14, 0x1p-24, -0x1p-126, 0x1.8p-133, 60000.0, -65504.0, 0x1p127,
                             0x1.ffp-3, std::numeric_limits<double>::infinity()})
    for (std::uint32_t code = 0; code < 0x10000; ++code) {
      terms.push_back(std::bit_cast<T>(static_cast<std::uint16_t>(code)));
      terms.push_back(round_to<T>(other));
    }
  check_step<T>(step_of("halving(2)", terms.size()), std::span<const T>(terms), 1);
  check_step<T>(step_of("seq(2,from=zero)", terms.size() - 1), std::span<const T>(terms).subspan(1), 1);
}

TEST_CASE("every fp16 and bf16 number is widened, added and rounded as it should be") {
  check_every_code<Half>();
  check_every_code<Bfloat16>();
}

/// `count` pieces of `width` groups of `members` in every way that machines have vectors for.
void check_pieces(Format format, std::size_t count, std::size_t width, std::size_t members, bool from_zero,
                  double scale) {
  const std::size_t groups = count * width;
  const std::vector<double> numbers =
      testing::troublesome_numbers(members, format, Trouble::near_one, members * groups);
  const TypedTerms terms(format, numbers);
  std::vector<const void*> pieces;
  for (std::size_t p = 0; p < count; ++p) pieces.push_back(number_at(format, terms.view().x, p * width * members));
  std::optional<std::pair<std::vector<std::byte>, RowErrors>> first;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    CAPTURE(std::string(hwy::TargetName(target)));
    const OnTarget on(target);
    std::vector<std::byte> sums(groups * info(format).held_bytes());
    RowErrors errors{.unit = 0x1p-53, .scale = scale};
    add_rows_left_to_right({format, pieces, width, width, members}, from_zero, sums.data(), &errors);
    std::vector<std::byte> sums_alone(sums.size());
    add_rows_left_to_right({format, pieces, width, width, members}, from_zero, sums_alone.data(), nullptr);
    CHECK(sums_alone == sums);
    if (!first) first = {sums, errors};
    CHECK(sums == first->first);
    CHECK(errors.linear == first->second.linear);
    CHECK(errors.square == first->second.square);
  }
}

TEST_CASE("groups have the same sums and figures on every vector extension, however they lie") {
  for (const Format format : {Format::fp64, Format::fp32, Format::fp16})
    for (const std::size_t width : {1u, 2u, 3u, 4u, 8u, 16u, 24u, 32u})
      for (const std::size_t members : {2u, 3u, 4u, 5u, 6u, 7u, 64u, 90u, 255u, 256u, 257u, 300u})
        for (const std::size_t count : {1u, 2u, 3u, 5u, 16u, 17u, 48u, 63u}) {
          if (count * width > GroupRows::kMostGroups) continue;
          CAPTURE(info(format).name);
          CAPTURE(width);
          CAPTURE(members);
          CAPTURE(count);
          for (const bool from_zero : {false, true}) {
            check_pieces(format, count, width, members, from_zero, 1);
            if (format == Format::fp64) check_pieces(format, count, width, members, from_zero, 0x1p-300);
          }
        }
}

TEST_CASE("the scale of the error bounds does not depend on where the terms are large") {
  for (const double unit : {0x1p-900, 0x1p-300, 1.0, 0x1p300, 0x1p900}) {
    CAPTURE(unit);
    std::vector<double> numbers = testing::troublesome_numbers(6, Format::fp64, Trouble::near_one, 4099);
    const auto figures = [&](const std::vector<double>& x) {
      const TermView view{Format::fp64, x.size(), x.data(), nullptr};
      return Evaluator::make(parse_order("halving(32) | pairwise(128) | seq"), view, {}, 1)->fixed_error();
    };
    const RunningError one = figures(numbers);
    for (double& number : numbers) number *= unit;
    const RunningError scaled = figures(numbers);
    CHECK(std::bit_cast<std::uint64_t>(scaled.linear) == std::bit_cast<std::uint64_t>(one.linear * unit));
    const double root = std::sqrt(scaled.square) / scaled.scale;
    CHECK(std::bit_cast<std::uint64_t>(root) == std::bit_cast<std::uint64_t>(std::sqrt(one.square) / one.scale * unit));
  }
}

}  // namespace
}  // namespace orderlab
