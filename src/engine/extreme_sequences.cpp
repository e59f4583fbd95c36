// Extremes over all sequences: the greatest sum of a set is the greatest sum without some j, plus x_j, for the best j.
#include <bit>
#include <utility>
#include <vector>

#include "engine/addends.hpp"
#include "engine/extremes_of.hpp"
#include "engine/key_range.hpp"
#include "engine/subset_walk.hpp"

namespace orderlab {

namespace {

using Set = SubsetIndex::Set;

// A run long enough for its start not to matter, short enough for many to run side by side.
constexpr Set kSetsInARun = 4096;

template <class Addend>
class Sequences {
 public:
  using T = typename Addend::Number;

  Sequences(const OrderSpace& space, const TermGroups& groups, std::vector<Addend> addends)
      : space_(space), groups_(groups), index_(groups), table_(index_.size()), addends_(std::move(addends)) {}

  std::optional<Extremes> run(const WalkOptions& options) {
    const auto visit = [this](Set set, std::uint64_t held) {
      KeyRange<T> range;
      for (; held != 0; held &= held - 1) {
        const auto g = static_cast<std::size_t>(std::countr_zero(held));
        const Set rest = set - index_.one(g);
        range.include(extended(rest, g, false), extended(rest, g, true));
      }
      table_[set] = range;
    };
    if (!walk_sets(index_, kSetsInARun, options, visit)) return std::nullopt;
    return Extremes{walked_back(false), walked_back(true)};
  }

 private:
  // The extreme of `rest` with a number of group g added last.
  T extended(Set rest, std::size_t g, bool greatest) const {
    if (rest == 0) return addends_[g].first(space_.from_zero);
    return addends_[g].added_to(number_of<T>(table_[rest].end(greatest)));
  }

  ExtremeOrder walked_back(bool greatest) const {
    Set set = index_.all();
    ExtremeOrder extreme = extreme_order(space_, number_of<T>(table_[set].end(greatest)));
    extreme.order.resize(space_.partial_sums.size());
    for (std::size_t k = extreme.order.size(); k-- > 0;) {
      const auto wanted = table_[set].end(greatest);
      std::size_t g = 0;
      while (index_.held(set, g) == 0 || number_key(extended(set - index_.one(g), g, greatest)) != wanted) ++g;
      extreme.order[k] = groups_.members[g][index_.held(set, g) - 1];
      set -= index_.one(g);
    }
    return extreme;
  }

  const OrderSpace& space_;
  const TermGroups& groups_;
  SubsetIndex index_;
  std::vector<KeyRange<T>> table_;
  std::vector<Addend> addends_;
};

}  // namespace

std::optional<Extremes> extreme_sequences(const OrderSpace& space, const TermGroups& groups,
                                          const WalkOptions& options) {
  return with_addends(space, groups, [&](auto addends) {
    using Addend = typename decltype(addends)::value_type;
    return Sequences<Addend>(space, groups, std::move(addends)).run(options);
  });
}

}  // namespace orderlab
