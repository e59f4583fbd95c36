#include "engine/binade_order.hpp"

#include <algorithm>
#include <cmath>

#include "core/arithmetic_guard.hpp"
#include "core/stop.hpp"

namespace orderlab {

namespace {

using Positions = std::vector<std::uint32_t>;

// A piece of the running sum's path inside one binade: from 2^exponent to twice that, or part of it.
struct BinadeSegment {
  int exponent = 0;
  double length = 0;
  Positions members = {};
};

// Appends the pieces between `from` and `to`, 0 <= from < to, lowest first. The part more than kDepth binades
// below `to` is one piece: its roundings are negligible.
void add_climb(double from, double to, std::vector<BinadeSegment>& path) {
  constexpr int kDepth = 24;
  const std::size_t begin = path.size();
  const int top = std::ilogb(to);
  for (int e = top; to > from; --e) {
    const double low = std::max(from, e > top - kDepth ? std::ldexp(1.0, e) : 0.0);
    if (low < to) path.push_back({e, to - low});
    to = low;
  }
  std::reverse(path.begin() + static_cast<std::ptrdiff_t>(begin), path.end());
}

// The path of a running sum from `from` to `to`, in its own direction.
std::vector<BinadeSegment> path_between(double from, double to) {
  std::vector<BinadeSegment> path;
  const auto descend = [&path](double high, double low) {
    const auto begin = static_cast<std::ptrdiff_t>(path.size());
    add_climb(low, high, path);
    std::reverse(path.begin() + begin, path.end());
  };
  const double a = std::fabs(from);
  const double b = std::fabs(to);
  if (from != 0 && to != 0 && std::signbit(from) != std::signbit(to)) {
    descend(a, 0);
    add_climb(0, b, path);
  } else if (a < b) {
    add_climb(a, b, path);
  } else if (b < a) {
    descend(a, b);
  }
  return path;
}

// What rounding adds to s + x in units of the ulp, s in the binade of `exponent`: upward positive; 0 for a tie, which
// goes either way.
double rounded_at(double x, int exponent, int precision) {
  const double y = std::ldexp(x, precision - 1 - exponent);
  if (!(std::fabs(y) < 0x1p52)) return 0;
  const double error = std::nearbyint(y) - y;
  return std::fabs(error) == 0.5 ? 0 : error;
}

class Filling {
 public:
  Filling(std::span<const double> values, Format format, const BinadeOrder& wanted)
      : values_(values), precision_(info(format).precision), wanted_(wanted) {}

  // Distributes `left`, numbers of one sign, over the pieces of the path, highest binade first, and gives them in the
  // path's order.
  Positions fill(std::vector<BinadeSegment> path, Positions left) {
    if (path.empty()) return left;
    std::vector<std::size_t> by_height(path.size());
    for (std::size_t i = 0; i < path.size(); ++i) by_height[i] = i;
    std::stable_sort(by_height.begin(), by_height.end(),
                     [&](std::size_t a, std::size_t b) { return path[a].exponent > path[b].exponent; });
    for (const std::size_t i : by_height) take(path[i], left);
    Positions& lowest = path[by_height.back()].members;
    lowest.insert(lowest.end(), left.begin(), left.end());
    Positions order;
    for (const BinadeSegment& segment : path) order.insert(order.end(), segment.members.begin(), segment.members.end());
    return order;
  }

 private:
  struct Rated {
    double gain;  // ulps in the desired direction per unit of path
    std::uint32_t position;
  };

  void take(BinadeSegment& segment, Positions& left) {
    std::vector<Rated> rated;
    rated.reserve(left.size());
    const double sign = wanted_.greatest ? 1 : -1;
    for (const std::uint32_t i : left) {
      stop_point_at(rated.size());
      const double here = rounded_at(values_[i], segment.exponent, precision_);
      const double lower = rounded_at(values_[i], segment.exponent - 1, precision_) / 2;
      const double size = std::ldexp(std::fabs(values_[i]), precision_ - 1 - segment.exponent);
      rated.push_back({size > 0 ? sign * (here - wanted_.foresight * lower) / size : 0, i});
    }
    StopCounter stop;
    std::stable_sort(rated.begin(), rated.end(), [&](const Rated& a, const Rated& b) {
      stop.step();
      return a.gain > b.gain;
    });
    double length = 0;
    std::size_t taken = 0;
    for (; taken < rated.size(); ++taken) {
      const double size = std::fabs(values_[rated[taken].position]);
      if (length + size / 2 > segment.length) break;
      length += size;
      segment.members.push_back(rated[taken].position);
    }
    left.clear();
    for (std::size_t i = taken; i < rated.size(); ++i) left.push_back(rated[i].position);
  }

  std::span<const double> values_;
  int precision_;
  BinadeOrder wanted_;
};

}  // namespace

std::vector<std::uint32_t> binade_order(std::span<const double> values, Format format, const BinadeOrder& wanted) {
  Positions first;
  Positions second;
  double peak = 0;
  double end = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool of_first = std::signbit(values[i]) == wanted.negative_first;
    (of_first ? first : second).push_back(static_cast<std::uint32_t>(i));
    end += values[i];
    if (of_first) peak += values[i];
  }
  if (!std::isfinite(peak) || !std::isfinite(end)) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
  }
  Filling filling(values, format, wanted);
  Positions order = filling.fill(path_between(0, peak), std::move(first));
  const Positions rest = filling.fill(path_between(peak, end), std::move(second));
  order.insert(order.end(), rest.begin(), rest.end());
  return order;
}

}  // namespace orderlab
