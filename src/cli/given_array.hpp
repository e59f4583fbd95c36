// Arrays that a caller in the same process gives to a flag in place of a file.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "describe/flag.hpp"
#include "orderlab/format.hpp"
#include "orderlab/terms.hpp"
#include "terms/array_file.hpp"
#include "terms/given_results.hpp"

namespace orderlab::cli {

class CommandLine;

/// Numbers in C order. No extent is 0.
struct GivenArray {
  std::optional<Format> format;  ///< empty: signed 64-bit integers
  Shape shape;
  std::shared_ptr<const std::byte> data;  ///< aligned as its numbers are; nobody changes it while it is in use
};

/// The file that a flag was given.
FileSource source_of(const CommandLine& line, const Flag& flag);

// What a flag was given, read from its file, or taken from the caller's array. An array in the format that is asked for
// is used where it lies. Errors: those of read_terms and its kin; usage for an array of integers.

Terms terms_of(const CommandLine& line, const Flag& flag, std::optional<Format> format);

/// `raw` as in read_tensor.
Tensor tensor_of(const CommandLine& line, const Flag& flag, std::optional<Format> format,
                 std::optional<Format> raw = {});
GivenResults results_of(const CommandLine& line, const Flag& flag, const Formats& formats, std::uint64_t n);

/// Error(usage) for an array of other numbers than integers.
IndexTensor index_of(const CommandLine& line, const Flag& flag);

}  // namespace orderlab::cli
