// Outputs that no arrival order changes are found first; the others go one of three ways: a walk through the units in
// arrival order, rows sorted by arrival and added by a tail, rows that each draw by themselves. Longer than most files:
// the three stand side by side.
#include "orderlab/output_sums.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/float_environment.hpp"
#include "core/pass.hpp"
#include "operation/accumulator.hpp"
#include "operation/finished_outputs.hpp"
#include "operation/scan_outputs.hpp"
#include "operation/unit_orders.hpp"
#include "operation/unit_walk.hpp"
#include "orderlab/arrival.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "terms/typed_terms.hpp"

namespace orderlab {

namespace {

struct ArrivalScratch : OutputSums::Scratch {
  explicit ArrivalScratch(std::size_t units) : order(units) {}

  /// ranks[u] is when unit u arrives.
  void rank() {
    ranks.resize(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) ranks[order[k]] = static_cast<std::uint32_t>(k);
  }

  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> ranks;
};

template <class T>
struct TypedScratch : ArrivalScratch {
  using ArrivalScratch::ArrivalScratch;
  std::vector<T> sums;
  std::vector<std::pair<std::uint32_t, T>> row;
};

/// Stores `sum`, of T, of output r as result i.
template <class T, class R>
void store(const LoweredOperation& operation, std::size_t r, T sum, R* results, std::size_t i) {
  const R result = round_to<R>(finished(operation, r, sum));
  results[i] = canonical(result);
}

// ---- Rows that are added in turn

template <class T>
Terms in_launch_order(const LoweredOperation& operation) {
  const Contributions& rows = operation.rows;
  Terms results(operation.formats.result, rows.outputs());
  with_accumulator<T>(operation.addition, [&](auto step) {
    with_results(operation, results.bytes(), [&](auto* to) {
      each_in_pass(rows.outputs(), [&](std::size_t r) {
        const std::span<const T> row = row_of<T>(rows, r);
        T sum = start_of<T>(operation, r, row.size());
        for (const T x : row) sum = step(sum, x);
        store(operation, r, sum, to, r);
      });
    });
  });
  return results;
}

std::vector<std::uint32_t> varying_in_turn(const LoweredOperation& operation) {
  std::vector<std::uint32_t> varying;
  each_in_pass(operation.rows.outputs(), [&](std::size_t r) {
    if (fate_of(operation, r) == OutputFate::varies) varying.push_back(static_cast<std::uint32_t>(r));
  });
  return varying;
}

template <class T>
class ArrivingRows : public OutputSums {
 public:
  ArrivingRows(std::shared_ptr<const LoweredOperation> operation, UnitOrders orders)
      : OutputSums(operation, in_launch_order<T>(*operation), varying_in_turn(*operation)),
        orders_(std::move(orders)),
        walk_(operation->rows, varying_) {
    starts_.reserve(varying_.size());
    for (const std::uint32_t r : varying_) starts_.push_back(start_of<T>(*operation, r, 1));
  }

  std::unique_ptr<Scratch> make_scratch() const override {
    return std::make_unique<TypedScratch<T>>(operation_->rows.units);
  }

  void evaluate(std::uint64_t sample, std::span<std::byte> results, Scratch& scratch) const override {
    const FloatEnvironment environment;
    auto& mine = static_cast<TypedScratch<T>&>(scratch);
    orders_.draw(sample, mine.order);
    evaluate_arranged(mine.order, results, scratch);
  }

  void evaluate_arranged(std::span<const std::uint32_t> order, std::span<std::byte> results,
                         Scratch& scratch) const override {
    const FloatEnvironment environment;
    auto& mine = static_cast<TypedScratch<T>&>(scratch);
    mine.sums = starts_;
    with_accumulator<T>(operation_->addition, [&](auto step) { walk_.run(order, mine.sums.data(), step); });
    store_all(mine.sums, results);
  }

  void evaluate_by_rows(std::uint64_t sample, std::span<std::byte> results, Scratch& scratch) const override {
    const FloatEnvironment environment;
    auto& mine = static_cast<TypedScratch<T>&>(scratch);
    orders_.draw(sample, mine.order);
    mine.rank();
    mine.sums = starts_;
    const Contributions& rows = operation_->rows;
    with_accumulator<T>(operation_->addition, [&](auto step) {
      for (std::size_t i = 0; i < varying_.size(); ++i) {
        mine.row.clear();
        for (std::size_t c = rows.row_begin[varying_[i]]; c < rows.row_begin[varying_[i] + 1]; ++c)
          mine.row.emplace_back(mine.ranks[rows.unit[c]], static_cast<const T*>(rows.values.view().x)[c]);
        std::stable_sort(mine.row.begin(), mine.row.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        for (const auto& [rank, x] : mine.row) mine.sums[i] = step(mine.sums[i], x);
      }
    });
    store_all(mine.sums, results);
  }

 private:
  void store_all(const std::vector<T>& sums, std::span<std::byte> results) const {
    with_results(*operation_, results, [&](auto* to) {
      using R = std::remove_pointer_t<decltype(to)>;
      if constexpr (std::is_same_v<R, T>) {
        if (operation_->divide_by.empty() && !operation_->addition.initial_last) {
          for (std::size_t i = 0; i < sums.size(); ++i) to[i] = canonical(sums[i]);
          return;
        }
      }
      each_in_pass(sums.size(), [&](std::size_t i) { store(*operation_, varying_[i], sums[i], to, i); });
    });
  }

  UnitOrders orders_;
  UnitWalk<T> walk_;
  std::vector<T> starts_;
};

// ---- Rows that a tail adds, or an order of their own

/// Every output's row added by a tail, its contributions sorted by `ranks` of their units.
class ArrivingTails : public OutputSums {
 public:
  ArrivingTails(std::shared_ptr<const LoweredOperation> operation, UnitOrders orders)
      : OutputSums(operation, Terms(operation->formats.result, operation->rows.outputs()), {}),
        orders_(std::move(orders)) {
    const Contributions& rows = operation_->rows;
    const Format format = operation_->formats.accumulate;
    tail_ = std::make_unique<const RowSums>(
        compile(*operation_->addition.tail, rows.row_length(0), {format, format, format}));
    for (std::size_t r = 0; r < rows.outputs(); ++r) varying_.push_back(static_cast<std::uint32_t>(r));
    ArrivalScratch scratch(rows.units);
    for (std::size_t u = 0; u < rows.units; ++u) scratch.order[u] = static_cast<std::uint32_t>(u);
    add_sorted(launch_.bytes(), scratch);
    if (fate_of(*operation_, 0) != OutputFate::varies) varying_.clear();
  }

  std::unique_ptr<Scratch> make_scratch() const override {
    return std::make_unique<ArrivalScratch>(operation_->rows.units);
  }

  void evaluate(std::uint64_t sample, std::span<std::byte> results, Scratch& scratch) const override {
    const FloatEnvironment environment;
    if (varying_.empty()) return;
    auto& mine = static_cast<ArrivalScratch&>(scratch);
    orders_.draw(sample, mine.order);
    add_sorted(results, mine);
  }

  void evaluate_arranged(std::span<const std::uint32_t> order, std::span<std::byte> results,
                         Scratch& scratch) const override {
    const FloatEnvironment environment;
    if (varying_.empty()) return;
    auto& mine = static_cast<ArrivalScratch&>(scratch);
    mine.order.assign(order.begin(), order.end());
    add_sorted(results, mine);
  }

 private:
  void add_sorted(std::span<std::byte> results, ArrivalScratch& scratch) const {
    scratch.rank();
    with_type_of(operation_->formats.accumulate, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      add_sorted_as<T>(results, scratch.ranks);
    });
  }

  template <class T>
  void add_sorted_as(std::span<std::byte> results, const std::vector<std::uint32_t>& ranks) const {
    const Contributions& rows = operation_->rows;
    const std::size_t m = rows.row_length(0);
    std::vector<T> sorted(varying_.size() * m);
    std::vector<std::pair<std::uint32_t, T>> row(m);
    each_in_pass(varying_.size(), [&](std::size_t i) {
      const std::span<const T> values = row_of<T>(rows, varying_[i]);
      for (std::size_t j = 0; j < m; ++j) row[j] = {ranks[rows.unit[rows.row_begin[varying_[i]] + j]], values[j]};
      std::stable_sort(row.begin(), row.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
      for (std::size_t j = 0; j < m; ++j) sorted[i * m + j] = row[j].second;
    });
    std::vector<double> sums(varying_.size());
    tail_->evaluate(rows_of(sorted.data(), varying_.size(), m), sums);
    with_results(*operation_, results, [&](auto* to) {
      for (std::size_t i = 0; i < sums.size(); ++i) store(*operation_, varying_[i], T(sums[i]), to, i);
    });
  }

  UnitOrders orders_;
  std::unique_ptr<const RowSums> tail_;
};

/// Every output's row of terms added by the plan of its length.
class DrawnRows : public OutputSums {
 public:
  DrawnRows(std::shared_ptr<const LoweredOperation> operation, const DrawPath& path)
      : OutputSums(operation, Terms(operation->formats.result, operation->outputs()), {}), path_(path) {
    PlannedSums fixed;
    std::vector<std::uint32_t> all;
    for (const auto& [n, plan] : operation_->plans) {
      fixed[n] =
          std::make_unique<const RowSums>(compile(plan->order().fixed_form(), n, plan->formats(), plan->products()));
      if (plan->random_count() > 1) drawn_[n] = std::make_unique<const RowSums>(plan);
    }
    each_in_pass(operation_->outputs(), [&](std::size_t r) {
      all.push_back(static_cast<std::uint32_t>(r));
      if (fate_of(*operation_, r) == OutputFate::varies) varying_.push_back(static_cast<std::uint32_t>(r));
    });
    RowScratch scratch;
    add(fixed, 0, all, launch_.bytes(), scratch);
  }

  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<RowScratch>(); }

  void evaluate(std::uint64_t sample, std::span<std::byte> results, Scratch& scratch) const override {
    const FloatEnvironment environment;
    if (!varying_.empty()) add(drawn_, sample, varying_, results, static_cast<RowScratch&>(scratch));
  }

 private:
  using PlannedSums = std::map<std::size_t, std::unique_ptr<const RowSums>>;

  struct RowScratch : Scratch {
    TermBuffer terms;
    std::vector<double> of_rows;
    std::vector<double> starts;  ///< of the same rows
    std::vector<double> sums;    ///< sums of the outputs; +0 for those without a plan
  };

  void add(const PlannedSums& plans, std::uint64_t sample, std::span<const std::uint32_t> outputs,
           std::span<std::byte> results, RowScratch& scratch) const {
    scratch.sums.resize(operation_->outputs());
    for (const TermPart& part : operation_->terms.parts())
      if (const auto found = plans.find(part.rows.n); found != plans.end())
        add_part(part, *found->second, sample, scratch);
    with_results(*operation_, results, [&](auto* to) {
      with_type_of(operation_->formats.accumulate, [&](auto* type) {
        using T = std::remove_pointer_t<decltype(type)>;
        each_in_pass(outputs.size(),
                     [&](std::size_t i) { store(*operation_, outputs[i], T(scratch.sums[outputs[i]]), to, i); });
      });
    });
  }

  void add_part(const TermPart& part, const RowSums& plan, std::uint64_t sample, RowScratch& scratch) const {
    const bool alike = operation_->draws_alike || scratch.sums.size() == 1;  // one output draws as its sum alone does
    const std::size_t at_once = part.rows_at_once();
    for (std::size_t begin = 0; begin < part.rows.count; begin += at_once) {
      stop_point();
      TermRows rows = part.some(begin, std::min(at_once, part.rows.count - begin), scratch.terms);
      scratch.of_rows.resize(rows.count);
      if (operation_->addition.initial_in_unit) rows.starts = starts_of(part, begin, rows.count, scratch);
      DrawPath path = path_;
      path.output = path_.output.value_or(0) + part.first_row + begin;
      if (alike)
        plan.evaluate_alike(rows, scratch.of_rows, path_.key(), sample);
      else
        plan.evaluate(rows, scratch.of_rows, path, sample);
      for (std::size_t r = 0; r < rows.count; ++r) scratch.sums[part.output(begin + r)] = scratch.of_rows[r];
    }
  }

  const double* starts_of(const TermPart& part, std::size_t begin, std::size_t count, RowScratch& scratch) const {
    const TermView initial = operation_->rows.initial->view();
    scratch.starts.resize(count);
    for (std::size_t r = 0; r < count; ++r) scratch.starts[r] = initial.left(part.output(begin + r));
    return scratch.starts.data();
  }

  DrawPath path_;
  PlannedSums drawn_;  ///< plans for the lengths whose sums vary
};

}  // namespace

void OutputSums::evaluate_arranged(std::span<const std::uint32_t>, std::span<std::byte>, Scratch&) const {
  throw Error(ErrorKind::usage, operation_->text + ": no units arrive, so they have no order to be given");
}

void OutputSums::evaluate_parts(std::uint64_t first, std::size_t samples, Scratch& scratch,
                                const EachPart& each) const {
  if (varying_.empty()) return;
  if (scratch.samples_.size() < samples) scratch.samples_.resize(samples, std::vector<std::byte>(result_bytes()));
  for (std::size_t s = 0; s < samples; ++s) evaluate(first + s, scratch.samples_[s], scratch);
  const std::vector<std::span<const std::byte>> results(
      scratch.samples_.begin(), scratch.samples_.begin() + static_cast<std::ptrdiff_t>(samples));
  each(results);
}

std::size_t OutputSums::result_bytes() const { return varying_.size() * info(result_format()).held_bytes(); }

std::unique_ptr<const OutputSums> OutputSums::make(std::shared_ptr<const LoweredOperation> operation,
                                                   const ArrivalCall& arrival, const DrawPath& path) {
  const FloatEnvironment environment;
  const LoweredOperation& op = *operation;
  if (op.own) {
    Terms results = op.own->results(op);
    return std::make_unique<FixedOutputs>(std::move(operation), std::move(results));
  }
  if (op.computed) {
    Terms results = op.computed->computation->results();
    return std::make_unique<FixedOutputs>(std::move(operation), std::move(results));
  }
  if (op.finished) return make_finished_outputs(std::move(operation), arrival, path);
  if (op.scan) return make_scan_outputs(std::move(operation), arrival, path);
  if (op.adds_by_plans()) return std::make_unique<DrawnRows>(std::move(operation), path);
  UnitOrders orders(op, arrival, path.key());
  if (op.addition.tail) return std::make_unique<ArrivingTails>(std::move(operation), std::move(orders));
  return with_type_of(op.formats.accumulate, [&](auto* type) -> std::unique_ptr<const OutputSums> {
    using T = std::remove_pointer_t<decltype(type)>;
    if (op.addition.arrives) return std::make_unique<ArrivingRows<T>>(std::move(operation), std::move(orders));
    Terms results = in_launch_order<T>(op);
    return std::make_unique<FixedOutputs>(std::move(operation), std::move(results));
  });
}

}  // namespace orderlab
