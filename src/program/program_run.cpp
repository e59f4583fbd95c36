#include <algorithm>
#include <cmath>
#include <string>

#include "core/arithmetic_guard.hpp"
#include "core/float_environment.hpp"
#include "core/stop.hpp"
#include "orderlab/error.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/plan.hpp"
#include "program/run_buffers.hpp"
#include "program/sum_site.hpp"
#include "reference/certain_dot.hpp"
#include "vectors/slices.hpp"

namespace orderlab {

double exactly(const TermView& terms) {
  if (terms.format == Format::fp64 && terms.products() && terms.n <= kMostCertainProducts)
    if (const auto sum = certain_dot(static_cast<const double*>(terms.x), static_cast<const double*>(terms.y), terms.n))
      return *sum;
  return value_of_bits(terms.format, exact_sum(terms).round_to(terms.format));
}

ProgramRun::ProgramRun(std::uint64_t seed, std::uint64_t sample, Reductions reductions)
    : seed_(seed), sample_(sample), reductions_(reductions), buffers_(std::make_unique<Buffers>()) {}

ProgramRun::~ProgramRun() = default;
ProgramRun::ProgramRun(ProgramRun&&) noexcept = default;

void ProgramRun::require_equal(std::string_view what, std::size_t given, std::size_t needed) {
  if (given == needed) return;
  throw Error(ErrorKind::usage, std::string(what) + ": an array has " + std::to_string(given) +
                                    " numbers; it must have " + std::to_string(needed));
}

DrawPath ProgramRun::next_call(std::uint64_t site) {
  stop_point();
  return {.seed = seed_, .site = site, .step = buffers_->calls[site]++};
}

double ProgramRun::add(const SumSite& site, Format format, std::size_t n, const void* x, const void* y) {
  const DrawPath path = next_call(site.number());
  if (n == 0) return 0;
  const TermView terms{format, n, x, y};
  if (reductions_ == Reductions::exact) return exactly(terms);
  const bool launch = reductions_ == Reductions::launch;
  const SitePlan& plan = site.plans_->plan(site.order(), n, format, y != nullptr, launch);
  if (y == nullptr || plan.products) return sum_of(*plan.plan, terms, path.key(), sample_);
  const auto add_products = [&](auto* type) {  // rounded first: numbers need no conversion
    using T = std::remove_pointer_t<decltype(type)>;
    const auto products = sized(buffers_->of<T>().products, n);
    multiply_slices(products.data(), static_cast<const T*>(x), static_cast<const T*>(y), n);
    return sum_of(*plan.plan, view_of(products.data(), n), path.key(), sample_);
  };
  return format == Format::fp64 ? add_products(static_cast<double*>(nullptr))
                                : add_products(static_cast<float*>(nullptr));
}

template <ProgramNumber T>
T ProgramRun::sum(const SumSite& site, std::span<const T> x) {
  const FloatEnvironment environment;
  return static_cast<T>(add(site, kFormatOf<T>, x.size(), x.data(), nullptr));
}

template <ProgramNumber T>
T ProgramRun::dot(const SumSite& site, std::span<const T> x, std::span<const T> y) {
  const FloatEnvironment environment;
  require_equal("dot", x.size(), y.size());
  return static_cast<T>(add(site, kFormatOf<T>, x.size(), x.data(), y.data()));
}

template <ProgramNumber T>
T ProgramRun::norm2(const SumSite& site, std::span<const T> x) {
  const FloatEnvironment environment;
  return std::sqrt(dot(site, x, x));
}

template <ProgramNumber T>
void ProgramRun::matmul(const SumSite& site, std::size_t m, std::size_t k, std::size_t n, std::span<const T> a,
                        std::span<const T> b, std::span<T> c) {
  const FloatEnvironment environment;
  if (k > 0 && (m > a.size() / k || n > b.size() / k)) require_equal("matmul, a and b", a.size() + b.size(), k);
  require_equal("matmul, a", a.size(), m * k);
  require_equal("matmul, b", b.size(), k * n);
  require_equal("matmul, c", c.size(), m * n);
  DrawPath path = next_call(site.number());
  if (k == 0) return std::fill(c.begin(), c.end(), T{0});
  const bool exact = reductions_ == Reductions::exact;
  const SitePlan* const plan =
      exact ? nullptr : &site.plans_->plan(site.order(), k, kFormatOf<T>, true, reductions_ == Reductions::launch);
  const auto column = sized(buffers_->of<T>().factors, k);
  const auto products = sized(buffers_->of<T>().products, k);
  const auto sums = sized(buffers_->sums, m);
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t i = 0; i < k; ++i) column[i] = b[i * n + j];
    for (std::size_t i = 0; i < m; ++i) {
      const T* const row = a.data() + i * k;
      path.output = j * m + i;
      if (exact) {
        sums[i] = exactly(view_of(row, k, column.data()));
      } else if (plan->products) {
        sums[i] = sum_of(*plan->plan, view_of(row, k, column.data()), path.key(), sample_);
      } else {
        multiply_slices(products.data(), row, column.data(), k);
        sums[i] = sum_of(*plan->plan, view_of(products.data(), k), path.key(), sample_);
      }
    }
    for (std::size_t i = 0; i < m; ++i) c[i * n + j] = static_cast<T>(sums[i]);
  }
}

template float ProgramRun::sum(const SumSite&, std::span<const float>);
template double ProgramRun::sum(const SumSite&, std::span<const double>);
template float ProgramRun::dot(const SumSite&, std::span<const float>, std::span<const float>);
template double ProgramRun::dot(const SumSite&, std::span<const double>, std::span<const double>);
template float ProgramRun::norm2(const SumSite&, std::span<const float>);
template double ProgramRun::norm2(const SumSite&, std::span<const double>);
template void ProgramRun::matmul(const SumSite&, std::size_t, std::size_t, std::size_t, std::span<const float>,
                                 std::span<const float>, std::span<float>);
template void ProgramRun::matmul(const SumSite&, std::size_t, std::size_t, std::size_t, std::span<const double>,
                                 std::span<const double>, std::span<double>);
}  // namespace orderlab
