#include "study/flushed_sums.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include "core/ordered_number.hpp"
#include "core/stop.hpp"
#include "engine/usual_arrivals.hpp"
#include "orderlab/check.hpp"
#include "orderlab/evaluator.hpp"
#include "orderlab/format.hpp"
#include "run/addition.hpp"
#include "run/arithmetic.hpp"
#include "study/quick_enumeration.hpp"

namespace orderlab::study {

namespace {

constexpr std::uint64_t kMostTreeNodes = std::uint64_t{1} << 22;  // nodes of all sampled trees together

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
    changed.add(with_flushing(tree.operation(node), flush), tree.format(node), tree.children(node), tree.unit(node));
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

/// Each result once, with the number of times it was counted.
class Results {
 public:
  explicit Results(Format format) : format_(format) {}

  void count(std::uint64_t bits) { ++counts_[ordered_key(format_, bits)]; }

  /// With probabilities.
  Distribution distribution() const {
    double total = 0;
    for (const auto& [key, count] : counts_) total += static_cast<double>(count);
    Distribution all;
    for (const auto& [key, count] : counts_)
      all.values.push_back({value_of_bits(format_, bits_of_key(format_, key)), static_cast<double>(count) / total});
    return all;
  }

 private:
  Format format_;
  std::map<std::int64_t, std::uint64_t> counts_;
};

/// Sums of a tree of fp32 additions where each may flush or keep.
class EachMayFlush {
 public:
  /// Empty for other operations, and where there are too many different ones.
  static std::optional<std::vector<float>> sums(const SummationTree& tree, std::vector<float> leaves) {
    std::vector<std::vector<float>> values(tree.node_count());
    for (std::size_t i = 0; i < leaves.size(); ++i) values[i] = {leaves[i]};
    for (auto node = tree.term_count(); node < tree.node_count(); ++node) {
      stop_point_at(node);
      if (tree.format(node) != Format::fp32 || !add(tree, node, values)) return std::nullopt;
      keep_different(values[node]);
      if (values[node].size() > kMostSums) return std::nullopt;
      for (const auto child : tree.children(node)) values[child] = {};
    }
    return std::move(values[tree.roots().front()]);
  }

 private:
  static constexpr std::size_t kMostSums = 4096;

  static bool add(const SummationTree& tree, SummationTree::Node node, std::vector<std::vector<float>>& values) {
    const auto children = tree.children(node);
    const Operation kept = with_flushing(tree.operation(node), false);
    for (const float a : values[children[0]]) {
      if (kept == Operation::start) {
        values[node].push_back(started<float, false>(a));
        values[node].push_back(started<float, true>(a));
      } else if (kept == Operation::add) {
        for (const float b : values[children[1]]) {
          values[node].push_back(added<float, false>(a, b));
          values[node].push_back(added<float, true>(a, b));
        }
      } else {
        return false;
      }
    }
    return true;
  }

  static void keep_different(std::vector<float>& sums) {
    const auto before = [](float a, float b) { return any_key(a) < any_key(b); };
    std::sort(sums.begin(), sums.end(), before);
    const auto same = [](float a, float b) { return any_key(a) == any_key(b); };
    sums.erase(std::unique(sums.begin(), sums.end(), same), sums.end());
  }
};

std::optional<Enumeration> orders_that_may_flush(const Evaluator& evaluator) {
  constexpr std::size_t kMostTerms = 8;
  const std::size_t m = evaluator.random_count();
  if (m > kMostTerms || !arranges(evaluator)) return std::nullopt;
  const SummationTree tree = evaluator.tail_tree();
  const std::vector<double> terms = evaluator.random_inputs();
  Enumeration all;
  all.family = OrderFamily::sequences;
  all.format = evaluator.formats().result;
  all.m = m;
  all.orders = 0;
  Results results(all.format);
  std::vector<std::size_t> order(m);
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    stop_point();
    std::vector<float> leaves;
    for (const std::size_t i : order) leaves.push_back(static_cast<float>(terms[i]));
    const auto sums = EachMayFlush::sums(tree, std::move(leaves));
    if (!sums) return std::nullopt;
    for (const float sum : *sums) results.count(round_to_bits(all.format, static_cast<double>(sum)));
    all.orders += 1;
  } while (std::next_permutation(order.begin(), order.end()));
  all.results = results.distribution();
  return all;
}

}  // namespace

double flushed_bound(std::uint64_t n) {
  const auto terms = static_cast<double>(n);
  return terms * kFlushAllowance * (1 + terms * info(Format::fp32).unit_roundoff());
}

Distribution flushed_results(const Evaluator& evaluator, const Input& input, Flushing flushing) {
  constexpr std::uint64_t kMostTerms = std::uint64_t{1} << 20;
  const TermView terms = input.terms.view();
  const SummationTree tree = evaluator.tree(0);
  Results results(input.facts.formats.result);
  if (flushing == Flushing::either && terms.n <= kMostTerms && !terms.products()) {
    std::vector<float> leaves;
    for (std::size_t i = 0; i < terms.n; ++i) leaves.push_back(static_cast<float>(terms.left(i)));
    if (const auto sums = EachMayFlush::sums(tree, std::move(leaves))) {
      for (const float sum : *sums) results.count(round_to_bits(input.facts.formats.result, static_cast<double>(sum)));
      return results.distribution();
    }
  }
  if (flushing == Flushing::either) results.count(tree_sum(tree, input));
  for (const bool flush : kinds(flushing)) results.count(tree_sum(with_flushing(tree, flush), input));
  return results.distribution();
}

std::optional<Enumeration> flushed_orders(const Evaluator& evaluator, Flushing flushing, double memory_bytes,
                                          int threads, const Watch& watch) {
  if (evaluator.order().first_random() > 0) return std::nullopt;
  if (flushing == Flushing::either) return orders_that_may_flush(evaluator);
  RecognizedSpace recognized = order_space(evaluator);
  const auto shapeless = {OrderFamily::trees, OrderFamily::queues};
  if (!recognized.space || std::find(shapeless.begin(), shapeless.end(), recognized.space->family) != shapeless.end())
    return std::nullopt;
  const bool flush = flushing == Flushing::yes;
  recognized.space->flush = flush;
  recognized.space->shape = with_flushing(recognized.space->shape, flush);
  return enumerate_space(*recognized.space, memory_bytes, threads, watch);
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
