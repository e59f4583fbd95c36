// Studies made by hand, and what a page says of them.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "page/chart.hpp"

namespace orderlab {

/// A sampled point of one input; what a test is about it sets itself.
inline SumPoint sampled_point(const std::string& order, std::uint64_t n, std::uint64_t input = 0) {
  SumPoint point;
  point.order = order;
  point.expression = order;
  point.terms = "uniform(0,1)";
  point.n = n;
  point.input = input;
  point.input_seed = point.seed = 1;
  point.samples = point.asked = 100;
  point.random = true;
  point.condition = 1;
  point.unit_roundoff = 0x1p-53;
  return point;
}

/// A fixed order with this error.
inline SumPoint fixed_off(const std::string& order, std::uint64_t n, double error, std::uint64_t input = 0) {
  SumPoint point = sampled_point(order, n, input);
  point.random = false;
  point.relative_max_abs = point.error_max_abs = point.error_rms = error;
  point.errors = {{{error, 1}}};
  return point;
}

/// A random order with this spread.
inline SumPoint spread_out(const std::string& order, std::uint64_t n, double spread, std::uint64_t input) {
  SumPoint point = sampled_point(order, n, input);
  point.vs_spread = point.vs_max_abs = point.error_sd = spread;
  return point;
}

inline SweepContent content_with(std::vector<SumPoint> points) {
  SweepContent content;
  content.title = "By hand";
  content.planned = points.size();
  content.swept = true;
  content.points = std::move(points);
  return content;
}

inline std::optional<Figure> figure_of(const SweepContent& content, std::string_view name) {
  const auto chart = std::find_if(charts().begin(), charts().end(), [&](const Chart* c) { return c->name == name; });
  REQUIRE(chart != charts().end());
  return (*chart)->draw(content);
}

/// The sentence of a chart that contains `part`; empty where none does.
inline std::string sentence_with(const SweepContent& content, std::string_view chart, std::string_view part) {
  const auto figure = figure_of(content, chart);
  if (!figure) return {};
  for (const std::string& sentence : figure->conclusions)
    if (sentence.find(part) != std::string::npos) return sentence;
  return {};
}

/// Whether `text` contains `part`.
inline bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace orderlab
