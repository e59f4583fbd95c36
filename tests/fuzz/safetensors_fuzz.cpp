// Models in memory: a file of tensors alone, or a config and a header with data of the size that it asks for. Whatever
// is read lies in the file, and every row of a model lies in the data.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "cli/model_folder.hpp"
#include "fuzz/fuzz.hpp"

using namespace orderlab;
using namespace orderlab::cli;
using namespace orderlab::fuzz;

namespace {

constexpr char kData = '<';  // every byte of the data of a model

/// The address sanitizer sees rows beyond the file, this those in its header.
void require_data(const WeightMatrix& matrix) {
  const std::size_t bytes = matrix.columns * info(matrix.format).held_bytes();
  std::vector<char> row(bytes);
  for (std::size_t r = 0; r < matrix.rows; ++r) {
    std::memcpy(row.data(), matrix.row(r), bytes);
    require(std::count(row.begin(), row.end(), kData) == static_cast<std::ptrdiff_t>(bytes), "rows lie in the data");
  }
}

void require_data(const LanguageModel& model) {
  require_data(model.embedding);
  require_data(model.head);
  for (const DecoderLayer& layer : model.layers)
    for (const LinearWeights* linear :
         {&layer.query, &layer.key, &layer.value, &layer.attention_output, &layer.gate, &layer.up, &layer.down})
      require_data(linear->matrix);
}

void require_inside(const Safetensors& tensors, std::span<const std::byte> file) {
  std::size_t bytes = 0;
  for (const StoredTensor& tensor : tensors.tensors()) {
    require(
        tensor.bytes.data() >= file.data() && tensor.bytes.data() + tensor.bytes.size() <= file.data() + file.size(),
        "a tensor lies in the file");
    require(tensors.find(tensor.name) == &tensor, "a tensor is found by its name");
    bytes += tensor.bytes.size();
  }
  require(bytes <= file.size(), "tensors share no byte");
}

/// A file in memory of its own, so that a read before or after it is found.
std::vector<std::byte> file_of(std::string_view text) {
  std::vector<std::byte> bytes(text.size());
  std::transform(text.begin(), text.end(), bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
  return bytes;
}

}  // namespace

ORDERLAB_FUZZ(safetensors) {
  Choices choices(input);
  const bool alone = choices.flag();
  const std::size_t data = alone ? 0 : choices.word(2);
  const std::string_view text = choices.text();
  if (alone) {
    const std::vector<std::byte> file = file_of(text);
    return require_inside(Safetensors(file, "file"), file);
  }
  const std::size_t end = std::min(text.find('\0'), text.size());
  const std::string_view header = text.substr(std::min(end + 1, text.size()));
  std::string whole;
  for (int shift = 0; shift < 64; shift += 8) whole += static_cast<char>((std::uint64_t{header.size()} >> shift) & 255);
  const std::vector<std::byte> file = file_of(whole.append(header).append(data, kData));
  const ModelConfig config = parse_model_config(text.substr(0, end), "config");
  const LanguageModel model = make_language_model(config, ModelTensors(ModelFile{.name = "file", .bytes = file}));
  require(model.parameters() <= 2 * file.size(), "weights lie in the file");
  require_data(model);
}
