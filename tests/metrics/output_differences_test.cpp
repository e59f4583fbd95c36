// Samples with numbers of every kind, compared some at a time, against the definitions in a loop over single outputs.
#include "orderlab/output_differences.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "doubles.hpp"
#include "metrics/output_blocks.hpp"
#include "operation/exact_outputs.hpp"
#include "operation/some_operations.hpp"
#include "reference/vector_targets.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

using Results = std::vector<std::byte>;

/// The definitions: outputs that do not vary come first.
class Expected {
 public:
  Expected(const OutputSums& sums, const Terms& baseline, const ExactRows& exact, OutputTally& tally)
      : sums_(sums), baseline_(baseline), exact_(exact), tally_(tally) {}

  OutputDifferences compare(const Results& results, const Results& against) {
    sum_ = OutputDifferences{.first = baseline_.size()};
    const auto varying = sums_.varying();
    for (std::uint32_t r = 0; r < baseline_.size(); ++r) {
      if (std::binary_search(varying.begin(), varying.end(), r)) continue;
      const double launch = sums_.launch().view().left(r);
      sum_.largest_error = std::max(sum_.largest_error, ulp_error(exact_, r, launch));
      if (against.empty()) add(r, baseline_.view().left(r), launch);
    }
    const Format format = sums_.result_format();
    const TermView b{format, varying.size(), results.data(), nullptr};
    const TermView other{format, varying.size(), against.data(), nullptr};
    for (std::size_t i = 0; i < varying.size(); ++i) {
      const std::uint32_t r = varying[i];
      sum_.largest_error = std::max(sum_.largest_error, ulp_error(exact_, r, b.left(i)));
      if (bits(b.left(i)) != bits(sums_.launch().view().left(r))) {
        ++sum_.from_launch;
        const double moved = b.left(i) == 0 ? 0 : b.left(i);  // not -0
        if (moved < tally_.least[i]) tally_.least[i] = moved;
        if (moved > tally_.greatest[i]) tally_.greatest[i] = moved;
      }
      if (add(r, against.empty() ? baseline_.view().left(r) : other.left(i), b.left(i))) ++tally_.different[i];
    }
    const auto outputs = static_cast<double>(baseline_.size());
    for (double* mean : {&sum_.vermv_paper, &sum_.vermv_code, &sum_.vermv_robust}) *mean /= outputs;
    return sum_;
  }

 private:
  bool add(std::uint32_t r, double a, double b) {
    if (bits(a) == bits(b)) return false;
    ++sum_.bits;
    sum_.first = std::min<std::uint64_t>(sum_.first, r);
    if (a == b) return true;
    ++sum_.values;
    if (!std::isfinite(a) || !std::isfinite(b)) {
      ++sum_.nonfinite;
      sum_.largest_difference = kInfinity;
      return true;
    }
    const double difference = std::fabs(a - b);
    sum_.largest_difference = std::max(sum_.largest_difference, difference / exact_.ulp[r]);
    sum_.vermv_paper += difference / std::fabs(a);
    sum_.vermv_code += difference / std::fabs(a + 1e-8);
    sum_.vermv_robust += difference / exact_.magnitude[r];
    return true;
  }

  const OutputSums& sums_;
  const Terms& baseline_;
  const ExactRows& exact_;
  OutputTally& tally_;
  OutputDifferences sum_;
};

void check_equal(const OutputDifferences& found, const OutputDifferences& expected) {
  CHECK(found.bits == expected.bits);
  CHECK(found.values == expected.values);
  CHECK(found.from_launch == expected.from_launch);
  CHECK(found.first == expected.first);
  CHECK(found.nonfinite == expected.nonfinite);
  CHECK(bits(found.vermv_paper) == bits(expected.vermv_paper));
  CHECK(bits(found.vermv_code) == bits(expected.vermv_code));
  CHECK(bits(found.vermv_robust) == bits(expected.vermv_robust));
  CHECK(bits(found.largest_difference) == bits(expected.largest_difference));
  CHECK(bits(found.largest_error) == bits(expected.largest_error));
}

std::vector<std::uint64_t> bits_of_numbers(const std::vector<double>& numbers) {
  std::vector<std::uint64_t> all;
  for (const double x : numbers) all.push_back(bits(x));
  return all;
}

/// A drawn sample; some of its outputs, in most trials few, are replaced by numbers of trouble.
Results some_sample(const OutputSums& sums, std::uint64_t sample, IndexGenerator& draw) {
  Results results(sums.result_bytes());
  const auto scratch = sums.make_scratch();
  sums.evaluate(sample, results, *scratch);
  const Format format = sums.result_format();
  const std::size_t size = info(format).held_bytes();
  const std::uint64_t rarity = 1 + below(draw, 200);
  for (std::size_t i = 0; i < sums.varying().size(); ++i) {
    if (!chance(draw, rarity)) continue;
    const double launch = sums.launch().view().left(sums.varying()[i]);
    const double numbers[] = {0.0,
                              -0.0,
                              kInfinity,
                              -kInfinity,
                              kNan,
                              kLargest,
                              -kLargest,
                              launch,
                              -launch,
                              1.5 * launch,
                              info(format).smallest_subnormal()};
    Terms one(format, 1);
    one.set(0, numbers[below(draw, std::size(numbers))]);
    std::copy(one.bytes().begin(), one.bytes().end(), results.begin() + static_cast<std::ptrdiff_t>(i * size));
  }
  return results;
}

/// Of outputs that vary: how many have an exact result whose ulp is no power of two that a double inverts.
std::size_t compare_some(const OutputSums& sums, std::uint64_t seed) {
  IndexGenerator draw(RandomStream(seed, 79, 0), 0);
  const ExactRows exact = exact_outputs(sums.operation());
  const Terms baseline = chance(draw, 2) ? exact.rounded : sums.launch();
  const OutputComparison comparison(sums, baseline, exact);
  std::vector<Results> results;
  std::vector<Results> against;
  std::vector<ComparedSample> samples;
  const std::size_t count = 1 + below(draw, 9);
  const bool in_pairs = chance(draw, 3) && !sums.varying().empty();
  for (std::size_t s = 0; s < count; ++s) {
    results.push_back(some_sample(sums, 2 * s, draw));
    against.push_back(in_pairs ? some_sample(sums, 2 * s + 1, draw) : Results{});
  }
  for (std::size_t s = 0; s < count; ++s) samples.push_back({results[s], against[s]});
  OutputTally tally(sums);
  std::vector<OutputDifferences> found(count);
  SampleComparison together(comparison, tally, found);
  const std::size_t size = info(sums.result_format()).held_bytes();
  for (std::size_t begin = 0; begin < sums.varying().size();) {
    const std::size_t end = sums.part_end(begin);
    std::vector<ComparedSample> parts;
    const auto part = [&](std::span<const std::byte> all) {
      return all.empty() ? all : all.subspan(begin * size, (end - begin) * size);
    };
    for (const ComparedSample& sample : samples) parts.push_back({part(sample.results), part(sample.against)});
    together.add(parts);
    begin = end;
  }
  together.finish();

  OutputTally expected_tally(sums);
  OutputTally single_tally(sums);
  Expected expected(sums, baseline, exact, expected_tally);
  for (std::size_t s = 0; s < count; ++s) {
    check_equal(found[s], expected.compare(results[s], against[s]));
    const OutputDifferences single = comparison.compare(results[s], single_tally, against[s]);
    check_equal(single, found[s]);
    CHECK(single.hash == found[s].hash);
  }
  for (const OutputTally* other : {&expected_tally, &single_tally}) {
    CHECK(tally.different == other->different);
    CHECK(bits_of_numbers(tally.least) == bits_of_numbers(other->least));
    CHECK(bits_of_numbers(tally.greatest) == bits_of_numbers(other->greatest));
  }
  return static_cast<std::size_t>(std::count_if(sums.varying().begin(), sums.varying().end(),
                                                [&](std::uint32_t r) { return !inverts(exact.ulp[r]); }));
}

}  // namespace

TEST_CASE("samples compared together differ as their definitions say, whatever their numbers are") {
  std::size_t varying = 0;
  std::size_t not_inverted = 0;
  std::size_t all_inverted = 0;  // comparisons
  for (std::uint64_t seed = 0; seed < trials(20); ++seed)
    for (const Format format : {Format::fp64, Format::fp32, Format::fp16, Format::bf16})
      for (const char* text : {"cumsum", "scatter_add", "index_add"}) {
        CAPTURE(seed);
        CAPTURE(text);
        CAPTURE(info(format).name);
        IndexGenerator draw(RandomStream(seed, 80, 0), 0);
        const Trouble trouble = kTroubles[seed % std::size(kTroubles)];
        std::shared_ptr<const LoweredOperation> operation;
        if (std::string(text) == "cumsum") {
          OperationInputs inputs{troublesome_tensor(seed, format, trouble, {1 + below(draw, 30'000)}),
                                 {},
                                 {},
                                 {},
                                 {format, format, format}};
          operation = std::make_shared<const LoweredOperation>(lower(parse_operation(text), std::move(inputs)));
        } else {
          operation = some_operation(text, format, trouble, seed);
        }
        const auto sums = OutputSums::make(operation, parse_arrival("uniform"), {});
        varying += sums->varying().size();
        on_each_target([&] {
          const std::size_t divided = compare_some(*sums, seed);
          not_inverted += divided;
          all_inverted += divided == 0 && !sums->varying().empty() ? 1U : 0U;
        });
      }
  CHECK(varying > 0);
  CHECK(not_inverted > 0);
  CHECK(all_inverted > 0);
}

TEST_CASE("a number inverts if its inverse is a double whose exponent is not the least") {
  for (const double x : {1.0, 0.5, 0x1p-1022, 0x1p1022, 0x1p-149}) CHECK(inverts(x));
  CHECK(inverts(kNan));
  CHECK_FALSE(inverts(-kNan));
  for (const double x : {1.5, 0x1p-1023, 0x1p-1074, 0x1p1023, kInfinity}) CHECK_FALSE(inverts(x));
}
