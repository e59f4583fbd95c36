// Tensors in files of the format safetensors, as they lie in memory. Nothing of a file is copied or run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orderlab/format.hpp"

namespace orderlab {

/// A tensor of a file.
struct StoredTensor {
  std::string name;
  std::string dtype;                 ///< "BF16", as the file says
  std::vector<std::uint64_t> shape;  ///< the last dimension is the fastest
  std::span<const std::byte> bytes;  ///< little-endian, at any address
};

/// The tensors of one file.
///
/// The file is 8 bytes with the length of the header (little-endian), the header, and the data. The header is a JSON
/// object of tensors by their names, {"dtype": ..., "shape": ..., "data_offsets": [begin, end]}, and of texts in
/// "__metadata__". The tensors fill the data without gaps and without sharing a byte.
class Safetensors {
 public:
  /// `file` stays where it is for as long as tensors of it are used. `name` is for messages.
  ///
  /// Errors: input, "NAME: what is wrong": not of this format, cut short, a tensor whose offsets do not fit its shape
  /// or the file.
  Safetensors(std::span<const std::byte> file, std::string name);

  const std::string& name() const { return name_; }

  /// Sorted by their names.
  std::span<const StoredTensor> tensors() const { return tensors_; }

  const StoredTensor* find(std::string_view tensor) const;

 private:
  std::string name_;
  std::vector<StoredTensor> tensors_;
};

/// The format of weights of this dtype; nothing where no weights have it.
std::optional<Format> weight_format(std::string_view dtype);

/// "[2, 3]".
std::string shape_text(std::span<const std::uint64_t> shape);

}  // namespace orderlab
