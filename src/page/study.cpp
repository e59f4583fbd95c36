#include "page/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "experiment/counts_blob.hpp"
#include "experiment/enumerated_order.hpp"
#include "experiment/input_json.hpp"
#include "orderlab/bounds.hpp"
#include "orderlab/error.hpp"
#include "page/error_shape.hpp"
#include "report/experiment_text.hpp"

namespace orderlab {

namespace {

/// The documents that a store has of a point, and its counts.
struct PointTexts {
  Json config;
  Json terms;
  Json summation;
  Json metrics;
  BlobCounts counts;
};

// A number at a path of keys, infinities included; empty for null and for what is not there.
std::optional<double> number(const Json& json, std::initializer_list<const char*> path) {
  const Json* at = &json;
  for (const char* key : path) {
    at = &(*at)[key];
  }
  if (at->is_number()) return at->number();
  if (*at == "inf") return std::numeric_limits<double>::infinity();
  return std::nullopt;
}

std::string text(const Json& json, const char* key) { return json[key].is_text() ? json[key].text() : std::string(); }

std::uint64_t count(const Json& json, const char* key) { return json[key].is_count() ? json[key].count() : 0; }

// 2^k = ulp(S): the quotient of the same range in values and in ulps, rounded to a power of two, which it is but for
// roundings of 2^-50 or so. Empty where all results are equal.
std::optional<int> ulp_exponent_of(const std::vector<Weighted>& values, double min_ulp, double max_ulp) {
  if (values.empty() || !(max_ulp > min_ulp)) return std::nullopt;
  const double range = values.back().value / 2 - values.front().value / 2;  // halves: two large ones may overflow
  return static_cast<int>(std::lround(std::log2(range / (max_ulp - min_ulp)))) + 1;
}

std::vector<Weighted> equal_joined(std::span<const Weighted> errors) {
  std::vector<Weighted> joined;
  for (const Weighted& error : errors)
    if (!joined.empty() && joined.back().value == error.value)
      joined.back().count += error.count;
    else
      joined.push_back(error);
  return joined;
}

// How far the rounded sum, which bins begin at, lies above the exact one, in ulps. The median that was stored is the
// lower edge of its bin, measured from the exact sum.
double offset_of_bins(const PointTexts& point) {
  const auto median = number(point.metrics, {"error", "ulp", "quantiles", "0.5", "value"});
  std::vector<Weighted> edges;
  for (const ResultCounts::Bin& bin : point.counts.bins)
    edges.push_back({std::ldexp(bin.index, point.counts.bin_exponent), bin.count});
  return median && !edges.empty() ? *median - quantile(edges, 0.5) : 0;
}

// Middles of bins, joined in pairs until they are few enough.
std::vector<Weighted> middles_of(std::span<const ResultCounts::Bin> bins, int exponent, double offset, double& width) {
  std::map<double, std::uint64_t> counts;
  for (int joined = 0; joined == 0 || counts.size() > kKeptErrors; ++joined) {
    counts.clear();
    for (const ResultCounts::Bin& bin : bins) counts[std::floor(std::ldexp(bin.index, -joined))] += bin.count;
    width = std::ldexp(1.0, exponent + joined);
  }
  std::vector<Weighted> middles;
  for (const auto& [index, count] : counts) middles.push_back({(index + 0.5) * width + offset, count});
  return middles;
}

// Errors in ulps from the results: their differences are exact, and the least error is known from the exact sum.
std::vector<Weighted> errors_of(const PointTexts& point, double& bin_width) {
  const auto min_ulp = number(point.metrics, {"error", "ulp", "min"});
  const auto max_ulp = number(point.metrics, {"error", "ulp", "max"});
  std::vector<Weighted> errors;
  if (!min_ulp || !max_ulp || !std::isfinite(*min_ulp) || !std::isfinite(*max_ulp)) return errors;
  if (point.counts.binned) {
    return middles_of(point.counts.bins, point.counts.bin_exponent, offset_of_bins(point), bin_width);
  }
  for (const ResultCounts::Result& result : point.counts.results)
    if (std::isfinite(result.value)) errors.push_back({result.value, result.count});
  const auto exponent = ulp_exponent_of(errors, *min_ulp, *max_ulp);
  const double least = errors.empty() ? 0 : errors.front().value;
  for (Weighted& error : errors)
    error.value = *min_ulp + (exponent ? std::ldexp(error.value - least, -*exponent) : 0.0);
  return equal_joined(errors);  // -0 and +0 are two results of one error
}

// ulp(S) in u sum |x|, by what the largest error is in both units; of an exact sum, which is a number of its format, by
// its exponent. Next to a sum of 0 an ulp is 2^-1074: over u sum |x| it is a normal number, over sum |x| it is not.
std::optional<double> ulp_in_u_sum_abs(const StudyPoint& point, const PointTexts& texts) {
  const auto part = point.in_u_sum_abs.max_abs;
  if (part && point.error_max_abs && *point.error_max_abs > 0 && std::isfinite(*point.error_max_abs))
    return *part / *point.error_max_abs;
  const auto value = number(texts.terms, {"exact", "value"});
  const auto sum_abs = number(texts.terms, {"sum_abs"});
  if (!value || !sum_abs || !(*sum_abs > 0) || !std::isfinite(*value)) return std::nullopt;
  const FormatInfo& format = info(point.formats.result);
  const int exponent = *value == 0 ? format.e_min : std::max(std::ilogb(*value), format.e_min);
  return std::ldexp(1 / point.unit_roundoff, exponent - format.precision + 1) / *sum_abs;
}

// Differences from the baseline's result over sum |x|. Results are subtracted themselves: equal ones differ by 0.
void add_differences(StudyPoint& point, const PointTexts& texts) {
  const auto sum_abs = number(texts.terms, {"sum_abs"});
  if (point.in_u_sum_abs.sd) point.apart_spread = *point.in_u_sum_abs.sd * point.unit_roundoff;
  const std::string bits = text(texts.metrics["vs"], "baseline_bits");
  if (bits.empty() || !sum_abs || !(*sum_abs > 0) || texts.counts.binned) return;
  const double base = value_of_bits(point.formats.result, std::stoull(bits, nullptr, 16));
  if (!std::isfinite(base)) return;
  double largest = 0;
  double sum = 0;
  double count = 0;
  for (const ResultCounts::Result& result : texts.counts.results) {
    if (!std::isfinite(result.value)) continue;
    const double difference = (result.value - base) / *sum_abs;
    largest = std::max(largest, std::fabs(difference));
    sum += difference * static_cast<double>(result.count);
    count += static_cast<double>(result.count);
  }
  if (count == 0) return;
  point.apart_max_abs = largest;
  point.apart_offset = sum / count;
}

void add_common_value(StudyPoint& point, const BlobCounts& counts) {
  if (counts.binned || counts.results.empty()) return;
  const double first = counts.results.front().value;
  if (std::isfinite(first) && first == counts.results.back().value) point.common_value = first;
}

void add_bounds(StudyPoint& point, const PointTexts& texts) {
  // Bounds are absolute: in ulps by what the largest error is in both.
  const auto relative = number(texts.metrics, {"error", "relative", "max_abs"});
  const auto value = number(texts.terms, {"exact", "value"});
  if (!relative || !value || !point.error_max_abs || !(*point.error_max_abs > 0) || !(*relative > 0)) return;
  const double ulp = *relative * std::fabs(*value) / *point.error_max_abs;
  const auto running = number(texts.metrics, {"bounds", "running", "max"});
  const auto random = number(texts.metrics, {"bounds", "probabilistic", "value"});
  if (running) point.running_bound = *running / ulp;
  if (random && !no_better(random, running)) point.probabilistic_bound = *random / ulp;
}

// Mean and deviation are of N - 1; a root mean square of N.
ErrorSizes error_sizes(const Json& metrics, const char* unit, std::uint64_t samples) {
  ErrorSizes sizes;
  const auto mean = number(metrics, {"error", unit, "mean"});
  sizes.sd = number(metrics, {"error", unit, "sd"});
  sizes.max_abs = number(metrics, {"error", unit, "max_abs"});
  const double n = static_cast<double>(std::max<std::uint64_t>(samples, 1));
  if (mean) sizes.rms = std::hypot(*mean, sizes.sd.value_or(0) * std::sqrt((n - 1) / n));
  const auto least = number(metrics, {"error", unit, "min"});
  const auto greatest = number(metrics, {"error", unit, "max"});
  if (least && greatest) sizes.range = *greatest - *least;
  return sizes;
}

void set_errors(StudyPoint& point, const ErrorSizes& sizes) {
  point.error_sd = sizes.sd;
  point.error_max_abs = sizes.max_abs;
  point.error_rms = sizes.rms;
  point.error_range = sizes.range;
}

StudyPoint point_of(const PointTexts& texts) {
  StudyPoint point;
  const Json& config = texts.config;
  point.expression = text(texts.summation, "expression");
  point.random = text(texts.summation, "guarantee") == "not_guaranteed";
  point.terms = config.contains("dist") ? text(config, "dist") : text(config, "input");
  point.baseline = text(config, "baseline");
  point.formats = parse_formats(text(config, "format"));
  point.n = count(config, "n");
  point.input = count(config, "input");
  point.input_seed = count(config, "input_seed");
  point.seed = count(config, "seed");
  point.asked = count(config, "samples");
  point.all_orders = text(config, "samples") == kAllOrders;
  if (point.all_orders) point.seed = point.input_seed;  // nothing is drawn, so the config has no seed of its own
  point.max_distinct = count(config, "max_distinct");
  point.samples = count(texts.metrics, "samples");
  point.condition = number(texts.terms, {"condition"});
  point.distinct = number(texts.metrics, {"distinct"});
  set_errors(point, error_sizes(texts.metrics, "ulp", point.samples));
  point.in_u_sum_abs = error_sizes(texts.metrics, "u_sum_abs", point.samples);
  point.relative_max_abs = number(texts.metrics, {"error", "relative", "max_abs"});
  point.vs_baseline = text(texts.metrics["vs"], "baseline");
  point.vs_offset = number(texts.metrics, {"vs", "offset"});
  point.vs_spread = number(texts.metrics, {"vs", "spread"});
  point.vs_max_abs = number(texts.metrics, {"vs", "max_abs"});
  point.unit_roundoff = info(point.formats.accumulate).unit_roundoff();
  const std::vector<Weighted> errors = errors_of(texts, point.bin_width);
  std::uint64_t finite = 0;
  for (const Weighted& error : errors) finite += error.count;
  point.not_finite = point.samples - std::min(finite, point.samples);
  point.errors = joined_neighbours(errors, kKeptErrors);
  add_bounds(point, texts);
  add_common_value(point, texts.counts);
  point.ulp_in_u_sum_abs = ulp_in_u_sum_abs(point, texts).value_or(0);
  if (point.in_u_sum_abs.max_abs) point.part_max_abs = *point.in_u_sum_abs.max_abs * point.unit_roundoff;
  add_differences(point, texts);
  return point;
}

// From ulps, in which points are read, to u sum|x|.
void rescale(StudyPoint& point) {
  set_errors(point, point.in_u_sum_abs);
  const double scale = point.ulp_in_u_sum_abs;
  if (!(scale > 0)) return;
  for (std::optional<double> StudyPoint::*bound : {&StudyPoint::running_bound, &StudyPoint::probabilistic_bound})
    if (point.*bound) *(point.*bound) *= scale;
  for (Weighted& error : point.errors) error.value *= scale;
  point.bin_width *= scale;
}

void choose_unit(Study& study) {
  const auto near_zero = [&](const StudyPoint& point) {
    return point.condition && (std::isinf(*point.condition) || (study.swept && *point.condition > kNearZero));
  };
  study.near_zero = std::any_of(study.points.begin(), study.points.end(), near_zero);
  if (study.near_zero)
    for (StudyPoint& point : study.points) rescale(point);
}

void add_maker(std::vector<Provenance>& made_by, const Provenance& one) {
  const auto same = [&](const Provenance& p) {
    return p.version == one.version && p.flags == one.flags && p.cpu == one.cpu;
  };
  if (std::none_of(made_by.begin(), made_by.end(), same)) made_by.push_back(one);
}

// The command line of an experiment: what its config says.
std::string command_line(const Json& config, const ExperimentReport& report) {
  std::string line = "orderlab sample";
  const auto quoted = [](const std::string& value) {
    std::string text = "'";
    for (const char c : value) text += c == '\'' ? "'\\''" : std::string(1, c);
    return text + "'";
  };
  if (report.input.distribution.empty())
    line += " --input FILE";  // the config names terms by their hash
  else
    line += fmt::format(" --n {} --dist {} --input-seed {}", report.input.n, quoted(report.input.distribution),
                        report.input.input_seed);
  if (report.input.products) line += " --with FILE";
  line += " --format " + to_string(report.input.formats);
  for (const AskedOrder& order : report.asked) line += " --order " + quoted(order.expression);
  if (!report.baseline.empty()) line += " --baseline " + quoted(report.baseline);
  return line +
         fmt::format(" --samples {} --seed {} --max-distinct {}", config["samples"].count(), report.seed,
                     report.max_distinct) +
         (report.range ? fmt::format(" --range {}:{}", report.range->first, report.range->second) : std::string());
}

}  // namespace

std::string error_unit(const Study& study) { return study.near_zero ? "u sum|x|" : "ulp"; }

std::string whole_of(const Study& study) { return study.near_zero ? "sum|x|" : "the sum"; }

Study study_of(const Store& store) {
  const StoredSweep sweep = store.sweep_with_points();
  Study study;
  study.title = sweep.title.empty() ? "A sweep of summation orders" : sweep.title;
  study.question = sweep.question;
  study.planned = sweep.points;
  study.hash = sweep.plan_hash;
  study.swept = true;
  study.how_to_repeat = "orderlab sweep CONFIG.toml --db FILE.sqlite && orderlab report FILE.sqlite -o REPORT.html";
  store.for_each_row([&](const StoredRow& row) {
    try {
      PointTexts texts{Json::parse(row.point.config),
                       Json::parse(row.point.terms),
                       Json::parse(row.point.summation),
                       Json::parse(row.point.metrics),
                       {}};
      texts.counts = from_blob(row.point.counts, parse_formats(text(texts.config, "format")).result);
      StudyPoint point = point_of(texts);
      point.position = row.position;
      point.order = row.order_text;
      point.arrival = row.arrival_text;
      study.points.push_back(std::move(point));
    } catch (const std::exception& error) {  // JSON that is none, counts that are none
      throw store.damaged(row, error);
    }
    add_maker(study.made_by, row.point.made_by);
  });
  choose_unit(study);
  return study;
}

Study study_of(const ExperimentReport& report) {
  const Json config = sampling_config_json(report.input, report.asked,
                                           {report.seed, report.samples, report.max_distinct, report.baseline});
  Study study;
  study.planned = report.asked.size();
  study.hash = report.input.hash;
  study.how_to_repeat = command_line(config, report);
  study.made_by = {provenance()};
  for (std::size_t i = 0; i < report.orders.size(); ++i) {
    const OrderReport& order = report.orders[i];
    PointTexts texts{config, input_json(report.input), sampled_order_json(order), {}, {}};
    texts.metrics["samples"] = order.counts.samples();
    for (const auto& [name, value] : order.metrics.fields()) texts.metrics[name] = json_of(value);
    texts.counts = from_blob(to_blob(order.counts), report.input.formats.result);
    StudyPoint point = point_of(texts);
    point.position = i;
    point.order = order.name.empty() ? order.expression : order.name;
    point.arrival = order.arrival;
    study.points.push_back(std::move(point));
    const std::string said = conclusion_of(order);
    study.answers.push_back(report.orders.size() == 1 ? said : study.points.back().order + ": " + said);
  }
  choose_unit(study);
  study.title = fmt::format("{} terms of {}, {}", report.input.n,
                            report.input.distribution.empty() ? "a file" : report.input.distribution,
                            to_string(report.input.formats));
  study.question = "How far does this sum move with the order of its additions?";
  return study;
}

}  // namespace orderlab
