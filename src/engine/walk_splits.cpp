// All trees at once, or all assignments of partial sums to the leaves of one tree: the results of a subset are the sums
// of the results of its two parts, over all ways to split it. Counts treat equal partial sums as distinct.
#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "engine/arena.hpp"
#include "engine/multiset_parts.hpp"
#include "engine/recipes.hpp"
#include "engine/splits.hpp"
#include "engine/walk.hpp"

namespace orderlab {

namespace {

template <class T, class Count>
class SplitWalk {
 public:
  SplitWalk(const OrderSpace& space, const TermGroups& groups, Recipes recipes, std::size_t threads,
            EnumerationRun& run)
      : m_(space.partial_sums.size()),
        sets_(groups.multiplicities()),
        index_(groups),
        recipes_(std::move(recipes)),
        result_(space.formats.result),
        threads_(threads),
        run_(run) {
    for (std::size_t g = 0; g < groups.size(); ++g)
      leaves_.push_back(space.products.empty() ? any_key(round_to<T>(groups.values[g])) : static_cast<Key>(g));
    if (!space.products.empty())
      for (const auto& members : groups.members) products_.emplace_back(space.products[members.front()]);
    std::uint64_t states = 0;
    for (const Recipe& recipe : recipes_.list) states += sets_.count(recipe.size);
    run_.expect(states);
  }

  std::optional<std::vector<Outcome>> outcomes() {
    const std::string of_all = " of the " + std::to_string(m_) + " partial sums";
    run_.take_bytes(std::size_t{index_.size()} * sizeof(SubsetIndex::Set));
    run_.require_memory("the numbers of all subsets" + of_all);
    ranks_ = index_.ranks();
    tables_.resize(recipes_.list.size());
    fill_leaves();
    for (std::size_t r = 1; r < recipes_.list.size(); ++r) {
      fill_table(r);
      if (run_.stopped()) return std::nullopt;
      run_.require_memory("the results of subsets of " + std::to_string(recipes_.list[r].size) + of_all);
      for (std::size_t used = 0; used < r; ++used)
        if (recipes_.list[used].last_use == r) release(tables_[used]);
    }
    return collect(tables_.back().lists.front());
  }

 private:
  using Key = KeyOf<T>;
  using List = ResultList<Key, Count>;

  struct Table {
    std::vector<std::unique_ptr<Segment<Key, Count>>> segments;
    std::vector<List> lists;  ///< by rank of the subset
    std::size_t bytes = 0;
  };

  struct Work {
    Tally<Key, Count> tally;
    MultisetParts<Count> parts;
    std::vector<Split<T, Count>> splits;

    std::span<const Split<T, Count>> all_splits() const { return splits; }
  };

  // Ranked among the multisets of one member, groups come in their order.
  void fill_leaves() {
    Tally<Key, Count> tally;
    auto segment = std::make_unique<Segment<Key, Count>>();
    for (const Key leaf : leaves_) {
      tally.begin(false, leaf, leaf, 1);
      tally.add(leaf, Count(1));
      segment->append(tally, false);
    }
    tables_[0].lists.resize(leaves_.size());
    keep(tables_[0], std::move(segment), 0, leaves_.size());
    run_.done(leaves_.size());
  }

  // Moves finished lists into a table as those of ranks first, first + 1, ...
  void keep(Table& table, std::unique_ptr<Segment<Key, Count>> segment, std::uint64_t first, std::size_t states) {
    segment->shrink();
    for (std::size_t i = 0; i < states; ++i) table.lists[first + i] = segment->list(i);
    const std::size_t bytes = segment->bytes() + states * sizeof(List);
    run_.take_bytes(bytes);
    table.bytes += bytes;
    table.segments.push_back(std::move(segment));
  }

  void release(Table& table) {
    run_.free_bytes(table.bytes);
    table = {};
  }

  // Many subsets are shared among the threads; of few, one after the other, the splits are.
  void fill_table(std::size_t r) {
    const std::uint64_t states = sets_.count(recipes_.list[r].size);
    run_.check(states * sizeof(List));
    if (!run_.going()) return;
    tables_[r].lists.resize(states);
    if (states >= 8 * threads_) {
      fill_in_parallel(r, states);
    } else {
      Work work;
      for (std::uint64_t rank = 0; rank < states && run_.going(); ++rank) {
        auto segment = std::make_unique<Segment<Key, Count>>();
        gather(r, sets_.at(recipes_.list[r].size, rank), work);
        add_up_together(recipes_.list[r].operation, work);
        if (!run_.going()) return;
        segment->append(work.tally, false);
        keep(tables_[r], std::move(segment), rank, 1);
      }
    }
    run_.done(states);
  }

  void fill_in_parallel(std::size_t r, std::uint64_t states) {
    const std::uint64_t chunk = std::clamp<std::uint64_t>(states / (16 * threads_), 1, 256);
    const std::uint64_t chunks = (states - 1) / chunk + 1;
    std::vector<std::unique_ptr<Segment<Key, Count>>> segments(chunks);
    PerThread<Work> works;
    parallel_for(0, chunks, Grain::joined, [&](std::uint64_t c) {
      Work& work = works.local();
      auto segment = std::make_unique<Segment<Key, Count>>();
      Multiset set = sets_.at(recipes_.list[r].size, c * chunk);
      const std::uint64_t end = std::min(states, (c + 1) * chunk);
      for (std::uint64_t rank = c * chunk; rank < end; ++rank, sets_.next(set)) {
        if (!run_.going()) return;
        gather(r, set, work);
        begin_tally(recipes_.list[r].operation, products(), work.all_splits(), work.tally);
        add_up(recipes_.list[r].operation, products(), work.all_splits(), work.tally);
        segment->append(work.tally, false);
        run_.check(segment->bytes() + work.tally.bytes());
      }
      segments[c] = std::move(segment);
    });
    for (std::uint64_t c = 0; c < chunks && run_.going(); ++c)
      keep(tables_[r], std::move(segments[c]), c * chunk, std::min(chunk, states - c * chunk));
  }

  // The splits of a subset. Where both sides come from one table, of two splits that are mirror images one is taken.
  void gather(std::size_t r, const Multiset& set, Work& work) {
    const Recipe& recipe = recipes_.list[r];
    const std::uint32_t whole = index_.number(set);
    work.parts.assign(set, index_, recipe.least_left + recipe.pairs.size() - 1);
    work.splits.clear();
    for (std::size_t i = 0; i < work.parts.numbers.size(); ++i) {
      const RecipePair* pair = recipe.pair(work.parts.sizes[i]);
      if (pair == nullptr) continue;
      const std::uint32_t part = work.parts.numbers[i];
      const std::uint32_t rest = whole - part;
      Count ways = work.parts.ways[i];
      if (rest != 0 && pair->left == pair->right) {
        if (part > rest) continue;
        if (part != rest && recipes_.ordered) ways *= Count(2);
        if (part == rest && !recipes_.ordered) ways /= Count(2);
      }
      const List& left = tables_[pair->left].lists[ranks_[part]];
      work.splits.push_back({left, rest == 0 ? unit() : tables_[pair->right].lists[ranks_[rest]], ways});
    }
  }

  std::span<const FusedAddend<T>> products() const { return products_; }

  // +0.0, which counts once: the right side of an operation on one operand.
  List unit() const { return {&unit_key_, &unit_count_, 1, unit_key_, unit_key_}; }

  void add_up_together(Operation operation, Work& work) {
    begin_tally(operation, products(), work.all_splits(), work.tally);
    PerThread<Tally<Key, Count>> tallies([&] {
      auto tally = std::make_shared<Tally<Key, Count>>();
      begin_tally(operation, products(), work.all_splits(), *tally);
      return tally;
    });
    constexpr std::size_t kGrain = 64;
    const std::span<const Split<T, Count>> all = work.all_splits();
    parallel_for(0, (all.size() + kGrain - 1) / kGrain, Grain::joined, [&](std::uint64_t part) {
      if (!run_.going()) return;
      Tally<Key, Count>& tally = tallies.local();
      add_up(operation, products(), all.subspan(part * kGrain, std::min(kGrain, all.size() - part * kGrain)), tally);
      run_.check(tally.bytes());
    });
    tallies.each([&](Tally<Key, Count>& tally) { work.tally.absorb(tally); });
  }

  std::vector<Outcome> collect(const List& list) const {
    std::vector<Outcome> outcomes;
    for (std::size_t i = 0; i < list.size; ++i)
      outcomes.push_back({before_result(number_of<T>(list.keys[i]), result_), big(list.counts[i])});
    return outcomes;
  }

  std::size_t m_;
  Multisets sets_;
  SubsetIndex index_;
  Recipes recipes_;
  Format result_;
  std::size_t threads_;
  EnumerationRun& run_;
  std::vector<Key> leaves_;  ///< for each group: the key of its partial sum, or for products its number
  std::vector<FusedAddend<T>> products_;
  std::vector<SubsetIndex::Set> ranks_;  ///< the rank of each subset in its list
  std::vector<Table> tables_;
  Key unit_key_ = number_key(round_to<T>(0.0));
  Count unit_count_ = 1;
};

}  // namespace

std::optional<std::vector<Outcome>> walk_splits(const OrderSpace& space, const TermGroups& groups, int threads,
                                                EnumerationRun& run) {
  const std::size_t m = space.partial_sums.size();
  const bool trees = space.family == OrderFamily::trees;
  const BigCount orders = trees ? tree_count(m) : factorial(m);
  return with_threads(threads, [&](std::size_t used) {
    return with_accumulator_type(space.formats.accumulate, [&](auto* type) {
      using T = std::remove_pointer_t<decltype(type)>;
      if (trees) {
        run.check(m * m / 4 * sizeof(RecipePair));  // what all_trees takes
        run.require_memory("the ways to split the subsets of the " + std::to_string(m) + " partial sums");
      }
      Recipes recipes = trees ? all_trees(m) : one_tree(space.shape);
      if (orders.bits() <= kCountBits<std::uint64_t>)
        return SplitWalk<T, std::uint64_t>(space, groups, std::move(recipes), used, run).outcomes();
      if (orders.bits() <= kCountBits<Count128>)
        return SplitWalk<T, Count128>(space, groups, std::move(recipes), used, run).outcomes();
      return SplitWalk<T, BigCount>(space, groups, std::move(recipes), used, run).outcomes();
    });
  });
}

}  // namespace orderlab
