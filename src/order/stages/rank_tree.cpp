// rank_tree: MPI_Reduce by a tree of ranks, each of which adds to its own what its children send.
#include <algorithm>
#include <bit>

#include "orderlab/order.hpp"

namespace orderlab {

namespace {

constexpr std::string_view kLevels = "levels";
constexpr std::string_view kBinomial = "binomial";
constexpr std::string_view kRankTrees[] = {kLevels, kBinomial, "in_order"};
constexpr Parameter kRankTreeParameters[] = {
    {.name = "tree", .kind = ParameterKind::choice, .default_text = kLevels, .choices = kRankTrees}};

void receive_from(std::vector<Addition>& additions, std::size_t to, std::size_t from) {
  additions.push_back({static_cast<std::uint32_t>(to), static_cast<std::uint32_t>(from)});
}

// Children have greater numbers than their parent, so they are complete before it, going down.
std::vector<Addition> add_levels(std::size_t m) {
  std::vector<Addition> additions;
  for (std::size_t rank = m; rank-- > 0;) {
    const std::size_t level = std::bit_floor(rank + 1);  // number of ranks on it
    for (const std::size_t child : {rank + level, rank + 2 * level})
      if (child < m) receive_from(additions, rank, child);
  }
  return additions;
}

std::vector<Addition> add_binomial(std::size_t m) {
  std::vector<Addition> additions;
  for (std::size_t rank = m; rank-- > 0;)
    for (std::size_t bit = 1; (rank & bit) == 0 && rank + bit < m; bit *= 2) receive_from(additions, rank, rank + bit);
  return additions;
}

// The last rank of a range is its parent; of the others the first ones, half of the range rounded down, are the second
// subtree.
std::vector<Addition> add_in_order(std::size_t m) {
  struct Range {
    std::size_t begin, end;
  };
  std::vector<Range> ranges{{0, m}};  // of a parent before those of its children
  std::vector<Addition> additions;    // backwards
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    const auto [begin, end] = ranges[i];
    const std::size_t middle = begin + (end - begin) / 2;
    if (middle > begin) ranges.push_back({begin, middle});
    if (end - 1 > middle) ranges.push_back({middle, end - 1});
    if (middle > begin) receive_from(additions, end - 1, middle - 1);
    if (end - 1 > middle) receive_from(additions, end - 1, end - 2);
  }
  std::reverse(additions.begin(), additions.end());
  return additions;
}

Steps describe_rank_tree(const Arguments& arguments, std::size_t m, Format) {
  const std::string_view tree = arguments.choice(0);
  auto additions = std::make_shared<const std::vector<Addition>>(tree == kLevels     ? add_levels(m)
                                                                 : tree == kBinomial ? add_binomial(m)
                                                                                     : add_in_order(m));
  return {steps::add({}, {.tree = Combination::Tree::given, .additions = std::move(additions)})};
}

}  // namespace

extern const Stage kRankTree;
const Stage kRankTree{
    .name = "rank_tree",
    .summary =
        "every rank adds to its own what its children send, in turn; children of rank i on a level of d ranks: i + d, "
        "i + 2d (levels); i + 1, i + 2, i + 4, ... below the lowest bit of i (binomial); the rank before it and the "
        "last one of the first half of its ranks (in_order)",
    .source = "Open MPI, coll_base_topo.c and coll_base_reduce.c",
    .parameters = kRankTreeParameters,
    .reduces = true,
    .guarantee = Guarantee::any_device,
    .describe = describe_rank_tree,
};

}  // namespace orderlab
