// Outputs of drawn arrival orders: against sums of one output, against rows sorted by arrival, against a loop in launch
// order, against numbers of all rows without pruning.
#include "orderlab/output_sums.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "operation/some_operations.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/evaluator.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

constexpr std::uint64_t kSeed = 5;
constexpr Format kSummedFormats[] = {Format::fp64, Format::fp32, Format::fp16, Format::bf16};

std::unique_ptr<const OutputSums> sums_of(const std::shared_ptr<const LoweredOperation>& operation,
                                          const std::string& arrival) {
  return OutputSums::make(operation, parse_arrival(arrival), DrawPath{.seed = kSeed});
}

template <class T>
T flushed(T x) {
  return x;
}
float flushed(float x) { return std::fabs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0F, x) : x; }

/// Row r of the operation added in the order of `ranks` of its units, written out once more.
std::uint64_t row_by_definition(const LoweredOperation& operation, std::size_t r,
                                const std::vector<std::uint32_t>& ranks) {
  const Contributions& rows = operation.rows;
  std::vector<std::size_t> places(rows.row_length(r));
  std::iota(places.begin(), places.end(), rows.row_begin[r]);
  if (operation.addition.arrives)
    std::stable_sort(places.begin(), places.end(),
                     [&](std::size_t a, std::size_t b) { return ranks[rows.unit[a]] < ranks[rows.unit[b]]; });
  return with_type_of(operation.formats.accumulate, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    const bool multiplies = operation.addition.combine == Combine::multiply;
    T sum(multiplies ? 1.0 : 0.0);
    if (rows.initial) sum = static_cast<const T*>(rows.initial->view().x)[r];
    for (const std::size_t place : places) {
      const T x = static_cast<const T*>(rows.values.view().x)[place];
      sum = multiplies ? sum * x : operation.addition.flush ? flushed(flushed(sum) + flushed(x)) : sum + x;
    }
    if (!operation.divide_by.empty()) sum = T(static_cast<double>(sum) / operation.divide_by[r]);
    return bits_of(sum);
  });
}

}  // namespace

TEST_CASE("one output whose units are its terms is the sum of today, bit for bit") {
  int compared = 0;
  for (const NamedOrder* named : built_in_vocabulary().named_orders) {
    const std::string text = default_expression(*named);
    for (const char* arrival : {"uniform", "jitter(7)", "launch"}) {
      if (!takes_arrival(named->name)) continue;
      const Order order = parse_order(named->name, arrival);
      for (const Format format : kSummedFormats)
        for (const std::size_t n : {1U, 2U, 33U, 300U, 2000U}) {
          INFO(text, " ", arrival, " n = ", n);
          const Formats formats{format, format, format};
          const Tensor tensor = troublesome_tensor(n, format, Trouble::near_one, {n});
          const auto evaluator = Evaluator::make(order, tensor.terms.view(), formats, kSeed);
          OperationInputs inputs{tensor, std::nullopt, std::nullopt, std::nullopt, formats};
          const auto operation =
              std::make_shared<const LoweredOperation>(lower(parse_operation("sum(axis=0)"), inputs, {}, &order));
          const auto sums = sums_of(operation, arrival);
          const auto scratch = evaluator->make_scratch();
          for (std::uint64_t sample = 0; sample < 3; ++sample) {
            CHECK(bits_of_sample(*sums, sample).at(0) == evaluator->evaluate(sample, *scratch).bits);
            ++compared;
          }
        }
    }
  }
  CHECK(compared > 500);
}

TEST_CASE("one output of an order that does not arrive draws as the sum of today does") {
  for (const char* text : {"random", "random_tree", "pairwise", "shuffle | seq(acc=kahan)", "arrive | arrive | seq",
                           "arrive | halving(64) | arrive | seq"}) {
    INFO(text);
    const Order order = parse_order(text);
    const Formats formats{Format::fp32, Format::fp32, Format::fp32};
    const Tensor tensor = troublesome_tensor(3, Format::fp32, Trouble::near_one, {50});
    const auto evaluator = Evaluator::make(order, tensor.terms.view(), formats, kSeed);
    const OperationInputs inputs{tensor, std::nullopt, std::nullopt, std::nullopt, formats};
    const auto sums = sums_of(
        std::make_shared<const LoweredOperation>(lower(parse_operation("sum(axis=0)"), inputs, {}, &order)), "uniform");
    for (std::uint64_t sample = 0; sample < 5; ++sample)
      CHECK(bits_of_sample(*sums, sample).at(0) == evaluator->evaluate(sample, *evaluator->make_scratch()).bits);
  }
}

TEST_CASE("a walk through the units gives what rows sorted by arrival give, and what the definition gives") {
  std::uint64_t varying = 0;
  for (std::uint64_t trial = 0; trial < trials(40); ++trial)
    for (const char* text : kIndexedOperations)
      for (const Format format : kSummedFormats) {
        const Trouble trouble = kTroubles[trial % std::size(kTroubles)];
        INFO(text, " trial ", trial);
        const auto operation = some_operation(text, format, trouble, 1000 * trial + static_cast<std::uint64_t>(format));
        const char* const arrival = trial % 2 == 0 ? "uniform" : "jitter(2)";
        const auto sums = sums_of(operation, arrival);
        if (operation->own) continue;
        varying += sums->varying().size();
        const auto scratch = sums->make_scratch();
        std::vector<std::byte> walked(sums->result_bytes());
        std::vector<std::byte> sorted(sums->result_bytes());
        const ArrivalCall model = parse_arrival(arrival);
        for (std::uint64_t sample = 0; sample < 2; ++sample) {
          sums->evaluate(sample, walked, *scratch);
          sums->evaluate_by_rows(sample, sorted, *scratch);
          CHECK(walked == sorted);
          std::vector<std::uint32_t> order(operation->rows.units);
          model.model->draw(*model.arguments, RandomStream(kSeed, streams::kFirstStage, sample), order);
          std::vector<std::uint32_t> ranks(order.size());
          for (std::size_t k = 0; k < order.size(); ++k) ranks[order[k]] = static_cast<std::uint32_t>(k);
          const std::vector<std::uint64_t> all = all_bits(*sums, walked);
          for (std::size_t r = 0; r < all.size(); ++r) CHECK(all[r] == row_by_definition(*operation, r, ranks));
        }
      }
  CHECK(varying > 100 * test_scale());
}

TEST_CASE("launch order is a loop over the source, as np.add.at adds") {
  for (std::uint64_t trial = 0; trial < trials(20); ++trial) {
    const GeneratedInputs what{.shape = {40, 17}, .ratio = 0.75, .seed = trial};
    const OperationCall call = parse_operation("index_add");
    const OperationInputs inputs = generated_inputs(call, what);
    const auto sums = sums_of(std::make_shared<const LoweredOperation>(lower(call, inputs)), "launch");
    std::vector<float> out(40 * 17);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(inputs.self->terms.view().left(i));
    for (std::size_t i = 0; i < inputs.index->values.size(); ++i)
      for (std::size_t c = 0; c < 17; ++c)
        out[static_cast<std::size_t>(inputs.index->values[i]) * 17 + c] +=
            static_cast<float>(inputs.source.terms.view().left(i * 17 + c));
    const std::vector<std::uint64_t> bits = bits_of_sample(*sums, 3);
    for (std::size_t i = 0; i < out.size(); ++i) CHECK(bits[i] == bits_of(out[i]));
  }
}

TEST_CASE("a tail adds the rows as they are sorted by arrival") {
  const Formats formats{Format::fp32, Format::fp32, Format::fp32};
  const Tensor tensor = troublesome_tensor(8, Format::fp32, Trouble::near_one, {7, 64});
  for (const char* text : {"arrive | halving(64)", "tile(4,2) | halving(4) | arrive(jitter(3)) | pairwise"}) {
    const Order order = parse_order(text);
    const OperationInputs inputs{tensor, std::nullopt, std::nullopt, std::nullopt, formats};
    const auto operation =
        std::make_shared<const LoweredOperation>(lower(parse_operation("sum(axis=1)"), inputs, {}, &order));
    const auto sums = sums_of(operation, "uniform");
    const ArrivalCall model = *operation->arrival;
    for (std::uint64_t sample = 0; sample < 4; ++sample) {
      std::vector<std::uint32_t> arrivals(operation->rows.units);
      model.model->draw(*model.arguments, RandomStream(kSeed, streams::kFirstStage, sample), arrivals);
      const std::size_t m = operation->rows.row_length(0);
      const std::vector<std::uint64_t> bits = bits_of_sample(*sums, sample);
      for (std::uint32_t r = 0; r < 7; ++r) {
        std::vector<std::uint32_t> mine;
        for (const std::uint32_t unit : arrivals)
          if (unit / m == r) mine.push_back(static_cast<std::uint32_t>(unit % m));
        const auto evaluator = Evaluator::make(order, tensor.terms.view().part(64 * r, 64), formats, kSeed);
        CHECK(bits[r] == evaluator->evaluate_arranged(mine, *evaluator->make_scratch()).bits);
      }
    }
  }
}

TEST_CASE("self starts an accumulator that adds in turn, and is added last to what a tree adds") {
  const Formats formats{Format::fp32, Format::fp32, Format::fp32};
  const Tensor tensor = tensor_of(Format::fp32, {1, 4}, {0x1p24, 1, 1, -0x1p24});
  const Tensor self = tensor_of(Format::fp32, {1}, {1});
  const auto result = [&](const char* text) {
    const Order order = parse_order(text);
    const OperationInputs inputs{tensor, std::nullopt, std::nullopt, self, formats};
    const auto sums = sums_of(
        std::make_shared<const LoweredOperation>(lower(parse_operation("sum(axis=1)"), inputs, {}, &order)), "launch");
    return sums->launch().view().left(0);
  };
  CHECK(result("ao") == 0);        // 1 + 2^24 is a tie that rounds to 2^24, and so on
  CHECK(result("pairwise") == 2);  // (2^24 + 1) + (1 - 2^24) = 2^24 - (2^24 - 1) = 1, then self
}
