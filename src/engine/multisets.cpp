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

bool Multisets::next(Multiset& set) const {
  std::uint32_t lower = 0;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (lower > 0 && set[i] < limits_[i]) {
      ++set[i];
      --lower;
      for (std::size_t j = 0; j < i; ++j) {
        set[j] = std::min(limits_[j], lower);
        lower -= set[j];
      }
      return true;
    }
    lower += set[i];
  }
  return false;
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

void Multisets::parents(const Multiset& set, std::span<std::uint64_t> parents) const {
  // Without branches: which groups have members cannot be predicted.
  const auto any = [&](std::size_t i) { return static_cast<std::uint32_t>(set[i] != 0); };
  std::uint64_t lower = 0;
  std::size_t size = 0;
  for (std::size_t i = 0; i < set.size(); ++i) {
    size += set[i];
    parents[i] = lower + skipped(i, size - any(i), set[i] - any(i));
    lower += skipped(i, size, set[i]);
  }
  std::uint64_t higher = 0;
  for (std::size_t i = set.size(); i-- > 0;) {
    parents[i] += higher;
    higher += skipped(i, size - any(i), set[i]);
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
