// A sum of given terms asked as an operation: `sum(axis=1)` of one row is that sum, drawn alike.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "orderlab/study/operation.hpp"
#include "orderlab/study/sample.hpp"

using namespace orderlab;

namespace {

constexpr std::uint64_t kSumSeed = 5;
constexpr std::uint64_t kSumSamples = 100;

/// How many samples gave each result, by its bits.
using CountsByBits = std::map<std::uint64_t, std::uint64_t>;

CountsByBits counts_of_sum(const study::Input& input, const Order& order) {
  const study::SampleFinding finding =
      study::sample(input, {.orders = {order}, .samples = kSumSamples, .seed = kSumSeed, .threads = 1});
  CountsByBits counts;
  for (const Weighted& result : finding.orders.at(0).counts.results().values)
    counts[bits_of(Format::fp32, result.value)] = static_cast<std::uint64_t>(result.weight);
  return counts;
}

CountsByBits counts_of_operation(const Terms& terms, const Order& order) {
  OperationInputs inputs{{{1, terms.size()}, terms}, std::nullopt, std::nullopt, std::nullopt, parse_formats("fp32")};
  const study::OperationInput input =
      study::operation_input(parse_operation("sum(axis=1)"), std::move(inputs), {}, &order);
  const auto finding =
      study::sample_operation(input, {.samples = kSumSamples, .seed = kSumSeed, .threads = 1, .keep_results = true});
  REQUIRE(finding);
  CountsByBits counts;
  for (const auto& outputs : finding->results) {
    float sum = 0;
    REQUIRE(outputs.size() == sizeof sum);
    std::memcpy(&sum, outputs.data(), sizeof sum);
    ++counts[bits_of(sum)];
  }
  return counts;
}

}  // namespace

TEST_CASE("sum(axis=1) of one row has the results of the plain sum, each as often") {
  for (const std::size_t n : {1000U, 20000U}) {
    const Terms terms = study::generated_input({.n = n, .formats = parse_formats("fp32"), .seed = 3}).terms;
    const study::Input given = study::given_input(terms);
    for (const char* text : {"spa", "warp", "random", "ao"}) {
      CAPTURE(n);
      CAPTURE(text);
      const Order order = parse_order(text);
      const CountsByBits plain = counts_of_sum(given, order);
      CHECK(plain.size() > 1);
      CHECK(counts_of_operation(terms, order) == plain);
    }
  }
}
