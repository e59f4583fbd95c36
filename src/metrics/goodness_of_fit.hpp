// Do frequencies fit a model? Tests whose p-values come from simulating the model itself, so that no count is too small
// and no tie matters.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>

namespace orderlab {

/// How a test simulates. It draws from (seed, streams::kGoodnessOfFit) alone.
struct SimulationOptions {
  std::uint64_t seed = 1;
  std::uint64_t simulations = 9999;  ///< M; no p-value is below 1 / (M + 1)
  std::stop_token stop = {};
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};
};

/// p-value of `counts` as n draws from cells of these probabilities: log-likelihood ratio G = 2 sum c ln(c / (n p))
/// against that of simulated draws. p = (1 + #{G* >= G}) / (M + 1), so P(p <= a) <= a for every a if the model is true.
///
/// Shape:  equal sizes; probabilities > 0 where counts are; they add up to 1 but for their roundings; n < 2^32.
/// Empty:  when stopped.
/// Cost:   M n draws, and M n log n or M (n + cells) steps, whichever is less.
/// Source: [Wilks1938] the statistic, [Dwass1957] the p-value.
std::optional<double> multinomial_p(std::span<const std::uint64_t> counts, std::span<const double> probabilities,
                                    const SimulationOptions& options);

/// How often one value occurred in either of two samples.
struct TwoSampleCount {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

/// p-value of two samples as one: largest |ECDF of the first - ECDF of both| against that of random permutations of
/// both. As both stay as they are under permutation, this is the two-sample Kolmogorov-Smirnov test. Exact for ties:
/// statistics are compared as integers. p as multinomial_p.
///
/// Shape:  `values` ascending, neither sample empty, both together < 2^32.
/// Empty:  when stopped.
/// Cost:   with n the size of the smaller sample as multinomial_p, and 4 bytes for every value of both.
/// Source: [Smirnov1948] the statistic, [Dwass1957] the p-value.
std::optional<double> two_sample_p(std::span<const TwoSampleCount> values, const SimulationOptions& options);

}  // namespace orderlab
