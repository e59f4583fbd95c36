#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "core/arithmetic_guard.hpp"
#include "core/float_environment.hpp"
#include "core/pass.hpp"
#include "operation/index_rows.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"
#include "orderlab/exact.hpp"
#include "orderlab/plan.hpp"
#include "orderlab/program.hpp"
#include "program/index_add_slices.hpp"
#include "program/sum_site.hpp"
#include "reference/certain_dot.hpp"
#include "vectors/slices.hpp"

namespace orderlab {

/// Memory of one run, reused from call to call.
struct ProgramRun::Buffers {
  template <class T>
  struct Of {
    std::vector<T> products;
    std::vector<T> factors;
    std::vector<const T*> slices;
  };

  template <class T>
  Of<T>& of() {
    if constexpr (std::is_same_v<T, float>)
      return floats;
    else
      return doubles;
  }

  std::map<std::uint64_t, std::uint64_t> calls;  ///< by site
  Of<float> floats;
  Of<double> doubles;
  std::vector<std::uint32_t> order;                  ///< the units, as they arrive
  std::vector<std::uint32_t> place;                  ///< place of each unit in `order`
  std::vector<IndexAddSite::Slices::Piece> arrived;  ///< pieces of one segment, as they arrive
  std::vector<double> sums;
};

namespace {

double exactly(const TermView& terms) {
  if (terms.format == Format::fp64 && terms.products() && terms.n <= kMostCertainProducts)
    if (const auto sum = certain_dot(static_cast<const double*>(terms.x), static_cast<const double*>(terms.y), terms.n))
      return *sum;
  return value_of_bits(terms.format, exact_sum(terms).round_to(terms.format));
}

constexpr std::size_t kLeastSlice = 8;  // shorter ones cost less than the call of vector code

template <class T>
T flushed(T v) {
  return atomics_flush(kFormatOf<T>) && std::abs(v) < std::numeric_limits<T>::min() ? std::copysign(T{0}, v) : v;
}

template <class T>
T added(T sum, T term) {
  return flushed(flushed(sum) + flushed(term));
}

/// Sorts pieces by the place of their units; those of one unit stay in launch order.
template <class Piece>
void arrive(std::span<const Piece> pieces, std::span<const std::uint32_t> place, std::span<Piece> arrived) {
  constexpr std::size_t kFew = 32;
  const auto earlier = [&](const Piece& a, const Piece& b) { return place[a.unit] < place[b.unit]; };
  if (pieces.size() > kFew) {
    std::copy(pieces.begin(), pieces.end(), arrived.begin());
    std::stable_sort(arrived.begin(), arrived.end(), earlier);
    return;
  }
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    std::size_t q = p;
    for (; q > 0 && earlier(pieces[p], arrived[q - 1]); --q) arrived[q] = arrived[q - 1];
    arrived[q] = pieces[p];
  }
}

template <class T>
std::span<T> sized(std::vector<T>& buffer, std::size_t n) {
  if (buffer.size() < n) buffer.resize(n);
  return std::span(buffer).first(n);
}

}  // namespace

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

template <ProgramNumber T>
void ProgramRun::spmv(const SumSite& site, const SparseMatrix<T>& matrix, std::span<const T> x, std::span<T> y) {
  const FloatEnvironment environment;
  require_equal("spmv, x", x.size(), matrix.columns);
  require_equal("spmv, y", y.size(), matrix.rows);
  DrawPath path = next_call(site.number());
  const bool launch = reductions_ == Reductions::launch;
  std::size_t most = 0;
  for (std::size_t i = 0; i < matrix.rows; ++i)
    most = std::max<std::size_t>(most, matrix.row_begin[i + 1] - matrix.row_begin[i]);
  std::vector<const SitePlan*> plans(most + 1, nullptr);
  const auto factors = sized(buffers_->of<T>().factors, most);
  const auto products = sized(buffers_->of<T>().products, most);
  each_in_pass(matrix.rows, [&](std::size_t i) {
    const std::uint32_t begin = matrix.row_begin[i];
    const std::size_t n = matrix.row_begin[i + 1] - begin;
    const T* const values = matrix.value.data() + begin;
    const std::uint32_t* const columns = matrix.column.data() + begin;
    if (n == 0) {
      y[i] = 0;
      return;
    }
    if (reductions_ == Reductions::exact) {
      for (std::size_t e = 0; e < n; ++e) factors[e] = x[columns[e]];
      y[i] = static_cast<T>(exactly(view_of(values, n, factors.data())));
      return;
    }
    const SitePlan*& plan = plans[n];
    if (plan == nullptr) plan = &site.plans_->plan(site.order(), n, kFormatOf<T>, true, launch);
    if (plan->in_turn && !plan->products) {
      T sum = values[0] * x[columns[0]];
      if (plan->from_zero) sum += T{0};
      for (std::size_t e = 1; e < n; ++e) sum += values[e] * x[columns[e]];
      y[i] = sum;
      return;
    }
    path.output = i;
    const std::uint64_t key = path.key();
    if (plan->products) {
      for (std::size_t e = 0; e < n; ++e) factors[e] = x[columns[e]];
      y[i] = static_cast<T>(sum_of(*plan->plan, view_of(values, n, factors.data()), key, sample_));
    } else {
      for (std::size_t e = 0; e < n; ++e) products[e] = values[e] * x[columns[e]];
      y[i] = static_cast<T>(sum_of(*plan->plan, view_of(products.data(), n), key, sample_));
    }
  });
}

template <ProgramNumber T>
void ProgramRun::spmv(const IndexAddSite& site, const SparseMatrix<T>& matrix, std::span<const T> x, std::span<T> y) {
  const FloatEnvironment environment;
  require_equal("spmv, x", x.size(), matrix.columns);
  require_equal("spmv, entries of the site's matrix", site.slices_->rows, matrix.entries());
  const IndexAddSite::Slices& slices = *site.slices_;
  if (reductions_ != Reductions::exact && slices.in_turn && slices.width == 1 && slices.outputs == y.size()) {
    const auto product = [&](std::size_t e) { return matrix.value[e] * x[matrix.column[e]]; };
    const auto place = places_of_units(site);
    const auto arrived = sized(buffers_->arrived, slices.most_pieces);
    std::fill(y.begin(), y.end(), T{0});
    each_in_pass(slices.segments.size(), [&](std::size_t s) {
      const auto& segment = slices.segments[s];
      const std::size_t count = segment.end - segment.begin;
      T sum{0};
      if (segment.varies && !place.empty()) {
        const auto pieces = std::span(slices.pieces).subspan(segment.begin, count);
        arrive(pieces, place, arrived.first(count));
        for (const auto& piece : arrived.first(count)) sum = added(sum, product(piece.row));
      } else {
        for (std::size_t e = segment.row; e < segment.row + count; ++e) sum = added(sum, product(e));
      }
      y[segment.output] = sum;
    });
    return;
  }
  const auto products = sized(buffers_->of<T>().factors, matrix.entries());  // index_add takes the other buffer
  for (std::size_t e = 0; e < products.size(); ++e) products[e] = matrix.value[e] * x[matrix.column[e]];
  std::fill(y.begin(), y.end(), T{0});
  index_add<T>(site, products, y);
}

// Place of each unit in the next call's arrival order; empty where no order changes a sum.
std::span<const std::uint32_t> ProgramRun::places_of_units(const IndexAddSite& site) {
  const IndexAddSite::Slices& slices = *site.slices_;
  const DrawPath path = next_call(site.number());
  if (reductions_ != Reductions::drawn || !slices.varies) return {};
  const auto order = sized(buffers_->order, slices.units);
  const auto place = sized(buffers_->place, slices.units);
  slices.arrival.model->draw(*slices.arrival.arguments, RandomStream(path.key(), streams::kFirstStage, sample_), order);
  for (std::uint32_t k = 0; k < order.size(); ++k) place[order[k]] = k;
  return place;
}

template <ProgramNumber T>
void ProgramRun::index_add(const IndexAddSite& site, std::span<const T> source, std::span<T> outputs) {
  const FloatEnvironment environment;
  using Slices = IndexAddSite::Slices;
  const Slices& slices = *site.slices_;
  if (source.size() % slices.width != 0 || source.size() / slices.width < slices.rows)
    require_equal("index_add, source", source.size(), slices.rows * slices.width);
  require_equal("index_add, outputs", outputs.size(), slices.outputs * slices.width);
  const auto place = places_of_units(site);
  const bool drawn = !place.empty();
  const bool flush = atomics_flush(kFormatOf<T>);
  const auto arrived = sized(buffers_->arrived, slices.most_pieces);
  const auto numbers = sized(buffers_->of<T>().products, slices.most_pieces + 1);
  const auto slices_from = sized(buffers_->of<T>().slices, slices.most_pieces);
  each_in_pass(slices.segments.size(), [&](std::size_t s) {
    const Slices::Segment& segment = slices.segments[s];
    T* const to = outputs.data() + segment.output * slices.width + segment.column;
    std::span<const Slices::Piece> pieces(slices.pieces.data() + segment.begin, segment.end - segment.begin);
    const auto from = [&](const Slices::Piece& piece) {
      return source.data() + piece.row * slices.width + segment.column;
    };
    if (reductions_ == Reductions::exact) {
      for (std::size_t c = 0; c < segment.width; ++c) {
        numbers[0] = to[c];
        for (std::size_t p = 0; p < pieces.size(); ++p) numbers[p + 1] = from(pieces[p])[c];
        to[c] = static_cast<T>(exactly(view_of(numbers.data(), pieces.size() + 1)));
      }
      return;
    }
    if (drawn && segment.varies) {
      arrive(pieces, place, arrived.first(pieces.size()));
      pieces = arrived.first(pieces.size());
    }
    if (segment.width < kLeastSlice) {
      for (const Slices::Piece& piece : pieces)
        for (std::size_t c = 0; c < segment.width; ++c) to[c] = added(to[c], from(piece)[c]);
      return;
    }
    const auto parts = slices_from.first(pieces.size());
    std::transform(pieces.begin(), pieces.end(), parts.begin(), from);
    add_slices(to, parts, segment.width, flush);
  });
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
template void ProgramRun::spmv(const SumSite&, const SparseMatrix<float>&, std::span<const float>, std::span<float>);
template void ProgramRun::spmv(const SumSite&, const SparseMatrix<double>&, std::span<const double>, std::span<double>);
template void ProgramRun::spmv(const IndexAddSite&, const SparseMatrix<float>&, std::span<const float>,
                               std::span<float>);
template void ProgramRun::spmv(const IndexAddSite&, const SparseMatrix<double>&, std::span<const double>,
                               std::span<double>);
template void ProgramRun::index_add(const IndexAddSite&, std::span<const float>, std::span<float>);
template void ProgramRun::index_add(const IndexAddSite&, std::span<const double>, std::span<double>);

}  // namespace orderlab
