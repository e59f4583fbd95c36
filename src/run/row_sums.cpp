// Sums without bounds. Where all rows are added alike, plain additions are written down once, and then done with a row
// in each lane of vectors, as chains of fused multiply-adds are; other rows are run one after the other.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/float_environment.hpp"
#include "orderlab/error.hpp"
#include "orderlab/fused.hpp"
#include "orderlab/plan.hpp"
#include "run/fused_rows.hpp"
#include "run/fused_steps.hpp"
#include "run/in_parts.hpp"
#include "run/leaves.hpp"
#include "run/mixed_evaluator.hpp"
#include "run/plan_run.hpp"
#include "run/plan_steps.hpp"
#include "run/recorder.hpp"
#include "run/rows.hpp"

namespace orderlab {

struct RowSums::Program : RowProgram {};

namespace {

/// The additions of the plan where it draws so; empty where they are not plain ones, or for too many rows.
std::optional<RowProgram> recorded(const Plan& plan, Draw draw) {
  if (plan.fuses() || plan.changes_format() || plan.term_count() > GroupRows::kMostMembers) return std::nullopt;
  if (plan.formats().accumulate == Format::fp80) return std::nullopt;  // no vectors have it
  RowProgram program;
  Recorder recorder(program, plan.formats().accumulate);
  const auto members = recorded_rows(plan.term_count());
  Buffers<Recorder> buffers;
  const Input<Recorder> in{std::span<const Recorder::Value>(members)};
  program.sum = run_steps(plan.steps(), recorder, in, buffers, draw)[0].row;
  if (!recorder.plain()) return std::nullopt;
  return program;
}

/// How the plan fuses all products one after the other, whichever way they were moved before; null for other plans.
const Combination* chain_of(const Plan& plan) {
  if (!plan.fuses()) return nullptr;
  for (const PlannedStep& planned : plan.steps().first(plan.steps().size() - 1))
    if (!std::holds_alternative<steps::Move>(planned.step.is) || is_by_value(planned.step)) return nullptr;
  const Combination* how = one_group(plan.steps().back().step, plan.term_count());
  const bool chain = how != nullptr && how->tree == Combination::Tree::in_turn && how->accumulate == Accumulate::fma;
  return chain ? how : nullptr;
}

/// Which term comes where after moves.
std::vector<std::uint32_t> moved(std::span<const PlannedStep> moves, std::size_t n, Draw draw) {
  std::vector<double> places(n);
  std::iota(places.begin(), places.end(), 0.0);
  Floats<double, false> arith;
  Buffers<Floats<double, false>> buffers;
  const Input<Floats<double, false>> in{std::span<const double>(places)};
  const auto out = run_steps(moves, arith, in, buffers, draw);
  std::vector<std::uint32_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = static_cast<std::uint32_t>(out[i]);
  return order;
}

/// As evaluation_of rounds it.
template <class T>
double result_of(T sum, Format result) {
  const double value = before_result(sum, result);
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

/// Replaces each sum by what the unit makes of it and of its row, piece by piece of some rows.
void add_by_unit(const FusedUnit& unit, const Formats& formats, const TermRows& rows, std::span<double> sums) {
  constexpr std::size_t kRows = 16;
  constexpr std::size_t kProducts = 512;
  constexpr std::size_t kPadding = 4;  // so that rows do not share the sets of a cache
  const std::size_t piece = std::max<std::size_t>(1, kProducts / unit.length) * unit.length;
  const std::size_t stride = std::min(piece, rows.n) + kPadding;
  std::vector<double> factors(2 * kRows * stride);
  for (std::size_t r = 0; r < rows.count; r += kRows) {
    const auto some = sums.subspan(r, std::min(kRows, rows.count - r));
    for (std::size_t begin = 0; begin < rows.n; begin += piece) {
      const std::size_t size = std::min(piece, rows.n - begin);
      for (std::size_t i = 0; i < some.size(); ++i)
        write_factors(rows.row(r + i).part(begin, size), &factors[2 * i * stride]);
      add_fused(unit, formats.accumulate, {factors.data(), some.size(), size, stride}, some);
    }
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

/// The same of plans that change formats.
class MixedRowByRow {
 public:
  explicit MixedRowByRow(const Plan& plan) : plan_(std::shared_ptr<const Plan>(), &plan) {}

  double sum(const TermView& terms, Draw draw) const {
    const auto evaluator = make_mixed_evaluator(plan_, terms, draw.seed, serial_loop);
    return evaluator->evaluate(draw.sample, *evaluator->make_scratch()).value;
  }

 private:
  std::shared_ptr<const Plan> plan_;  ///< owns nothing
};

/// Calls use with a RowByRow for the plan.
template <class Use>
void with_row_by_row(const Plan& plan, Use use) {
  if (plan.changes_format()) return use(MixedRowByRow(plan));
  with_number_type(plan.formats().accumulate, plan.fuses(),
                   [&](auto* type) { use(RowByRow<std::remove_pointer_t<decltype(type)>>(plan)); });
}

}  // namespace

RowSums::RowSums(std::shared_ptr<const Plan> plan) : plan_(std::move(plan)) {
  if (!plan_->drawn_steps().empty()) return;
  if (auto program = recorded(*plan_, {})) program_ = std::make_unique<const Program>(Program{*std::move(program)});
}

RowSums::~RowSums() = default;

void RowSums::check(const TermRows& rows, std::span<double> sums) const {
  if (sums.size() != rows.count)
    throw Error(ErrorKind::usage,
                std::to_string(rows.count) + " rows: there is room for " + std::to_string(sums.size()) + " sums");
  if (rows.count > 0) check_terms(*plan_, {rows.format, rows.n, rows.x, rows.y});
  if (rows.starts != nullptr && plan_->unit_of_all() == nullptr)
    throw Error(ErrorKind::usage, plan_->order().expression() +
                                      ": starts its sums from zero; only a unit that adds all products in turn takes "
                                      "another start");
}

void RowSums::evaluate(const TermRows& rows, std::span<double> sums, const DrawPath& first,
                       std::uint64_t sample) const {
  const FloatEnvironment environment;
  check(rows, sums);
  if (rows.count == 0) return;
  const auto key = [&](std::size_t r) {
    DrawPath path = first;
    path.output = path.output.value_or(0) + r;
    return path.key();
  };
  key(0);
  key(rows.count - 1);  // before anything is written
  if (plan_->drawn_steps().empty()) return evaluate_alike(rows, sums, 0, sample);
  with_row_by_row(*plan_, [&](auto row_by_row) {
    for (std::size_t r = 0; r < rows.count; ++r) sums[r] = row_by_row.sum(rows.row(r), {key(r), sample});
  });
}

void RowSums::evaluate_alike(const TermRows& rows, std::span<double> sums, std::uint64_t key,
                             std::uint64_t sample) const {
  const FloatEnvironment environment;
  check(rows, sums);
  if (rows.count == 0) return;
  const Draw draw{key, sample};
  if (fuse(rows, sums, key, sample)) return;
  std::optional<RowProgram> drawn;
  if (!plan_->drawn_steps().empty()) drawn = recorded(*plan_, draw);
  if (const RowProgram* program = drawn ? &*drawn : program_.get())
    return with_type_of(plan_->formats().accumulate, [&](auto* type) {
      add_in_lanes<std::remove_pointer_t<decltype(type)>>(*program, plan_->formats().result, rows, sums);
    });
  with_row_by_row(*plan_, [&](auto row_by_row) {
    for (std::size_t r = 0; r < rows.count; ++r) sums[r] = row_by_row.sum(rows.row(r), draw);
  });
}

/// False, and nothing is written, where rows are not added by a unit or as chains in lanes.
bool RowSums::fuse(const TermRows& rows, std::span<double> sums, std::uint64_t key, std::uint64_t sample) const {
  const Formats& formats = plan_->formats();
  if (const FusedUnit* unit = plan_->unit_of_all()) {
    for (std::size_t r = 0; r < sums.size(); ++r) sums[r] = rows.starts == nullptr ? 0.0 : rows.starts[r];
    add_by_unit(*unit, formats, rows, sums);
  } else {
    const Combination* how = can_fuse_rows(formats.terms, formats.accumulate) ? chain_of(*plan_) : nullptr;
    if (how == nullptr || plan_->term_count() >> 32 != 0) return false;
    const auto moves = plan_->steps().first(plan_->steps().size() - 1);
    const std::vector<std::uint32_t> order = moved(moves, plan_->term_count(), {key, sample});
    fuse_rows(rows, formats.accumulate, {order, how->from_zero}, sums);
  }
  with_type_of(formats.accumulate, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    for (double& sum : sums) sum = result_of(round_to<T>(sum), formats.result);
  });
  return true;
}

double sum_of(const Plan& plan, const TermView& terms, std::uint64_t seed, std::uint64_t sample) {
  const FloatEnvironment environment;
  check_terms(plan, terms);
  double sum = 0;
  with_row_by_row(plan, [&](auto row_by_row) { sum = row_by_row.sum(terms, {seed, sample}); });
  return sum;
}

}  // namespace orderlab
