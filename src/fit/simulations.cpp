#include "fit/simulations.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace orderlab {

namespace {

// Units to fit by: enough positions for a mean quantile to be known to about 1 %, for any length.
std::uint64_t fitting_units(std::size_t m) { return std::clamp<std::uint64_t>((std::uint64_t{1} << 18) / m, 4, 64); }

// To judge by: four times as many, so half the random error, and enough for a standard deviation; none that the fit has
// seen.
std::uint64_t judging_units(std::size_t m) { return std::max<std::uint64_t>(4 * fitting_units(m), 64); }
constexpr std::uint64_t kFirstFreshUnit = std::uint64_t{1} << 39;
constexpr std::uint64_t kFirstJudgingUnit = std::uint64_t{1} << 40;

}  // namespace

FitProgress::FitProgress(const FitOptions& options, std::vector<std::uint64_t> units)
    : options_(options), planned_(std::move(units)), done_(planned_.size()) {}

void FitProgress::add(std::size_t model, std::uint64_t units) {
  const std::lock_guard lock(mutex_);
  done_[model] += units;
  if (!options_.progress) return;
  options_.progress(std::accumulate(done_.begin(), done_.end(), std::uint64_t{0}),
                    std::accumulate(planned_.begin(), planned_.end(), std::uint64_t{0}));
}

void FitProgress::finish(std::size_t model) {
  const std::lock_guard lock(mutex_);
  done_[model] = planned_[model];
}

std::uint64_t Simulations::planned(std::uint64_t evaluations, std::size_t m) {
  return evaluations * fitting_units(m) + judging_units(m);
}

Simulations::Simulations(const FitOptions& options, std::size_t m, int threads, FitProgress& progress,
                         std::size_t model)
    : seed_(options.seed), m_(m), progress_(progress), model_(model) {
  how_.threads = threads;
  how_.stop = options.stop;
}

std::vector<Features> Simulations::to_fit(const ArrivalCall& call) { return units(call, 0, fitting_units(m_)); }

std::optional<Features> Simulations::fresh(const ArrivalCall& call) {
  const std::vector<Features> drawn = units(call, kFirstFreshUnit + fresh_, fitting_units(m_));
  fresh_ += drawn.size();
  return drawn.empty() ? std::nullopt : std::optional(mean_of(drawn));
}

std::vector<Features> Simulations::to_judge(const ArrivalCall& call) {
  return units(call, kFirstJudgingUnit, judging_units(m_));
}

std::vector<Features> Simulations::units(const ArrivalCall& call, std::uint64_t first, std::uint64_t count) {
  std::vector<Features> found = simulate_units(call, m_, seed_, first, count, how_);
  if (found.size() < count) return {};
  progress_.add(model_, count);
  return found;
}

}  // namespace orderlab
