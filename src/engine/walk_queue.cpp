// All assignments of the runs of a work queue to its workers, run by run: what matters of those before is the set of
// the workers' sums and in how many ways it comes about.
#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/ordered_number.hpp"
#include "engine/walk.hpp"
#include "run/extended.hpp"

namespace orderlab {

namespace {

template <class T>
class QueueWalk {
 public:
  using Key = KeyOf<T>;
  using Sums = std::vector<Key>;  // of workers that have a run, ascending

  QueueWalk(const OrderSpace& space, EnumerationRun& run)
      : space_(space), queue_(*space.queue), runs_(queue_.count(space.partial_sums.size())), run_(run) {
    run_.expect(runs_);
  }

  std::optional<std::vector<Outcome>> outcomes() {
    Layer layer{{Sums{}, BigCount(1)}};
    std::size_t at = 0;
    for (std::size_t i = 0; i < runs_; ++i) {
      const std::size_t end = queue_.end_of(i, at, space_.partial_sums.size());
      layer = after(layer, std::span(space_.partial_sums).subspan(at, end - at));
      if (run_.stopped()) return std::nullopt;
      run_.require_memory("the sums of the workers after " + std::to_string(i + 1) + " of " + std::to_string(runs_) +
                          " chunks");
      run_.done(1);
      at = end;
    }
    return collect(layer);
  }

 private:
  struct Hash {
    std::size_t operator()(const Sums& sums) const {
      std::uint64_t hash = sums.size();
      for (const Key key : sums) hash = (hash ^ static_cast<std::uint64_t>(key)) * 0x9E3779B97F4A7C15;
      return hash ^ (hash >> 32);
    }
  };
  using Layer = std::unordered_map<Sums, BigCount, Hash>;  // in how many ways the chunks are dealt to equal workers

  // A node of the map with its link and hash, its place in a table that doubles, the sums, and what the allocator keeps
  // of two blocks and rounds them up by.
  std::size_t bytes_of(const Sums& sums) const {
    return sizeof(typename Layer::value_type) + 7 * sizeof(void*) + sums.capacity() * sizeof(Key);
  }

  Layer after(const Layer& before, std::span<const double> chunk) {
    Layer next;
    std::size_t bytes = 0;
    const auto count = [&](Sums sums, const BigCount& ways) {
      std::sort(sums.begin(), sums.end());
      const std::size_t more = bytes_of(sums);
      const auto [at, added] = next.try_emplace(std::move(sums), 0);
      at->second += ways;
      if (added) bytes += more;
    };
    for (const auto& [sums, ways] : before) {
      if (!run_.going()) return next;
      for (std::size_t w = 0; w < sums.size(); ++w) {
        Sums taken = sums;
        taken[w] = sum_from(number_of<T>(sums[w]), chunk);
        count(std::move(taken), ways);
      }
      if (sums.size() < queue_.workers) {
        Sums taken = sums;
        taken.push_back(sum_from(round_to<T>(0.0), chunk));
        count(std::move(taken), ways);
      }
      run_.check(bytes);
    }
    run_.take_bytes(bytes);
    run_.free_bytes(std::exchange(held_, bytes));
    return next;
  }

  static Key sum_from(T sum, std::span<const double> chunk) {
    for (const double x : chunk) sum = sum + round_to<T>(x);
    return any_key(sum);
  }

  // Workers with a run finish in any order; those without one may stand anywhere between them.
  std::optional<std::vector<Outcome>> collect(const Layer& last) {
    std::map<Key, BigCount> results;
    for (const auto& [found, ways] : last) {
      if (run_.stopped()) return std::nullopt;
      Sums sums = found;
      BigCount each = ways * choices(queue_.workers, sums.size());
      for (std::size_t i = 0, same = 1; i + 1 < sums.size(); ++i)
        each *= BigCount(same = sums[i + 1] == sums[i] ? same + 1 : 1);  // workers of equal sums change places
      do {
        T total = round_to<T>(0.0);
        for (const Key sum : sums) total = total + number_of<T>(sum);
        results[any_key(total)] += each;
      } while (std::next_permutation(sums.begin(), sums.end()));
    }
    std::vector<Outcome> outcomes;
    for (const auto& [key, orders] : results) outcomes.push_back({static_cast<double>(number_of<T>(key)), orders});
    return outcomes;
  }

  // n over k
  static BigCount choices(std::uint64_t n, std::uint64_t k) {
    BigCount count = 1;
    for (std::uint64_t i = 0; i < k; ++i) count = count * BigCount(n - i) / BigCount(i + 1);
    return count;
  }

  const OrderSpace& space_;
  const WorkQueue& queue_;
  std::size_t runs_;
  EnumerationRun& run_;
  std::size_t held_ = 0;
};

}  // namespace

std::optional<std::vector<Outcome>> walk_queue(const OrderSpace& space, EnumerationRun& run) {
  return with_accumulator_type(space.formats.accumulate, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    return QueueWalk<T>(space, run).outcomes();
  });
}

}  // namespace orderlab
