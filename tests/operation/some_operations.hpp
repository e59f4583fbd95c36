// Operations with random inputs, of shapes and formats that differ from trial to trial.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "order/resolve.hpp"
#include "order/trouble.hpp"
#include "orderlab/operation.hpp"
#include "orderlab/output_sums.hpp"
#include "orderlab/study/operation.hpp"

namespace orderlab::testing {

inline Tensor tensor_of(Format format, const Shape& shape, const std::vector<double>& numbers) {
  Tensor tensor{shape, Terms(format, numbers.size())};
  for (std::size_t i = 0; i < numbers.size(); ++i) tensor.terms.set(i, numbers[i]);
  return tensor;
}

inline Tensor troublesome_tensor(std::uint64_t seed, Format format, Trouble trouble, const Shape& shape) {
  return tensor_of(format, shape, troublesome_numbers(seed, format, trouble, element_count(shape)));
}

/// A lowered operation of the text with troublesome inputs, all of a random small shape.
inline std::shared_ptr<const LoweredOperation> some_operation(const std::string& text, Format format, Trouble trouble,
                                                              std::uint64_t seed) {
  IndexGenerator draw(RandomStream(seed, 77, 0), 0);
  const OperationCall call = parse_operation(text);
  const bool one_index = call.operation->name == "index_add" || call.operation->name == "index_put";
  const bool flat = call.operation->name == "bincount";
  const std::size_t rows = 1 + below(draw, 60);
  const std::size_t columns = flat ? 1 : 1 + below(draw, 40);
  const Shape shape = flat ? Shape{rows} : Shape{rows, columns};
  const std::size_t bins = 1 + below(draw, rows);
  OperationInputs inputs{troublesome_tensor(seed, format, trouble, shape),
                         std::nullopt,
                         IndexTensor{},
                         std::nullopt,
                         {format, format, format}};
  inputs.index->shape = one_index ? Shape{rows} : shape;
  for (std::size_t i = 0; i < element_count(inputs.index->shape); ++i)
    inputs.index->values.push_back(static_cast<std::int64_t>(below(draw, bins)));
  if (!flat && chance(draw, 2)) inputs.self = troublesome_tensor(seed + 1, format, trouble, {bins, columns});
  return std::make_shared<const LoweredOperation>(lower(call, std::move(inputs), Device{"sms=1", 1}));
}

inline constexpr const char* kIndexedOperations[] = {
    "index_add", "scatter_add", "scatter_reduce(mean)", "scatter_reduce(prod)", "bincount", "index_put"};

/// All outputs of a sample: those that vary over those in launch order.
inline std::vector<std::uint64_t> all_bits(const OutputSums& sums, const std::vector<std::byte>& varying) {
  const Format format = sums.result_format();
  std::vector<std::uint64_t> bits;
  for (std::size_t r = 0; r < sums.launch().size(); ++r)
    bits.push_back(round_to_bits(format, sums.launch().view().left(r)));
  const TermView results{format, sums.varying().size(), varying.data(), nullptr};
  for (std::size_t i = 0; i < sums.varying().size(); ++i)
    bits[sums.varying()[i]] = round_to_bits(format, results.left(i));
  return bits;
}

inline std::vector<std::uint64_t> bits_of_sample(const OutputSums& sums, std::uint64_t sample) {
  const auto scratch = sums.make_scratch();
  std::vector<std::byte> results(sums.result_bytes());
  sums.evaluate(sample, results, *scratch);
  return all_bits(sums, results);
}

/// What the sizes of a batch change for these inputs.
inline std::vector<study::BatchSize> in_sizes(const std::string& text, OperationInputs inputs,
                                              const std::vector<std::uint64_t>& sizes) {
  return study::compare_batches(
      study::operation_input(parse_operation(text), std::move(inputs), {}, nullptr, {}, sizes));
}

}  // namespace orderlab::testing
