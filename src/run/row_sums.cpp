// Sums without bounds. A fixed order of plain additions is written down once, and then done with a row in each lane of
// vectors; other rows are run one after the other.
#include "orderlab/row_sums.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "orderlab/error.hpp"
#include "run/in_parts.hpp"
#include "run/leaves.hpp"
#include "run/plan_run.hpp"
#include "run/plan_steps.hpp"
#include "run/recorder.hpp"
#include "run/rows.hpp"

namespace orderlab {

struct RowSums::Program : RowProgram {};

namespace {

/// The additions of the plan; empty where they are not plain ones in a fixed order, or for too many rows.
std::optional<RowProgram> recorded(const Plan& plan) {
  if (!plan.drawn_steps().empty() || plan.fuses() || plan.term_count() > GroupRows::kMostMembers) return std::nullopt;
  RowProgram program;
  Recorder recorder(program, plan.formats().accumulate);
  const auto members = recorded_rows(plan.term_count());
  Buffers<Recorder> buffers;
  const Input<Recorder> in{std::span<const Recorder::Value>(members)};
  program.sum = run_steps(plan.steps(), recorder, in, buffers, {})[0].row;
  if (!recorder.plain()) return std::nullopt;
  return program;
}

/// As evaluation_of rounds it.
template <class T>
double result_of(T sum, Format result) {
  const auto value = static_cast<double>(sum);
  if (result != kFormatOf<T>) return value_of_bits(result, round_to_bits(result, value));
  return std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value;
}

/// Terms as leaves, which are converted where they are not yet what the first step reads.
template <class N>
class LeafBuffer {
 public:
  /// Room for `leaves` of terms that are `products` or numbers of `format`.
  LeafBuffer(Format format, bool products, std::size_t leaves)
      : as_they_are_(!products && std::is_same_v<N, typename NumberTraits<N>::Rounded> && format == kFormatOf<N>),
        owned_(as_they_are_ ? 0 : leaves) {}

  /// The leaves of `terms`, from place `first` of the buffer on.
  std::span<const N> of(const TermView& terms, std::size_t first = 0) {
    if (as_they_are_) return {static_cast<const N*>(terms.x), terms.n};
    const auto leaves = std::span(owned_).subspan(first, terms.n);
    convert_terms(terms, leaves);
    return leaves;
  }

 private:
  bool as_they_are_;
  std::vector<N> owned_;
};

template <class T>
void add_in_lanes(const RowProgram& program, Format result, const TermRows& rows, std::span<double> sums) {
  const std::size_t most = GroupRows::most_groups(rows.n);
  LeafBuffer<T> leaves(rows.format, rows.products(), std::min(most, rows.count) * rows.n);
  std::array<const void*, GroupRows::kMostGroups> pieces;
  std::array<T, GroupRows::kMostGroups> some;
  for (std::size_t r = 0; r < rows.count; r += most) {
    const std::size_t count = std::min(most, rows.count - r);
    for (std::size_t i = 0; i < count; ++i) pieces[i] = leaves.of(rows.row(r + i), i * rows.n).data();
    add_rows({kFormatOf<T>, std::span(pieces).first(count), 1, 1, rows.n}, program, some.data(), nullptr);
    for (std::size_t i = 0; i < count; ++i) sums[r + i] = result_of(some[i], result);
  }
}

/// One row after the other.
template <class N>
class RowByRow {
 public:
  explicit RowByRow(const Plan& plan)
      : plan_(plan), leaves_(plan.formats().terms, plan.products(), plan.term_count()) {}

  double sum(const TermView& terms, Draw draw) {
    Floats<N, false> arith;
    const Input<Floats<N, false>> in(leaves_.of(terms));
    const N last = run_in_parts(plan_.steps(), arith, in, buffers_, joined_, serial_loop, draw)[0];
    return result_of(NumberTraits<N>::rounded(last), plan_.formats().result);
  }

 private:
  const Plan& plan_;
  LeafBuffer<N> leaves_;
  Buffers<Floats<N, false>> buffers_;
  std::vector<N> joined_;
};

/// Calls use with a RowByRow for the plan.
template <class Use>
void with_row_by_row(const Plan& plan, Use use) {
  with_type_of(plan.formats().accumulate, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    if (plan.fuses())
      use(RowByRow<Product<T>>(plan));
    else
      use(RowByRow<T>(plan));
  });
}

}  // namespace

RowSums::RowSums(std::shared_ptr<const Plan> plan) : plan_(std::move(plan)) {
  if (auto program = recorded(*plan_)) program_ = std::make_unique<const Program>(Program{*std::move(program)});
}

RowSums::~RowSums() = default;

void RowSums::evaluate(const TermRows& rows, std::span<double> sums, const DrawPath& first,
                       std::uint64_t sample) const {
  if (sums.size() != rows.count)
    throw Error(ErrorKind::usage,
                std::to_string(rows.count) + " rows: there is room for " + std::to_string(sums.size()) + " sums");
  if (rows.count == 0) return;
  check_terms(*plan_, {rows.format, rows.n, rows.x, rows.y});
  const auto key = [&](std::size_t r) {
    DrawPath path = first;
    path.output = path.output.value_or(0) + r;
    return path.key();
  };
  key(0);
  key(rows.count - 1);  // before anything is written
  if (program_ != nullptr)
    return with_type_of(plan_->formats().accumulate, [&](auto* type) {
      add_in_lanes<std::remove_pointer_t<decltype(type)>>(*program_, plan_->formats().result, rows, sums);
    });
  const bool drawn = !plan_->drawn_steps().empty();
  with_row_by_row(*plan_, [&](auto row_by_row) {
    for (std::size_t r = 0; r < rows.count; ++r) sums[r] = row_by_row.sum(rows.row(r), {drawn ? key(r) : 0, sample});
  });
}

double sum_of(const Plan& plan, const TermView& terms, std::uint64_t seed, std::uint64_t sample) {
  check_terms(plan, terms);
  double sum = 0;
  with_row_by_row(plan, [&](auto row_by_row) { sum = row_by_row.sum(terms, {seed, sample}); });
  return sum;
}

}  // namespace orderlab
