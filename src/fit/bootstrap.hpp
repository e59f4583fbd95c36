// Resampling with replacement, and the intervals that it gives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace orderlab {

/// Replicates of a prediction, and at least as many as of any bootstrap here: the share below the 2.5 % quantile is
/// then known to sqrt(0.025 / 1000) = 0.5 %.
inline constexpr std::uint64_t kReplicates = 1000;

/// Where the replicates of each use start, so that no two share draws.
namespace replicates {
inline constexpr std::uint64_t kSurface = 0;                              ///< one: points of a surface; room for four
inline constexpr std::uint64_t kPrediction = kSurface + 4 * kReplicates;  ///< three: inputs, rows, drawn orders
inline constexpr std::uint64_t kArrivalFeatures = kPrediction + 3 * kReplicates;  ///< one: blocks of runs
inline constexpr std::uint64_t kFlips = kArrivalFeatures + kReplicates;           ///< one: answers
}  // namespace replicates

/// How often each of `count` things is drawn in one replicate: count draws with replacement.
///
/// Draws from (seed, streams::kBootstrap, replicate) alone.
std::vector<double> bootstrap_weights(std::size_t count, std::uint64_t seed, std::uint64_t replicate);

/// Runs in a block of a block bootstrap over `count` runs: ceil(count^(1/3)), the rate at which bias and noise of a
/// variance shrink together [Kunsch1989].
std::size_t bootstrap_block_length(std::size_t count);

/// How often each of `count` things in a row is drawn in one replicate, in blocks of `length` successive ones; the
/// first follows the last. All together `count` of them: the last block is cut.
///
/// Draws as bootstrap_weights does.
std::vector<double> block_bootstrap_weights(std::size_t count, std::size_t length, std::uint64_t seed,
                                            std::uint64_t replicate);

/// What resampled standard errors are multiplied by: of `count` things resampled in blocks of `length`, blocks repeat,
/// which takes a fraction length / count off their variance.
double repeating_blocks_factor(std::size_t count, std::size_t length);

/// Of how many standard errors, estimated from `count` things, the half width of an interval is that leaves a normal
/// number out with probability `outside` per side: Student's quantile with count - 1 degrees of freedom.
double student_quantile(std::size_t count, double outside);

struct Interval {
  double low = 0;
  double high = 0;
};

/// 2.5 % and 97.5 % quantile (inverse ECDF) of values in any order, at least one.
Interval middle_95(std::vector<double> values);

/// 95 % quantile (inverse ECDF) of values in any order, at least one.
double quantile_95(std::vector<double> values);

}  // namespace orderlab
