#include "sweep/sweep_plan.hpp"

#include <algorithm>
#include <utility>

#include "orderlab/error.hpp"
#include "orderlab/philox.hpp"
#include "sweep/sweep_axes.hpp"

namespace orderlab {

ContentHash SweepPoint::hash() const { return hash_of(std::to_string(kBitsVersion) + " " + config_text()); }

SweepPoints::SweepPoints() = default;
SweepPoints::~SweepPoints() = default;
SweepPoints::SweepPoints(SweepPoints&&) noexcept = default;
SweepPoints& SweepPoints::operator=(SweepPoints&&) noexcept = default;

SweepPoint SweepPoints::operator[](std::size_t i) const { return axes_->point(axes_->place(points_[i].product)); }

PlannedPoint SweepPoints::planned(std::size_t i) const {
  const auto [order, arrival] = axes_->texts(axes_->place(points_[i].product));
  return {points_[i].hash, order, arrival};
}

class SweepPlanner {
 public:
  SweepPlanner(ConfigFile config, const PlanOptions& options) : options_(options), path_(config.path) {
    plan_.title = std::move(config.title);
    plan_.question = std::move(config.question);
    plan_.published = std::move(config.published);
    axes_ = std::make_unique<SweepAxes>(std::move(config));
  }

  std::optional<SweepPlan> make() && {
    SweepAxes::Place at = axes_->place(0);
    points().reserve(axes_->product());
    for (std::uint64_t product = 0; product < axes_->product(); ++product, axes_->advance(at)) {
      if (product % kTogether == 0 && stopped_at(product)) return std::nullopt;
      if (axes_->excluded(at)) continue;
      axes_->read(at);
      points().push_back({axes_->point(at).hash(), product});
    }
    plan_.has_operations = axes_->has_operations();
    if (points().empty())
      throw Error(ErrorKind::input, path_ + ": all points are excluded; leave out a condition of `exclude`");
    drop_equal_ones();
    plan_.points.axes_ = std::move(axes_);
    return std::move(plan_);
  }

 private:
  // Milliseconds of work.
  static constexpr std::uint64_t kTogether = 1024;

  std::vector<SweepPoints::Place>& points() { return plan_.points.points_; }

  bool stopped_at(std::uint64_t product) const {
    if (options_.progress) options_.progress(product, axes_->product());
    return options_.stop.stop_requested();
  }

  void drop_equal_ones() {
    using Place = SweepPoints::Place;
    std::vector<Place>& all = points();
    std::sort(all.begin(), all.end(),
              [](const Place& a, const Place& b) { return std::tie(a.hash, a.product) < std::tie(b.hash, b.product); });
    all.erase(std::unique(all.begin(), all.end(), [](const Place& a, const Place& b) { return a.hash == b.hash; }),
              all.end());
    std::sort(all.begin(), all.end(), [](const Place& a, const Place& b) { return a.product < b.product; });
  }

  const PlanOptions& options_;
  std::string path_;
  SweepPlan plan_;
  std::unique_ptr<SweepAxes> axes_;
};

std::optional<SweepPlan> make_plan(ConfigFile config, const PlanOptions& options) {
  return SweepPlanner(std::move(config), options).make();
}

SweepPlan make_plan(ConfigFile config) { return *make_plan(std::move(config), {}); }

void add_to_plan_hash(ContentHasher& hasher, std::string_view hash_text, std::string_view order_text,
                      std::string_view arrival_text) {
  hasher.add(hash_text);
  hasher.add(" ");
  hasher.add(order_text);
  hasher.add(" ");
  hasher.add(arrival_text);
  hasher.add("\n");
}

ContentHash plan_hash(const SweepPlan& plan) {
  ContentHasher hasher;
  for (std::size_t i = 0; i < plan.points.size(); ++i) {
    const PlannedPoint point = plan.points.planned(i);
    add_to_plan_hash(hasher, point.hash.text(), point.order_text, point.arrival_text);
  }
  return hasher.digest();
}

}  // namespace orderlab
