// A file of counts: some samples of one sampling, as exact counts. Files of one sampling merge exactly.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/json.hpp"
#include "orderlab/counts.hpp"

namespace orderlab {

/// What is there of one order.
struct CountedOrder {
  std::string expression;
  bool random = true;  ///< a fixed one has no samples here: its one result is computed when it is asked for
  CountedSamples drawn = {};
};

/// Its form: a line "orderlab counts 1", a line of JSON that says what was drawn, the counts of each order
/// (ResultCounts::wire), and XXH3-128 of all bytes before it.
struct CountsFile {
  Json config;                ///< "config" of `sample --json` without "samples": equal in all files of a sampling
  std::uint64_t samples = 0;  ///< samples of the whole sampling

  /// How it was asked for: values by flag, such as {"--n": ["1e6"]}; null where the terms came from a program or a
  /// stream.
  Json flags;

  std::vector<CountedOrder> orders;  ///< in the order of the config

  /// Samples that all random orders have.
  SampleRanges drawn() const;
};

std::string to_bytes(const CountsFile& file);

/// Errors: input, "PATH: ...": not a file of counts, damaged, of a newer orderlab or one whose sums have other bits.
CountsFile counts_from_bytes(std::string_view bytes, const std::string& path);
CountsFile read_counts_file(const std::string& path);

/// Error(input) unless both files are of one sampling; the paths are theirs.
void require_same_sampling(const CountsFile& one, const std::string& path, const CountsFile& other,
                           const std::string& other_path);

}  // namespace orderlab
