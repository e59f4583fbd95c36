#include "orderlab/language_model.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>

using namespace orderlab;

namespace {

/// Each has another number of weights, a power of two, so their sum says which are counted.
WeightMatrix matrix_of(std::size_t columns, const std::byte& at) {
  return {.format = Format::fp16, .rows = 2, .columns = columns / 2, .numbers = &at};
}

}  // namespace

TEST_CASE("parameters are the numbers of all weights, tied ones once") {
  const std::array<std::byte, 2> places{};
  LanguageModel model;
  CHECK(model.parameters() == 0);
  model.embedding = matrix_of(std::size_t{1} << 20, places[0]);
  model.head = model.embedding;
  model.final_norm = {.scale = std::vector<float>(1 << 15), .bias = std::vector<float>(1 << 14)};
  DecoderLayer layer;
  std::size_t count = 1;
  for (NormWeights* norm : {&layer.before_attention, &layer.before_mlp, &layer.query_norm, &layer.key_norm}) {
    norm->scale.resize(count);
    count *= 2;
  }
  layer.before_mlp.bias.resize(count);
  count *= 2;
  layer.gate.bias.resize(count);
  count *= 2;
  for (LinearWeights* linear :
       {&layer.query, &layer.key, &layer.value, &layer.attention_output, &layer.gate, &layer.up, &layer.down}) {
    linear->matrix = matrix_of(count, places[0]);
    count *= 2;
  }
  CHECK(count == 1 << 13);
  model.layers = {layer, layer};
  const std::uint64_t tied = (1 << 20) + (1 << 15) + (1 << 14) + 2 * ((1 << 13) - 1);
  CHECK(model.parameters() == tied);
  model.head = matrix_of(1 << 16, places[1]);
  CHECK(model.parameters() == tied + (1 << 16));
}

TEST_CASE("rows of a matrix follow each other, or in runs with others between") {
  const std::array<std::byte, 64> places{};
  WeightMatrix matrix{.format = Format::bf16, .rows = 6, .columns = 3, .numbers = places.data()};
  for (std::size_t r = 0; r < 6; ++r) CHECK(matrix.row(r) == places.data() + 6 * r);
  matrix.run = 2;
  matrix.period = 4;
  const std::size_t expected[] = {0, 1, 4, 5, 8, 9};
  for (std::size_t r = 0; r < 6; ++r) CHECK(matrix.row(r) == places.data() + 6 * expected[r]);
}
