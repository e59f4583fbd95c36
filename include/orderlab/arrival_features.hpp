// Features of arrival orders: what many runs of one launch show, recorded or drawn from a model, their standard errors
// over runs, and how far a model is from a recording in units of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace orderlab {

/// What a feature is, which decides its unit and what difference `fit` accepts.
enum class FeatureKind : std::uint8_t {
  tau,           ///< a mean Kendall tau
  tau_sd,        ///< a standard deviation of Kendall taus
  displacement,  ///< tickets: a mean, a standard deviation or a quantile of displacements
  correlation,   ///< of displacements
  share,         ///< a part of a whole
};

/// What a feature is measured in.
enum class FeatureUnit : std::uint8_t {
  none,     ///< a Kendall tau, a correlation or a share
  tickets,  ///< positions in the arrival order
};

constexpr std::string_view name_of(FeatureUnit unit) { return unit == FeatureUnit::none ? "none" : "tickets"; }

struct ArrivalFeatureInfo {
  std::string_view name;
  FeatureKind kind = FeatureKind::tau;
  std::string_view meaning;  ///< without a stop

  constexpr FeatureUnit unit() const {
    return kind == FeatureKind::displacement ? FeatureUnit::tickets : FeatureUnit::none;
  }
};

/// How a GPU deals out thread blocks: in the first wave, thread block b < sms * resident runs on multiprocessor b mod
/// sms. The defaults are those of [Shanmugavelu2024]: a V100, 64 threads per block.
struct FirstWave {
  std::uint64_t sms = 80;       ///< multiprocessors
  std::uint64_t resident = 22;  ///< thread blocks that each of them runs at first
  std::uint64_t blocks() const { return sms * resident; }
};

/// The features, of n runs of m thread blocks. The ticket of a thread block is its position in the arrival order, from
/// 0; d(i, b), its displacement in run i, is its ticket less b.
///
/// Spreads:      decile k of the grid holds the thread blocks with floor(10 b / m) = k - 1. displacement_sd_k is the
///               standard deviation of all d in it, of all runs together.
/// Quantiles:    of all d of all runs together, linear between the middles of the steps of their ECDF, so that they
///               change smoothly with the parameters of a model [MaGentonParzen2011].
/// Correlations: z(i, b) = (d(i, b) - mean of d(., b) over the runs) / s, where s makes the mean square of z 1 in each
///               decile. The correlation at a lag L is the mean of z(i, b) z(i, b + L) over all runs and all b, or all
///               b of the first wave. So a mean path, or a spread, that changes along the grid is no correlation.
/// adjacent_sm:  the share of the tickets t < sms * resident whose successor t + 1 belongs to a thread block that is
///               congruent modulo sms. In the first wave these are thread blocks of one multiprocessor.
/// persistent:   the share of the variance of d that a thread block keeps in all runs. In each of 20 equal parts of the
///               grid: the variance of the means over runs, less what n runs that share nothing would leave of it,
///               divided by the variance of all d; the mean of the 20.
/// tau_between:  of each run and the next one, the last and the first among them.
inline constexpr std::array<ArrivalFeatureInfo, 31> kArrivalFeatures{{
    {"tau_to_launch", FeatureKind::tau, "Mean Kendall tau to launch order"},
    {"tau_between", FeatureKind::tau, "Mean Kendall tau between each run and the next"},
    {"tau_sd", FeatureKind::tau_sd, "Standard deviation over the runs of their tau to launch order"},
    {"displacement_sd_1", FeatureKind::displacement, "Standard deviation of the displacements in decile 1 of the grid"},
    {"displacement_sd_2", FeatureKind::displacement, "Standard deviation of the displacements in decile 2 of the grid"},
    {"displacement_sd_3", FeatureKind::displacement, "Standard deviation of the displacements in decile 3 of the grid"},
    {"displacement_sd_4", FeatureKind::displacement, "Standard deviation of the displacements in decile 4 of the grid"},
    {"displacement_sd_5", FeatureKind::displacement, "Standard deviation of the displacements in decile 5 of the grid"},
    {"displacement_sd_6", FeatureKind::displacement, "Standard deviation of the displacements in decile 6 of the grid"},
    {"displacement_sd_7", FeatureKind::displacement, "Standard deviation of the displacements in decile 7 of the grid"},
    {"displacement_sd_8", FeatureKind::displacement, "Standard deviation of the displacements in decile 8 of the grid"},
    {"displacement_sd_9", FeatureKind::displacement, "Standard deviation of the displacements in decile 9 of the grid"},
    {"displacement_sd_10", FeatureKind::displacement,
     "Standard deviation of the displacements in decile 10 of the grid"},
    {"displacement_mean_1", FeatureKind::displacement, "Mean displacement in decile 1 of the grid"},
    {"displacement_mean_10", FeatureKind::displacement, "Mean displacement in decile 10 of the grid"},
    {"displacement_q1", FeatureKind::displacement, "1 % quantile of the displacements"},
    {"displacement_q5", FeatureKind::displacement, "5 % quantile of the displacements"},
    {"displacement_q25", FeatureKind::displacement, "25 % quantile of the displacements"},
    {"displacement_q50", FeatureKind::displacement, "Median of the displacements"},
    {"displacement_q75", FeatureKind::displacement, "75 % quantile of the displacements"},
    {"displacement_q95", FeatureKind::displacement, "95 % quantile of the displacements"},
    {"displacement_q99", FeatureKind::displacement, "99 % quantile of the displacements"},
    {"neighbours_1", FeatureKind::correlation, "Correlation of thread blocks launched next to each other"},
    {"neighbours_8", FeatureKind::correlation, "Correlation of thread blocks launched 8 apart"},
    {"neighbours_40", FeatureKind::correlation, "Correlation of thread blocks launched 40 apart"},
    {"same_sm_1", FeatureKind::correlation, "Correlation of thread blocks launched sms apart"},
    {"same_sm_2", FeatureKind::correlation, "Correlation of thread blocks launched 2 sms apart"},
    {"first_wave_1", FeatureKind::correlation,
     "Correlation of thread blocks of the first wave with those launched sms later"},
    {"first_wave_2", FeatureKind::correlation,
     "Correlation of thread blocks of the first wave with those launched 2 sms later"},
    {"adjacent_sm", FeatureKind::share,
     "Share of adjacent tickets of the first wave that belong to one multiprocessor"},
    {"persistent", FeatureKind::share, "Share of the variance that a thread block keeps in all runs"},
}};
inline constexpr std::size_t kArrivalFeatureCount = kArrivalFeatures.size();

/// Fewer thread blocks have no features: two for each of 20 parts of the grid.
inline constexpr std::size_t kLeastFeatureBlocks = 40;

/// Values of the features, in the order of the list. Empty: a lag L needs m >= 4 L, the first wave needs m >= sms *
/// resident, and what is compared between runs two of them.
using ArrivalFeatures = std::array<std::optional<double>, kArrivalFeatureCount>;

struct FeatureOptions {
  FirstWave wave = {};
  int threads = 0;  ///< 0: all; values never depend on it
  std::stop_token stop = {};
  std::function<void(std::uint64_t done, std::uint64_t total)> progress = {};
};

/// Arrival orders of one launch: rows[i][t] is the thread block with ticket t in run i.
using ArrivalRows = std::span<const std::vector<std::uint32_t>* const>;

/// The features of these runs. Stopped where a stop was requested.
///
/// Shape: one row or more, all permutations of one length >= kLeastFeatureBlocks; sms and resident >= 1.
ArrivalFeatures arrival_features(ArrivalRows rows, const FeatureOptions& options = {});

/// Correlations, as in the list, at the lags 1 to `most` < m. Shape: as arrival_features, two rows or more.
std::vector<double> correlations_by_lag(ArrivalRows rows, std::size_t most, const FeatureOptions& options = {});

/// What a recording of n runs says of its machine: features, and what they would be in other recordings.
struct RecordedArrivals {
  ArrivalFeatures features;
  ArrivalFeatures errors;  ///< standard errors; empty where the feature is, or where runs do not vary
  std::uint64_t runs = 0;
  std::uint64_t block_length = 0;           ///< runs in a block of the bootstrap
  std::vector<ArrivalFeatures> replicates;  ///< features of resampled recordings
  std::vector<double> floor;                ///< misfits that other recordings of so many runs would have, ascending
  std::optional<double> halves;             ///< misfit of the second half of the runs to the first one, divided by 2
};

/// Features with standard errors by a block bootstrap over runs: a recording is resampled in blocks of ceil(n^(1/3))
/// successive runs (the first one follows the last), since what one run shares with the next is no news [Kunsch1989].
/// The errors hold for this machine: they say what other recordings of it would give, not what another machine would.
///
/// `halves`: two independent halves of n / 2 runs would differ by 2 standard errors of n runs, so 1 is what is
/// expected. Shape: as arrival_features; rows.size() >= 4.
RecordedArrivals recorded_arrivals(ArrivalRows rows, std::uint64_t seed, const FeatureOptions& options = {});

/// (features - recorded) / (error of their difference) of each feature; empty where one is.
///
/// `runs`: of how many runs the features are. Those of n recorded runs have the error e, so those of `runs` runs alike
/// have e sqrt(n / runs), and their difference e sqrt(1 + n / runs). Empty: they are known exactly.
ArrivalFeatures standardised(const ArrivalFeatures& features, const RecordedArrivals& recorded,
                             std::optional<std::uint64_t> runs = {});

/// Root mean square of what is not empty; empty where all is.
std::optional<double> misfit(const ArrivalFeatures& standardised);

}  // namespace orderlab
