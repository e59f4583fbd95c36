#include "fit/minimize.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace orderlab {

namespace {

class Simplex {
 public:
  using Function = std::function<std::optional<double>(std::span<const double>)>;

  Simplex(const Function& function, const std::vector<double>& start, const MinimizeLimits& limits)
      : function_(function), limits_(limits) {
    corners_.push_back({start, 0});
    for (std::size_t i = 0; i < start.size(); ++i) {
      corners_.push_back({start, 0});
      corners_.back().point[i] += limits.step;
    }
  }

  std::optional<Minimum> run() {
    for (Minimum& corner : corners_)
      if (!evaluate(corner)) return std::nullopt;
    sort();
    while (!small() && evaluations_ < limits_.evaluations)
      if (!move()) return std::nullopt;
    return corners_.front();
  }

 private:
  bool evaluate(Minimum& corner) {
    const std::optional<double> value = function_(corner.point);
    ++evaluations_;
    corner.value = value.value_or(0);
    return value.has_value();
  }

  void sort() {  // stable: of equal corners the older one stays in front
    std::stable_sort(corners_.begin(), corners_.end(),
                     [](const Minimum& a, const Minimum& b) { return a.value < b.value; });
  }

  bool small() const {
    for (const Minimum& corner : corners_)
      for (std::size_t i = 0; i < corner.point.size(); ++i)
        if (std::fabs(corner.point[i] - corners_.front().point[i]) > limits_.tolerance) return false;
    return true;
  }

  // The worst corner moved along the line through the middle of the others: 1 is its mirror image.
  Minimum moved(double factor) const {
    Minimum to = corners_.back();
    for (std::size_t i = 0; i < to.point.size(); ++i) {
      double middle = 0;
      for (std::size_t c = 0; c + 1 < corners_.size(); ++c) middle += corners_[c].point[i];
      middle /= static_cast<double>(corners_.size() - 1);
      to.point[i] = middle + factor * (middle - corners_.back().point[i]);
    }
    return to;
  }

  // One step; false when stopped.
  bool move() {
    Minimum mirrored = moved(1);
    if (!evaluate(mirrored)) return false;
    const double second_worst = corners_[corners_.size() - 2].value;
    if (mirrored.value < corners_.front().value) {
      Minimum farther = moved(2);
      if (!evaluate(farther)) return false;
      corners_.back() = farther.value < mirrored.value ? farther : mirrored;
    } else if (mirrored.value < second_worst) {
      corners_.back() = mirrored;
    } else {
      Minimum nearer = moved(mirrored.value < corners_.back().value ? 0.5 : -0.5);
      if (!evaluate(nearer)) return false;
      if (!(nearer.value < std::min(mirrored.value, corners_.back().value))) return shrink();
      corners_.back() = nearer;
    }
    sort();
    return true;
  }

  bool shrink() {
    for (std::size_t c = 1; c < corners_.size(); ++c) {
      for (std::size_t i = 0; i < corners_[c].point.size(); ++i)
        corners_[c].point[i] = (corners_[c].point[i] + corners_.front().point[i]) / 2;
      if (!evaluate(corners_[c])) return false;
    }
    sort();
    return true;
  }

  const Function& function_;
  const MinimizeLimits& limits_;
  std::vector<Minimum> corners_;
  std::size_t evaluations_ = 0;
};

}  // namespace

std::optional<Minimum> minimize(const std::function<std::optional<double>(std::span<const double>)>& function,
                                std::vector<double> start, const MinimizeLimits& limits) {
  return Simplex(function, start, limits).run();
}

}  // namespace orderlab
