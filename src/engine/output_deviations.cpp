#include "engine/output_deviations.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "core/arithmetic_guard.hpp"

namespace orderlab {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Upper bound of a result of one to three roundings: three ulps farther, and 0 stays 0. Shape: not negative.
double up(double x) {
  if (x == 0 || !(x < kInfinite)) return x;
  return std::bit_cast<double>(std::min(std::bit_cast<std::uint64_t>(x) + 3, std::bit_cast<std::uint64_t>(kInfinite)));
}

double place(OutputMeasure measure, const OutputDeviation& d) { return d[static_cast<std::size_t>(measure)]; }

}  // namespace

double usual_rtol(Format format) {
  switch (format) {
    case Format::fp32:
      return 1.3e-6;
    case Format::fp16:
      return 1e-3;
    case Format::bf16:
      return 1.6e-2;
    default:
      return 1e-7;
  }
}

OutputYardstick::OutputYardstick(const OutputSums& sums, const ExactRows& exact)
    : sums_(sums), exact_(exact), rtol_(usual_rtol(sums.result_format())) {
  const auto varying = sums.varying();
  const TermView launch = sums.launch().view();
  std::size_t next = 0;
  for (std::size_t r = 0; r < exact.rounded.size(); ++r) {
    const Reference reference = reference_of(r);
    if (next < varying.size() && varying[next] == r) {
      ++next;
      varying_.push_back(reference);
      continue;
    }
    const OutputDeviation deviation = of_reference(reference, launch.left(r));
    for (std::size_t k = 0; k < kOutputMeasures; ++k) fixed_[k] = std::max(fixed_[k], deviation[k]);
  }
}

OutputYardstick::Reference OutputYardstick::reference_of(std::size_t r) const {
  const double high = exact_.high[r];
  const double low = exact_.low[r];
  // high is the nearest double, so the exact result lies between its neighbours.
  const double below = low < 0 ? std::nextafter(high, -kInfinite) : high;
  const double above = low > 0 ? std::nextafter(high, kInfinite) : high;
  const double narrow = exact_.rounded.view().left(r);
  const auto single = static_cast<double>(static_cast<float>(high));
  Reference reference{std::min({below, narrow, single}), std::max({above, narrow, single}), 0, exact_.ulp[r],
                      exact_.magnitude[r]};
  reference.least =
      reference.low <= 0 && reference.high >= 0 ? 0 : std::min(std::fabs(reference.low), std::fabs(reference.high));
  return reference;
}

void OutputYardstick::take(OutputDeviation& largest, const Reference& reference, double distance, double least,
                           double rtol) {
  if (distance == 0) return;
  if (!std::isfinite(distance)) {
    largest.fill(kInfinite);
    return;
  }
  const auto raise = [&](OutputMeasure measure, double value) {
    double& to = largest[static_cast<std::size_t>(measure)];
    to = std::max(to, value);
  };
  raise(OutputMeasure::absolute, distance);
  raise(OutputMeasure::relative, least == 0 ? kInfinite : up(distance / least));
  raise(OutputMeasure::ulp, up(distance / reference.ulp));
  constexpr double kOfMagnitude = 1 + 0x1p-48;  // its own rounding errors (exact_rows.hpp)
  raise(OutputMeasure::magnitude, up(distance / reference.magnitude * kOfMagnitude));
  raise(OutputMeasure::beside_rtol, up(std::max(0.0, distance - rtol * least)));
}

OutputDeviation OutputYardstick::of_reference(const Reference& reference, double x) const {
  OutputDeviation deviation{};
  const double distance = up(std::max(x - reference.low, reference.high - x));
  take(deviation, reference, distance, reference.least, rtol_);
  return deviation;
}

OutputDeviation OutputYardstick::from_reference(std::span<const std::byte> results) const {
  OutputDeviation largest = fixed_;
  with_type_of(sums_.result_format(), [&](auto* type) {
    using R = std::remove_pointer_t<decltype(type)>;
    const R* const x = reinterpret_cast<const R*>(results.data());
    for (std::size_t i = 0; i < varying_.size(); ++i) {
      const Reference& reference = varying_[i];
      const auto value = static_cast<double>(x[i]);
      take(largest, reference, up(std::max(value - reference.low, reference.high - value)), reference.least, rtol_);
    }
  });
  return largest;
}

OutputDeviation OutputYardstick::between(std::span<const std::byte> one, std::span<const std::byte> other) const {
  OutputDeviation largest{};
  with_type_of(sums_.result_format(), [&](auto* type) {
    using R = std::remove_pointer_t<decltype(type)>;
    const R* const a = reinterpret_cast<const R*>(one.data());
    const R* const b = reinterpret_cast<const R*>(other.data());
    for (std::size_t i = 0; i < varying_.size(); ++i) {
      const auto x = static_cast<double>(a[i]);
      const auto y = static_cast<double>(b[i]);
      if (x == y) continue;
      take(largest, varying_[i], up(std::fabs(x - y)), std::min(std::fabs(x), std::fabs(y)), rtol_);
    }
  });
  return largest;
}

OutputDeviation OutputYardstick::between(std::span<const std::byte> one, const OutputYardstick& of_other,
                                         std::span<const std::byte> other) const {
  OutputDeviation largest{};
  struct Reader {
    const OutputSums& sums;
    TermView varying;
    std::size_t next = 0;

    double at(std::size_t r) {
      const bool varies = next < varying.n && sums.varying()[next] == r;
      return varies ? varying.left(next++) : sums.launch().view().left(r);
    }
  };
  const auto reader = [](const OutputSums& sums, std::span<const std::byte> results) {
    return Reader{sums, {sums.result_format(), sums.varying().size(), results.data(), nullptr}};
  };
  Reader a = reader(sums_, one);
  Reader b = reader(of_other.sums_, other);
  for (std::size_t r = 0; r < exact_.rounded.size(); ++r) {
    const double x = a.at(r);
    const double y = b.at(r);
    if (x != y) take(largest, reference_of(r), up(std::fabs(x - y)), std::min(std::fabs(x), std::fabs(y)), rtol_);
  }
  return largest;
}

OutputDeviationTally::OutputDeviationTally(std::uint64_t keep) : largest_(kOutputMeasures, LargestValues(keep)) {}

void OutputDeviationTally::add(const OutputDeviation& draw) {
  ++draws_;
  nonfinite_ += std::isfinite(place(OutputMeasure::absolute, draw)) ? 0U : 1U;
  for (std::size_t k = 0; k < kOutputMeasures; ++k) largest_[k].add(draw[k]);
}

void OutputDeviationTally::merge(const OutputDeviationTally& other) {
  draws_ += other.draws_;
  nonfinite_ += other.nonfinite_;
  for (std::size_t k = 0; k < kOutputMeasures; ++k) largest_[k].merge(other.largest_[k]);
}

OutputDeviation OutputDeviationTally::limit(std::uint64_t rank) const {
  OutputDeviation limit{};
  for (std::size_t k = 0; k < kOutputMeasures; ++k) limit[k] = largest_[k].of_rank(rank);
  return limit;
}

}  // namespace orderlab
