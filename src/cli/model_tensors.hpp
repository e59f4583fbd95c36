// The tensors of a model, in one file or in several, found by their names.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "files/safetensors_file.hpp"
#include "orderlab/language_model.hpp"

namespace orderlab::cli {

/// A file as it lies in memory, and its name for messages.
struct ModelFile {
  std::string name;
  std::span<const std::byte> bytes;
};

/// Which file has which tensor, as model.safetensors.index.json says.
struct TensorIndex {
  std::string name;                                              ///< of the file
  std::map<std::string, std::string, std::less<>> file_of = {};  ///< names of tensors, and of files without a folder
  std::vector<std::string> files() const;                        ///< each once
};

/// Error(input, "NAME: ..."): no index, a file that is not in the folder itself.
TensorIndex parse_tensor_index(std::string_view text, const std::string& name);

/// Weights by the names of their tensors. A weight that is asked for has to be there, with its shape, as BF16, F16 or
/// F32: else Error(input) names the file, the tensor and what was expected.
class ModelTensors {
 public:
  /// All tensors are in one file.
  explicit ModelTensors(const ModelFile& file);

  /// The files of an index, in the order of its files().
  ModelTensors(std::span<const ModelFile> files, TensorIndex index);

  bool has(std::string_view tensor) const;

  /// A tensor of the shape [rows, columns], where it lies.
  WeightMatrix matrix(const std::string& tensor, std::size_t rows, std::size_t columns) const;

  /// A tensor of the shape [size], as fp32, which has every number of the others.
  std::vector<float> vector(const std::string& tensor, std::size_t size) const;

 private:
  struct Found {
    const StoredTensor& tensor;
    Format format;
  };
  Found find(const std::string& tensor, std::span<const std::uint64_t> shape) const;

  std::vector<Safetensors> files_;
  std::optional<TensorIndex> index_;
  std::map<std::string, std::size_t, std::less<>> file_by_name_;
};

}  // namespace orderlab::cli
