// Findings of `sample` as tests need them, and their texts.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/json.hpp"
#include "orderlab/terms.hpp"
#include "show/make_sample.hpp"
#include "show/sample.hpp"

namespace orderlab::report_tests {

/// Orders of given terms.
inline study::SampleFinding of_values(const std::vector<std::string>& orders, const std::string& values,
                                      const std::string& format = "fp64", std::uint64_t samples = 1000) {
  const SamplePlan plan{.orders = orders, .formats = parse_formats(format), .samples = samples};
  return make_sample(plan, parse_terms(values, plan.formats.terms));
}

/// Orders of generated terms.
inline study::SampleFinding of_draws(const std::vector<std::string>& orders, std::size_t n,
                                     const std::string& distribution = "uniform(0,10)",
                                     const std::string& format = "fp64", std::uint64_t max_distinct = 1U << 20U) {
  const SamplePlan plan{
      .orders = orders, .formats = parse_formats(format), .samples = 300, .max_distinct = max_distinct};
  return make_sample(plan, generate_terms(distribution, n, plan.formats.terms, 1), distribution);
}

inline Json document(const study::SampleFinding& finding) { return Json::parse(to_json(finding)); }

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Without line breaks, which depend on the width.
inline std::string unwrapped(std::string text) {
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text;
}

inline std::string text_of(const study::SampleFinding& finding, int width = 80, bool color = false) {
  return to_text(finding, {width, color});
}

}  // namespace orderlab::report_tests
