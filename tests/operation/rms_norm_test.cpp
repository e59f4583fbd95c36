// rms_norm and softmax: outputs that are made of one sum for each row, against loops written out.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <set>

#include "operation/every_order.hpp"
#include "operation/exact_outputs.hpp"
#include "operation/fixed_functions.hpp"
#include "operation/ordered_results.hpp"
#include "operation/some_operations.hpp"
#include "orderlab/error.hpp"
#include "orderlab/study/operation.hpp"

namespace orderlab::testing {

namespace {

constexpr Formats kNarrow{Format::bf16, Format::fp32, Format::bf16};
constexpr std::size_t kRows = 5;

struct NormInputs {
  Tensor x;
  Tensor residual;
  Tensor weight;
};

NormInputs norm_inputs(std::uint64_t seed, std::size_t hidden) {
  return {troublesome_tensor(seed, Format::bf16, Trouble::near_one, {kRows, hidden}),
          troublesome_tensor(seed + 1, Format::bf16, Trouble::near_one, {kRows, hidden}),
          troublesome_tensor(seed + 2, Format::bf16, Trouble::near_one, {hidden})};
}

std::shared_ptr<const LoweredOperation> norm_of(const std::string& arguments, const NormInputs& inputs,
                                                std::size_t hidden, bool residual, bool weight,
                                                const char* order = nullptr) {
  const std::string text = "rms_norm(" + std::to_string(hidden) + "," + std::to_string(kRows) +
                           (arguments.empty() ? "" : ",") + arguments + ")";
  OperationInputs given{inputs.x, weight ? std::optional(inputs.weight) : std::nullopt, std::nullopt,
                        residual ? std::optional(inputs.residual) : std::nullopt, kNarrow};
  const auto by = order == nullptr ? std::nullopt : std::optional(parse_order(order));
  return std::make_shared<const LoweredOperation>(
      lower(parse_operation(text), std::move(given), {}, by ? &*by : nullptr));
}

std::unique_ptr<const OutputSums> sums_of(const std::shared_ptr<const LoweredOperation>& operation) {
  return OutputSums::make(operation, parse_arrival("uniform"), {});
}

float bf16(float x) { return static_cast<float>(value_of_bits(Format::bf16, round_to_bits(Format::bf16, x))); }

struct Rule {
  bool residual = false;
  bool rounded = true;
  bool weight = false;
  bool scaled_rounded = false;
};

/// One row, the squares added from left to right by fused multiply-adds.
std::vector<float> norm_row(const NormInputs& inputs, std::size_t hidden, std::size_t row, const Rule& rule) {
  std::vector<float> x(hidden);
  float sum = 0;
  for (std::size_t i = 0; i < hidden; ++i) {
    x[i] = static_cast<float>(inputs.x.terms.view().left(row * hidden + i));
    if (rule.residual) x[i] += static_cast<float>(inputs.residual.terms.view().left(row * hidden + i));
    if (rule.residual && rule.rounded) x[i] = bf16(x[i]);
    sum = std::fma(x[i], x[i], sum);
  }
  const float mean = sum / static_cast<float>(hidden);
  const auto rstd = static_cast<float>(1 / std::sqrt(static_cast<double>(mean + 1e-6F)));
  for (std::size_t i = 0; i < hidden; ++i) {
    x[i] *= rstd;
    if (rule.scaled_rounded) x[i] = bf16(x[i]);
    if (rule.weight) x[i] *= static_cast<float>(inputs.weight.terms.view().left(i));
    x[i] = bf16(x[i]);
  }
  return x;
}

}  // namespace

TEST_CASE("an RMSNorm is what its loop gives, with a residual and a weight in every rounding") {
  for (const std::size_t hidden : Shape{1, 7, 64, 1000})
    for (unsigned bits = 0; bits < 16; ++bits) {
      const Rule rule{(bits & 1U) != 0, (bits & 2U) != 0, (bits & 4U) != 0, (bits & 8U) != 0};
      const NormInputs inputs = norm_inputs(hidden + bits, hidden);
      std::string arguments = rule.scaled_rounded ? "scaled=rounded" : "scaled=fp32";
      if (rule.residual) arguments += rule.rounded ? ",residual=rounded" : ",residual=fp32";
      const auto operation = norm_of(arguments, inputs, hidden, rule.residual, rule.weight, "seq(acc=fma)");
      const auto sums = sums_of(operation);
      INFO("hidden ", hidden, " rule ", bits);
      REQUIRE(sums->varying().empty());
      bool same = true;
      for (std::size_t row = 0; row < kRows; ++row) {
        const std::vector<float> expected = norm_row(inputs, hidden, row, rule);
        for (std::size_t i = 0; i < hidden; ++i)
          same = same && sums->launch().view().left(row * hidden + i) == static_cast<double>(expected[i]);
      }
      CHECK(same);
    }
}

TEST_CASE("a residual is added as the library adds it") {
  const NormInputs inputs = norm_inputs(3, 256);
  const auto bits_of = [&](const std::string& arguments) {
    return all_bits(*sums_of(norm_of(arguments, inputs, 256, true, false)), {});
  };
  CHECK(bits_of("library=vllm") == bits_of("library=vllm,residual=rounded"));
  CHECK(bits_of("library=vllm") != bits_of("library=vllm,residual=fp32"));
  CHECK(bits_of("library=flashinfer") == bits_of("library=flashinfer,residual=fp32"));
  CHECK(bits_of("library=flashinfer") != bits_of("library=flashinfer,residual=rounded"));
}

TEST_CASE("exact outputs of an RMSNorm agree with extended arithmetic") {
  constexpr std::size_t hidden = 300;
  const NormInputs inputs = norm_inputs(11, hidden);
  const auto operation = norm_of("", inputs, hidden, false, true);
  const ExactRows exact = exact_outputs(*operation, serial_loop);
  for (std::size_t row = 0; row < kRows; ++row) {
    long double sum = 0;
    const auto x = [&](std::size_t i) {
      return static_cast<long double>(inputs.x.terms.view().left(row * hidden + i));
    };
    for (std::size_t i = 0; i < hidden; ++i) sum += x(i) * x(i);
    for (std::size_t i = 0; i < hidden; ++i) {
      const long double value =
          x(i) / std::sqrt(sum / hidden + 1e-6L) * static_cast<long double>(inputs.weight.terms.view().left(i));
      // 2^-48 of make_exact; the sum here is off by less than 300 2^-64.
      CHECK(std::fabs(static_cast<long double>(exact.high[row * hidden + i]) - value) <= 0x1p-48L * std::fabs(value));
    }
  }
}

TEST_CASE("a check excludes what no sum of squares makes, and no result of another kernel") {
  constexpr std::size_t hidden = 512;
  const NormInputs inputs = norm_inputs(21, hidden);
  const auto operation = norm_of("", inputs, hidden, false, true);
  const ExactRows exact = exact_outputs(*operation, serial_loop);
  const EveryOrder proof(*operation, exact, Flushing::either);
  for (const std::string_view other :
       {"library=flashinfer", "library=torch", "library=triton", "threads=32", "scaled=rounded"}) {
    const auto sums = sums_of(norm_of(std::string(other), inputs, hidden, false, true));
    bool excluded = false;
    for (std::size_t r = 0; r < operation->outputs(); ++r)
      excluded = excluded || proof.excludes(r, round_to_bits(Format::bf16, sums->launch().view().left(r)));
    INFO(other);
    CHECK_FALSE(excluded);
  }
  std::size_t found = 0;
  for (std::size_t r = 0; r < operation->outputs(); ++r)
    if (proof.excludes(r, round_to_bits(Format::bf16, exact.rounded.view().left(r) + 3 * exact.ulp[r]))) ++found;
  CHECK(found == operation->outputs());
}

TEST_CASE("outputs of a row vary together") {
  constexpr std::size_t hidden = 200;
  const NormInputs inputs = norm_inputs(31, hidden);
  const auto operation = norm_of("", inputs, hidden, false, false, "random");
  const auto sums = sums_of(operation);
  REQUIRE(sums->varying().size() == operation->outputs());
  const auto inner = OutputSums::make(operation->finished->sums, parse_arrival("uniform"), {});
  const auto scratch = inner->make_scratch();
  std::vector<std::byte> row_sums(inner->result_bytes());
  for (std::uint64_t sample = 0; sample < 5; ++sample) {
    inner->evaluate(sample, row_sums, *scratch);
    const TermView view{Format::fp32, kRows, row_sums.data(), nullptr};
    std::vector<std::uint64_t> expected;
    std::vector<double> outputs(hidden);
    for (std::size_t row = 0; row < kRows; ++row) {
      operation->finished->finish->make(row, view.left(row), outputs);
      for (const double output : outputs) expected.push_back(round_to_bits(Format::bf16, output));
    }
    CHECK(bits_of_sample(*sums, sample) == expected);
  }
  CHECK(fate_of(*operation, 7) == OutputFate::varies);
  const auto fixed = norm_of("", inputs, hidden, false, false, "pairwise");
  const Terms ordered = ordered_results(*operation, parse_order("pairwise"), serial_loop);
  const auto launch = sums_of(fixed);
  CHECK(std::equal(ordered.bytes().begin(), ordered.bytes().end(), launch->launch().bytes().begin()));
}

TEST_CASE("the exponential and the logarithm take zeros, infinities and NaN") {
  CHECK(fixed_exp(0) == 1);
  CHECK(fixed_exp(-1.5) == fixed::exp(-1.5));
  CHECK(fixed_exp(-std::numeric_limits<double>::infinity()) == 0);
  CHECK(std::isnan(fixed_exp(std::numeric_limits<double>::quiet_NaN())));
  CHECK(fixed_log(1) == 0);
  CHECK(fixed_log(1.5) == fixed::log(1.5));
  CHECK(fixed_log(0) == -std::numeric_limits<double>::infinity());
  CHECK(fixed_log(std::numeric_limits<double>::infinity()) == std::numeric_limits<double>::infinity());
  CHECK(std::isnan(fixed_log(-1)));
}

TEST_CASE("a softmax is what its loop gives") {
  for (const bool logarithm : {false, true})
    for (const std::size_t columns : Shape{1, 9, 1500}) {
      const OperationCall call = parse_operation(logarithm ? "log_softmax" : "softmax");
      const Tensor x = generated_inputs(call, {.shape = {kRows, columns}, .formats = kNarrow}).source;
      const Order order = parse_order("seq");
      const Formats formats{Format::bf16, Format::fp32, columns == 9 ? Format::bf16 : Format::fp32};
      const auto operation =
          std::make_shared<const LoweredOperation>(lower(call, {x, {}, {}, {}, formats}, {}, &order));
      const auto sums = sums_of(operation);
      bool same = true;
      for (std::size_t row = 0; row < kRows; ++row) {
        const auto at = [&](std::size_t i) { return static_cast<float>(x.terms.view().left(row * columns + i)); };
        float most = at(0);
        for (std::size_t i = 0; i < columns; ++i) most = std::max(most, at(i));
        const auto term = [&](std::size_t i) {
          return static_cast<float>(fixed_exp(static_cast<double>(at(i) - most)));
        };
        float sum = 0;
        for (std::size_t i = 0; i < columns; ++i) sum += term(i);
        const auto log_sum = static_cast<float>(fixed_log(static_cast<double>(sum)));
        for (std::size_t i = 0; i < columns; ++i) {
          const float wide = logarithm ? (at(i) - most) - log_sum : term(i) / sum;
          const float expected = columns == 9 ? bf16(wide) : wide;
          same = same && sums->launch().view().left(row * columns + i) == static_cast<double>(expected);
        }
      }
      INFO(to_string(call), " columns ", columns);
      CHECK(same);
    }
}

TEST_CASE("a check takes softmaxes of long rows in a narrow format") {
  constexpr std::size_t columns = 600;  // more than 2^8, where the bound on bf16's sums reaches 0
  for (const std::string_view name : {"softmax", "log_softmax"}) {
    const OperationCall call = parse_operation(name);
    const Formats formats{Format::bf16, Format::bf16, Format::bf16};
    const Tensor x = generated_inputs(call, {.shape = {1, columns}, .formats = formats}).source;
    const auto of = [&](const char* text) {
      const Order order = parse_order(text);
      return std::make_shared<const LoweredOperation>(lower(call, {x, {}, {}, {}, formats}, {}, &order));
    };
    const auto operation = of("seq");
    const ExactRows exact = exact_outputs(*operation, serial_loop);
    const EveryOrder proof(*operation, exact, Flushing::either);
    INFO(name);
    for (const char* text : {"seq", "pairwise"}) {
      const auto sums = sums_of(of(text));
      std::size_t excluded = 0;
      for (std::size_t r = 0; r < columns; ++r)
        excluded += proof.excludes(r, round_to_bits(Format::bf16, sums->launch().view().left(r))) ? 1U : 0U;
      CHECK(excluded == 0);
    }
    // The sum is at least 1: no exponential is more than 1 of it, no logarithm of one is 1 or more.
    CHECK(proof.excludes(0, round_to_bits(Format::bf16, 64.0)));
  }
}

TEST_CASE("a check takes a log_softmax of x - (max + log(sum)), in fp32") {
  constexpr std::size_t columns = 64;
  const OperationCall call = parse_operation("log_softmax");
  const Formats formats{Format::fp32, Format::fp32, Format::fp32};
  std::vector<double> numbers;
  for (std::size_t i = 0; i < columns; ++i) numbers.push_back(0x1p20 - static_cast<double>(i % 4) / 8);
  const OperationInputs inputs{tensor_of(Format::fp32, {1, columns}, numbers), {}, {}, {}, formats};
  const auto operation = std::make_shared<const LoweredOperation>(lower(call, OperationInputs(inputs)));
  const ExactRows exact = exact_outputs(*operation, serial_loop);
  const EveryOrder proof(*operation, exact, Flushing::either);
  double sum = 0;
  for (const double x : numbers) sum += std::exp(x - 0x1p20);
  const auto inner = static_cast<float>(0x1p20 + std::log(sum));
  std::size_t excluded = 0;
  for (std::size_t i = 0; i < columns; ++i)
    excluded += proof.excludes(i, round_to_bits(Format::fp32, numbers[i] - static_cast<double>(inner))) ? 1U : 0U;
  CHECK(excluded == 0);
  CHECK(proof.excludes(0, round_to_bits(Format::fp32, -std::log(sum) - 4)));
}

TEST_CASE("a check takes a softmax whose subnormal quotients are flushed to 0") {
  const OperationCall call = parse_operation("softmax");
  const Formats formats{Format::fp32, Format::fp32, Format::fp32};
  const Tensor x = tensor_of(Format::fp32, {1, 4}, {0, 0, -87.5, -80});  // exp(-87.5) is below 2^-126, exp(-80) is not
  const auto operation = std::make_shared<const LoweredOperation>(lower(call, {x, {}, {}, {}, formats}));
  const ExactRows exact = exact_outputs(*operation, serial_loop);
  const EveryOrder proof(*operation, exact, Flushing::either);
  CHECK_FALSE(proof.excludes(2, 0));
  CHECK(proof.excludes(3, 0));
}

TEST_CASE("a check allows for a subnormal that is rounded before a large weight") {
  const Formats formats{Format::fp16, Format::fp32, Format::fp16};
  const Tensor x = tensor_of(Format::fp16, {1, 4}, {0x1p-13, 1024, 1024, 1024});
  const Tensor weight = tensor_of(Format::fp16, {4}, {1024, 1, 1, 1});
  const auto of = [&](const char* text) {
    return std::make_shared<const LoweredOperation>(
        lower(parse_operation(text), {x, weight, std::nullopt, std::nullopt, formats}));
  };
  const auto operation = of("rms_norm(4,1,eps=0)");
  const ExactRows exact = exact_outputs(*operation, serial_loop);
  const EveryOrder proof(*operation, exact, Flushing::either);
  const auto sums = sums_of(of("rms_norm(4,1,eps=0,scaled=rounded)"));
  CHECK_FALSE(proof.excludes(0, round_to_bits(Format::fp16, sums->launch().view().left(0))));
}

TEST_CASE("a check knows what NaN and infinities make of a row") {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Tensor x = tensor_of(Format::bf16, {3, 3}, {1, kNan, 2, 1, kInfinity, 2, 1, 1, 1});
  const Formats formats{Format::bf16, Format::fp32, Format::bf16};
  const auto operation =
      std::make_shared<const LoweredOperation>(lower(parse_operation("rms_norm(3,3)"), {x, {}, {}, {}, formats}));
  const auto sums = sums_of(operation);
  const ExactRows exact = exact_outputs(*operation, serial_loop);
  const EveryOrder proof(*operation, exact, Flushing::either);
  const auto excludes = [&](std::size_t r, double value) {
    return proof.excludes(r, round_to_bits(Format::bf16, value));
  };
  for (std::size_t r = 0; r < 9; ++r) CHECK_FALSE(excludes(r, sums->launch().view().left(r)));
  CHECK(std::isnan(sums->launch().view().left(0)));
  CHECK(excludes(0, 1.0));  // NaN is in the row
  CHECK(sums->launch().view().left(3) == 0);
  CHECK(excludes(3, 1.0));  // divided by an infinity
  CHECK(excludes(3, kNan));
  CHECK(std::isnan(sums->launch().view().left(4)));
  CHECK(excludes(6, kNan));
}

TEST_CASE("sizes of a batch choose the kernel and change only what they change") {
  const OperationCall call = parse_operation("rms_norm(3584,64)");
  const OperationInputs inputs = generated_inputs(call, {.shape = {}, .formats = kNarrow});
  const auto sizes = in_sizes(to_string(call), inputs, {1, 255, 256, 1000});
  REQUIRE(sizes.size() == 4);
  CHECK(sizes[1].outputs_different == 0);
  CHECK(sizes[2].launch.threads_per_block == 256);
  CHECK(sizes[0].launch.threads_per_block == 448);  // a thread for each 8 numbers
  CHECK(sizes[2].outputs_different == sizes[3].outputs_different);
  CHECK(sizes[2].rows_different <= sizes[2].outputs_different);
  CHECK(sizes[2].rows_different <= 64);
  const auto invariant = in_sizes("rms_norm(3584,64,mode=batch_invariant)", inputs, {1, 1000});
  CHECK(invariant[1].outputs_different == 0);
  CHECK_THROWS_AS(in_sizes("sum(axis=1)", inputs, {1}), Error);
  CHECK(study::parse_batches("1,8,1e3") == std::vector<std::uint64_t>{1, 8, 1000});
  for (const char* text : {"1,,8", "", "1,", ",1"})
    CHECK_THROWS_WITH_AS(study::parse_batches(text), doctest::Contains("a size is missing"), Error);
  CHECK_THROWS_AS(study::parse_batches("0"), Error);
}

TEST_CASE("a batch of rows of a matrix product takes fewer splits") {
  const OperationCall call = parse_operation("matmul(4,512,2048)");
  const OperationInputs inputs =
      generated_inputs(call, {.shape = {}, .formats = {Format::bf16, Format::fp32, Format::fp32}});
  const auto sizes = in_sizes(to_string(call), inputs, {1, 4096});
  CHECK(sizes[0].launch.reason.ends_with("32 splits"));
  CHECK(sizes[1].launch.reason.ends_with("1 split"));
  CHECK(sizes[1].outputs_different > 0);
  CHECK(sizes[0].largest_difference == 0);
  CHECK(sizes[1].largest_difference > 0);
}

TEST_CASE("shapes of an RMSNorm have to fit") {
  const NormInputs inputs = norm_inputs(1, 16);
  CHECK_THROWS_AS(norm_of("", inputs, 8, false, false), Error);
  CHECK_THROWS_AS(norm_of("residual=rounded", inputs, 16, false, false), Error);
  CHECK_THROWS_AS(
      lower(parse_operation("rms_norm(16,5)"), {inputs.x, {}, {}, {}, {Format::bf16, Format::fp32, Format::fp64}}),
      Error);
  const OperationCall wide = parse_operation("rms_norm(16,5)");
  CHECK_THROWS_AS(
      lower(wide, generated_inputs(wide, {.shape = {}, .formats = {Format::fp64, Format::fp64, Format::fp32}})), Error);
}

}  // namespace orderlab::testing
