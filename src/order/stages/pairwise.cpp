// pairwise: split in two halves, recurse (cascade summation).
#include "order/stages/pairwise.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "order/blocks.hpp"
#include "order/groups.hpp"
#include "order/left_to_right.hpp"
#include "order/stage_code.hpp"

namespace orderlab {

namespace {

constexpr Parameter kParameters[] = {{.name = "base", .kind = ParameterKind::count, .default_text = "1", .low = 1},
                                     kAccumulateParameter,
                                     kFromParameter};
constexpr std::size_t kAcc = 1;
constexpr int kFrom = 2;

constexpr std::size_t kBlock = 128;  // the largest that is added by its whole tree at once

std::size_t left_half(std::size_t m) { return m - m / 2; }

/// Leaf ranges are added by leaf(begin, m).
template <class A, class Leaf>
typename A::Value sum_of(A& arith, std::size_t base, const Leaf& leaf, std::size_t begin, std::size_t m) {
  if (m <= base) return leaf(begin, m);
  const auto a = sum_of(arith, base, leaf, begin, left_half(m));
  const auto b = sum_of(arith, base, leaf, begin + left_half(m), m / 2);
  return arith.add(a, b);
}

/// The tree of a block of plain additions.
struct PairwiseTree {
  std::size_t base;
  bool from_zero;

  template <class A>
  void operator()(A& arith, std::span<typename A::Value> v) const {
    const auto leaf = [&](std::size_t begin, std::size_t m) {
      const auto next = [&] { return v[begin++]; };
      return plain_left_to_right(arith, from_zero, m, next);
    };
    v[0] = sum_of(arith, base, leaf, 0, v.size());
  }
};

/// Many blocks of one size at once, in vectors.
template <class T, class Tree>
void add_blocks_of(Floats<T>& arith, const T* in, std::span<const Block> blocks, std::span<const std::size_t> numbers,
                   Tree tree, std::vector<T>& sums) {
  InRows<T, Tree> rows(arith, blocks[numbers[0]].size, tree);
  std::array<const void*, GroupRows::kMostGroups> pieces;
  std::array<T, GroupRows::kMostGroups> some;
  for (std::size_t n = 0; n < numbers.size(); n += rows.most_groups()) {
    const std::size_t count = std::min(rows.most_groups(), numbers.size() - n);
    for (std::size_t i = 0; i < count; ++i) pieces[i] = in + blocks[numbers[n + i]].begin;
    rows.add(std::span(pieces).first(count), 1, 1, some.data());
    for (std::size_t i = 0; i < count; ++i) sums[numbers[n + i]] = some[i];
  }
}

template <class T>
T sum_in_rows(Floats<T>& arith, LeftToRight how, std::size_t base, std::span<const T> in) {
  const std::size_t most = std::max(base, kBlock);
  std::vector<Block> blocks;
  split_into_blocks(0, in.size(), most, left_half, blocks);
  std::vector<T> sums(blocks.size());
  visit_by_size(blocks, [&](std::size_t size, std::span<const std::size_t> numbers) {
    if (size <= base)
      add_blocks_of(arith, in.data(), blocks, numbers, how, sums);
    else
      add_blocks_of(arith, in.data(), blocks, numbers, PairwiseTree{base, how.from_zero}, sums);
  });
  std::size_t done = 0;
  const auto next = [&] { return sums[done++]; };
  return add_blocks(arith, in.size(), most, left_half, next);
}

/// Heights that m and m + 1 partial sums of height 0 get: at every split no other two sizes occur.
std::array<std::uint64_t, 2> heights_of(std::size_t m, std::size_t base) {
  if (m + 1 <= base) return {m - 1, m};
  const std::size_t half = m / 2;
  const auto halves = half == 0 ? std::array<std::uint64_t, 2>{} : heights_of(half, base);
  const std::uint64_t both = std::max(halves[0], halves[1]) + 1;
  if (m % 2 == 0) return {m <= base ? m - 1 : halves[0] + 1, both};
  return {m <= base ? m - 1 : both, halves[1] + 1};
}

struct Pairwise {
  template <class A>
  static void reduce(const StageContext& context, A& arith, Input<A> in, Output<A> out) {
    const LeftToRight how = LeftToRight::read(context.arguments, kAcc, kFrom);
    const std::size_t base = context.arguments.count(0);
    if constexpr (kInRows<A>)
      if (how.accumulate == Accumulate::plain && in.size() >= 4 * std::max(base, kBlock)) {
        out[0] = sum_in_rows<typename A::T>(arith, how, base, in.values());
        return;
      }
    const auto leaf = [&](std::size_t begin, std::size_t m) {
      return left_to_right(arith, how, m, [&] { return in[begin++]; });
    };
    out[0] = sum_of(arith, base, leaf, 0, in.size());
  }

  static HeightRuns heights(const StageContext& context, Format format, std::size_t left, const HeightRuns& in) {
    if (!in.all_equal()) return heights_one_by_one<Pairwise>(context, format, left, in);
    return {1, in.first() + heights_of(in.size(), context.arguments.count(0))[0]};
  }
};

constexpr StageCode kPairwiseCode{detail::AllMeanings::reduce<Pairwise>(), {}, Pairwise::heights};

}  // namespace

extern const Stage kPairwise;

StageCall pairwise_call() {
  return {&kPairwise, Arguments({Argument(std::uint64_t{1}), Argument(std::string_view("plain")), Argument()})};
}

const Stage kPairwise{
    .name = "pairwise",
    .summary =
        "splits the range in two, the left half getting ceil(m/2), and recurses; ranges of at most `base` left "
        "to right",
    .source = "[Higham1993] (cascade summation)",
    .parameters = kParameters,
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .check = [](const Arguments& arguments) { check_left_to_right(arguments, kAcc, kFrom, "pairwise"); },
    .count = [](const Arguments&, std::size_t, Format) { return std::size_t{1}; },
    .code = &kPairwiseCode,
};

}  // namespace orderlab
