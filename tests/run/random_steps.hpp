// Descriptions drawn at random that fulfil all that steps.hpp asks, of every kind of step that neither draws nor sorts.
#pragma once

#include <algorithm>
#include <bit>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "orderlab/steps.hpp"
#include "reference/hard_inputs.hpp"

namespace orderlab::testing {

class RandomSteps {
 public:
  explicit RandomSteps(IndexGenerator& draw) : draw_(draw) {}

  /// One or two steps for m partial sums, at most `depth` inside each other.
  Steps some(std::size_t m, int depth) {
    const Step first = one(m, depth);
    if (chance(2)) return {first};
    return {first, one(count_left(first, m), depth)};
  }

  /// Steps that leave one.
  Steps sum(std::size_t m, int depth) {
    if (chance(3)) return {steps::add_runs(m, combination(m))};
    const Step first = one(m, depth);
    const std::size_t left = count_left(first, m);
    if (left == 1) return {first};
    return {first, steps::add_runs(left, combination(left))};
  }

 private:
  std::size_t from_to(std::size_t low, std::size_t high) { return low + below(draw_, high - low + 1); }
  bool chance(std::uint64_t n) { return testing::chance(draw_, n); }

  Step one(std::size_t m, int depth) {
    switch (below(draw_, depth == 0 ? 3 : 6)) {
      case 0:
        return move(m);
      case 1:
      case 2:
        return add(m);
      case 3:
        return within(m, depth - 1);
      case 4:
        return split(m, depth - 1);
      default:
        return fold(m, depth - 1);
    }
  }

  Step move(std::size_t m) {
    if (chance(2)) return {steps::Move{.start = from_to(0, m - 1), .backwards = chance(2)}};
    std::vector<std::size_t> order(m);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = m; i > 1; --i) std::swap(order[i - 1], order[below(draw_, i)]);
    return steps::move(m, [&](std::size_t k) { return order[k]; });
  }

  // For groups of at most `members` members.
  Combination combination(std::size_t members) {
    switch (below(draw_, 6)) {
      case 0:
        return {.tree = Combination::Tree::halves, .width = std::bit_ceil(members) << below(draw_, 2)};
      case 1:
        return {.tree = Combination::Tree::neighbours};
      case 2:
        return {.accumulate = static_cast<Accumulate>(1 + below(draw_, 3))};
      default:
        return {.from_zero = chance(2)};
    }
  }

  Combination given_tree(std::size_t members) {
    std::vector<std::uint32_t> left(members);
    std::iota(left.begin(), left.end(), 0u);
    std::vector<Addition> additions;
    while (left.size() > 1) {
      const std::size_t from = below(draw_, left.size());
      const std::size_t to = (from + 1 + below(draw_, left.size() - 1)) % left.size();
      additions.push_back({left[to], left[from]});
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(from));
    }
    return {.tree = Combination::Tree::given,
            .additions = std::make_shared<const std::vector<Addition>>(std::move(additions))};
  }

  Step add(std::size_t m) {
    const std::size_t k = from_to(1, m + 2);
    switch (below(draw_, 7)) {
      case 0:
        return steps::add_runs(k, combination(std::min(k, m)));
      case 1:
        return steps::add({}, given_tree(m));
      case 2: {  // lanes, and what remains one by one
        const std::size_t width = from_to(1, m);
        const std::size_t rest = m % width;
        const Groups lanes{.width = width, .step = width, .members = m / width, .abreast = true};
        return {steps::Add{{lanes, {.first = m - rest, .count = rest, .stride = 1, .members = 1, .place = width}}}};
      }
      case 3: {  // a grid of thread blocks that strides on
        const std::size_t width = from_to(1, std::min<std::size_t>(m, 9));
        const std::size_t items = from_to(1, 4);
        const std::size_t count = from_to(1, 4);
        const std::size_t tile = width * items;
        return steps::add(
            {.count = count, .stride = tile, .width = width, .step = width, .items = items, .pass = count * tile},
            combination(m));
      }
      case 4: {  // the first ones two by two
        const std::size_t pairs = from_to(0, m / 2);
        return {steps::Add{{{.count = pairs, .stride = 2, .members = 2},
                            {.first = 2 * pairs, .count = m - 2 * pairs, .stride = 1, .members = 1, .place = pairs}},
                           combination(2)}};
      }
      case 5: {  // tiles of a block's width
        const std::size_t width = from_to(1, std::min<std::size_t>(m, 40));
        const std::size_t items = from_to(1, 5);
        return steps::add({.count = (m + width * items - 1) / (width * items),
                           .stride = width * items,
                           .width = width,
                           .step = width,
                           .members = items},
                          combination(items));
      }
      default:
        return steps::add(strided(m), combination(m));
    }
  }

  Groups strided(std::size_t m) {
    const std::size_t width = from_to(1, m);
    return {.width = width, .step = width};
  }

  Step within(std::size_t m, int depth) {
    const std::size_t size = from_to(1, m + 2);
    steps::Within within{size, some(size, depth), {}};
    if (chance(3)) within.runs = from_to(1, 3);
    const std::size_t rest = m - within.whole(m) * size;
    if (rest > 0) within.rest = some(rest, depth);
    return {std::move(within)};
  }

  Step split(std::size_t m, int depth) {
    const std::size_t multiple = std::size_t{1} << below(draw_, 4);
    const bool larger_first = chance(2);
    const bool alike = chance(2);  // every part added in turn
    const bool from_zero = chance(2);
    const auto part = [&](std::size_t size) -> Steps {
      return alike ? Steps{steps::add_runs(size, {.from_zero = from_zero})} : sum(size, depth);
    };
    return steps::split(m, from_to(2 * multiple - 1, 2 * multiple + 40), {larger_first, multiple}, part);
  }

  Step fold(std::size_t m, int depth) {
    const std::size_t tile = from_to(1, m + 2);
    const std::size_t blocks = from_to(1, 3);
    const std::size_t rest = m % tile;
    if (chance(2)) {
      const bool again = chance(2);
      return {steps::Fold{.tile = tile,
                          .blocks = blocks,
                          .join = steps::Fold::Join::last,
                          .initial = sum(tile, depth),
                          .later = again ? sum(tile, depth) : Steps(),
                          .rest = rest == 0 ? Steps() : sum(rest, depth),
                          .wide = chance(3)}};
    }
    const Groups threads = strided(tile);
    const auto step = [&](Groups groups, Combination how) { return Steps{steps::add(groups, std::move(how))}; };
    return {steps::Fold{.tile = tile,
                        .blocks = blocks,
                        .join = steps::Fold::Join::first,
                        .initial = step(threads, combination(tile + 1)),
                        .later = chance(2) ? step(threads, combination(tile + 1)) : Steps(),
                        .rest = step(threads, {.from_zero = chance(2)})}};
  }

  IndexGenerator& draw_;
};

}  // namespace orderlab::testing
