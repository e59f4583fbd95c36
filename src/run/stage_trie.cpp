#include "run/stage_trie.hpp"

#include <cassert>

#include "core/memory.hpp"
#include "order/equal_steps.hpp"
#include "orderlab/error.hpp"

namespace orderlab {

void StageTrie::add(const std::vector<Steps>& stages, std::size_t order) {
  constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  std::size_t at = kNone;
  for (const Steps& stage : stages)
    for (const Step& step : stage) {
      if (changes_format(step))
        throw Error(ErrorKind::unsupported, "orders that round between stages are not added beside others");
      const std::size_t in = at == kNone ? n_ : nodes_[at].out;
      const std::vector<std::size_t>& known = at == kNone ? first_ : nodes_[at].next;
      const auto found =
          std::find_if(known.begin(), known.end(), [&](std::size_t node) { return equal(nodes_[node].step, step); });
      if (found != known.end()) {
        at = *found;
        continue;
      }
      const std::size_t added = nodes_.size();
      nodes_.push_back({step, in, count_left(step, in)});
      (at == kNone ? first_ : nodes_[at].next).push_back(added);
      at = added;
    }
  assert(at != kNone);
  nodes_[at].orders.push_back(order);
}

std::vector<std::pair<std::size_t, std::size_t>> StageTrie::repeated() const {
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (const Node& node : nodes_)
    for (std::size_t i = 1; i < node.orders.size(); ++i) pairs.emplace_back(node.orders[i], node.orders.front());
  return pairs;
}

double StageTrie::cost(std::size_t node) const {
  const Node& here = nodes_[node];
  double sum = static_cast<double>(here.in);
  for (const std::size_t next : here.next) sum += cost(next);
  return sum;
}

std::size_t StageTrie::held(std::size_t node) const {
  const Node& here = nodes_[node];
  std::size_t most = 0;
  for (const std::size_t next : here.next) most = std::max(most, held(next));
  return here.out + most;
}

std::size_t StageTrie::most_held() const {
  std::size_t most = 0;
  for (const std::size_t node : first_) most = std::max(most, held(node));
  return most;
}

std::size_t branches_at_once(const StageTrie& trie, std::size_t value_bytes) {
  const double bytes = static_cast<double>(trie.most_held() * value_bytes);
  require_memory(bytes);
  return static_cast<std::size_t>(std::clamp(available_bytes() / 2 / bytes, 1.0, 1e6));
}

}  // namespace orderlab
