#include "engine/subset_index.hpp"

#include <algorithm>

namespace orderlab {

SubsetIndex::SubsetIndex(const TermGroups& groups) {
  for (std::size_t g = 0; g < groups.size(); ++g) {
    strides_.push_back(size_);
    radices_.push_back(groups.multiplicity(g) + 1);
    size_ *= radices_.back();
  }
}

std::uint32_t SubsetIndex::count(Set set) const {
  std::uint32_t sum = 0;
  for (std::size_t g = 0; g < groups(); ++g) sum += held(set, g);
  return sum;
}

void SubsetIndex::subsets(Set set, std::vector<Set>& subsets) const {
  subsets.assign(1, 0);
  for (std::size_t g = 0; g < groups(); ++g) {
    const std::size_t before = subsets.size();
    for (std::size_t i = 0; i < before * held(set, g); ++i) subsets.push_back(subsets[i] + strides_[g]);
  }
}

void SubsetIndex::subsets_of(Set set, std::uint32_t k, std::vector<Set>& subsets) const {
  struct Partial {
    Set set;
    std::uint32_t missing;
  };
  std::vector<Partial> partial{{0, k}};
  std::vector<Partial> next;
  std::uint32_t left = count(set);  // in the groups to come
  for (std::size_t g = 0; g < groups() && left > 0; ++g) {
    const std::uint32_t here = held(set, g);
    left -= here;
    next.clear();
    for (std::uint32_t taken = 0; taken <= here; ++taken)
      for (const Partial& p : partial)
        if (taken <= p.missing && p.missing - taken <= left)
          next.push_back({p.set + taken * strides_[g], p.missing - taken});
    std::swap(partial, next);
  }
  subsets.clear();
  for (const Partial& p : partial) subsets.push_back(p.set);
}

SubsetIndex::Set SubsetIndex::number(std::span<const std::uint32_t> members) const {
  Set set = 0;
  for (std::size_t g = 0; g < groups(); ++g) set += members[g] * strides_[g];
  return set;
}

std::vector<SubsetIndex::Set> SubsetIndex::ranks() const {
  std::vector<Set> ranks{0};  // first how many partial sums each set holds
  ranks.reserve(size_);
  for (std::size_t g = 0; g < groups(); ++g)
    for (std::size_t i = 0, added = ranks.size() * (radices_[g] - 1); i < added; ++i) ranks.push_back(ranks[i] + 1);
  std::vector<Set> met(ranks.back() + 1, 0);
  for (Set& rank : ranks) rank = met[rank]++;
  return ranks;
}

}  // namespace orderlab
