#include "page/paired_wins.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>

namespace orderlab {

namespace {

constexpr double kEqual = 1e-9;  // relative; an error comes with some 50 bits, 30 of which are more than enough

// Results of either list that lie below those of the other, as parts of all pairs.
double share_below(const std::vector<Weighted>& low, const std::vector<Weighted>& high) {
  double below = 0;
  double total_high = 0;
  double seen = 0;
  std::size_t next = 0;
  for (const Weighted& one : high) {
    while (next < low.size() && low[next].value < one.value * (1 - kEqual)) seen += low[next++].weight;
    below += seen * one.weight;
    total_high += one.weight;
  }
  double total_low = 0;
  for (const Weighted& one : low) total_low += one.weight;
  return below / total_low / total_high;
}

}  // namespace

Magnitudes::Magnitudes(std::span<const Weighted> errors) {
  for (const Weighted& error : errors) ascending_.push_back({std::fabs(error.value), error.weight});
  std::sort(ascending_.begin(), ascending_.end(),
            [](const Weighted& a, const Weighted& b) { return a.value < b.value; });
}

int nearer(const Magnitudes& a, const Magnitudes& b) {
  const double difference = share_below(a.ascending_, b.ascending_) - share_below(b.ascending_, a.ascending_);
  return difference > kEqual ? 1 : difference < -kEqual ? -1 : 0;
}

int nearer(std::span<const Weighted> a, std::span<const Weighted> b) { return nearer(Magnitudes(a), Magnitudes(b)); }

PairedWins paired_wins(std::span<const int> scores, double tail) {
  PairedWins wins;
  for (const int score : scores) ++(score > 0 ? wins.won : score < 0 ? wins.lost : wins.tied);
  const auto n = static_cast<double>(wins.won + wins.lost);
  if (n == 0) return wins;
  using Binomial = boost::math::binomial_distribution<double>;
  wins.low = Binomial::find_lower_bound_on_p(n, static_cast<double>(wins.won), tail);
  wins.high = Binomial::find_upper_bound_on_p(n, static_cast<double>(wins.won), tail);
  return wins;
}

MostAccurate most_accurate(const std::vector<std::vector<std::vector<int>>>& scores, double confidence) {
  MostAccurate most;
  const std::size_t orders = scores.size();
  most.tail = (1 - confidence) / static_cast<double>(std::max<std::size_t>(orders, 2));
  for (std::size_t i = 0; i < orders; ++i) {
    most.wins.emplace_back(orders);
    for (std::size_t j = 0; j < orders; ++j)
      if (i != j) most.wins[i][j] = paired_wins(scores[i][j], most.tail);
  }
  for (std::size_t i = 0; i < orders; ++i) {
    bool beaten = false;
    for (std::size_t j = 0; j < orders; ++j) beaten = beaten || (i != j && most.wins[j][i].beats());
    if (!beaten) most.best.push_back(i);
  }
  if (most.best.size() != 1) return most;
  const std::size_t only = most.best.front();
  for (std::size_t j = 0; j < orders; ++j)
    if (j != only && !most.wins[only][j].beats()) most.best.push_back(j);
  std::sort(most.best.begin(), most.best.end());
  return most;
}

std::size_t inputs_needed(double tail) {
  std::size_t n = 1;
  for (double all = 0.5; all >= tail; all /= 2) ++n;
  return n;
}

}  // namespace orderlab
