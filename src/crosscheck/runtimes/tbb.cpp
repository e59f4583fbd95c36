// oneTBB: the splits of parallel_deterministic_reduce are an order; those of parallel_reduce depend on which thread is
// idle when.
#include <algorithm>
#include <map>
#include <set>
#include <type_traits>
#include <utility>

#include "crosscheck/runtimes/runtime.hpp"

namespace orderlab {

namespace {

constexpr RuntimeBuild kTbbBuilds[] = {{"g++"}, {"clang++"}};
constexpr const char* kTbbFlags[] = {"-ltbb"};
const std::vector<std::size_t> kTbbThreads{1, 2, 8};
const std::vector<std::size_t> kTbbThreadsInFull{1, 2, 3, 4, 5, 6, 7, 8};
const std::vector<std::size_t> kSplitSizes{1, 2, 3, 7, 11, 16, 100, 1003, 10007};
constexpr std::size_t kGrains[] = {1, 3, 64, 1000};
constexpr std::size_t kMostSplitTerms = 12;  // every way to split them is enumerated
constexpr std::size_t kParts = 8;            // of any number of terms, where every split is made
constexpr std::size_t kCallsOfSplits = 20;

/// The sums that parallel_reduce can give of a range. A range that can be split may be: its halves, the first of n / 2
/// terms. A thread that goes on from the first half to the second adds that to its sum; another thread that takes the
/// second half begins with +0.0, and its sum is added to that of the first.
template <class T>
class SplitSums {
 public:
  SplitSums(const T* x, std::size_t grain, bool always) : x_(x), grain_(grain), always_(always) {}

  std::set<T> of(std::size_t n) { return from(0, n, T(0)); }

 private:
  std::set<T> from(std::size_t begin, std::size_t end, T sum) {
    const auto key = std::make_pair(std::make_pair(begin, end), sum);
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    std::set<T> sums;
    const bool divisible = end - begin > grain_;
    if (!divisible || !always_) {
      T s = sum;
      for (std::size_t i = begin; i < end; ++i) s += x_[i];
      sums.insert(s);
    }
    if (divisible) {
      const std::size_t middle = begin + (end - begin) / 2;
      const std::set<T> seconds = from(middle, end, T(0));
      for (const T first : from(begin, middle, sum)) {
        sums.merge(from(middle, end, first));
        for (const T second : seconds) sums.insert(first + second);
      }
    }
    return known_[key] = sums;
  }

  const T* x_;
  std::size_t grain_;
  bool always_;
  std::map<std::pair<std::pair<std::size_t, std::size_t>, T>, std::set<T>> known_;
};

std::vector<std::uint64_t> split_sums(const RuntimeCase& one, const TermView& terms) {
  std::vector<std::uint64_t> bits;
  const bool always = one.call == "simple";
  with_type_of(one.format, [&]([[maybe_unused]] auto* type) {
    using T = std::remove_pointer_t<decltype(type)>;
    if constexpr (std::is_floating_point_v<T>)
      for (const T sum : SplitSums(static_cast<const T*>(terms.x), one.parameter, always).of(one.n))
        bits.push_back(round_to_bits(one.format, static_cast<double>(sum)));
  });
  std::sort(bits.begin(), bits.end());
  return bits;
}

RuntimeCase tbb_case(const char* call, const char* label, Format format, std::size_t threads, std::size_t n,
                     std::size_t grain) {
  RuntimeCase one;
  one.call = call;
  one.label = label;
  one.format = format;
  one.n = n;
  one.workers = threads;
  one.parameter = grain;
  return one;
}

std::vector<RuntimeSetting> tbb_settings(const RuntimeScope& scope, const RuntimeBuild&) {
  RuntimeSetting all;
  for (const Format format : scope.formats)
    for (const std::size_t threads : scope.full ? kTbbThreadsInFull : kTbbThreads)
      for (const std::size_t n : scope.sizes.empty() ? kSplitSizes : scope.sizes) {
        for (const std::size_t grain : kGrains) {
          RuntimeCase one = tbb_case("deterministic", "parallel_deterministic_reduce", format, threads, n, grain);
          one.calls = 5;
          one.rule = "tbb_deterministic(grain)";
          one.orders = {{0, "tbb_deterministic(" + std::to_string(grain) + ")"}};
          one.others = {"seq(from=zero)", "pairwise(" + std::to_string(grain) + ",from=zero)"};
          all.cases.push_back(one);
        }
        RuntimeCase simple =
            tbb_case("simple", "parallel_reduce, simple_partitioner", format, threads, n, (n + kParts - 1) / kParts);
        simple.calls = kCallsOfSplits;
        simple.rule = "any splits";
        simple.possible = split_sums;
        all.cases.push_back(simple);
        if (n > kMostSplitTerms) continue;
        RuntimeCase automatic = simple;
        automatic.call = "auto";
        automatic.label = "parallel_reduce";
        automatic.n = n;
        automatic.parameter = 1;
        all.cases.push_back(automatic);
      }
  return {all};
}

}  // namespace

extern const Runtime kOneTbb;
const Runtime kOneTbb{
    .name = "oneTBB",
    .device = "tbb",
    .packages = "g++ libtbb-dev",
    .source = "tbb",
    .builds = kTbbBuilds,
    .flags = kTbbFlags,
    .version = "oneTBB",
    .settings = tbb_settings,
};

}  // namespace orderlab
