#include "study/flushed_sums.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "core/stop.hpp"
#include "orderlab/tree.hpp"
#include "orderlab/ulp.hpp"

namespace orderlab::study {

namespace {

constexpr std::uint64_t kMostTreeNodes = std::uint64_t{1} << 22;  // of all sampled trees together

Operation with_flushing(Operation operation, bool flush) {
  switch (operation) {
    case Operation::add:
    case Operation::add_ftz:
      return flush ? Operation::add_ftz : Operation::add;
    case Operation::start:
    case Operation::start_ftz:
      return flush ? Operation::start_ftz : Operation::start;
    default:
      return operation;
  }
}

SummationTree with_flushing(const SummationTree& tree, bool flush) {
  SummationTree changed(tree.term_count());
  for (auto node = tree.term_count(); node < tree.node_count(); ++node)
    changed.add(with_flushing(tree.operation(node), flush), tree.format(node), tree.children(node));
  changed.set_roots({tree.roots().begin(), tree.roots().end()});
  return changed;
}

std::vector<bool> kinds(Flushing flushing) {
  if (flushing == Flushing::either) return {false, true};
  return {flushing == Flushing::yes};
}

std::uint64_t tree_sum(const SummationTree& tree, const Input& input) {
  const std::vector<double> values = evaluate(tree, input.terms.view());
  return round_to_bits(input.facts.formats.result, values[tree.roots().front()]);
}

Enumeration fixed_sum(const Evaluator& evaluator, const Input& input, bool flush) {
  Enumeration one;
  one.format = input.facts.formats.result;
  const std::uint64_t bits = tree_sum(with_flushing(evaluator.tree(0), flush), input);
  one.results.values.push_back({value_of_bits(one.format, bits), 1});
  return one;
}

std::optional<Enumeration> all_sums(const Evaluator& evaluator, bool flush, double memory_bytes) {
  RecognizedSpace recognized = order_space(evaluator);
  if (!recognized.space) return std::nullopt;
  OrderSpace& space = *recognized.space;
  space.flush = flush;
  space.shape = with_flushing(space.shape, flush);
  WalkOptions options;
  options.memory_bytes = memory_bytes;
  return orderlab::enumerate(space, options);
}

}  // namespace

void allow_flushing(const Evaluator& evaluator, const Input& input, Flushing flushing, double memory_bytes,
                    Enumeration& all) {
  std::vector<Enumeration> kept;
  if (flushing == Flushing::either) kept.push_back(all);
  for (const bool flush : kinds(flushing)) {
    auto sums = all.family == OrderFamily::fixed ? std::optional(fixed_sum(evaluator, input, flush))
                                                 : all_sums(evaluator, flush, memory_bytes);
    if (sums) kept.push_back(*std::move(sums));
  }
  if (kept.empty()) return;
  std::map<std::int64_t, Weighted> results;
  for (const Enumeration& one : kept)
    for (const Weighted& result : one.results.values) {
      Weighted& mean = results[ordered_key(all.format, bits_of(all.format, result.value))];
      mean.value = result.value;
      mean.weight += result.weight / static_cast<double>(kept.size());
    }
  all.results = {};
  for (const auto& [key, result] : results) all.results.values.push_back(result);
}

std::optional<KeyInterval> flushed_samples(const Evaluator& evaluator, const Input& input, Flushing flushing) {
  const Format format = input.facts.formats.result;
  const std::uint64_t samples = std::clamp<std::uint64_t>(kMostTreeNodes / input.facts.n, 4, 1000);
  std::optional<KeyInterval> range;
  for (std::uint64_t i = 0; i < samples; ++i) {
    stop_point();
    const SummationTree tree = evaluator.tree(kFirstCheckSample + i);
    for (const bool flush : kinds(flushing)) {
      const std::uint64_t bits = tree_sum(with_flushing(tree, flush), input);
      if (!std::isfinite(value_of_bits(format, bits))) continue;
      const std::int64_t key = ordered_key(format, bits);
      if (!range) range = KeyInterval{key, key};
      range->low = std::min(range->low, key);
      range->high = std::max(range->high, key);
    }
  }
  return range;
}

}  // namespace orderlab::study
