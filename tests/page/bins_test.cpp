// Bins lie at the same places in the text, in CSV and on the page, and none is printed as if it were a number.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "page/chart.hpp"
#include "page/error_shape.hpp"
#include "show/make_sample.hpp"
#include "show/sample.hpp"

using namespace orderlab;

namespace {

study::SampleFinding binned(std::uint64_t max_distinct, const char* format = "fp64") {
  const SamplePlan plan{
      .orders = {"random"}, .formats = parse_formats(format), .samples = 400, .max_distinct = max_distinct};
  return make_sample(plan, generate_terms("normal(0,1)", 2000, plan.formats.terms, 1), "normal(0,1)");
}

/// A range of errors in ulps, and how many lie in it.
struct Range {
  double low;
  double high;
  std::uint64_t count;
};

std::vector<Range> bins_of_order(const study::SampleFinding& finding) {
  const ResultCounts& counts = finding.orders[0].counts;
  const Distribution errors = errors_of(counts, finding.input.exact);
  const double ulp = std::ldexp(1.0, counts.frame().ulp_exponent);
  std::vector<Range> bins;
  for (const auto& [edge, count] : errors.values)
    bins.push_back({edge / ulp, (edge + errors.width) / ulp, static_cast<std::uint64_t>(count)});
  return bins;
}

// From the lines "[-16.4, -0.4) ulp  bar  count  percent".
std::vector<Range> ranges_in_text(const std::string& text) {
  std::vector<Range> ranges;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with('[')) continue;
    const std::size_t comma = line.find(',');
    Range range{std::strtod(line.c_str() + 1, nullptr), std::strtod(line.c_str() + comma + 1, nullptr), 0};
    std::istringstream words(line.substr(line.find("ulp") + 3));
    for (std::string word; words >> word;)
      if (word.find_first_not_of("0123456789") == std::string::npos) range.count = std::stoull(word);
    ranges.push_back(range);
  }
  return ranges;
}

std::vector<Range> ranges_in_csv(const std::string& csv) {
  std::vector<Range> ranges;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);
  REQUIRE(line == "order,bits,value,count,error_ulp,bin_ulp");
  while (std::getline(lines, line)) {
    std::vector<std::string> cells;
    std::istringstream parts(line);
    for (std::string cell; std::getline(parts, cell, ',');) cells.push_back(cell);
    REQUIRE(cells.size() == 6);
    CHECK(cells[1].empty());
    const double low = std::strtod(cells[4].c_str(), nullptr);
    ranges.push_back({low, low + std::strtod(cells[5].c_str(), nullptr), std::stoull(cells[3])});
  }
  return ranges;
}

}  // namespace

TEST_CASE("text, CSV and page give the bins the same edges") {
  for (const std::uint64_t most : {8U, 16U, 40U})
    for (const char* format : {"fp64", "fp32"}) {
      CAPTURE(most);
      CAPTURE(format);
      const study::SampleFinding finding = binned(most, format);
      REQUIRE(finding.orders[0].counts.binned());
      const std::vector<Range> bins = bins_of_order(finding);
      const double width = bins[0].high - bins[0].low;
      const double rounded = width * 0.01 * 16;  // what the texts of 16 joined bins may be off by

      const std::vector<Range> csv = ranges_in_csv(to_csv(finding));
      REQUIRE(csv.size() == bins.size());
      for (std::size_t i = 0; i < csv.size(); ++i) {
        CHECK(csv[i].low == bins[i].low);
        CHECK(std::fabs(csv[i].high - bins[i].high) <= 0x1p-50 * std::fabs(bins[i].high));
        CHECK(csv[i].count == bins[i].count);
      }

      const auto inside = [&](const Range& range, double slack) {
        std::uint64_t count = 0;
        for (const Range& bin : bins)
          if (bin.low >= range.low - slack && bin.high <= range.high + slack) count += bin.count;
        return count;
      };
      const std::vector<Range> text = ranges_in_text(to_text(finding, {100, false}));
      REQUIRE(text.size() >= 2);
      CHECK(text.size() <= 15);
      std::uint64_t total = 0;
      for (const Range& range : text) {
        CHECK(inside(range, rounded) == range.count);
        total += range.count;
      }
      CHECK(total == 400);

      const SumPoint point = content_of(finding).points[0];
      total = 0;
      for (const HistogramBar& bar : histogram_of(point.errors)) {
        const std::uint64_t count = inside({bar.low, bar.high, 0}, width * 1e-6);
        CHECK(std::fabs(static_cast<double>(count) / 400 - bar.fraction) < 1e-12);
        total += count;
      }
      CHECK(total == 400);
    }
}

TEST_CASE("every result lies in its bin") {
  const study::SampleFinding finding = binned(16);
  const study::SampleFinding listed = binned(1U << 20U);
  std::map<double, std::uint64_t> counts;
  for (const Range& bin : bins_of_order(finding)) {
    CHECK(counts.emplace(bin.low, 0).second);
    for (const Weighted& result : listed.orders[0].counts.results().values) {
      const double error =
          std::ldexp(finding.input.exact.difference(result.value), -finding.orders[0].counts.frame().ulp_exponent);
      const double slack = 1e-9 * (bin.high - bin.low);  // results on an edge, roundings of the offset
      if (error >= bin.low - slack && error < bin.high - slack)
        counts[bin.low] += static_cast<std::uint64_t>(result.weight);
    }
    CHECK(counts[bin.low] == bin.count);
  }
}
