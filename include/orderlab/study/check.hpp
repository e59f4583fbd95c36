// Are these results explained by order?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orderlab/check.hpp"
#include "orderlab/study/input.hpp"
#include "orderlab/study/sample.hpp"

namespace orderlab::study {

struct CheckFinding {
  InputFacts input;
  std::string nonfinite_terms;  ///< "NaN", "inf and -inf", ...; empty when all are finite
  AskedOrder asked;
  std::string name;  ///< of the order; empty for an expression
  std::string guarantee;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> samples_asked;
  std::uint64_t memory_bytes = 0;
  std::uint64_t rounded = 0;          ///< decimals given that the result format does not hold
  std::vector<std::string> warnings;  ///< Order::warnings
  std::vector<std::string> notes;     ///< what went another way than asked, a line each

  std::optional<Enumeration> all;       ///< decided by all orders,
  std::optional<ResultCounts> samples;  ///< or by samples
  std::optional<double> bound;          ///< over every order, beside samples

  CheckResult result;
  bool partial = false;  ///< interrupted
};

}  // namespace orderlab::study
