// pairwise: split in two halves, recurse (cascade summation).
#include "order/stages/pairwise.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "order/blocks.hpp"
#include "order/in_rows.hpp"
#include "order/left_to_right.hpp"
#include "order/stage_code.hpp"

namespace orderlab {

namespace {

constexpr Parameter kPairwiseParameters[] = {
    {.name = "base", .kind = ParameterKind::count, .default_text = "1", .low = 1},
    kAccumulateParameter,
    kFromParameter};
constexpr std::size_t kPairwiseAcc = 1;
constexpr int kPairwiseFrom = 2;

constexpr std::size_t kPairwiseBlock = 128;  // the largest that is added by its whole tree at once

constexpr auto kLeftHalf = [](std::size_t m) { return m - m / 2; };

/// The tree of a block of plain additions.
struct PairwiseTree {
  std::size_t base;
  bool from_zero;

  template <class A>
  void operator()(A& arith, std::span<typename A::Value> v) const {
    auto member = v.begin();
    const auto next = [&] { return *member++; };
    const auto leaf = [&](std::size_t m) { return plain_left_to_right(arith, from_zero, m, next); };
    v[0] = add_blocks(arith, v.size(), base, kLeftHalf, leaf);
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
  const std::size_t most = std::max(base, kPairwiseBlock);
  std::vector<Block> blocks;
  split_into_blocks(0, in.size(), most, kLeftHalf, blocks);
  std::vector<T> sums(blocks.size());
  visit_by_size(blocks, [&](std::size_t size, std::span<const std::size_t> numbers) {
    if (size <= base)
      add_blocks_of(arith, in.data(), blocks, numbers, how, sums);
    else
      add_blocks_of(arith, in.data(), blocks, numbers, PairwiseTree{base, how.from_zero}, sums);
  });
  std::size_t done = 0;
  const auto next = [&](std::size_t) { return sums[done++]; };
  return add_blocks(arith, in.size(), most, kLeftHalf, next);
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

/// Of the sum of `m` partial sums from `begin` on.
std::uint64_t height_of_range(const HeightRuns& in, std::size_t base, std::size_t begin, std::size_t m) {
  const HeightRuns::Run& run = in.run_of(begin);
  if (begin + m <= run.end) return run.height + heights_of(m, base)[0];
  if (m <= base) return HeightTracer::group_height(in.some(begin, m, 1));
  const std::uint64_t left = height_of_range(in, base, begin, kLeftHalf(m));
  return std::max(left, height_of_range(in, base, begin + kLeftHalf(m), m - kLeftHalf(m))) + 1;
}

struct Pairwise {
  template <class A>
  static void reduce(const StageContext& context, A& arith, Input<A> in, Output<A> out) {
    const LeftToRight how = LeftToRight::read(context.arguments, kPairwiseAcc, kPairwiseFrom);
    const std::size_t base = context.arguments.count(0);
    if constexpr (kInRows<A>)
      if (how.accumulate == Accumulate::plain && in.size() >= kLeastTerms &&
          in.size() > std::max(base, kPairwiseBlock)) {
        out[0] = sum_in_rows<typename A::T>(arith, how, base, in.values());
        return;
      }
    std::size_t begin = 0;
    const auto leaf = [&](std::size_t m) { return left_to_right(arith, how, m, [&] { return in[begin++]; }); };
    out[0] = add_blocks(arith, in.size(), base, kLeftHalf, leaf);
  }

  static HeightRuns heights(const StageContext& context, Format, std::size_t, const HeightRuns& in) {
    return {1, height_of_range(in, context.arguments.count(0), 0, in.size())};
  }
};

constexpr StageCode kPairwiseCode{.reduce = detail::AllMeanings::reduce<Pairwise>(), .heights = Pairwise::heights};

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
    .parameters = kPairwiseParameters,
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .check =
        [](const Arguments& arguments) { check_left_to_right(arguments, kPairwiseAcc, kPairwiseFrom, "pairwise"); },
    .count = [](const Arguments&, std::size_t, Format) { return std::size_t{1}; },
    .code = &kPairwiseCode,
};

}  // namespace orderlab
