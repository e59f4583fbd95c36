#include "run/trie_sums.hpp"

#include <memory>
#include <type_traits>

#include "core/float_environment.hpp"
#include "run/evaluation.hpp"
#include "run/fast_paths.hpp"
#include "run/leaves.hpp"

namespace orderlab {

namespace {

/// What one thread needs to add up branches.
template <class N>
class BranchSums {
 public:
  using A = Floats<N, false>;

  BranchSums(const StageTrie& trie, std::span<const N> leaves, const Formats& formats, const OrdersEnd& orders_end)
      : leaves_(leaves), formats_(formats), orders_end_(orders_end), run_(trie) {}

  void add(std::size_t branch) {
    const FloatEnvironment environment;
    A arith;
    run_.run(
        branch, Input<A>(leaves_),
        [&](const Step& step, const Input<A>& in, Output<A> out) {
          run_step(step, arith, in, out, memory_, RandomStream(0, streams::kFirstStage, 0));
        },
        [&](std::span<const std::size_t> orders, const N& sum) {
          orders_end_(orders, evaluation_of(NumberTraits<N>::rounded(sum), formats_, 0, {}).bits);
        });
  }

 private:
  std::span<const N> leaves_;
  const Formats& formats_;
  const OrdersEnd& orders_end_;
  TrieRun<A> run_;
  StepMemory memory_;
};

template <class N>
void sums_of(const StageTrie& trie, const TermView& terms, const Formats& formats, const Loop& loop,
             const OrdersEnd& orders_end, const BranchEnds& branch_ends) {
  const Leaves<N> leaves(terms);
  const std::size_t at_once = branches_at_once(trie, sizeof(N));
  visit_branches(trie, at_once, loop, [&] {
    return [&, sums = std::make_unique<BranchSums<N>>(trie, leaves.view(), formats, orders_end)](std::size_t branch) {
      sums->add(branch);
      branch_ends(branch);
    };
  });
}

}  // namespace

void trie_sums(const StageTrie& trie, const TermView& terms, const Formats& formats, bool fused, const Loop& loop,
               const OrdersEnd& orders_end, const BranchEnds& branch_ends) {
  const FloatEnvironment environment;
  if (trie.empty()) return;
  with_number_type(formats.accumulate, fused, [&](auto* type) {
    sums_of<std::remove_pointer_t<decltype(type)>>(trie, terms, formats, loop, orders_end, branch_ends);
  });
}

}  // namespace orderlab
