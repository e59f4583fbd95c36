#include "operation/scan_search.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "operation/tile_scan.hpp"
#include "operation/unit_orders.hpp"

namespace orderlab {

namespace {

/// A prefix that a tile may have, and the distance that gives it.
template <class T>
struct Candidate {
  T prefix;
  std::uint32_t distance;
};

template <class T>
bool same(T a, T b) {
  return bits_of(a) == bits_of(b);
}

template <class T>
class Search {
 public:
  Search(const LoweredOperation& operation, const Terms& actual)
      : operation_(operation), actual_(actual), tiles_(*operation.scan), fitting_(tiles_.tiles()) {
    found_.nearest = Terms(operation.formats.result, operation.outputs());
    constexpr std::size_t kWork = std::size_t{1} << 24;
    const std::size_t most = std::max<std::size_t>(2 * kLookbackWindow, kWork / tiles_.tiles());
    found_.farthest = std::min(tiles_.tiles() - 1, most);
    found_.complete = found_.farthest + 1 == tiles_.tiles();
    found_.distances.resize(tiles_.tiles());
  }

  ScanSearch run() {
    for (std::size_t t = 0; t < tiles_.tiles(); ++t) search_tile(t);
    found_.replays = replayed();
    return std::move(found_);
  }

 private:
  std::vector<Candidate<T>> candidates(std::size_t t) const {
    if (t == 0) return {{T{}, 0}};
    std::vector<Candidate<T>> list;
    for (std::size_t distance = 1; distance <= std::min(t, found_.farthest); ++distance)
      for (const Candidate<T>& before : fitting_[t - distance]) {
        const T prefix = tiles_.prefix_of(t, distance, tiles_.inclusive(t - distance, before.prefix));
        const auto known =
            std::find_if(list.begin(), list.end(), [&](const auto& c) { return same(c.prefix, prefix); });
        if (known == list.end()) list.push_back({prefix, static_cast<std::uint32_t>(distance)});
      }
    return list;
  }

  /// Whether the distances that were found give the nearest outputs.
  bool replayed() const {
    if (tiles_.tiles() > 1 && std::count(found_.distances.begin() + 1, found_.distances.end(), 0U) > 0) return false;
    std::vector<T> prefixes(tiles_.tiles());
    tiles_.find_prefixes(found_.distances, prefixes);
    for (std::size_t t = 0; t < tiles_.tiles(); ++t) {
      const auto& fitting = fitting_[t];
      const auto fits = [&](const Candidate<T>& candidate) { return same(candidate.prefix, prefixes[t]); };
      if (t > 0 && std::none_of(fitting.begin(), fitting.end(), fits)) return false;
    }
    return true;
  }

  void search_tile(std::size_t t) {
    const std::size_t begin = t * operation_.scan->tile();
    const std::size_t count = std::min(operation_.scan->tile(), operation_.scan->extent - begin);
    with_type_of(operation_.formats.result, [&](auto* type) {
      using R = std::remove_pointer_t<decltype(type)>;
      const R* const actual = static_cast<const R*>(actual_.view().x) + begin;
      R* const nearest = reinterpret_cast<R*>(found_.nearest.bytes().data()) + begin;
      std::vector<T> sums(count);
      std::vector<R> outputs(count);
      std::size_t fewest = count + 1;
      for (const Candidate<T>& candidate : candidates(t)) {
        tiles_.tile_outputs(t, candidate.prefix, sums);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < count; ++i) {
          outputs[i] = canonical(round_to<R>(static_cast<double>(sums[i])));
          wrong += same(outputs[i], canonical(actual[i])) ? 0U : 1U;
        }
        if (wrong > fewest) continue;
        if (wrong < fewest) {
          fewest = wrong;
          fitting_[t].clear();
          std::copy(outputs.begin(), outputs.end(), nearest);
          found_.distances[t] = wrong == 0 ? candidate.distance : 0;
        }
        fitting_[t].push_back(candidate);
      }
      for (std::size_t i = 0; i < count; ++i)
        if (!same(nearest[i], canonical(actual[i]))) found_.wrong.push_back(static_cast<std::uint32_t>(begin + i));
    });
  }

  const LoweredOperation& operation_;
  const Terms& actual_;
  TileScan<T> tiles_;
  std::vector<std::vector<Candidate<T>>> fitting_;  ///< candidates that fit, by tile
  ScanSearch found_{{}, {}, Terms(Format::fp32, 1), 0, true, false};
};

}  // namespace

ScanSearch search_lookback(const LoweredOperation& operation, const Terms& actual) {
  return with_type_of(operation.formats.accumulate, [&](auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    return Search<T>(operation, actual).run();
  });
}

}  // namespace orderlab
