// All results of few partial sums: every arrangement gives one of them, as often as counted; samples lie among them.
#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "fuzz/fuzz.hpp"
#include "fuzz/terms.hpp"
#include "order/trouble.hpp"
#include "orderlab/enumerate.hpp"
#include "orderlab/format.hpp"

using namespace orderlab;
using namespace orderlab::fuzz;

namespace {

constexpr const char* kWalkable[] = {"shuffle | seq",
                                     "shuffle | seq(from=zero)",
                                     "arrive(uniform) | seq(acc=atomic)",
                                     "shuffle | tree",
                                     "seq(2) | shuffle | tree",
                                     "chunks(3) | shuffle | tree",
                                     "shuffle | pairwise",
                                     "shuffle | halving(4) | seq",
                                     "shuffle | adjacent(2) | seq(from=zero)",
                                     "shuffle | seq(2,acc=atomic) | pairwise",
                                     "shuffle | strided(3) | pairwise",
                                     "halving(4) | seq",
                                     "warp",
                                     "spa(2,1)"};

constexpr std::size_t kMostSums = 6;

void require_ascending(const Enumeration& all, Format format) {
  const std::vector<Weighted>& results = all.results.values;
  require_equal("results and their numbers of orders", results.size(), all.results.orders.size());
  BigCount orders = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::uint64_t bits = bits_of(format, results[i].value);
    orders += all.results.orders[i];
    require(all.find(bits) == &results[i], "a result is found by its bits");
    require_equal("a result and the number that its bits are", std::bit_cast<std::uint64_t>(results[i].value),
                  std::bit_cast<std::uint64_t>(value_of_bits(format, bits)));
    if (i > 0)
      require(ordered_key(format, bits_of(format, results[i - 1].value)) < ordered_key(format, bits), "results ascend");
  }
  require_equal("the counts of all results and the orders", orders.str(), all.orders.str());
}

// One by one, on the pipeline itself.
void require_arrangements_agree(const Enumeration& all, const Evaluator& evaluator, Evaluator::Scratch& scratch) {
  std::vector<std::uint32_t> order(evaluator.random_count());
  std::iota(order.begin(), order.end(), 0);
  std::map<std::uint64_t, std::uint64_t> counts;
  do ++counts[evaluator.evaluate_arranged(order, scratch).bits];
  while (std::next_permutation(order.begin(), order.end()));
  require_equal("results of all arrangements", counts.size(), all.results.size());
  for (const auto& [bits, count] : counts) {
    const Weighted* found = all.find(bits);
    require(found != nullptr, "the result of an arrangement is reachable");
    const BigCount& orders = all.results.orders[static_cast<std::size_t>(found - all.results.values.data())];
    require_equal("arrangements with a result", std::to_string(count), orders.str());
  }
}

}  // namespace

ORDERLAB_FUZZ(enumerations) {
  Choices choices(input);
  const Formats formats{choices.format(), choices.format(), choices.format()};
  const Order order = parse_order(choices.pick(kWalkable));
  const std::vector<double> x = any_numbers(choices, formats.terms, 1 + choices.below(2 * kMostSums));
  const testing::TypedTerms terms(formats.terms, x);
  const auto evaluator = Evaluator::make(order, terms.view(), formats, choices.word(2));
  if (evaluator->random_count() > kMostSums) return;
  const auto [space, reason] = order_space(*evaluator);
  require_equal("why an order cannot be walked, and nothing", reason, "");
  const auto all = enumerate(*space, {.threads = 1});
  require(all.has_value(), "nobody stops the walk");
  require_ascending(*all, formats.result);
  const auto scratch = evaluator->make_scratch();
  for (std::uint64_t sample = 0; sample < 8; ++sample)
    require(all->find(evaluator->evaluate(sample, *scratch).bits) != nullptr, "a sample is reachable");
  if (space->family == OrderFamily::sequences || space->family == OrderFamily::assignments)
    require_arrangements_agree(*all, *evaluator, *scratch);
}
