#include "engine/multisets.hpp"

#include <algorithm>
#include <numeric>

namespace orderlab {

Multisets::Multisets(std::vector<std::uint32_t> limits) : limits_(std::move(limits)) {
  total_ = std::accumulate(limits_.begin(), limits_.end(), std::size_t{0});
  below_.assign((groups() + 1) * (total_ + 2), 0);
  for (std::size_t size = 0; size <= total_; ++size) below_[size + 1] = 1;  // no group has one subset: the empty one
  for (std::size_t i = 0; i < groups(); ++i) {
    std::uint64_t* sums = &below_[(i + 1) * (total_ + 2)];
    for (std::size_t size = 0; size <= total_; ++size) {
      const std::size_t most = std::min<std::size_t>(limits_[i], size);
      sums[size + 1] = sums[size] + skipped(i, size, static_cast<std::uint32_t>(most) + 1);
    }
  }
}

Multiset Multisets::at(std::size_t size, std::uint64_t rank) const {
  Multiset set(groups());
  for (std::size_t i = groups(); i-- > 0;) {
    while (set[i] < limits_[i] && set[i] < size && skipped(i, size, set[i] + 1) <= rank) ++set[i];
    rank -= skipped(i, size, set[i]);
    size -= set[i];
  }
  return set;
}

std::size_t Multisets::step(Multiset& set) const {
  std::uint32_t lower = 0;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (lower > 0 && set[i] < limits_[i]) {
      ++set[i];
      --lower;
      for (std::size_t j = 0; j < i; ++j) {
        set[j] = std::min(limits_[j], lower);
        lower -= set[j];
      }
      return i + 1;
    }
    lower += set[i];
  }
  return 0;
}

std::uint64_t Multisets::rank(const Multiset& set) const {
  std::uint64_t rank = 0;
  std::size_t size = 0;
  for (std::size_t i = 0; i < set.size(); ++i) {
    size += set[i];
    rank += skipped(i, size, set[i]);
  }
  return rank;
}

Multisets::Parents::Parents(const Multisets& sets, const Multiset& set)
    : sets_(sets), ranks_(set.size()), higher_(set.size()) {
  find_below(set.size(), set);
}

bool Multisets::Parents::next(Multiset& set) {
  const std::size_t changed = sets_.step(set);
  if (changed == 0) return false;
  for (std::size_t i = changed; i < ranks_.size(); ++i) ++ranks_[i];
  find_below(changed, set);
  return true;
}

void Multisets::Parents::find_below(std::size_t end, const Multiset& set) {
  // Without branches: which groups have members cannot be predicted.
  const auto any = [&](std::size_t i) { return static_cast<std::uint32_t>(set[i] != 0); };
  std::uint64_t lower = 0;
  std::size_t size = 0;
  for (std::size_t i = 0; i < end; ++i) {
    size += set[i];
    ranks_[i] = lower + sets_.skipped(i, size - any(i), set[i] - any(i));
    lower += sets_.skipped(i, size, set[i]);
    members_ = (members_ & ~(std::uint64_t{1} << i)) | (std::uint64_t{any(i)} << i);
  }
  std::uint64_t higher = end < set.size() ? higher_[end - 1] : 0;
  for (std::size_t i = end; i-- > 0;) {
    higher_[i] = higher;
    ranks_[i] += higher;
    higher += sets_.skipped(i, size - any(i), set[i]);
    size -= set[i];
  }
}

std::uint64_t Multisets::first_child(const Multiset& set) const {
  Multiset child = set;
  for (std::size_t i = 0; i < child.size(); ++i) {
    if (child[i] == limits_[i]) continue;
    ++child[i];
    break;
  }
  return rank(child);
}

}  // namespace orderlab
