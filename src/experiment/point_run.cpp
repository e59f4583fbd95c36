#include "experiment/point_run.hpp"

#include <chrono>
#include <utility>

#include "core/text.hpp"
#include "engine/task_list.hpp"
#include "experiment/counts_blob.hpp"
#include "experiment/input_json.hpp"
#include "orderlab/error.hpp"
#include "orderlab/evaluator.hpp"
#include "study/enumerated_order.hpp"

namespace orderlab {

namespace {

/// What a row says of the order and its results.
struct Measured {
  Json summation;
  std::uint64_t samples = 0;
  Record metrics;
  std::string counts;
};

study::Input input_of(const SweepPoint& point) {
  const study::InputFacts& about = point.input;
  return study::generated_input({.n = about.n,
                                 .distribution = about.distribution,
                                 .formats = about.formats,
                                 .seed = about.input_seed,
                                 .number = about.input_number});
}

study::OrderRun run_of(const SweepPoint& point) {
  return {*point.order, point.baseline.get(), point.seed, point.samples, point.max_distinct};
}

std::optional<Measured> draw(const SweepPoint& point, const study::Input& input, const PointRunOptions& options) {
  SampleOptions sampling;
  sampling.end = point.samples;
  sampling.threads = kLoopThreads;
  sampling.stop = options.stop;
  sampling.progress = options.progress;
  study::SampledOrder report = study::run_order(run_of(point), input, sampling);
  if (report.counts.samples() < point.draws()) return {};
  report.name.clear();  // a name is the plan's; other configs may write the same order in another way
  return Measured{sampled_order_json(report), report.counts.samples(), std::move(report.metrics),
                  to_blob(report.counts)};
}

std::uint64_t count_within_limit(const std::string& decimal, const SweepPoint& point) {
  try {
    return parse_count("orders", decimal);
  } catch (const Error&) {
    throw Error(ErrorKind::unsupported, "point " + point.config() + ": has " + decimal +
                                            " orders, more than a store counts (2^64 - 1); `orderlab enumerate` does");
  }
}

std::optional<Measured> walk(const SweepPoint& point, const study::Input& input, const PointRunOptions& options) {
  const auto evaluator = Evaluator::make(*point.order, input.terms.view(), input.facts.formats, point.seed);
  WalkOptions walking;
  walking.memory_bytes = options.memory_bytes;
  walking.threads = kLoopThreads;
  walking.stop = options.stop;
  auto enumeration = enumerate(study::space_of(*point.order, *evaluator), walking);
  if (!enumeration) return {};
  study::EnumeratedOrder all = measured(run_of(point), *evaluator, input, *std::move(enumeration));
  all.name.clear();
  const std::uint64_t orders = count_within_limit(all.enumeration.orders, point);
  std::vector<ResultCounts::Result> results;
  for (const ReachableResult& result : all.enumeration.results)
    results.push_back({result.bits, result.value, count_within_limit(result.count, point)});
  if (options.progress) options.progress(1, 1);
  return Measured{enumerated_order_json(all), orders, std::move(all.metrics),
                  to_blob(results, input.facts.formats.result)};
}

}  // namespace

std::optional<StoredPoint> run_point(const SweepPoint& point, const Provenance& made_by,
                                     const PointRunOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const study::Input input = input_of(point);
  auto measured = point.all_orders ? walk(point, input, options) : draw(point, input, options);
  if (!measured) return {};
  Json metrics{{"samples", measured->samples}};
  for (const auto& [name, value] : measured->metrics.fields()) metrics[name] = json_of(value);
  StoredPoint stored{.hash = point.hash().text(),
                     .config = point.config(),
                     .terms = input_json(input.facts).dump(),
                     .summation = measured->summation.dump(),
                     .metrics = metrics.dump(),
                     .counts = std::move(measured->counts),
                     .made_by = made_by};
  stored.wall_ns =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - start).count();
  return stored;
}

}  // namespace orderlab
