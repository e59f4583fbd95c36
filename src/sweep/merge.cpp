#include "sweep/merge.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "orderlab/error.hpp"
#include "sweep/store.hpp"

namespace orderlab {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kBatch = 1000;

// Holds every store to the plan of the first, and every point to the first store that has it.
class Agreement {
 public:
  void check(const Store& store) {
    const StoredSweep sweep = store.sweep();
    if (!plan_hash_) {
      plan_hash_ = sweep.plan_hash;
      first_ = store.path();
    } else if (*plan_hash_ != sweep.plan_hash) {
      throw Error(ErrorKind::input, store.path() + ": is of another sweep than " + first_ +
                                        "; merge stores of one config, whose shards list the same points");
    }
    store.for_each_point([&](const StoredPoint& point) {
      const std::size_t content =
          std::hash<std::string>()(point.terms + point.summation + point.metrics + point.counts);
      const auto [found, added] = contents_.try_emplace(point.hash, Known{content, store.path()});
      if (found->second.content != content)
        throw Error(ErrorKind::input, store.path() + ": has other results than " + found->second.path + " for " +
                                          point.config + "; run that point again with one build of orderlab");
    });
  }

 private:
  struct Known {
    std::size_t content;
    std::string path;
  };
  std::optional<std::string> plan_hash_;
  std::string first_;
  std::unordered_map<std::string, Known> contents_;
};

void add_all(Store& to, const Store& from, std::size_t& added) {
  std::vector<StoredPoint> batch;
  const auto flush = [&] {
    to.add(batch);
    added += batch.size();
    batch.clear();
  };
  from.for_each_point([&](const StoredPoint& point) {
    if (const auto hash = ContentHash::from_text(point.hash); hash && to.has(*hash)) return;
    batch.push_back(point);
    if (batch.size() == kBatch) flush();
  });
  flush();
}

void require_others(const std::string& to, std::span<const std::string> from) {
  std::error_code code;
  for (const std::string& path : from)
    if (fs::equivalent(path, to, code))
      throw Error(ErrorKind::usage, path + ": is merged with itself; --db names the store that takes the others");
}

MergeOutcome merge_into(Store& to, const std::vector<std::unique_ptr<Store>>& stores) {
  // Titles and published points may differ where the points do not: the least is the same for any order of the stores.
  const auto words = [](const auto& store) {
    const StoredSweep sweep = store->sweep();
    return std::tuple(sweep.title, sweep.question, sweep.published);
  };
  const auto least =
      std::min_element(stores.begin(), stores.end(), [&](const auto& a, const auto& b) { return words(a) < words(b); });
  if (!to.planned()) to.copy_plan(**least);
  MergeOutcome outcome;
  for (const auto& store : stores) add_all(to, *store, outcome.added);
  const StoredSweep sweep = to.sweep();
  outcome.planned = sweep.points;
  outcome.stored = sweep.finished;
  return outcome;
}

}  // namespace

MergeOutcome merge_stores(const std::string& to, std::span<const std::string> from) {
  require_others(to, from);
  std::vector<std::unique_ptr<Store>> stores;
  Agreement agreement;
  for (const std::string& path : from) {
    stores.push_back(std::make_unique<Store>(path, Store::Access::read));
    agreement.check(*stores.back());
  }
  Store store(to, Store::Access::create);
  store.require_intact();
  if (store.planned()) agreement.check(store);
  store.prepare();
  MergeOutcome outcome = merge_into(store, stores);
  for (const auto& one : stores)
    if (const std::string said = one->unprotected(); !said.empty()) outcome.unprotected.push_back(said);
  return outcome;
}

}  // namespace orderlab
