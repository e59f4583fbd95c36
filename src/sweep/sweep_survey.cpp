#include "sweep/sweep_survey.hpp"

#include <filesystem>
#include <memory>
#include <unordered_set>
#include <utility>

#include "orderlab/error.hpp"
#include "sweep/store.hpp"
#include "sweep/store_file.hpp"

namespace orderlab {

namespace {

Error nothing_begun(std::span<const std::string> stores) {
  std::error_code code;
  if (stores.size() > 1)
    return Error(ErrorKind::input,
                 stores.front() + ": neither this store nor the others have a sweep yet; give the config too");
  return Error(ErrorKind::input, stores.front() + (std::filesystem::exists(stores.front(), code)
                                                       ? ": has no sweep yet; give the config too"
                                                       : ": no such file; `orderlab sweep` makes one"));
}

class Survey {
 public:
  explicit Survey(const SurveyOptions& options) : options_(options) {
    if (options.plan == nullptr) return;
    plan_hash_ = plan_hash(*options.plan).text();
    for (std::size_t i = 0; i < options.plan->points.size(); ++i) places_.push_back(options.plan->points.hash(i));
  }

  SweepSurvey run(std::span<const std::string> stores) {
    std::uint64_t done = 0;
    for (const std::string& path : stores) {
      survey_.stopped = options_.stop.stop_requested();
      if (survey_.stopped) return std::move(survey_);
      look_at(path);
      if (options_.progress) options_.progress(++done, stores.size());
    }
    if (plan_hash_.empty() && !survey_.complaints.empty()) throw Error(ErrorKind::input, survey_.complaints.front());
    if (plan_hash_.empty()) throw nothing_begun(stores);
    survey_.status = SweepStatus(runs_, places_.size());
    for (std::size_t i = 0; i < places_.size(); ++i) survey_.status.add(i, finished_.contains(places_[i]));
    return std::move(survey_);
  }

 private:
  void look_at(const std::string& path) {
    std::unique_ptr<const Store> store;
    try {
      if (!Store::begun(path)) return survey_.absent.push_back(path);
      store = std::make_unique<Store>(path, plan_hash_.empty() ? Store::Access::read : Store::Access::points);
    } catch (const Error& error) {
      survey_.unreadable.push_back(path);
      if (!is_store_file(path)) survey_.foreign.push_back(path);
      survey_.complaints.emplace_back(error.what());
      return;
    }
    add(*store);
  }

  void add(const Store& store) {
    const StoredSweep sweep = store.sweep();
    if (plan_hash_.empty()) {
      plan_hash_ = sweep.plan_hash;
      store.for_each_place([&](const StoredPlace& place) {
        places_.push_back(ContentHash::from_text(place.point).value_or(ContentHash{}));
      });
      first_ = store.path();
    }
    if (sweep.plan_hash != plan_hash_)
      throw Error(ErrorKind::input, store.path() + ": is of another sweep than " + first_);
    for (const Shard& shard : sweep.shards) runs_.push_back({shard, store.path()});
    if (sweep.shards.empty()) runs_.push_back({{1, 1}, store.path()});
    store.for_each_point([&](const StoredPoint& point) {
      if (const auto hash = ContentHash::from_text(point.hash)) finished_.insert(*hash);
    });
  }

  const SurveyOptions& options_;
  std::string plan_hash_;
  std::string first_ = "the config";
  std::vector<ContentHash> places_;
  std::unordered_set<ContentHash, ContentHash::Key> finished_;
  std::vector<ShardRun> runs_;
  SweepSurvey survey_;
};

}  // namespace

SweepSurvey survey_stores(std::span<const std::string> stores, const SurveyOptions& options) {
  return Survey(options).run(stores);
}

}  // namespace orderlab
