#include "fit/simulations.hpp"

#include <algorithm>
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

Simulations::Simulations(const FitOptions& options, std::size_t m, std::vector<std::uint64_t> evaluations)
    : options_(options), m_(m), evaluations_(std::move(evaluations)) {
  how_.threads = options.threads;
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

void Simulations::finish(std::size_t model) {
  done_ = planned(model + 1);
  fresh_ = 0;
}

std::vector<Features> Simulations::units(const ArrivalCall& call, std::uint64_t first, std::uint64_t count) {
  std::vector<Features> found = simulate_units(call, m_, options_.seed, first, count, how_);
  if (found.size() < count) return {};
  done_ += count;
  if (options_.progress) options_.progress(done_, planned(evaluations_.size()));
  return found;
}

std::uint64_t Simulations::planned(std::size_t models) const {
  std::uint64_t units = 0;
  for (std::size_t i = 0; i < models; ++i) units += evaluations_[i] * fitting_units(m_) + judging_units(m_);
  return units;
}

}  // namespace orderlab
