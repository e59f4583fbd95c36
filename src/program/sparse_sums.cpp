// Sums of a run whose terms are chosen by an index or a sparse matrix.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/arithmetic_guard.hpp"
#include "core/float_environment.hpp"
#include "core/pass.hpp"
#include "operation/index_rows.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/plan.hpp"
#include "program/run_buffers.hpp"
#include "program/sum_site.hpp"
#include "vectors/slices.hpp"

namespace orderlab {

namespace {

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

}  // namespace

template <ProgramNumber T>
void ProgramRun::spmv(const SumSite& site, const SparseMatrix<T>& matrix, std::span<const T> x, std::span<T> y) {
  const FloatEnvironment environment;
  require_equal("spmv, x", x.size(), matrix.columns);
  require_equal("spmv, y", y.size(), matrix.rows);
  DrawPath path = next_call(site.number());
  const bool launch = reductions_ == Reductions::launch;
  std::vector<const SitePlan*> plans;  // by the length of a row
  const auto sum_of_row = [&](std::size_t i, std::size_t n) {
    const T* const values = matrix.value.data() + matrix.row_begin[i];
    const std::uint32_t* const columns = matrix.column.data() + matrix.row_begin[i];
    const auto factors = sized(buffers_->of<T>().factors, n);
    if (reductions_ == Reductions::exact || plans[n]->products)
      for (std::size_t e = 0; e < n; ++e) factors[e] = x[columns[e]];
    if (reductions_ == Reductions::exact) return exactly(view_of(values, n, factors.data()));
    path.output = i;
    const std::uint64_t key = path.key();
    if (plans[n]->products) return sum_of(*plans[n]->plan, view_of(values, n, factors.data()), key, sample_);
    const auto products = sized(buffers_->of<T>().products, n);
    for (std::size_t e = 0; e < n; ++e) products[e] = values[e] * x[columns[e]];
    return sum_of(*plans[n]->plan, view_of(products.data(), n), key, sample_);
  };
  const auto plan_for = [&](std::size_t n) {
    if (n >= plans.size()) plans.resize(n + 1, nullptr);
    plans[n] = &site.plans_->plan(site.order(), n, kFormatOf<T>, true, launch);
  };
  constexpr std::size_t kRowsBetweenStops = kStepsBetweenStops / 16;
  in_chunks(
      matrix.rows,
      [&](std::size_t first, std::size_t count) {
        for (std::size_t i = first; i < first + count; ++i) {
          const std::uint32_t begin = matrix.row_begin[i], end = matrix.row_begin[i + 1];
          const std::size_t n = end - begin;
          if (n == 0) {
            y[i] = 0;
            continue;
          }
          if (reductions_ != Reductions::exact && (n >= plans.size() || plans[n] == nullptr)) plan_for(n);
          if (reductions_ == Reductions::exact || !plans[n]->in_turn || plans[n]->products) {
            y[i] = static_cast<T>(sum_of_row(i, n));
            continue;
          }
          T sum = matrix.value[begin] * x[matrix.column[begin]];
          if (plans[n]->from_zero) sum += T{0};
          for (std::uint32_t e = begin + 1; e < end; ++e) sum += matrix.value[e] * x[matrix.column[e]];
          y[i] = sum;
        }
      },
      kRowsBetweenStops);
}

template <ProgramNumber T>
void ProgramRun::spmv(const IndexAddSite& site, const SparseMatrix<T>& matrix, std::span<const T> x, std::span<T> y) {
  const FloatEnvironment environment;
  require_equal("spmv, x", x.size(), matrix.columns);
  require_equal("spmv, entries of the site's matrix", site.slices_->rows, matrix.entries());
  const IndexAddSite::Slices& slices = *site.slices_;
  if (reductions_ != Reductions::exact && slices.consecutive && slices.width == 1 && slices.outputs == y.size()) {
    const auto add_products = [&](T sum, std::size_t first, std::size_t last) {
      for (std::size_t e = first; e < last; ++e) sum = added(sum, matrix.value[e] * x[matrix.column[e]]);
      return sum;
    };
    const auto place = places_of_units(site);
    const auto arrived = sized(buffers_->arrived, slices.most_pieces);
    const auto sum_as_they_arrive = [&](const IndexAddSite::Slices::Segment& segment) {
      const auto pieces = std::span(slices.pieces).subspan(segment.begin, segment.end - segment.begin);
      const std::uint32_t first = pieces.front().unit, last = pieces.back().unit;
      const auto second = std::find_if(pieces.begin(), pieces.end(), [&](const auto& p) { return p.unit != first; });
      if (second->unit == last) {  // two units, one after the other: nearly always
        const std::size_t end = segment.row + pieces.size();
        if (place[first] < place[last]) return add_products(T{0}, segment.row, end);
        return add_products(add_products(T{0}, second->row, end), segment.row, second->row);
      }
      arrive(pieces, place, arrived.first(pieces.size()));
      T sum{0};
      for (const auto& piece : arrived.first(pieces.size())) sum = add_products(sum, piece.row, piece.row + 1);
      return sum;
    };
    std::fill(y.begin(), y.end(), T{0});
    each_in_pass(slices.segments.size(), [&](std::size_t s) {
      const auto& segment = slices.segments[s];
      y[segment.output] = segment.varies && !place.empty()
                              ? sum_as_they_arrive(segment)
                              : add_products(T{0}, segment.row, segment.row + (segment.end - segment.begin));
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

template void ProgramRun::spmv(const SumSite&, const SparseMatrix<float>&, std::span<const float>, std::span<float>);
template void ProgramRun::spmv(const SumSite&, const SparseMatrix<double>&, std::span<const double>, std::span<double>);
template void ProgramRun::spmv(const IndexAddSite&, const SparseMatrix<float>&, std::span<const float>,
                               std::span<float>);
template void ProgramRun::spmv(const IndexAddSite&, const SparseMatrix<double>&, std::span<const double>,
                               std::span<double>);
template void ProgramRun::index_add(const IndexAddSite&, std::span<const float>, std::span<float>);
template void ProgramRun::index_add(const IndexAddSite&, std::span<const double>, std::span<double>);

}  // namespace orderlab
