#include "sweep/merge_counts.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "orderlab/error.hpp"

namespace orderlab {

namespace {

/// Which files are added for one order.
using Chosen = std::vector<bool>;

/// How many of some sets have each sample.
class Coverage {
 public:
  explicit Coverage(const std::vector<SampleRanges>& sets) {
    for (const SampleRanges& set : sets)
      for (const auto& [begin, end] : set.ranges()) depth_[begin] = depth_[end] = 0;
    for (const SampleRanges& set : sets) change(set, 1);
  }

  /// Whether other sets have all samples of this one, too.
  bool doubled(const SampleRanges& set) const { return least(set) > 1; }

  void remove(const SampleRanges& set) { change(set, -1); }

  /// Whether no other set has a sample of this one.
  bool alone(const SampleRanges& set) const {
    bool alone = true;
    visit(set, [&](int depth) { alone = alone && depth == 1; });
    return alone;
  }

 private:
  template <class Take>
  void visit(const SampleRanges& set, Take take) const {
    for (const auto& [begin, end] : set.ranges())
      for (auto at = depth_.find(begin); at->first < end; ++at) take(at->second);
  }

  int least(const SampleRanges& set) const {
    int least = 2;
    visit(set, [&](int depth) { least = std::min(least, depth); });
    return least;
  }

  void change(const SampleRanges& set, int by) {
    for (const auto& [begin, end] : set.ranges())
      for (auto at = depth_.find(begin); at->first < end; ++at) at->second += by;
  }

  std::map<std::uint64_t, int> depth_;  // by the first sample of every part of a range
};

// Leaves out what the others have, set by set in the order given; empty where sets overlap then.
std::optional<Chosen> without_overlaps(const std::vector<SampleRanges>& sets, const std::vector<std::size_t>& order) {
  Coverage coverage(sets);
  Chosen chosen(sets.size(), true);
  for (const std::size_t i : order) {
    chosen[i] = !coverage.doubled(sets[i]);
    if (!chosen[i]) coverage.remove(sets[i]);
  }
  for (std::size_t i = 0; i < sets.size(); ++i)
    if (chosen[i] && !coverage.alone(sets[i])) return std::nullopt;
  return chosen;
}

// Large sets are left out first, and where that leaves overlaps, small ones.
std::optional<Chosen> choose(const std::vector<SampleRanges>& sets) {
  std::vector<std::size_t> order(sets.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sets[a].size() > sets[b].size(); });
  if (auto chosen = without_overlaps(sets, order)) return chosen;
  std::reverse(order.begin(), order.end());
  return without_overlaps(sets, order);
}

// What two files share, of the first two that share anything.
[[noreturn]] void refuse_overlap(const std::vector<SampleRanges>& sets, std::span<const std::string> paths) {
  for (std::size_t i = 0; i < sets.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (const SampleRanges common = sets[i].common_with(sets[k]); !common.empty())
        throw Error(ErrorKind::input, paths[i] + ": its samples " + common.text(3) + " are in " + paths[k] +
                                          ", too, and each has others; counts cannot be taken apart, so merge files "
                                          "whose samples are apart");
  throw Error(ErrorKind::input, "the files have samples in common");
}

class CountsMerger {
 public:
  CountsMerger(std::span<const std::string> paths, const std::function<bool(std::size_t)>& next)
      : paths_(paths), next_(next) {}

  MergedCounts merged() && {
    if (!look() || !add()) return {};
    return std::move(result_);
  }

 private:
  // Which samples the files have.
  bool look() {
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      if (!next_(i)) return false;
      CountsFile file = read_counts_file(paths_[i]);
      if (i == 0) {
        sets_.resize(file.orders.size());
        result_.file = file;
        for (CountedOrder& order : result_.file.orders) order.drawn = {};
      }
      CountsFile& all = result_.file;
      require_same_sampling(all, paths_.front(), file, paths_[i]);
      all.samples = std::max(all.samples, file.samples);
      if (all.flags.is_null()) all.flags = std::move(file.flags);
      for (std::size_t k = 0; k < sets_.size(); ++k) sets_[k].push_back(std::move(file.orders[k].drawn.samples));
    }
    for (const std::vector<SampleRanges>& sets : sets_) {
      auto chosen = choose(sets);
      if (!chosen) refuse_overlap(sets, paths_);
      chosen_.push_back(*std::move(chosen));
    }
    return true;
  }

  bool add() {
    for (std::size_t i = 0; i < paths_.size(); ++i) {
      if (!next_(paths_.size() + i)) return false;
      const CountsFile file = read_counts_file(paths_[i]);
      bool adds = false;
      for (std::size_t k = 0; k < sets_.size(); ++k) {
        if (!chosen_[k][i] || sets_[k][i].empty()) continue;
        add_order(result_.file.orders[k].drawn, file.orders[k].drawn, sets_[k][i], paths_[i]);
        adds = true;
      }
      if (!adds) result_.left_out.push_back(paths_[i]);
    }
    return true;
  }

  void add_order(CountedSamples& sum, const CountedSamples& more, const SampleRanges& expected,
                 const std::string& path) const {
    if (more.samples != expected)
      throw Error(ErrorKind::input, path + ": was changed while it was merged; merge again once its process has ended");
    if (!sum.samples.empty() && !(sum.counts.frame() == more.counts.frame()))
      throw Error(ErrorKind::input, path +
                                        ": its counts are measured against another sum than those of other files; "
                                        "draw these samples again");
    if (sum.samples.empty())
      sum.counts = more.counts;
    else
      sum.counts.merge(more.counts);
    sum.samples.add(more.samples);
  }

  std::span<const std::string> paths_;
  const std::function<bool(std::size_t)>& next_;
  std::vector<std::vector<SampleRanges>> sets_;  // by order, then by file
  std::vector<Chosen> chosen_;                   // by order
  MergedCounts result_;
};

}  // namespace

MergedCounts merge_counts(std::span<const std::string> paths, const std::function<bool(std::size_t)>& next) {
  return CountsMerger(paths, next).merged();
}

}  // namespace orderlab
