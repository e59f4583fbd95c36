#include "orderlab/enumerate.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/float_environment.hpp"
#include "core/text.hpp"
#include "engine/big_count.hpp"
#include "engine/term_groups.hpp"
#include "engine/walk.hpp"
#include "orderlab/error.hpp"
#include "orderlab/format.hpp"
#include "reference/lattice.hpp"

namespace orderlab {

const Weighted* Enumeration::find(std::uint64_t bits) const {
  const FloatEnvironment environment;
  for (const Weighted& result : results.values)
    if (bits_of(format, result.value) == bits) return &result;
  return nullptr;
}

void EnumerationRun::require_memory(const std::string& where) const {
  if (!exceeded_) return;
  throw RequestError(ErrorKind::unsupported,
                     where + " need more than " + bytes_in_words(options_.memory_bytes) +
                         " of memory; allow more by `memory_bytes`, or draw orders with `orderlab sample`");
}

namespace {

// Distinct subsets; more than this fit into no memory.
constexpr double kMostSubsets = 0x1p40;
// The same for trees and assignments, whose subsets are numbered in 32 bits.
constexpr double kMostNumberedSubsets = 0x1p31;

// Partial sums, or chunks of a queue: what there are many orders of.
std::size_t counted_parts(const std::shared_ptr<const WorkQueue>& queue, std::size_t partial_sums) {
  return queue == nullptr ? partial_sums : queue->count(partial_sums);
}

BigCount order_count(const OrderSpace& space) {
  const std::size_t parts = counted_parts(space.queue, space.partial_sums.size());
  BigCount orders = 1;
  if (space.family == OrderFamily::queues)
    for (std::size_t i = 0; i < parts; ++i) orders *= BigCount(space.queue->workers);
  if (space.family == OrderFamily::fixed || space.family == OrderFamily::queues) return orders;
  return space.family == OrderFamily::trees ? tree_count(parts) : factorial(parts);
}

double log2_assignments(const OrderSpace& space) {
  return static_cast<double>(counted_parts(space.queue, space.partial_sums.size())) *
         std::log2(static_cast<double>(space.queue->workers));
}

void require_few_assignments(const OrderSpace& space) {
  constexpr double kMostBits = 32;  // many minutes; memory often ends it sooner
  const double bits = log2_assignments(space);
  if (bits > kMostBits)
    throw Error(ErrorKind::unsupported,
                std::to_string(counted_parts(space.queue, space.partial_sums.size())) + " chunks for " +
                    std::to_string(space.queue->workers) + " workers have 2^" + std::to_string(static_cast<int>(bits)) +
                    " assignments, too many to enumerate (at most 2^32); `orderlab sample` draws from them");
}

void require_feasible(const OrderSpace& space, const TermGroups& groups) {
  const double subsets = groups.subset_count();
  if (subsets <= (space.family == OrderFamily::sequences ? kMostSubsets : kMostNumberedSubsets)) return;
  const std::string sums = std::to_string(space.partial_sums.size()) + " partial sums";
  const std::string equal =
      groups.size() == space.partial_sums.size() ? "" : " of " + std::to_string(groups.size()) + " different values";
  throw Error(
      ErrorKind::unsupported,
      sums + equal + " have 2^" + std::to_string(static_cast<int>(std::log2(subsets))) +
          " subsets to go through; about 24 sequences or 17 trees can be enumerated, `orderlab sample` draws orders");
}

// With atomics that flush, which those of fp32 alone do, no sum may be subnormal either.
bool no_addition_rounds(const OrderSpace& space) {
  const FormatInfo& f = info(space.formats.accumulate);
  bool flushes = space.flush;
  for (SummationTree::Node node = space.shape.term_count(); node < space.shape.node_count(); ++node) {
    const Operation operation = space.shape.operation(node);
    flushes = flushes || operation == Operation::add_ftz || operation == Operation::start_ftz;
  }
  Lattice lattice;
  for (std::size_t i = 0; i < space.partial_sums.size(); ++i) {
    if (space.products.empty())
      lattice.add(space.partial_sums[i]);
    else
      lattice.add_product(space.products[i].x, space.products[i].y);
  }
  return lattice.no_order_rounds(f, flushes && f.format == Format::fp32);
}

// One order's result, which is that of all: left to right. Only the sign of a zero could depend on anything, and it is
// -0 only where all terms are -0 and none is started from +0.0.
double any_order(const OrderSpace& space) {
  bool started = space.from_zero;
  for (SummationTree::Node node = space.shape.term_count(); node < space.shape.node_count(); ++node)
    started = started || space.shape.operation(node) == Operation::start ||
              space.shape.operation(node) == Operation::start_ftz ||
              (space.shape.operation(node) == Operation::fma && space.shape.children(node).size() == 1);
  double sum = started ? 0.0 : space.partial_sums.front();
  for (std::size_t i = started ? 0 : 1; i < space.partial_sums.size(); ++i) sum += space.partial_sums[i];
  return sum;
}

std::optional<std::vector<Outcome>> walk(const OrderSpace& space, const TermGroups& groups, const WalkOptions& options,
                                         EnumerationRun& run) {
  require_feasible(space, groups);
  return space.family == OrderFamily::sequences ? walk_sequences(space, groups, options.threads, run)
                                                : walk_splits(space, groups, options.threads, run);
}

// Rounds to the result format, in which different sums may be one result.
Distribution rounded(const std::vector<Outcome>& outcomes, Format format, const BigCount& orders) {
  Distribution results;
  BigCount count = 0;
  BigCount total = 0;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const std::uint64_t bits = round_to_bits(format, outcomes[i].value);
    count += outcomes[i].count;
    total += outcomes[i].count;
    if (i + 1 < outcomes.size() && round_to_bits(format, outcomes[i + 1].value) == bits) continue;
    results.values.push_back({value_of_bits(format, bits), ratio(count, orders)});
    results.orders.push_back(std::move(count));
    count = 0;
  }
  if (total != orders)
    throw Error(ErrorKind::unsupported, "enumeration lost orders: " + total.str() + " of " + orders.str());
  return results;
}

// ln (n!)
double log_factorial(double n) { return std::lgamma(n + 1); }

// Machine words of the largest count that a walk meets: all trees or assignments, sequences of different values.
double count_words(OrderFamily family, const TermGroups& groups, std::size_t partial_sums) {
  const auto m = static_cast<double>(partial_sums);
  double log_count = log_factorial(m);
  if (family == OrderFamily::trees)  // (2m-3)!!
    log_count = log_factorial(2 * m - 2) - log_factorial(m - 1) - (m - 1) * std::log(2.0);
  if (family == OrderFamily::sequences)
    for (std::size_t i = 0; i < groups.size(); ++i) log_count -= log_factorial(groups.multiplicity(i));
  return std::max(1.0, log_count / (64 * std::log(2.0)));
}

}  // namespace

namespace {

void require_countable(std::size_t parts, bool queue) {
  if (parts > kMostPartialSums)
    throw Error(ErrorKind::unsupported, std::to_string(parts) + (queue ? " chunks" : " partial sums") + ": at most " +
                                            std::to_string(kMostPartialSums) +
                                            " can be enumerated; `orderlab sample` draws orders");
}

// The queue of the first random step; null: it is none.
std::shared_ptr<const WorkQueue> drawn_queue(const Evaluator& evaluator) {
  const auto drawn = evaluator.plan().drawn_steps();
  return drawn.empty() ? nullptr : queue_of(drawn.front().step);
}

}  // namespace

bool countable(const Evaluator& evaluator) {
  return counted_parts(drawn_queue(evaluator), evaluator.random_count()) <= kMostPartialSums;
}

void require_countable(const Evaluator& evaluator) {
  const auto queue = drawn_queue(evaluator);
  require_countable(counted_parts(queue, evaluator.random_count()), queue != nullptr);
}

bool quickly_enumerable(const OrderSpace& space) {
  const FloatEnvironment environment;
  constexpr double kQuickTerms = 20;
  constexpr double kQuickSteps = kQuickTerms * 0x1p20;
  constexpr double kQuickTreeTerms = 15;
  constexpr double kQuickTreeSplits = 14'348'907;        // 3^15
  constexpr double kQuickAssignmentSplits = 43'046'721;  // 3^16, of which a fixed tree needs few
  const std::size_t m = space.partial_sums.size();
  if (space.family == OrderFamily::fixed) return true;
  if (counted_parts(space.queue, m) > kMostPartialSums) return false;
  if (no_addition_rounds(space)) return true;
  constexpr double kQuickAssignmentBits = 22;  // of chunks to workers
  if (space.family == OrderFamily::queues) return log2_assignments(space) <= kQuickAssignmentBits;
  const TermGroups groups = TermGroups::of(space);
  // With more partial sums, counts are longer, and there are more results: measured, about in proportion.
  const auto longer = [m](double quick) { return std::max(1.0, static_cast<double>(m) / quick); };
  const double words = count_words(space.family, groups, m);
  if (space.family == OrderFamily::sequences)
    return static_cast<double>(groups.size()) * groups.subset_count() * words * longer(kQuickTerms) <= kQuickSteps;
  if (space.family == OrderFamily::trees)
    return groups.split_count() * words * longer(kQuickTreeTerms) <= kQuickTreeSplits;
  return groups.split_count() * words <= kQuickAssignmentSplits;
}

std::optional<Enumeration> enumerate(const OrderSpace& space, const WalkOptions& options) {
  const FloatEnvironment environment;
  const std::size_t m = space.partial_sums.size();
  require_countable(counted_parts(space.queue, m), space.queue != nullptr);
  Enumeration result;
  result.family = space.family;
  result.m = m;
  result.format = space.formats.result;
  result.orders = order_count(space);

  std::optional<std::vector<Outcome>> outcomes;
  if (space.family == OrderFamily::fixed) {
    outcomes = {{space.partial_sums.front(), 1}};
  } else if (no_addition_rounds(space)) {
    result.always_exact = true;
    outcomes = {{any_order(space), result.orders}};
  } else if (space.family == OrderFamily::queues) {
    require_few_assignments(space);
    EnumerationRun run(options);
    outcomes = walk_queue(space, run);
    result.peak_bytes = run.peak_bytes();
  } else {
    const TermGroups groups = TermGroups::of(space);
    EnumerationRun run(options);
    outcomes = walk(space, groups, options, run);
    result.peak_bytes = run.peak_bytes();
  }
  if (!outcomes) return std::nullopt;
  result.results = rounded(*outcomes, result.format, result.orders);
  return result;
}

}  // namespace orderlab
