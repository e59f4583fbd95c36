// Findings on operations: samples against exact expectations, enumeration against all unit orders, checks of arrays
// with and without faults, tolerances.
#include "orderlab/study/operation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <cstddef>
#include <numeric>
#include <set>
#include <stop_token>

#include "operation/some_operations.hpp"
#include "orderlab/error.hpp"
#include "orderlab/study/operation_outcomes.hpp"
#include "orderlab/study/tolerance.hpp"
#include "run/addition.hpp"
#include "show/operation.hpp"
#include "show/operation_outcomes.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

study::OperationInput generated(const std::string& text, const Shape& shape, double ratio = 1, std::uint64_t seed = 1,
                                const Order* order = nullptr) {
  return study::operation_input(parse_operation(text), GeneratedInputs{.shape = shape, .ratio = ratio, .seed = seed},
                                {}, order);
}

/// All outputs for one given order of the units.
std::vector<std::uint64_t> outputs_for(const LoweredOperation& operation, const std::vector<std::uint32_t>& arrivals) {
  std::vector<std::uint32_t> ranks(arrivals.size());
  for (std::size_t k = 0; k < arrivals.size(); ++k) ranks[arrivals[k]] = static_cast<std::uint32_t>(k);
  const Contributions& rows = operation.rows;
  std::vector<std::uint64_t> bits;
  for (std::size_t r = 0; r < rows.outputs(); ++r) {
    std::vector<std::size_t> places(rows.row_length(r));
    std::iota(places.begin(), places.end(), rows.row_begin[r]);
    std::stable_sort(places.begin(), places.end(),
                     [&](std::size_t a, std::size_t b) { return ranks[rows.unit[a]] < ranks[rows.unit[b]]; });
    float sum = rows.initial ? static_cast<const float*>(rows.initial->view().x)[r] : 0.0F;
    for (const std::size_t place : places) sum += static_cast<const float*>(rows.values.view().x)[place];
    bits.push_back(bits_of(sum));
  }
  return bits;
}

/// A small index_add whose units are as many as `units`.
study::OperationInput small_tensor(std::uint64_t seed) {
  IndexGenerator draw(RandomStream(seed, 78, 0), 0);
  const std::size_t columns = 20 + below(draw, 8);
  const std::size_t indices = 17 + below(draw, 9);  // 4 or 5 units
  const std::size_t bins = 3 + below(draw, 5);
  OperationInputs inputs{troublesome_tensor(seed, Format::fp32, Trouble::near_one, {indices, columns}),
                         std::nullopt,
                         IndexTensor{{indices}, {}},
                         troublesome_tensor(seed + 1, Format::fp32, Trouble::near_one, {bins, columns}),
                         {Format::fp32, Format::fp32, Format::fp32}};
  for (std::size_t i = 0; i < indices; ++i)
    inputs.index->values.push_back(static_cast<std::int64_t>(below(draw, bins)));
  return study::operation_input(parse_operation("index_add"), std::move(inputs));
}

}  // namespace

TEST_CASE("enumeration gives the sets and probabilities of all unit orders of small tensors") {
  std::uint64_t several = 0;
  for (std::uint64_t seed = 0; seed < trials(100); ++seed) {
    const study::OperationInput input = small_tensor(seed);
    const LoweredOperation& operation = *input.operation;
    const auto finding = study::enumerate_operation(input, {});
    REQUIRE(finding);
    std::vector<std::map<std::uint64_t, std::uint64_t>> counts(input.facts.outputs);
    std::vector<std::uint32_t> arrivals(operation.rows.units);
    std::iota(arrivals.begin(), arrivals.end(), 0U);
    std::uint64_t orders = 0;
    std::uint64_t different = 0;
    const std::vector<std::uint64_t> launch = outputs_for(operation, arrivals);
    do {
      const std::vector<std::uint64_t> bits = outputs_for(operation, arrivals);
      for (std::size_t r = 0; r < bits.size(); ++r) {
        ++counts[r][bits[r]];
        different += bits[r] != launch[r] ? 1U : 0U;
      }
      ++orders;
    } while (std::next_permutation(arrivals.begin(), arrivals.end()));
    const auto varying = finding->sums->varying();
    std::size_t next = 0;
    for (std::size_t r = 0; r < counts.size(); ++r) {
      if (next == varying.size() || varying[next] != r) {
        CHECK(counts[r].size() == 1);
        continue;
      }
      const auto& results = finding->results[next++];
      REQUIRE(results.size() == counts[r].size());
      several += results.size() > 1 ? 1U : 0U;
      for (const OutputResult& result : results) {
        // Both are count / k!, of other k, each rounded once.
        const double share = static_cast<double>(counts[r][result.bits]) / static_cast<double>(orders);
        CHECK(std::fabs(result.probability - share) <= 2 * 0x1p-53 * share);
      }
    }
    const double mean = static_cast<double>(different) / static_cast<double>(orders * input.facts.outputs);
    // Sums of at most 200 probabilities, each rounded to 2^-53 of at most 1.
    CHECK(std::fabs(finding->vc_order_low - mean) <= 200 * 0x1p-52);
    CHECK(finding->vc_order_low == finding->vc_order_high);
  }
  CHECK(several > 50 * test_scale());
}

TEST_CASE("the mean of Vc over samples is within five standard errors of its exact expectation") {
  const Order ao = parse_order("ao");
  for (const study::OperationInput& input : {generated("index_add", {40, 60}), generated("scatter_add", {600}),
                                             generated("sum(axis=1)", {30, 7}, 1, 1, &ao)}) {
    study::OperationSampleRequest request;
    request.baseline = study::OutputBaseline::launch;
    request.samples = std::max<std::uint64_t>(trials(4000), 400);
    const auto sampled = study::sample_operation(input, request);
    REQUIRE(sampled);
    REQUIRE(sampled->vc_expected);
    CHECK(std::fabs(sampled->vc.mean - *sampled->vc_expected) <
          5 * *sampled->vc.sd / std::sqrt(static_cast<double>(sampled->samples)));
    const auto all = study::enumerate_operation(input, {.baseline = study::OutputBaseline::launch});
    CHECK(all->vc_low == *sampled->vc_expected);
  }
}

TEST_CASE("findings on an operation depend on no number of threads, nor of samples that are compared at once") {
  for (const char* text : {"index_add", "scatter_reduce(mean)"}) {
    const study::OperationInput input = generated(text, {60, 50});
    for (const auto baseline :
         {study::OutputBaseline::deterministic, study::OutputBaseline::run, study::OutputBaseline::exact}) {
      CAPTURE(baseline);
      std::vector<std::string> documents;
      std::vector<std::vector<std::vector<std::byte>>> results;
      for (const int threads : {1, 2, 5, 50}) {  // eight samples at once, and one by one
        study::OperationSampleRequest request;
        request.samples = 50;
        request.baseline = baseline;
        request.keep_results = true;
        request.threads = threads;
        const auto finding = study::sample_operation(input, request);
        documents.push_back(to_json(*finding) + to_csv(*finding));
        results.push_back(finding->results);
      }
      CHECK(std::count(documents.begin(), documents.end(), documents[0]) == 4);
      CHECK(std::count(results.begin(), results.end(), results[0]) == 4);
      CHECK(std::set(results[0].begin(), results[0].end()).size() > 5);
    }
  }
}

TEST_CASE("method and order are told apart") {
  // scatter_add with units in launch order: all that differs from the sorted form is the method.
  const study::OperationInput input = generated("scatter_add", {3000});
  study::OperationSampleRequest request;
  request.arrival = "launch";
  request.samples = 3;
  const auto finding = study::sample_operation(input, request);
  CHECK(finding->vc.mean == finding->offset_vc);
  CHECK(finding->vc_order.max == 0);
  CHECK(finding->offset_vc > 0.05);
  CHECK(finding->distinct == 1);
  request.baseline = study::OutputBaseline::launch;
  CHECK(study::sample_operation(input, request)->vc.max == 0);
}

TEST_CASE("an honest array is explained, and one term dropped, doubled or swapped is found and named") {
  for (const char* arrival : {"uniform", "jitter(3)"}) {
    const study::OperationInput input = generated("index_add", {60, 50});
    study::OperationSampleRequest request;
    request.arrival = arrival;
    request.samples = 1;
    request.keep_results = true;
    const auto sampled = study::sample_operation(input, request);
    study::OperationCheckRequest check{.actual = {input.facts.shape, sampled->sums->launch()}};
    check.arrival = arrival;
    Terms& actual = check.actual.terms;
    float* const numbers = reinterpret_cast<float*>(actual.bytes().data());
    for (std::size_t i = 0; i < sampled->sums->varying().size(); ++i)
      numbers[sampled->sums->varying()[i]] = reinterpret_cast<const float*>(sampled->results[0].data())[i];
    CHECK(study::check_operation(input, check)->verdict() == study::OutputVerdict::explained);

    const Contributions& rows = input.operation->rows;
    std::size_t r = 0;
    while (rows.row_length(r) < 3) ++r;
    const auto faulty = [&](std::size_t output, float value) {
      const float before = std::exchange(numbers[output], value);
      const auto finding = study::check_operation(input, check);
      CHECK(finding->verdict() == study::OutputVerdict::impossible);
      REQUIRE_FALSE(finding->suspects.empty());
      CHECK(finding->suspects[0].output == output);
      numbers[output] = before;
    };
    const float term = static_cast<float>(rows.values.view().left(rows.row_begin[r]));
    faulty(r, numbers[r] - term);
    faulty(r, numbers[r] + term);
    std::swap(numbers[r], numbers[r + 1]);
    const auto swapped = study::check_operation(input, check);
    CHECK(swapped->impossible == 2);
    CHECK(swapped->suspects[0].distance_ulp > 0);
  }
}

TEST_CASE("long rows are judged by samples and a bound") {
  const Order ao = parse_order("ao");
  const study::OperationInput input = generated("sum(axis=1)", {20, 200}, 1, 1, &ao);
  study::OperationCheckRequest check{.actual = {input.facts.shape, Terms(Format::fp32, 20)}};
  const auto sums = OutputSums::make(input.operation, *input.operation->arrival, DrawPath{.seed = 77});
  check.actual.terms = sums->launch();
  const auto honest = study::check_operation(input, check);
  CHECK(honest->sampled == 20);
  CHECK(honest->verdict() == study::OutputVerdict::explained);
  check.actual.terms.set(3, check.actual.terms.view().left(3) + 1);
  const auto faulty = study::check_operation(input, check);
  CHECK(faulty->verdict() == study::OutputVerdict::impossible);
  CHECK(faulty->suspects[0].output == 3);
}

TEST_CASE("one output outside its samples is more than chance allows, where there are samples enough") {
  const Order random = parse_order("random");
  const study::OperationInput input = generated("sum(axis=1)", {4, 50}, 1, 1, &random);
  const auto sums = OutputSums::make(input.operation, parse_arrival("uniform"), DrawPath{.seed = 77});
  study::OperationCheckRequest check{.actual = {input.facts.shape, sums->launch()}};
  auto& number = reinterpret_cast<float*>(check.actual.terms.bytes().data())[2];
  for (int ulps = 0; ulps < 80; ++ulps) number = std::nextafter(number, 1e9F);
  const auto finding = study::check_operation(input, check);
  CHECK(finding->outside_needed() == 1);
  CHECK(finding->verdict() == study::OutputVerdict::unlikely);
  REQUIRE(finding->suspects.size() == 1);
  CHECK(finding->suspects[0].output == 2);
  check.samples = 8000;  // one of 4 outputs is outside as many in 1 of 1000 honest arrays
  const auto fewer = study::check_operation(input, check);
  CHECK(fewer->outside_needed() == 2);
  CHECK(fewer->verdict() == study::OutputVerdict::explained);
}

namespace {

/// An index_add of n contributions to `bins` outputs, and the outputs of contributions that arrive one at a time in a
/// random order.
struct AnyOrder {
  study::OperationInput input;
  Tensor actual{{1}, Terms(Format::fp32, 1)};

  AnyOrder(std::size_t n, std::size_t bins, std::uint64_t seed, double scale = 1, bool flush = false) {
    IndexGenerator draw(RandomStream(seed, 79, 0), 0);
    OperationInputs inputs{troublesome_tensor(seed, Format::fp32, Trouble::near_one, {n}),
                           std::nullopt,
                           IndexTensor{{n}, {}},
                           std::nullopt,
                           {Format::fp32, Format::fp32, Format::fp32}};
    float* const source = reinterpret_cast<float*>(inputs.source.terms.bytes().data());
    for (std::size_t i = 0; i < n; ++i) {
      source[i] = static_cast<float>(source[i] * scale);
      inputs.index->values.push_back(static_cast<std::int64_t>(i < bins ? i : below(draw, bins)));
    }
    input = study::operation_input(parse_operation("index_add"), inputs);
    actual = {input.facts.shape, Terms(Format::fp32, bins)};
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[below(draw, i)]);
    float* const sums = reinterpret_cast<float*>(actual.terms.bytes().data());
    for (const std::size_t i : order) {
      float& sum = sums[inputs.index->values[i]];
      sum = flush ? added<float, true>(sum, source[i]) : sum + source[i];
    }
  }

  study::OperationCheckFinding check(Flushing flushing = Flushing::either) const {
    study::OperationCheckRequest request{.actual = actual};
    request.flushing = flushing;
    return *study::check_operation(input, request);
  }
};

}  // namespace

TEST_CASE("contributions that arrive one at a time in any order give nothing impossible") {
  std::uint64_t outside = 0;
  for (std::uint64_t seed = 0; seed < trials(4); ++seed)
    for (const auto& [n, bins] : {std::pair<std::size_t, std::size_t>{6000, 2000}, {3000, 100}, {120, 4}, {40, 30}}) {
      const study::OperationCheckFinding finding = AnyOrder(n, bins, seed).check();
      CHECK(finding.impossible == 0);
      CHECK(finding.unlikely == 0);
      CHECK(finding.explained() + finding.outside_model == bins);
      CHECK(finding.suspects.size() == finding.outside_model);
      outside += finding.outside_model;
    }
  CHECK(outside > 0);  // the test would say nothing else
}

TEST_CASE("sums may keep subnormal numbers or flush them, unless it is said which") {
  for (std::uint64_t seed = 0; seed < trials(6); ++seed)
    for (const bool flush : {false, true}) {
      const AnyOrder any(600, 100, seed, 0x1p-126, flush);
      CHECK(any.check().impossible == 0);
      CHECK(any.check(flush ? Flushing::yes : Flushing::no).impossible == 0);
      CHECK(any.check(flush ? Flushing::no : Flushing::yes).impossible > 0);
    }
}

TEST_CASE("the rows of outputs that are not explained agree with the answer") {
  OperationInputs inputs{tensor_of(Format::fp32, {300}, std::vector<double>(300, 0x1p-149)),
                         std::nullopt,
                         IndexTensor{{300}, std::vector<std::int64_t>(300, 0)},
                         std::nullopt,
                         {Format::fp32, Format::fp32, Format::fp32}};
  const study::OperationInput input = study::operation_input(parse_operation("index_add"), inputs);
  for (const double sum : {0.0, 300 * 0x1p-149}) {
    study::OperationCheckRequest check{.actual = tensor_of(Format::fp32, {1}, {sum})};
    const auto finding = study::check_operation(input, check);
    CHECK(finding->verdict() == study::OutputVerdict::explained);
    CHECK(finding->suspects.empty());
  }
  study::OperationCheckRequest check{.actual = tensor_of(Format::fp32, {1}, {299 * 0x1p-149})};
  check.flushing = Flushing::no;  // then the sum is exact in every order
  CHECK(study::check_operation(input, check)->verdict() == study::OutputVerdict::impossible);
}

TEST_CASE("what a check cannot see is counted for outputs with one result, too") {
  const auto blind = [](std::vector<double> numbers, const char* text, const Order* order = nullptr) {
    const std::size_t n = numbers.size();
    const bool indexed = order == nullptr;
    OperationInputs inputs{tensor_of(Format::fp32, indexed ? Shape{n} : Shape{1, n}, numbers),
                           std::nullopt,
                           std::nullopt,
                           std::nullopt,
                           {Format::fp32, Format::fp32, Format::fp32}};
    if (indexed) inputs.index = IndexTensor{{n}, std::vector<std::int64_t>(n, 0)};
    const study::OperationInput input = study::operation_input(parse_operation(text), inputs, {}, order);
    const auto sums = OutputSums::make(input.operation, parse_arrival("uniform"), {});
    const auto finding = study::check_operation(input, {.actual = {input.facts.shape, sums->launch()}});
    REQUIRE(finding->blind.size() == 1);
    CHECK(finding->blind[0].contributions == n);
    CHECK(finding->blind[0].changes == n);
    return std::pair(finding->blind[0].dropped_unseen, finding->blind[0].doubled_unseen);
  };
  using Unseen = std::pair<std::uint64_t, std::uint64_t>;
  std::vector<double> one_small(20, 1.0);
  one_small[0] = 1e-9;
  const Order halves = parse_order("pairwise");
  const Order fused = parse_order("strided(4) | seq");
  CHECK(blind(one_small, "index_add") == Unseen{1, 1});
  CHECK(blind(one_small, "index_put") == Unseen{1, 1});
  CHECK(blind(one_small, "scatter_add") == Unseen{1, 1});
  CHECK(blind(one_small, "bincount") == Unseen{1, 1});
  CHECK(blind(one_small, "sum(axis=1)", &halves) == Unseen{1, 1});
  CHECK(blind(one_small, "sum(axis=1)", &fused) == Unseen{1, 1});
  CHECK(blind({1, 0, 3}, "scatter_add") == Unseen{1, 1});  // exact in every order
  CHECK(blind({1e9, 1}, "scatter_add") == Unseen{1, 1});   // two operands
  // Flushed, the sum is 2^-126; where the first is doubled, it is that of sums that keep subnormals.
  CHECK(blind({0x1p-126, 0x1p-127, 0x1p-127}, "scatter_add") == Unseen{2, 3});
}

TEST_CASE("a check by samples says the same on any number of threads") {
  AnyOrder any(4000, 100, 5);
  float* const numbers = reinterpret_cast<float*>(any.actual.terms.bytes().data());
  for (const std::size_t r : {3U, 40U, 41U}) {
    const float far = numbers[r] + 1e-5F;
    for (int step = 0; step < 60 && numbers[r] < far; ++step) numbers[r] = std::nextafter(numbers[r], far);
  }
  study::OperationCheckRequest request{.actual = any.actual};
  request.threads = 1;
  const auto one = study::check_operation(any.input, request);
  request.threads = 3;
  const auto three = study::check_operation(any.input, request);
  CHECK(one->sampled > 50);
  CHECK(one->outside > 0);
  CHECK(to_json(*one) == to_json(*three));
}

TEST_CASE("an array of the deterministic form is explained as that") {
  const study::OperationInput input = generated("scatter_add", {2000});
  study::OperationCheckRequest check{
      .actual = {input.facts.shape, input.operation->deterministic->results(*input.operation)}};
  const auto finding = study::check_operation(input, check);
  CHECK(finding->equals_deterministic);
  CHECK(finding->verdict() == study::OutputVerdict::explained);
}

TEST_CASE("honest arrays are flagged no more often than the confidence says") {
  const study::OperationInput input = generated("scatter_add", {3000});
  const auto sums = OutputSums::make(input.operation, parse_arrival("uniform"), DrawPath{.seed = 9});
  const auto scratch = sums->make_scratch();
  std::vector<std::byte> results(sums->result_bytes());
  study::OperationCheckRequest check{.actual = {input.facts.shape, sums->launch()}};
  float* const numbers = reinterpret_cast<float*>(check.actual.terms.bytes().data());
  int flagged = 0;
  for (std::uint64_t sample = 0; sample < trials(50); ++sample) {
    sums->evaluate(sample, results, *scratch);
    for (std::size_t i = 0; i < sums->varying().size(); ++i)
      numbers[sums->varying()[i]] = reinterpret_cast<const float*>(results.data())[i];
    flagged += study::check_operation(input, check)->verdict() == study::OutputVerdict::explained ? 0 : 1;
  }
  CHECK(flagged == 0);  // 50 arrays at 0.999: more than none has probability 0.05 at most; the seed is fixed
}

TEST_CASE("a tolerance covers the largest deviation of all outputs of fresh runs") {
  const study::OperationInput input = generated("index_add", {50, 40});
  study::OperationToleranceRequest request;
  request.coverage = 0.9;
  const auto finding = study::tolerance_of_operation(input, request);
  CHECK(finding.rank > 0);
  const auto sums = OutputSums::make(input.operation, parse_arrival("uniform"), DrawPath{.seed = 1});
  study::OperationSampleRequest fresh;
  fresh.seed = 2;
  fresh.samples = 1000;
  fresh.baseline = study::OutputBaseline::exact;
  const auto sampled = study::sample_operation(input, fresh);
  CHECK(sampled->largest_error.median <= finding.limit.ulp);
  CHECK(finding.limit.ulp <= finding.largest.ulp);
  CHECK(finding.limit.beside_rtol <= finding.limit.absolute);
  CHECK(study::tolerance_of_operation(generated("index_add", {16, 40}), request).rank == 1);
  request.samples = 10;
  CHECK_THROWS_AS(study::tolerance_of_operation(input, request), RequestError);
}

TEST_CASE("every output has one reason to vary or not") {
  for (const char* text : {"index_add", "scatter_add", "bincount(50)", "index_put"}) {
    const study::OperationInput input =
        generated(text, text == std::string("bincount(50)") ? Shape{900} : Shape{70, 9});
    const study::ExplainFinding finding = study::explain(input);
    std::uint64_t outputs = 0;
    std::uint64_t varying = 0;
    for (const study::OutputReason& reason : finding.reasons) {
      outputs += reason.outputs;
      varying += reason.varies ? reason.outputs : 0;
    }
    CHECK(outputs == input.facts.outputs);
    CHECK(varying == OutputSums::make(input.operation, parse_arrival("uniform"), {})->varying().size());
  }
}

TEST_CASE("a check by samples calls no reachable result impossible, whatever the formats") {
  // 2^-25 + 2^-49 + 2^-49 is a tie that rounds to 0 in fp16, or just above it and rounds to 2^-24, by order; 40000 +
  // 40000 overflows in fp16.
  const Order ao = parse_order("ao");
  struct Case {
    const char* formats;
    std::vector<double> terms;
  };
  std::vector<double> tiny(30, 0.0);
  tiny[0] = 0x1p-25;
  tiny[1] = tiny[2] = 0x1p-49;
  std::vector<double> huge(30, 0.0);
  huge[0] = huge[1] = 40000;
  huge[2] = huge[3] = -40000;
  for (const Case& c : {Case{"fp32:fp32:fp16", tiny}, Case{"fp16:fp16:fp32", huge}}) {
    const Formats formats = parse_formats(c.formats);
    const OperationInputs inputs{tensor_of(formats.terms, {1, 30}, c.terms), std::nullopt, std::nullopt, std::nullopt,
                                 formats};
    const study::OperationInput input = study::operation_input(parse_operation("sum(axis=1)"), inputs, {}, &ao);
    study::OperationSampleRequest request;
    request.samples = 40;
    request.keep_results = true;
    const auto drawn = study::sample_operation(input, request);
    for (const std::vector<std::byte>& sample : drawn->results) {
      study::OperationCheckRequest check{.actual = {input.facts.shape, Terms(formats.result, 1)}};
      std::copy(sample.begin(), sample.end(), check.actual.terms.bytes().begin());
      check.samples = 1;
      CHECK(study::check_operation(input, check)->verdict() != study::OutputVerdict::impossible);
    }
  }
}

TEST_CASE("a stop leaves the samples of the rounds that were done, which are those of a shorter run") {
  const study::OperationInput input = generated("index_add", {200, 30}, 0.3);
  std::stop_source source;
  study::Watch watch{.stop = source.get_token()};
  watch.advances = [&](const study::Progress& progress) {
    if (progress.done >= 20) source.request_stop();
  };
  const auto part = study::sample_operation(input, {.samples = 1'000'000}, watch);
  REQUIRE(part);
  CHECK(part->partial);
  CHECK(part->samples >= 20);
  const auto shorter = study::sample_operation(input, {.samples = part->samples});
  REQUIRE(shorter);
  CHECK_FALSE(shorter->partial);
  CHECK(part->tally.different == shorter->tally.different);
  CHECK(part->tally.least == shorter->tally.least);
  CHECK(part->tally.greatest == shorter->tally.greatest);
  CHECK(part->vc.mean == shorter->vc.mean);
  source.request_stop();
  CHECK_FALSE(study::sample_operation(input, {.samples = 10}, watch));
  CHECK_FALSE(study::enumerate_operation(input, {}, watch));
}
