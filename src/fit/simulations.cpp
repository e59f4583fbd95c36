#include "fit/simulations.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace orderlab {

namespace {

// To fit by: enough positions for a quantile to be known to about 1 %, for any length.
std::uint64_t fitting_runs(std::size_t m, std::uint64_t runs) {
  return std::max(runs, std::clamp<std::uint64_t>((std::uint64_t{1} << 18) / m, 8, 64));
}

constexpr std::uint64_t kFirstFreshRun = std::uint64_t{1} << 40;
constexpr std::uint64_t kFirstJudgingRun = std::uint64_t{1} << 41;

}  // namespace

FitProgress::FitProgress(const FitOptions& options, std::vector<std::uint64_t> runs)
    : options_(options), planned_(std::move(runs)), done_(planned_.size()) {}

void FitProgress::add(std::size_t model, std::uint64_t runs) {
  const std::lock_guard lock(mutex_);
  done_[model] += runs;
  if (!options_.progress) return;
  options_.progress(std::accumulate(done_.begin(), done_.end(), std::uint64_t{0}),
                    std::accumulate(planned_.begin(), planned_.end(), std::uint64_t{0}));
}

void FitProgress::finish(std::size_t model) {
  const std::lock_guard lock(mutex_);
  done_[model] = planned_[model];
}

std::uint64_t Simulations::planned(std::uint64_t evaluations, std::size_t m, std::uint64_t runs) {
  return evaluations * fitting_runs(m, runs) + kJudging * runs;
}

Simulations::Simulations(const FitOptions& options, std::size_t m, std::uint64_t runs, int threads,
                         FitProgress& progress, std::size_t model)
    : seed_(options.seed), wave_(options.wave), m_(m), runs_(runs), progress_(progress), model_(model) {
  how_.threads = threads;
  how_.stop = options.stop;
}

std::optional<Features> Simulations::to_fit(const ArrivalCall& call) {
  return recording(call, 0, fitting_runs(m_, runs_));
}

std::optional<Features> Simulations::fresh(const ArrivalCall& call) {
  const std::uint64_t first = kFirstFreshRun + fresh_;
  fresh_ += runs_;
  return recording(call, first, runs_);
}

std::optional<Features> Simulations::to_judge(const ArrivalCall& call) {
  Features mean{};
  for (std::uint64_t k = 0; k < kJudging; ++k) {
    const auto one = recording(call, kFirstJudgingRun + k * runs_, runs_);
    if (!one) return std::nullopt;
    for (std::size_t f = 0; f < kArrivalFeatureCount; ++f) mean[f] += (*one)[f] / static_cast<double>(kJudging);
  }
  return mean;
}

std::optional<Features> Simulations::recording(const ArrivalCall& call, std::uint64_t first, std::uint64_t count) {
  const std::optional<Features> found = simulate_recording(call, m_, wave_, seed_, first, count, how_);
  if (found) progress_.add(model_, count);
  return found;
}

}  // namespace orderlab
