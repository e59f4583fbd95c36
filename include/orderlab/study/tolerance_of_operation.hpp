// Which tolerance a comparison of whole arrays needs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "orderlab/study/operation.hpp"
#include "orderlab/tolerance.hpp"

namespace orderlab::study {

struct OperationToleranceRequest {
  std::string arrival = "uniform";            ///< model of the units
  double coverage = 0.999;                    ///< fraction of runs of which all outputs must pass
  double confidence = 0.95;                   ///< probability that the coverage holds
  Against against = Against::exact;           ///< what outputs are compared with
  std::optional<std::uint64_t> samples = {};  ///< runs to draw; empty: as many as needed
  std::uint64_t seed = 1;
  int threads = 0;  ///< 0: all; findings never depend on it
};

/// The largest deviation of all outputs, by each measure.
struct OutputLimit {
  double absolute = 0;     ///< atol that suffices alone
  double relative = 0;     ///< rtol that suffices alone; infinite where an output of 0 moves
  double ulp = 0;          ///< ulps of the exact result
  double magnitude = 0;    ///< relative to sum|x| of the output
  double beside_rtol = 0;  ///< atol that suffices beside `rtol`
};

struct OperationToleranceFinding {
  OperationFacts input;
  std::string arrival;
  double coverage = 0.999;  ///< asked for
  double reached = 0.999;   ///< coverage of the limit; lower where an interrupt left too few draws
  double confidence = 0.95;
  Against against = Against::exact;
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> samples_asked;
  std::uint64_t varying = 0;
  std::uint64_t draws = 0;    ///< runs, or pairs of them
  std::uint64_t planned = 0;  ///< of which an interrupt may leave some out
  std::uint64_t rank = 0;   ///< of the draw that is the limit, from the largest; 0: too few for any
  double rtol = 0;          ///< of beside_rtol: the default of torch.testing.assert_close
  OutputLimit limit;
  OutputLimit largest;
  double nonfinite = 0;  ///< fraction of draws with inf or NaN
  bool partial = false;
};

/// Error(usage) for a request that no input could answer.
void validate(const OperationToleranceRequest& request);

/// A limit of the largest deviation of all outputs on this input, from independent runs; of an operation that no
/// arrival order changes, from its one result.
///
/// Errors: usage for fewer samples than any limit takes, or an arrival model that does not fit.
OperationToleranceFinding tolerance_of_operation(const OperationInput& input, const OperationToleranceRequest& request,
                                                 const Watch& watch = {});

/// Whether the limit is a number.
bool has_limit(const OperationToleranceFinding& finding);

}  // namespace orderlab::study
