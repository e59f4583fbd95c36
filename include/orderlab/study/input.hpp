// The terms that a question is about, and what findings say of them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "orderlab/exact.hpp"
#include "orderlab/format.hpp"
#include "orderlab/study/watch.hpp"
#include "orderlab/terms.hpp"

namespace orderlab::study {

/// What findings say of the terms.
struct InputFacts {
  std::uint64_t n = 0;
  Formats formats;
  std::string distribution;  ///< canonical text of generated terms; empty for given ones
  std::uint64_t input_seed = 1;
  std::uint64_t input_number = 0;  ///< number of the independent array, of those that one seed gives
  std::uint64_t inexact_conversions = 0;
  std::uint64_t overflowed_terms = 0;  ///< generated terms that are inf: the format has no finite number so large
  bool products = false;
  std::string hash;
  ExactValue exact;
  ExactValue sum_abs;
};

/// Terms with all that findings say of them. Made by the functions below.
struct Input {
  Terms terms;
  InputFacts facts;
};

/// Terms to generate.
struct GeneratedTerms {
  std::uint64_t n = 0;
  std::string distribution = "uniform(0,10)";  ///< as generate_terms takes it
  Formats formats = {};
  std::uint64_t seed = 1;
  std::uint64_t number = 0;  ///< number of the independent array, of those that one seed gives
  int threads = 0;           ///< 0: all; terms and facts never depend on it
};

/// Terms drawn from a distribution.
///
/// Errors: as generate_terms; unsupported where they do not fit into memory; Stopped.
Input generated_input(const GeneratedTerms& what, const Watch& watch = {});

/// Terms of the caller, such as those of read_terms, added in their own format. `threads` as above. Errors: Stopped.
Input given_input(Terms terms, int threads = 0, const Watch& watch = {});

/// The same, added in other formats. Error(usage) unless formats.terms is the format of the terms.
Input given_input(Terms terms, const Formats& formats, int threads = 0, const Watch& watch = {});

/// Numbers, each rounded to formats.terms. Error(usage) for none.
Input given_input(const std::vector<double>& numbers, const Formats& formats = {});

}  // namespace orderlab::study
