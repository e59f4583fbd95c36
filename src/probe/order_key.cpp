#include "probe/order_key.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "core/stop.hpp"
#include "orderlab/error.hpp"
#include "run/interpreter.hpp"

namespace orderlab {

namespace {

// MurmurHash3's finaliser: every bit of the argument changes about half of the bits.
constexpr std::uint64_t mixed(std::uint64_t h) {
  h ^= h >> 33;
  h *= 0xFF51AFD7ED558CCDu;
  h ^= h >> 33;
  h *= 0xC4CEB9FE1A85EC53u;
  return h ^ (h >> 33);
}

/// A meaning of steps, as those of run/arithmetic.hpp: a partial sum is the hash of the tree that made it.
class TreeHashes {
 public:
  using Number = std::uint64_t;
  using Value = std::uint64_t;
  using Wide = TreeHashes;
  static constexpr bool kTagged = false;

  static Value leaf(std::uint64_t i) { return mixed(i + 1); }

  static double rank(Value) { return 0; }  // unreachable: order_key refuses orders by value

  Value add(Value a, Value b) const { return mixed(a + b + salt_); }
  Value add_ftz(Value a, Value b) const { return add(a, b); }
  static Value start(Value a) { return a; }
  static Value start_ftz(Value a) { return a; }

  // A group of one is its member. Of two members, kahan and neumaier are the sum rounded once.
  template <class Next>
  Value group(Accumulate accumulate, bool, std::size_t count, Next next) const {
    Value hash = next();
    if (count == 1) return hash;
    if (count == 2 && accumulate != Accumulate::fma) return add(hash, next());
    hash += mixed(salt_ + kGroup + static_cast<std::uint64_t>(accumulate));
    for (std::size_t i = 1; i < count; ++i) hash = mixed(3 * hash + next());
    return hash;
  }

  template <class Next>
  Value fused(const std::shared_ptr<const FusedUnit>& unit, std::size_t count, Next next) const {
    const auto part = [](auto value, unsigned place) { return static_cast<std::uint64_t>(value) << place; };
    const std::uint64_t shape = part(unit->fraction_bits, 0) | part(unit->step, 8) | part(unit->length, 16) |
                                part(unit->terms, 40) | part(unit->of_fp32, 48) | part(unit->of_fp16, 52) |
                                part(unit->of_fp64, 56);
    Value hash = mixed(salt_ + kFused + shape);
    for (std::size_t i = 0; i < count; ++i) hash = mixed(3 * hash + next());
    return hash;
  }

  Wide widened() const {
    Wide wide;
    wide.salt_ = kWide;
    return wide;
  }
  static Value widen(Value v) { return v; }
  static Value narrow(Value v) { return mixed(v + kNarrow); }
  static void absorb(const Wide&) {}

 private:
  // Any odd numbers: the golden ratio, and its multiples by 3, 5, 7 and 11.
  static constexpr std::uint64_t kAdd = 0x9E3779B97F4A7C15u;
  static constexpr std::uint64_t kGroup = 3 * kAdd;
  static constexpr std::uint64_t kWide = 5 * kAdd;
  static constexpr std::uint64_t kNarrow = 7 * kAdd;
  static constexpr std::uint64_t kFused = 11 * kAdd;

  std::uint64_t salt_ = kAdd;  ///< stands for the format that sums are rounded to
};

/// What Interpreter does for groups that are added in turn, plainly: all groups of a piece at once, a member of each
/// after the other, which reads the partial sums as they lie. False for other steps.
bool add_in_rows(const Step& step, std::span<const TreeHashes::Value> in, std::span<TreeHashes::Value> out) {
  const auto* add = std::get_if<steps::Add>(&step.is);
  if (add == nullptr || add->how.tree != Combination::Tree::in_turn) return false;
  if (add->how.accumulate != Accumulate::plain && add->how.accumulate != Accumulate::atomic) return false;
  for (const Groups& g : add->groups)
    if (g.items != Groups::kAll || g.width == 1) return false;
  const TreeHashes arith;
  for (const Groups& g : add->groups)
    for (std::size_t p = 0; p < g.count && g.first + p * g.stride < in.size(); ++p) {
      const std::size_t begin = g.first + p * g.stride;
      TreeHashes::Value* const sums = out.data() + g.place + p * g.width;
      std::copy_n(in.data() + begin, std::min(g.width, in.size() - begin), sums);
      std::size_t row = begin + g.step;
      for (std::size_t i = 1; i < g.members && row < in.size(); ++i, row += g.step) {
        stop_point_at(i);
        const std::size_t width = std::min(g.width, in.size() - row);
        for (std::size_t l = 0; l < width; ++l) sums[l] = arith.add(sums[l], in[row + l]);
      }
    }
  return true;
}

}  // namespace

std::uint64_t order_key(const Order& order, std::size_t n, bool products, Format accumulate) {
  for (const StageCall& call : order.stages())
    if (is_random(call) || is_by_value(call))
      throw Error(ErrorKind::usage, "order " + order.expression() + ": `" + std::string(call.stage->name) +
                                        "` has no tree of its own; give a fixed order that does not sort");
  if (order.changes_format())
    throw Error(ErrorKind::unsupported,
                "order " + order.expression() +
                    ": rounds between stages or adds in several formats, and trees are compared "
                    "of orders that add in one; leave out `round` and `in`");
  const std::vector<Steps> stages = order.describe(n, products, accumulate);
  std::vector<TreeHashes::Value> sums(n);
  for (std::size_t i = 0; i < n; ++i) sums[i] = TreeHashes::leaf(i);
  std::vector<TreeHashes::Value> left;
  TreeHashes arith;
  StepMemory memory;
  Interpreter<TreeHashes> interpreter(arith, memory, RandomStream(0, streams::kFirstStage, 0));
  for (const Steps& steps : stages) {
    left.resize(count_left(steps, sums.size()));
    interpreter.run(steps, Input<TreeHashes>(std::span<const TreeHashes::Value>(sums)), left);
    std::swap(sums, left);
  }
  return sums.front();
}

void trie_keys(const StageTrie& trie, const Loop& loop,
               const std::function<void(std::span<const std::size_t> orders, std::uint64_t key)>& ends,
               const std::function<void(std::size_t branch)>& branch_ends) {
  if (trie.empty()) return;
  std::vector<TreeHashes::Value> leaves(trie.term_count());
  for (std::size_t i = 0; i < leaves.size(); ++i) leaves[i] = TreeHashes::leaf(i);
  const Input<TreeHashes> in{std::span<const TreeHashes::Value>(leaves)};
  visit_branches(trie, branches_at_once(trie, sizeof(TreeHashes::Value)), loop, [&] {
    return [&, run = std::make_shared<TrieRun<TreeHashes>>(trie)](std::size_t branch) {
      TreeHashes arith;
      StepMemory memory;
      Interpreter<TreeHashes> interpreter(arith, memory, RandomStream(0, streams::kFirstStage, 0));
      run->run(
          branch, in,
          [&](const Step& step, const Input<TreeHashes>& some, Output<TreeHashes> left) {
            if (!add_in_rows(step, some.values(), left)) interpreter.run(step, some, left);
          },
          ends);
      branch_ends(branch);
    };
  });
}

}  // namespace orderlab
