// The terms that a question is about, and what findings say of them.
#pragma once

#include <cstdint>
#include <string>

#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"
#include "orderlab/terms.hpp"

namespace orderlab::study {

/// What findings say of the terms.
struct InputFacts {
  std::uint64_t n = 0;
  Formats formats;
  std::string distribution;  ///< canonical text of generated terms; empty for given ones
  std::uint64_t input_seed = 1;
  std::uint64_t input_number = 0;  ///< of the independent arrays that one seed gives
  std::uint64_t inexact_conversions = 0;
  std::uint64_t overflowed_terms = 0;  ///< generated terms that are inf: the format has no finite number so large
  bool products = false;
  std::string hash;
  ExactValue exact;
  ExactValue sum_abs;
};

/// Terms with all that findings say of them.
struct Input {
  Terms terms;
  InputFacts facts;
};

/// Fills in what the terms themselves tell: n, products, conversions, hash, exact sums.
void describe(Input& input);

}  // namespace orderlab::study
