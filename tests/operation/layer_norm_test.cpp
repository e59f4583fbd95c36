// layer_norm: against loops written out, extended arithmetic, and checks of results of its kernels.
#include <doctest/doctest.h>

#include <cmath>

#include "operation/every_order.hpp"
#include "operation/exact_outputs.hpp"
#include "operation/norm_kernels.hpp"
#include "operation/some_operations.hpp"
#include "orderlab/error.hpp"
#include "orderlab/study/alternatives.hpp"

namespace orderlab::testing {

namespace {

constexpr Formats kLayerFormats{Format::bf16, Format::fp32, Format::bf16};
constexpr std::size_t kLayerRows = 4;

struct LayerInputs {
  Tensor x;
  Tensor weights;
};

LayerInputs layer_inputs(std::uint64_t seed, std::size_t hidden) {
  return {troublesome_tensor(seed, Format::bf16, Trouble::near_one, {kLayerRows, hidden}),
          troublesome_tensor(seed + 1, Format::bf16, Trouble::near_one, {2, hidden})};
}

std::shared_ptr<const LoweredOperation> layer_norm_of(const std::string& more, const LayerInputs& inputs,
                                                      std::size_t hidden, const char* order = nullptr) {
  const std::string text = "layer_norm(" + std::to_string(hidden) + "," + std::to_string(kLayerRows) +
                           (more.empty() ? "" : ",") + more + ")";
  const auto by = order == nullptr ? std::nullopt : std::optional(parse_order(order));
  return std::make_shared<const LoweredOperation>(
      lower(parse_operation(text), {inputs.x, inputs.weights, {}, {}, kLayerFormats}, {}, by ? &*by : nullptr));
}

std::unique_ptr<const OutputSums> layer_sums(const std::shared_ptr<const LoweredOperation>& operation) {
  return OutputSums::make(operation, parse_arrival("uniform"), {});
}

float layer_bf16(float x) { return static_cast<float>(value_of_bits(Format::bf16, round_to_bits(Format::bf16, x))); }

}  // namespace

TEST_CASE("a LayerNorm in two passes is what its loop gives") {
  for (const std::size_t hidden : Shape{1, 7, 64, 1000}) {
    const LayerInputs inputs = layer_inputs(hidden, hidden);
    const auto sums = layer_sums(layer_norm_of("", inputs, hidden, "seq(acc=fma)"));
    const auto weight = [&](std::size_t i) { return static_cast<float>(inputs.weights.terms.view().left(i)); };
    bool same = true;
    for (std::size_t row = 0; row < kLayerRows; ++row) {
      const auto x = [&](std::size_t i) { return static_cast<float>(inputs.x.terms.view().left(row * hidden + i)); };
      float sum = 0;
      for (std::size_t i = 0; i < hidden; ++i) sum += x(i);
      const float mean = sum / static_cast<float>(hidden);
      float squares = 0;
      for (std::size_t i = 0; i < hidden; ++i) squares = std::fma(x(i) - mean, x(i) - mean, squares);
      const float variance = squares / static_cast<float>(hidden);
      const auto rstd = static_cast<float>(1 / std::sqrt(static_cast<double>(variance + 1e-5F)));
      for (std::size_t i = 0; i < hidden; ++i) {
        const float expected = layer_bf16(std::fma((x(i) - mean) * rstd, weight(i), weight(hidden + i)));
        same = same && sums->launch().view().left(row * hidden + i) == static_cast<double>(expected);
      }
    }
    INFO("hidden ", hidden);
    CHECK(same);
  }
}

TEST_CASE("exact outputs of a LayerNorm agree with extended arithmetic, far from zero, too") {
  constexpr std::size_t hidden = 200;
  for (const double far : {0.0, 1000.0}) {
    std::vector<double> numbers;
    const Terms normal = generate_terms("normal(0,1)", kLayerRows * hidden, Format::fp32, 5);
    for (std::size_t i = 0; i < normal.size(); ++i)
      numbers.push_back(static_cast<double>(static_cast<float>(normal.view().left(i) + far)));
    const Tensor x = tensor_of(Format::fp32, {kLayerRows, hidden}, numbers);
    for (const char* order : {"", "pairwise"}) {
      const auto by = *order == '\0' ? std::nullopt : std::optional(parse_order(order));
      const LoweredOperation operation =
          lower(parse_operation("layer_norm(200,4)"), {x, {}, {}, {}, {Format::fp32, Format::fp32, Format::fp32}}, {},
                by ? &*by : nullptr);
      const ExactRows exact = exact_outputs(operation, serial_loop);
      for (std::size_t row = 0; row < kLayerRows; ++row) {
        long double mean = 0;
        long double variance = 0;
        const auto at = [&](std::size_t i) { return static_cast<long double>(numbers[row * hidden + i]); };
        for (std::size_t i = 0; i < hidden; ++i) mean += at(i);
        mean /= hidden;
        for (std::size_t i = 0; i < hidden; ++i) variance += (at(i) - mean) * (at(i) - mean);
        variance /= hidden;
        for (std::size_t i = 0; i < hidden; ++i) {
          const long double value = (at(i) - mean) / std::sqrt(variance + 1e-5L);
          // 2^-48 of make_exact; the mean here is off by less than 200 2^-64 of it.
          CHECK(std::fabs(static_cast<long double>(exact.high[row * hidden + i]) - value) <=
                0x1p-48L * std::fabs(value) + 200 * 0x1p-64L * (far + 1));
        }
      }
    }
  }
}

TEST_CASE("a check of a LayerNorm takes all its kernels, and excludes what none makes") {
  constexpr std::size_t hidden = 512;
  const LayerInputs inputs = layer_inputs(21, hidden);
  for (const char* own : {"library=torch", "library=triton"}) {
    const auto operation = layer_norm_of(own, inputs, hidden);
    const ExactRows exact = exact_outputs(*operation, serial_loop);
    const EveryOrder proof(*operation, exact, Flushing::either);
    std::size_t excluded = 0;
    const auto count = [&](const std::shared_ptr<const LoweredOperation>& other) {
      const auto sums = layer_sums(other);
      for (std::size_t r = 0; r < operation->outputs(); ++r)
        excluded += proof.excludes(r, round_to_bits(Format::bf16, sums->launch().view().left(r))) ? 1U : 0U;
    };
    count(layer_norm_of("library=torch", inputs, hidden));
    count(layer_norm_of("library=triton", inputs, hidden));
    for (const char* order : {"seq", "pairwise", "strided(32,acc=fma) | halving(32)"})
      count(layer_norm_of("", inputs, hidden, order));
    INFO(own);
    CHECK(excluded == 0);
    std::size_t found = 0;
    for (std::size_t r = 0; r < operation->outputs(); ++r)
      found +=
          proof.excludes(r, round_to_bits(Format::bf16, exact.rounded.view().left(r) + 4 * exact.ulp[r])) ? 1U : 0U;
    CHECK(found > operation->outputs() * 9 / 10);  // outputs near 0 have a bound above 4 of their ulps
  }
}

TEST_CASE("no LayerNorm is called impossible where squares overflow or a variance underflows") {
  constexpr std::size_t hidden = 64;
  for (const Format format : {Format::fp32, Format::bf16})
    for (const double size : {1e38, 1e25, 1e18, 1e-10, 1e-22, 1e-30, 1e-38})
      for (const std::string eps : {"", ",eps=0", ",eps=1e-38"}) {
        std::vector<double> numbers;
        const Terms normal = generate_terms("normal(0,1)", kLayerRows * hidden, Format::fp32, 5);
        for (std::size_t i = 0; i < normal.size(); ++i)
          numbers.push_back(value_of_bits(format, round_to_bits(format, normal.view().left(i) * size)));
        const Tensor x = tensor_of(format, {kLayerRows, hidden}, numbers);
        std::vector<std::shared_ptr<const LoweredOperation>> all;
        const auto add = [&](const std::string& library, const char* by) {
          const auto order = by == nullptr ? std::nullopt : std::optional(parse_order(by));
          all.push_back(std::make_shared<const LoweredOperation>(
              lower(parse_operation("layer_norm(64,4" + library + eps + ")"),
                    {x, {}, {}, {}, {format, Format::fp32, format}}, {}, order ? &*order : nullptr)));
        };
        add("", nullptr);
        add(",library=triton", nullptr);
        for (const char* by : {"seq", "pairwise", "strided(32,acc=fma) | halving(32)"}) add("", by);
        for (const auto& operation : all) {
          const ExactRows exact = exact_outputs(*operation, serial_loop);
          const EveryOrder proof(*operation, exact, Flushing::either);
          for (const auto& other : all) {
            const auto sums = layer_sums(other);
            std::size_t excluded = 0;
            for (std::size_t r = 0; r < operation->outputs(); ++r)
              excluded += proof.excludes(r, round_to_bits(format, sums->launch().view().left(r))) ? 1U : 0U;
            INFO(size, eps, " ", operation->launch.addition, " takes ", other->launch.addition);
            CHECK(excluded == 0);
          }
        }
      }
}

TEST_CASE("an order of a LayerNorm may be drawn, the moving mean of PyTorch's kernel is fixed") {
  constexpr std::size_t hidden = 300;
  const LayerInputs inputs = layer_inputs(3, hidden);
  CHECK(layer_sums(layer_norm_of("", inputs, hidden, "random"))->varying().size() == kLayerRows * hidden);
  CHECK(layer_sums(layer_norm_of("", inputs, hidden))->varying().empty());
  const study::OperationInput input = study::operation_input(
      parse_operation("layer_norm(300,4)"), OperationInputs{inputs.x, inputs.weights, {}, {}, kLayerFormats});
  CHECK(study::explain(input).reasons.front().reason == "fixed: the order is fixed");
  const auto ways = study::find_alternatives(input, {});
  REQUIRE(ways);
  CHECK(ways->alternatives.size() == 4);  // as it runs, two of two passes, exact
}

TEST_CASE("kernels of a LayerNorm by the size of a row") {
  CHECK(layer_norm_kernel(LayerNormLibrary::torch, 4096, 2).threads == 128);
  CHECK(layer_norm_kernel(LayerNormLibrary::torch, 4098, 2).threads == 512);
  CHECK(layer_norm_kernel(LayerNormLibrary::triton, 100, 2).order == "chunks(32,chunk=4,acc=fma) | halving(32)");
  CHECK(layer_norm_kernel(LayerNormLibrary::triton, 4096, 2).order ==
        "chunks(256,chunk=8,acc=fma) | halving(32) | halving(8)");
  CHECK_THROWS_AS(layer_norm_kernel(LayerNormLibrary::triton, 40000, 2), Error);
  const RowsOnGpu many{1000, 132};
  CHECK(layer_norm_kernel(LayerNormLibrary::triton, 4096, 2, many).rows == 4);
  CHECK(layer_norm_kernel(LayerNormLibrary::triton, 4096, 2, {265, 132}).rows == 2);
  CHECK(layer_norm_kernel(LayerNormLibrary::triton, 4096, 2, {264, 132}).rows == 1);
  CHECK_THROWS_WITH_AS(layer_norm_kernel(LayerNormLibrary::triton, 100, 2, many), doctest::Contains("share a tile"),
                       Error);
}

TEST_CASE("shapes and formats of a LayerNorm have to fit") {
  const LayerInputs inputs = layer_inputs(1, 16);
  CHECK_THROWS_AS(layer_norm_of("", inputs, 8), Error);
  const OperationCall call = parse_operation("layer_norm(16,4)");
  CHECK_THROWS_AS(lower(call, {inputs.x, inputs.x, {}, {}, kLayerFormats}), Error);
  CHECK_THROWS_AS(lower(call, {inputs.x, {}, {}, {}, {Format::bf16, Format::fp64, Format::bf16}}), Error);
  CHECK_THROWS_AS(lower(call, {inputs.x, {}, {}, {}, {Format::bf16, Format::fp32, Format::fp64}}), Error);
}

}  // namespace orderlab::testing
