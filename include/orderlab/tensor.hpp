// Arrays of any shape: numbers, and indices into them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orderlab/terms.hpp"

namespace orderlab {

/// Extents of an array, the slowest dimension first; none for a single number.
using Shape = std::vector<std::size_t>;

/// Number of elements. Error(unsupported) above 2^31 - 1.
std::size_t element_count(const Shape& shape);

/// "1000x20"; "1" for a single number.
std::string to_string(const Shape& shape);

/// Reads what to_string writes; counts as in "1e3x20". Error(usage, "WHAT TEXT: ...").
Shape parse_shape(std::string_view what, std::string_view text);

/// Numbers in C order: the last dimension fastest.
struct Tensor {
  Shape shape;
  Terms terms;
};

/// Whole numbers in C order.
struct IndexTensor {
  Shape shape;
  std::vector<std::int64_t> values;
};

/// An array of a file that read_terms reads: of .npy its shape and, for one in Fortran order, its elements in C order;
/// other files have one dimension. Errors: input as read_terms; unsupported for more than 2^31 - 1 elements.
Tensor read_tensor(const std::string& path, std::optional<Format> format);

/// Whole numbers of a .npy of any integer type, or of text, one dimension. Errors: input for an array of another type
/// (naming `.astype(np.int64)`), a number of text that is not whole or beyond 64 bits, with its line; unsupported as
/// read_tensor.
IndexTensor read_index(const std::string& path);

/// The bytes of a .npy file of that shape, numbers little endian in C order; bf16, which NumPy lacks, as fp32.
///
/// Shape: as many numbers of `format` as the shape has elements.
std::string npy_bytes(Format format, const Shape& shape, std::span<const std::byte> numbers);

}  // namespace orderlab
