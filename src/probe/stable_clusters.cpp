#include "probe/stable_clusters.hpp"

#include <algorithm>
#include <utility>

#include "probe/random_places.hpp"
#include "probe/reveal.hpp"

namespace orderlab {

namespace {

using Node = TreeShape::Node;

// How large the smallest subtree that holds a term and the pivot was, in all calls.
struct Seen {
  std::size_t place;
  std::size_t most = 0;
  bool varies = false;
};

constexpr std::size_t kMostAlone = 8;  // terms without a cluster, after which the others are taken for such

class Search {
 public:
  Search(PairSizes& sizes, std::size_t repeats) : sizes_(sizes), repeats_(repeats) {}

  // The cluster of `pivot` among these and it.
  std::vector<std::size_t> cluster_of(std::size_t pivot, const std::vector<std::size_t>& others) {
    std::vector<Seen> seen;
    for (const std::size_t place : others) seen.push_back({place});
    for (std::size_t k = 0; k < repeats_; ++k) ask_again(pivot, seen);
    std::sort(seen.begin(), seen.end(),
              [](const Seen& a, const Seen& b) { return std::pair(a.varies, a.most) < std::pair(b.varies, b.most); });
    std::size_t least_varying = sizes_.n() + 1;
    for (const Seen& one : seen)
      if (one.varies) least_varying = std::min(least_varying, one.most);
    // In a stable subtree of s leaves the pivot meets s - 1 others, always at the same nodes, and no more.
    std::size_t members = 0;
    for (std::size_t k = 0; k < seen.size() && !seen[k].varies && seen[k].most < least_varying; ++k) {
      const bool last_of_size = k + 1 == seen.size() || seen[k + 1].varies || seen[k + 1].most > seen[k].most;
      if (seen[k].most == k + 2 && last_of_size) members = k + 1;
    }
    std::vector<std::size_t> cluster{pivot};
    for (std::size_t k = 0; k < members; ++k) cluster.push_back(seen[k].place);
    std::sort(cluster.begin(), cluster.end());
    return cluster;
  }

 private:
  void ask_again(std::size_t pivot, std::vector<Seen>& seen) {
    std::vector<PlacePair> pairs;
    std::vector<Seen*> asked;
    for (Seen& one : seen) {
      if (one.varies) continue;
      pairs.push_back({pivot, one.place});
      asked.push_back(&one);
    }
    std::vector<std::size_t> found(pairs.size());
    sizes_.measure(pairs, found);
    for (std::size_t i = 0; i < found.size(); ++i) {
      Seen& one = *asked[i];
      one.varies = found[i] == 0 || (one.most != 0 && one.most != found[i]);
      one.most = std::max(one.most, found[i]);
    }
  }

  PairSizes& sizes_;
  std::size_t repeats_;
};

}  // namespace

bool sizes_vary(PairSizes& sizes) {
  constexpr int kPairs = 32;
  constexpr int kTimes = 16;
  RandomPlaces places(sizes.n(), 8);
  for (int i = 0; i < kPairs; ++i) {
    const auto pair = places.some(2);
    const std::size_t size = sizes.measure({pair[0], pair[1]});
    for (int k = 1; k < kTimes; ++k)
      if (sizes.measure({pair[0], pair[1]}) != size) return true;
  }
  return false;
}

std::optional<StableClusters> find_stable_clusters(PairSizes& sizes, std::size_t repeats) {
  StableClusters clusters{{}, TreeShape(sizes.n())};
  std::vector<Node> tops;
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < sizes.n(); ++i) left.push_back(i);
  Search search(sizes, repeats);
  std::size_t alone = 0;
  while (!left.empty()) {
    const std::size_t pivot = left.front();
    left.erase(left.begin());
    const bool hopeless = clusters.leaves.size() == alone && alone >= kMostAlone;
    std::vector<std::size_t> cluster = hopeless ? std::vector{pivot} : search.cluster_of(pivot, left);
    if (cluster.size() == 1) ++alone;
    std::erase_if(left, [&](std::size_t place) { return std::binary_search(cluster.begin(), cluster.end(), place); });
    const auto top = reveal_part(sizes, std::vector<Node>(cluster.begin(), cluster.end()), clusters.shape);
    if (!top) return std::nullopt;
    tops.push_back(*top);
    clusters.leaves.push_back(std::move(cluster));
  }
  if (tops.size() > 1) clusters.shape.join(tops);
  return clusters;
}

}  // namespace orderlab
