#include "page/accuracy_rank.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "page/error_shape.hpp"
#include "page/number_words.hpp"
#include "page/power_law.hpp"

namespace orderlab {

namespace {

using PointsByTerms = std::map<InputKey, const SumPoint*>;

// The first point of each input: more of them, with other draws of the same terms, would be no new inputs.
PointsByTerms by_terms(const Cell& cell) {
  PointsByTerms points;
  for (const SumPoint* point : cell.points) points.emplace(terms_of(*point), point);
  return points;
}

std::vector<Weighted> errors_or_rms(const SumPoint& point) {
  if (!point.errors.empty()) return middles_of(point.errors);
  return {{point.error_rms.value_or(0), 1}};
}

std::vector<InputKey> common_inputs(const std::vector<PointsByTerms>& orders) {
  std::vector<InputKey> common;
  if (orders.empty()) return common;
  for (const auto& [key, point] : orders[0])
    if (std::all_of(orders.begin(), orders.end(), [&](const PointsByTerms& p) { return p.contains(key); }))
      common.push_back(key);
  return common;
}

std::string off_by_rms(double least, double greatest, const std::string& unit) {
  if (!(greatest > 0)) return "exact";
  if (in_words(least) == in_words(greatest)) return fmt::format("off by {} {} (rms)", in_words(least), unit);
  return fmt::format("off by {} to {} {} (rms)", in_words(least), in_words(greatest), unit);
}

// "a, b and c", or how many where that would be long.
std::string names_or_count(std::vector<RankedOrder> orders, std::size_t all) {
  constexpr std::size_t kMostNames = 6;
  std::sort(orders.begin(), orders.end(), [](const RankedOrder& a, const RankedOrder& b) { return a.place < b.place; });
  std::vector<std::string> names;
  for (const RankedOrder& order : orders) names.push_back(order.name);
  if (names.size() > kMostNames) return fmt::format("{} of the {} orders", names.size(), all);
  return listed(names);
}

// What the inputs gave, without a word on others.
std::string of_these_inputs(const AccuracyRank& rank, const std::string& unit) {
  const auto named = [&](const RankedOrder& end) {
    std::vector<RankedOrder> alike;
    for (const RankedOrder& order : rank.orders)
      if (in_words(order.rms) == in_words(end.rms)) alike.push_back(order);
    return names_or_count(alike, rank.orders.size());
  };
  const RankedOrder& least = rank.orders.front();
  const RankedOrder& greatest = rank.orders.back();
  const std::string what = rank.inputs == 1 ? "the rms error" : "rms errors";
  if (in_words(least.rms) == in_words(greatest.rms))
    return fmt::format("{} of all {} orders {} {} {}", what, rank.orders.size(), rank.inputs == 1 ? "is" : "are",
                       in_words(least.rms), unit);
  return fmt::format("{} range{} from {} {} ({}) to {} {} ({})", what, rank.inputs == 1 ? "s" : "", in_words(least.rms),
                     unit, named(least), in_words(greatest.rms), unit, named(greatest));
}

}  // namespace

AccuracyRank rank_accuracy(const std::vector<Cell>& cells) {
  std::vector<std::pair<RankedOrder, PointsByTerms>> orders;
  for (const Cell& cell : cells)
    if (const auto error = spread_of(cell, &SumPoint::error_rms); error && not_finite_of(cell) == 0)
      orders.push_back({{cell.series, error->rms, orders.size()}, by_terms(cell)});
  std::stable_sort(orders.begin(), orders.end(),
                   [](const auto& a, const auto& b) { return a.first.rms < b.first.rms; });
  AccuracyRank rank;
  std::vector<PointsByTerms> points;
  for (auto& [order, of_order] : orders) {
    rank.orders.push_back(order);
    points.push_back(std::move(of_order));
  }
  const std::vector<InputKey> common = common_inputs(points);
  rank.inputs = common.size();
  std::vector<std::vector<std::vector<int>>> scores(points.size(), std::vector<std::vector<int>>(points.size()));
  for (const InputKey& key : common) {
    std::vector<Magnitudes> errors;
    for (const PointsByTerms& of_order : points) errors.emplace_back(errors_or_rms(*of_order.at(key)));
    for (std::size_t i = 0; i < errors.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const int score = nearer(errors[i], errors[j]);
        scores[i][j].push_back(score);
        scores[j][i].push_back(-score);
      }
  }
  rank.most = most_accurate(scores, kPageConfidence);
  return rank;
}

std::string accuracy_in_words(const AccuracyRank& rank, const std::string& unit) {
  const std::size_t all = rank.orders.size();
  if (all < 2 || rank.inputs == 0) return {};
  const std::string count = all == 2 ? "both orders" : fmt::format("all {} orders", all);
  if (!(rank.orders.back().rms > 0)) return count + " are exact";
  if (rank.inputs == 1) return "on this one input " + of_these_inputs(rank, unit);
  if (rank.inputs < rank.needed())
    return fmt::format("{} inputs are too few to rank {} orders, {} can be enough; here {}", rank.inputs, all,
                       rank.needed(), of_these_inputs(rank, unit));
  std::vector<RankedOrder> best;
  std::vector<RankedOrder> others = rank.orders;
  for (const std::size_t i : rank.most.best) {
    best.push_back(rank.orders[i]);
    std::erase_if(others, [&](const RankedOrder& order) { return order.place == rank.orders[i].place; });
  }
  const std::string by = fmt::format("({} inputs, {} confidence)", rank.inputs, page_confidence_in_words());
  if (best.empty()) return fmt::format("each order is less accurate than another one {}", by);
  const auto [least, greatest] = std::minmax_element(
      best.begin(), best.end(), [](const RankedOrder& a, const RankedOrder& b) { return a.rms < b.rms; });
  const std::string off = off_by_rms(least->rms, greatest->rms, unit);
  if (others.empty()) return fmt::format("{} are indistinguishable in accuracy {}: {}", count, by, off);
  const std::string from = in_words(others.front().rms);
  const std::string to = in_words(others.back().rms);
  const std::string rest = others.size() > 1 ? fmt::format("the others by {}", from == to ? to : from + " to " + to)
                                             : fmt::format("{} by {}", others[0].name, to);
  if (best.size() == 1) return fmt::format("{} is the most accurate {}: {}; {}", best[0].name, by, off, rest);
  return fmt::format("{} are the most accurate and indistinguishable {}: {}; {}", names_or_count(best, all), by, off,
                     rest);
}

}  // namespace orderlab
