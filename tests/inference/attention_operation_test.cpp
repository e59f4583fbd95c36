// The operation attention: its outputs are those of the forward pass's attention; exact results, checks, batches.
#include <doctest/doctest.h>

#include <cmath>

#include "inference/attention.hpp"
#include "inference/ordered_product.hpp"
#include "operation/every_order.hpp"
#include "operation/exact_outputs.hpp"
#include "operation/some_operations.hpp"
#include "orderlab/error.hpp"
#include "orderlab/study/alternatives.hpp"
#include "orderlab/study/tolerance.hpp"

namespace orderlab::testing {

namespace {

constexpr Formats kAttentionFormats{Format::bf16, Format::fp32, Format::bf16};

OperationInputs attention_inputs(const std::string& text, std::uint64_t seed = 1) {
  return generated_inputs(parse_operation(text), {.shape = {}, .formats = kAttentionFormats, .seed = seed});
}

std::shared_ptr<const LoweredOperation> attention_of(const std::string& text, const OperationInputs& inputs) {
  return std::make_shared<const LoweredOperation>(lower(parse_operation(text), OperationInputs(inputs)));
}

std::vector<double> outputs_of(const std::string& text, const OperationInputs& inputs) {
  const auto sums = OutputSums::make(attention_of(text, inputs), parse_arrival("launch"), {});
  std::vector<double> outputs;
  for (std::size_t r = 0; r < sums->operation().outputs(); ++r) outputs.push_back(sums->launch().view().left(r));
  return outputs;
}

constexpr const char* kLibraries[] = {"fa2", "fa3", "flashinfer", "vllm_paged", "vllm_triton", "sglang"};

/// Inputs of formats, with queries and values this many times as large.
OperationInputs scaled_inputs(const std::string& text, const Formats& formats, double queries, double values) {
  OperationInputs inputs = generated_inputs(parse_operation(text), {.shape = {}, .formats = formats, .seed = 7});
  const auto scale = [&](Terms& terms, std::size_t begin, double factor) {
    for (std::size_t i = begin; i < terms.size(); ++i) {
      const double scaled = terms.view().left(i) * factor;
      terms.set(i, value_of_bits(formats.terms, round_to_bits(formats.terms, scaled)));
    }
  };
  scale(inputs.source.terms, 0, queries);
  scale(inputs.factor->terms, inputs.factor->terms.size() / 2, values);
  return inputs;
}

}  // namespace

TEST_CASE("the operation attention gives the bits of the forward pass") {
  constexpr std::size_t kHeads = 4, kKvHeads = 2, kDim = 32, kKeys = 300;
  const OperationInputs inputs = attention_inputs("attention(4,2,32,300)");
  const auto number = [](const Tensor& tensor, std::size_t i) {
    return static_cast<float>(tensor.terms.view().left(i));
  };
  const AttentionShape shape{1, kHeads, kKvHeads, kDim, kKeys};
  const AttentionKernel kernel = attention_kernel(AttentionLibrary::fa2, shape, 132);
  const std::vector<double> found = outputs_of("attention(4,2,32,300)", inputs);
  for (std::size_t h = 0; h < kHeads; ++h) {
    std::vector<float> query(kDim), keys(key_room(kKeys, kDim)), values(kKeys * kDim), key(kDim), out(kDim);
    for (std::size_t d = 0; d < kDim; ++d) query[d] = number(inputs.source, h * kDim + d);
    for (std::size_t j = 0; j < kKeys; ++j) {
      for (std::size_t d = 0; d < kDim; ++d) {
        key[d] = number(*inputs.factor, ((h / 2) * kKeys + j) * kDim + d);
        values[j * kDim + d] = number(*inputs.factor, ((kKvHeads + h / 2) * kKeys + j) * kDim + d);
      }
      put_key(key.data(), kDim, j, keys.data());
    }
    AttentionRoom room;
    attend(query.data(), {keys.data(), values.data(), kDim, kKeys}, kernel, {Format::bf16, Format::bf16}, room,
           out.data());
    for (std::size_t d = 0; d < kDim; ++d) REQUIRE(found[h * kDim + d] == static_cast<double>(out[d]));
  }
}

TEST_CASE("exact outputs of attention agree with extended arithmetic") {
  constexpr std::size_t kDim = 16, kKeys = 100;
  const OperationInputs inputs = attention_inputs("attention(2,1,16,100)");
  const auto operation = attention_of("attention(2,1,16,100)", inputs);
  const ExactRows exact = exact_outputs(*operation, serial_loop);
  const auto at = [](const Tensor& tensor, std::size_t i) {
    return static_cast<long double>(tensor.terms.view().left(i));
  };
  for (std::size_t h = 0; h < 2; ++h)
    for (std::size_t d = 0; d < kDim; ++d) {
      long double all = 0, sum = 0, size = 0;
      for (std::size_t j = 0; j < kKeys; ++j) {
        long double score = 0;
        for (std::size_t k = 0; k < kDim; ++k)
          score += at(inputs.source, h * kDim + k) * at(*inputs.factor, j * kDim + k);
        const long double weight = std::exp(score / 4);
        const long double value = at(*inputs.factor, (kKeys + j) * kDim + d);
        all += weight;
        sum += weight * value;
        size += weight * std::fabs(value);
      }
      CHECK(std::fabs(static_cast<long double>(exact.high[h * kDim + d]) - sum / all) <= 0x1p-48L * size / all);
      CHECK(std::fabs(static_cast<long double>(exact.magnitude[h * kDim + d]) - size / all) <= 0x1p-48L * size / all);
    }
}

TEST_CASE("a check of attention takes the kernels of all libraries, and excludes what none makes") {
  for (const std::string shape : {"4,1,64,900", "2,2,16,40"}) {
    const OperationInputs inputs = attention_inputs("attention(" + shape + ")");
    const auto operation = attention_of("attention(" + shape + ")", inputs);
    const ExactRows exact = exact_outputs(*operation, serial_loop);
    const EveryOrder proof(*operation, exact, Flushing::either);
    for (const std::string library : kLibraries)
      for (const char* more : {"", ",batch=64", ",splits=3", ",probabilities=fp32"}) {
        const std::string text = "attention(" + shape + ",library=" + library + more + ")";
        const std::vector<double> outputs = outputs_of(text, inputs);
        std::size_t excluded = 0;
        for (std::size_t r = 0; r < outputs.size(); ++r)
          excluded += proof.excludes(r, round_to_bits(Format::bf16, outputs[r])) ? 1U : 0U;
        INFO(text);
        CHECK(excluded == 0);
      }
    std::size_t found = 0;
    for (std::size_t r = 0; r < operation->outputs(); ++r)
      found += proof.excludes(r, round_to_bits(Format::bf16, exact.high[r] + 0.05 * exact.magnitude[r])) ? 1U : 0U;
    CHECK(found == operation->outputs());
  }
}

TEST_CASE("no way that is free is called impossible: libraries, splits, formats, huge values, large scores") {
  constexpr Formats kSingle{Format::fp32, Format::fp32, Format::fp32};
  constexpr Formats kSingleToNarrow{Format::fp32, Format::fp32, Format::bf16};
  constexpr Formats kHalf{Format::fp16, Format::fp32, Format::fp16};
  struct Case {
    const char* shape;
    Formats formats;
    const char* probabilities;
    double queries;
    double values;
  };
  const Case cases[] = {{"2,1,16,300", kSingleToNarrow, "", 1, 1},
                        {"2,1,16,300", kSingle, ",probabilities=bf16", 1, 1},
                        {"2,1,16,300", kHalf, ",probabilities=bf16", 1, 1},
                        {"4,1,16,64", kSingle, "", 1, 0x1p126},
                        {"4,1,16,64", kHalf, "", 1, 10000},
                        {"4,1,16,64", kSingle, "", 300, 1},
                        {"4,1,16,64", kAttentionFormats, "", 300, 1},
                        {"4,1,16,64", kSingle, "", 1, 0x1p-130}};
  for (const Case& of : cases) {
    const std::string shape = of.shape;
    const OperationInputs inputs = scaled_inputs("attention(" + shape + ")", of.formats, of.queries, of.values);
    std::vector<std::string> own;
    std::vector<std::string> free;
    for (const std::string library : kLibraries)
      for (const std::string splits : {"", ",splits=1", ",splits=2", ",splits=20", ",splits=64", ",splits=300"}) {
        const std::string text = "attention(" + shape + ",library=" + library + splits;
        own.push_back(text + of.probabilities + ")");
        free.push_back(text + ",probabilities=fp32)");
      }
    free.insert(free.end(), own.begin(), own.end());
    std::vector<std::vector<double>> outputs;
    for (const std::string& text : free) outputs.push_back(outputs_of(text, inputs));
    for (const std::string& text : own) {
      const auto operation = attention_of(text, inputs);
      const ExactRows exact = exact_outputs(*operation, serial_loop);
      const EveryOrder proof(*operation, exact, Flushing::either);
      for (std::size_t way = 0; way < free.size(); ++way) {
        std::size_t excluded = 0;
        for (std::size_t r = 0; r < operation->outputs(); ++r)
          excluded += proof.excludes(r, round_to_bits(of.formats.result, outputs[way][r])) ? 1U : 0U;
        INFO(text, " takes ", free[way]);
        CHECK(excluded == 0);
      }
    }
  }
}

TEST_CASE("exact outputs of attention with large scores are off by what their bound says") {
  constexpr std::size_t kDim = 16, kKeys = 100;
  const OperationInputs inputs = scaled_inputs("attention(1,1,16,100)", kAttentionFormats, 1000, 1);
  const auto operation = attention_of("attention(1,1,16,100)", inputs);
  const ExactRows exact = exact_outputs(*operation, serial_loop);
  const double bound = operation->computed->computation->exactness(0);
  CHECK(bound > 0x1p-40);  // scores are greater than 256
  const auto at = [](const Tensor& tensor, std::size_t i) {
    return static_cast<long double>(tensor.terms.view().left(i));
  };
  std::vector<long double> scores(kKeys);
  long double largest = -HUGE_VALL;
  for (std::size_t j = 0; j < kKeys; ++j) {
    for (std::size_t k = 0; k < kDim; ++k) scores[j] += at(inputs.source, k) * at(*inputs.factor, j * kDim + k) / 4;
    largest = std::fmax(largest, scores[j]);
  }
  for (std::size_t d = 0; d < kDim; ++d) {
    long double all = 0, sum = 0, size = 0;
    for (std::size_t j = 0; j < kKeys; ++j) {
      const long double weight = std::exp(scores[j] - largest);
      all += weight;
      sum += weight * at(*inputs.factor, (kKeys + j) * kDim + d);
      size += weight * std::fabs(at(*inputs.factor, (kKeys + j) * kDim + d));
    }
    CHECK(std::fabs(static_cast<long double>(exact.high[d]) - sum / all) <=
          static_cast<long double>(bound) * size / all);
  }
}

TEST_CASE("the batch changes the splits of attention, and its outputs") {
  const std::string text = "attention(8,2,128,2048)";
  const auto sizes = in_sizes(text, attention_inputs(text), {1, 8, 256});
  CHECK(sizes[0].launch.kernel != sizes[2].launch.kernel);
  CHECK(sizes[2].launch.kernel == "fa2, 1 split");
  CHECK(sizes[2].outputs_different > 0);
  CHECK(sizes[2].largest_difference > 0);
  const std::string one = "attention(8,2,128,2048,splits=1)";
  CHECK(in_sizes(one, attention_inputs(one), {1, 256})[1].outputs_different == 0);
}

TEST_CASE("a tolerance in batches covers every one of them, and every pair") {
  const std::string text = "attention(8,2,128,2048)";
  const OperationInputs inputs = attention_inputs(text);
  const std::vector<std::uint64_t> batches{1, 8, 256};
  const study::OperationInput input = study::operation_input(parse_operation(text), inputs, {}, nullptr, {}, batches);
  const ExactRows exact = exact_outputs(*input.operation, serial_loop);
  double from_exact = 0;
  double between = 0;
  std::vector<std::vector<double>> outputs;
  for (const std::uint64_t batch : batches)
    outputs.push_back(outputs_of("attention(8,2,128,2048,batch=" + std::to_string(batch) + ")", inputs));
  for (std::size_t r = 0; r < exact.high.size(); ++r)
    for (const auto& one : outputs) {
      from_exact = std::fmax(
          from_exact, std::fmax(std::fabs(one[r] - exact.high[r]), std::fabs(one[r] - exact.rounded.view().left(r))));
      for (const auto& other : outputs) between = std::fmax(between, std::fabs(one[r] - other[r]));
    }
  const auto all = study::tolerance_of_operation(input, {});
  CHECK(all.limit.absolute >= from_exact);
  CHECK(all.limit.absolute <= from_exact * (1 + 0x1p-20));  // and from the exact result rounded to fp32
  CHECK(all.batches.size() == 3);
  const auto pairs = study::tolerance_of_operation(input, {.against = Against::run});
  CHECK(between > 0);
  CHECK(pairs.limit.absolute >= between);
  CHECK(pairs.limit.absolute <= between * (1 + 0x1p-50));
  const study::OperationInput alone = study::operation_input(parse_operation(text), inputs);
  CHECK(study::tolerance_of_operation(alone, {.against = Against::run}).limit.absolute == 0);
}

TEST_CASE("alternatives of attention are the kernels of the other libraries") {
  const auto input =
      study::operation_input(parse_operation("attention(4,1,64,900)"), attention_inputs("attention(4,1,64,900)"));
  const auto ways = study::find_alternatives(input, {});
  REQUIRE(ways);
  std::vector<std::string> names;
  for (const auto& way : ways->alternatives) names.push_back(way.name);
  CHECK(names == std::vector<std::string>{"as it runs", "fa3", "flashinfer", "vllm_paged", "vllm_triton", "sglang",
                                          "one split", "probabilities in fp32", "exact"});
}

TEST_CASE("what does not fit attention is refused in one line") {
  const OperationInputs inputs = attention_inputs("attention(4,2,16,20)");
  for (const char* text : {"attention(4,3,16,20)", "attention(4,2,16,21)", "attention(2,2,16,20)"})
    CHECK_THROWS_AS(attention_of(text, inputs), Error);
  OperationInputs wide = inputs;
  wide.formats.accumulate = Format::fp64;
  CHECK_THROWS_WITH_AS(attention_of("attention(4,2,16,20)", wide), doctest::Contains("its kernels add in fp32"), Error);
  const Order order = parse_order("seq");
  CHECK_THROWS_AS(lower(parse_operation("attention(4,2,16,20)"), OperationInputs(inputs), {}, &order), Error);
  OperationInputs none = inputs;
  none.factor.reset();
  CHECK_THROWS_WITH_AS(attention_of("attention(4,2,16,20)", none), doctest::Contains("keys and values"), Error);
}

}  // namespace orderlab::testing
