// What to pass to a compare call, and the error bounds that stand beside it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "orderlab/bounds.hpp"
#include "orderlab/study/input.hpp"
#include "orderlab/study/sample.hpp"
#include "orderlab/tolerance.hpp"

namespace orderlab::study {

/// A bound on what the tolerance limits.
struct BesideBound {
  std::string name;
  std::optional<double> value;  ///< empty where none is derived
  double probability = 1;       ///< with which it holds; 1: always
  bool proven = true;           ///< for all runs that the tolerance is for
  std::string note;
  BoundScope scope = BoundScope::additions;
};

/// How the limit was found.
enum class ToleranceMethod : std::uint8_t { one_order, enumerated, sampled };

struct ToleranceFinding {
  InputFacts input;  ///< the first one, where there are many
  AskedOrder asked;
  std::string name;  ///< of the order; empty for an expression
  std::string guarantee;
  std::uint64_t random_count = 1;
  std::vector<std::string> warnings;
  Against against = Against::exact;
  double coverage = 0.999;
  double confidence = 0.95;   ///< asked for; an exact limit is certain
  std::uint64_t outputs = 1;  ///< of one comparison; the coverage is that of the largest
  std::uint64_t seed = 1;
  std::uint64_t memory_bytes = 0;  ///< it decides between all orders and samples
  std::optional<std::uint64_t> samples_asked;
  std::uint64_t inputs = 1;
  bool new_inputs = false;  ///< every draw on an input of its own

  ToleranceMethod method = ToleranceMethod::sampled;
  std::string orders;       ///< number of orders enumerated, decimal
  std::uint64_t draws = 0;  ///< results, or pairs of them
  std::uint64_t rank = 0;   ///< of the draw that is the limit, from the largest
  Deviation limit;
  Deviation largest;
  std::optional<double> rms;  ///< of the draws
  double nonfinite = 0;       ///< fraction of draws, or probability
  double condition = 1;       ///< greatest of the inputs
  std::vector<BesideBound> bounds;
  bool partial = false;  ///< interrupted
};

/// Whether the limit is a number; it is not where inf or NaN is more frequent than the coverage allows.
bool has_limit(const ToleranceFinding& finding);

/// The confidence with which the limit holds: 1 where it was not sampled.
double stated_confidence(const ToleranceFinding& finding);

/// Proven and probabilistic bounds of the runs seen, twice them between two runs; infinite where one overflowed.
/// `sum_abs`: sum |x_i|.
std::vector<BesideBound> bounds_beside(const DeviationTally& runs, const Formats& formats, std::uint64_t n,
                                       double sum_abs, Against against);

/// The same for runs on inputs of their own. What goes by sum |x_i| alone is proven for every input where no term is
/// larger than `largest_term`; all else holds for the inputs that were drawn.
std::vector<BesideBound> bounds_beside_inputs(const DeviationTally& runs, const Formats& formats, std::uint64_t n,
                                              std::optional<double> largest_term, Against against);

/// Whether a proven bound of the finding makes this probabilistic one say no more (no_better); text leaves it out.
bool says_no_more(const ToleranceFinding& finding, const BesideBound& bound);

}  // namespace orderlab::study
