// Which kernel runs, what arrives together, forms that are fixed, and inputs that do not fit.
#include "orderlab/operation.hpp"

#include <doctest/doctest.h>

#include "operation/some_operations.hpp"
#include "orderlab/error.hpp"

using namespace orderlab;
using namespace orderlab::testing;

namespace {

LoweredOperation generated(const char* text, const Shape& shape, double ratio = 1, const Device& device = {}) {
  const OperationCall call = parse_operation(text);
  return lower(call, generated_inputs(call, {.shape = shape, .ratio = ratio}), device);
}

std::vector<double> numbers_of(const Terms& terms) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < terms.size(); ++i) numbers.push_back(terms.view().left(i));
  return numbers;
}

OperationInputs small_inputs(std::vector<std::int64_t> index) {
  const std::size_t n = index.size();
  return {tensor_of(Format::fp32, {n, 2}, std::vector<double>(2 * n, 1.0)),
          std::nullopt,
          IndexTensor{{n}, std::move(index)},
          std::nullopt,
          {Format::fp32, Format::fp32, Format::fp32}};
}

std::string error_of(const char* text, OperationInputs inputs, const Order* order = nullptr) {
  try {
    lower(parse_operation(text), std::move(inputs), {}, order);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("index_add runs its small kernel up to 16 indices, whose order is fixed") {
  const LoweredOperation small = generated("index_add", {16, 100});
  CHECK(small.launch.kernel == "indexFuncSmallIndex");
  CHECK_FALSE(small.addition.arrives);
  const LoweredOperation large = generated("index_add", {17, 100});
  CHECK(large.launch.kernel == "indexFuncLargeIndex");
  CHECK(large.addition.arrives);
  CHECK(large.rows.units == 14);  // ceil(1700 / 128)
}

TEST_CASE("the grid of index_add has at most eight thread blocks per multiprocessor, and goes through in passes") {
  const LoweredOperation on_h100 = generated("index_add", {1000, 1000});
  CHECK(on_h100.launch.grid == 1056);
  CHECK(on_h100.launch.passes == 8);  // 7813 virtual thread blocks
  CHECK(generated("index_add", {1000, 1000}, 1, parse_device("sms=1000")).launch.passes == 1);
  CHECK(parse_device("v100").multiprocessors == 80);
}

TEST_CASE("neighbouring threads of index_add take a slice along dimension 0, and indices along the last one") {
  const auto unit_of = [](const char* text, const Shape& shape, std::size_t term) {
    const OperationCall call = parse_operation(text);
    OperationInputs inputs = generated_inputs(call, {.shape = shape});
    const std::size_t n = element_count(shape);
    std::vector<double> numbers(n);
    for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<double>(i);
    inputs.source = tensor_of(Format::fp32, shape, numbers);
    const LoweredOperation operation = lower(call, inputs);
    for (std::size_t c = 0; c < n; ++c)
      if (operation.rows.values.view().left(c) == static_cast<double>(term)) return operation.rows.unit[c];
    return ~0U;
  };
  CHECK(unit_of("index_add", {100, 50}, 127) == 0);
  CHECK(unit_of("index_add", {100, 50}, 128) == 1);
  CHECK(unit_of("index_add(dim=1)", {50, 100}, 127) == 0);
  // Dimension 1 of three: index 1, first outer, all of the inner dimension come before the second outer.
  CHECK(unit_of("index_add(dim=1)", {20, 30, 10}, 10) == 200 / 128);
}

TEST_CASE("forms that sort add the contributions of an output from zero, then self") {
  // self 1; a = 2^-24, b = 2^-24: from zero 2^-23, which 1 takes; from self each is a tie that rounds to 1.
  const auto results = [](const Shape& slice) {
    Shape shape = slice;
    shape.insert(shape.begin(), 2);
    Shape out = slice;
    out.insert(out.begin(), 1);
    const std::size_t n = element_count(slice);
    const OperationInputs inputs{tensor_of(Format::fp32, shape, std::vector<double>(2 * n, 0x1p-24)),
                                 std::nullopt,
                                 IndexTensor{{2}, {0, 0}},
                                 tensor_of(Format::fp32, out, std::vector<double>(n, 1.0)),
                                 {Format::fp32, Format::fp32, Format::fp32}};
    const LoweredOperation operation = lower(parse_operation("index_add"), inputs);
    return numbers_of(operation.deterministic->results(operation)).front();
  };
  CHECK(results({1}) == 1 + 0x1p-23);
  CHECK(results({32}) == 1 + 0x1p-23);
  CHECK(results({33}) == 1);
}

TEST_CASE("a run of 32 duplicates is added by the lanes of a warp, the tail in turn") {
  // 33 numbers: lane l holds x[l]; halving adds lane 16 to lane 0 first. With x[0] = 2^24, x[16] = -2^24 and ones the
  // rest, the lanes give 30 exactly and the tail one more; from left to right 2^24 swallows 15 ones.
  std::vector<double> x(33, 1.0);
  x[0] = 0x1p24;
  x[16] = -0x1p24;
  const OperationInputs inputs{tensor_of(Format::fp32, {33}, x),
                               std::nullopt,
                               IndexTensor{{33}, std::vector<std::int64_t>(33, 0)},
                               std::nullopt,
                               {Format::fp32, Format::fp32, Format::fp32}};
  const LoweredOperation operation = lower(parse_operation("scatter_add"), inputs);
  CHECK(numbers_of(operation.deterministic->results(operation)).front() == 31);
}

TEST_CASE("16-bit numbers are sorted and added in fp32 and rounded once") {
  std::vector<double> x(5, 1.0);
  x[0] = 2048;  // fp16 has no 2049
  const OperationInputs inputs{tensor_of(Format::fp16, {5}, x),
                               std::nullopt,
                               IndexTensor{{5}, std::vector<std::int64_t>(5, 0)},
                               std::nullopt,
                               {Format::fp16, Format::fp16, Format::fp16}};
  const LoweredOperation operation = lower(parse_operation("scatter_add"), inputs);
  CHECK(numbers_of(operation.deterministic->results(operation)).front() == 2052);
}

TEST_CASE("a histogram of few bins is added in two levels") {
  CHECK(generated("bincount(99)", {2000}).launch.kernel == "kernelHistogram1D, SHARED");
  CHECK(generated("bincount(100)", {2000}).launch.kernel == "kernelHistogram1D, MULTI_BLOCK");
  const LoweredOperation global = generated("bincount(1000)", {2000});
  CHECK(global.launch.kernel == "kernelHistogram1D, GLOBAL");
  CHECK(global.rows.count() == 2000);
  const LoweredOperation shared = generated("bincount(3)", {2000});
  CHECK(shared.rows.count() == 12);  // 3 bins, 4 thread blocks of 512
  CHECK(shared.raw->count() == 2000);
}

TEST_CASE("matmul takes as many splits as keep every multiprocessor busy") {
  const auto splits = [](const char* text) { return generated(text, {}).rows.row_length(0); };
  CHECK(splits("matmul(1,128,4096)") == 128);          // one tile, 128 tiles of k on 132 multiprocessors
  CHECK(splits("matmul(8,64,512,tile=8x8x4)") == 16);  // 8 tiles, 128 tiles of k, 132 / 8 = 16
  CHECK(splits("matmul(300,300,64,split_k=1)") == 1);
  CHECK(splits("matmul(2,2,100,split_k=3,tile=2x2x32)") == 2);  // 4 tiles of k, 2 for each of 2 splits
}

TEST_CASE("all-reduces begin each chunk at another rank") {
  const Order order = parse_order("nccl_ring");
  const OperationCall call = parse_operation("all_reduce(3)");
  // Ranks hold 2^24, 1, -2^24 for every element; the ring of chunk c ends at rank c, so the last one adds 1 to 2^24.
  const Tensor tensor = tensor_of(Format::fp32, {3, 3}, {0x1p24, 0x1p24, 0x1p24, 1, 1, 1, -0x1p24, -0x1p24, -0x1p24});
  const OperationInputs inputs{
      tensor, std::nullopt, std::nullopt, std::nullopt, {Format::fp32, Format::fp32, Format::fp32}};
  const auto sums = OutputSums::make(std::make_shared<const LoweredOperation>(lower(call, inputs, {}, &order)),
                                     parse_arrival("uniform"), {});
  CHECK(numbers_of(sums->launch()) == std::vector<double>{1, 1, 0});
}

TEST_CASE("inputs that do not fit are refused in one line") {
  CHECK(error_of("index_add", small_inputs({0, 1, -1})) ==
        "index_add: index -1 at position 2 is negative; indices go from 0 to 2147483646");
  OperationInputs inputs = small_inputs({0, 3, 1});
  inputs.self = tensor_of(Format::fp32, {3, 2}, std::vector<double>(6, 0));
  CHECK(error_of("index_add", inputs) ==
        "index_add: index 3 at position 1 is out of range: self has 3; indices go from 0 to 2");
  inputs.self = tensor_of(Format::fp32, {4, 3}, std::vector<double>(12, 0));
  CHECK(error_of("index_add", inputs) ==
        "index_add: self is 4x3 and the input 3x2; they must have the same shape except along dimension 0");
  inputs = small_inputs({0, 1});
  inputs.index->shape = {1};
  inputs.index->values = {0};
  CHECK(error_of("index_add", inputs) ==
        "index_add: the index has 1 elements and the input 2 along dimension 0; the counts must match");
  CHECK(error_of("scatter_add", small_inputs({0, 1})) ==
        "scatter_add: the index is 2 and the input 2x2; they must have the same shape");
  CHECK(error_of("index_add(dim=2)", small_inputs({0})) ==
        "index_add(dim=2): there is no dimension 2; the input is 1x2, its dimensions go from 0 to 1");
  CHECK(error_of("index_put(write)", small_inputs({4, 0, 4})) ==
        "index_put(write): index 4 occurs more than once, and which write is the last is not guaranteed; accumulate "
        "with index_put, or give an index without duplicates");
  inputs = small_inputs({0, 0});
  inputs.self = tensor_of(Format::fp16, {1, 2}, {0, 0});
  CHECK(error_of("index_add", inputs) == "index_add: its inputs are fp32 and fp16; give arrays of one format");
  const Order order = parse_order("pairwise");
  CHECK(
      error_of("index_add", small_inputs({0}), &order) ==
      "index_add: adds in the order of its kernel and takes no other; leave --order out (--arrival orders units, where "
      "units arrive)");
  inputs = small_inputs({0});
  inputs.index.reset();
  CHECK(error_of("index_add", inputs) == "index_add: needs an index");
  CHECK(error_of("sum(axis=0)", inputs) == "sum(axis=0): no order: give --order NAME, such as --order pairwise");
}

TEST_CASE("single numbers are arrays of one element, and indices are limited by their type") {
  const Formats fp32{Format::fp32, Format::fp32, Format::fp32};
  const OperationInputs inputs{tensor_of(Format::fp32, {}, {2}), std::nullopt, IndexTensor{{}, {0}},
                               tensor_of(Format::fp32, {}, {1}), fp32};
  for (const char* text : {"scatter_add", "index_add", "bincount"}) {
    OperationInputs own = inputs;
    if (text == std::string("bincount")) own.self.reset();
    CHECK(lower(parse_operation(text), own).shape == Shape{1});
  }
  CHECK(error_of("index_add", small_inputs({0, 0x7FFFFFFFFFFFFFFF})) ==
        "index_add: index 9223372036854775807 at position 1 is too large; indices go from 0 to 2147483646");
}

TEST_CASE("exact partial sums that may overflow, or be flushed, do not make an output fixed") {
  const Formats fp32{Format::fp32, Format::fp32, Format::fp32};
  const Order ao = parse_order("ao");
  const auto fate = [&](std::vector<double> terms) {
    const std::size_t n = terms.size();
    const OperationInputs inputs{tensor_of(Format::fp32, {n}, terms), std::nullopt, std::nullopt, std::nullopt, fp32};
    return fate_of(lower(parse_operation("sum(axis=0)"), inputs, {}, &ao), 0);
  };
  CHECK(fate({1, 2, 3}) == OutputFate::exact);
  CHECK(fate({1, 0x1p-24, 3}) == OutputFate::varies);
  CHECK(fate({0x1p127, 0x1p127, -0x1p127, -0x1p127}) == OutputFate::varies);
  CHECK(fate({0x1p-126, 0x1p-140, -0x1p-126}) == OutputFate::varies);
}

TEST_CASE("sizes of tiles have 31 bits") {
  CHECK_THROWS_WITH_AS(parse_operation("matmul(4,4,4,tile=18446744073709551615x1x1)"),
                       "operation 'matmul(4,4,4,tile=18446744073709551615x1x1)': position 14: matmul: tile "
                       "18446744073709551615x1x1: must be three sizes such as 128x128x32",
                       Error);
}
