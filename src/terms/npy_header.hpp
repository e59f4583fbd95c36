// The header of a NumPy .npy file: type, order and shape of the array. Files of whole numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace orderlab {

/// The three entries of the dictionary.
struct NpyHeader {
  std::string type;  ///< "<f8"; for a structured array "[...]"
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

/// Reads "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }"; Error(input, "FILE: ...") for anything else.
///
/// Source: [NumPyFormat]; a count may end with L, as Python 2 wrote it.
NpyHeader parse_npy_header(std::string_view text, const std::string& file);

/// The bytes of a file of whole numbers, "<u4". Shape: one row or more, all of one length.
std::string npy_of_rows(std::span<const std::vector<std::uint32_t>> rows);

}  // namespace orderlab
